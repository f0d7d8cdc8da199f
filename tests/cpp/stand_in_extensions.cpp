// Extensions over a stand-in for the library, since a script has no daemon that could keep their values: what
// comes and goes, and what is told of what is not there.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "moving.hpp"

#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

struct dora_bytes_t {
    std::string content;
};
struct dora_node_t {};

namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

int bytes_alive = 0;
int bytes_freed = 0;
dora_status_t status = DORA_OK; // what a call ends with that could succeed
std::map<std::string, std::string> table;
std::deque<std::string> dropped;
std::pair<const void *, std::size_t> stored; // where it came from

dora_bytes_t *make(std::string content) {
    ++bytes_alive;
    return new dora_bytes_t{std::move(content)};
}

} // namespace

extern "C" {
const char *dora_last_error(void) { return "no such extension"; }
const char *dora_status_name(dora_status_t) { return "a name"; }
void dora_node_free(dora_node_t *node) { delete node; }

const void *dora_bytes_data(const dora_bytes_t *bytes) {
    return bytes != nullptr && !bytes->content.empty() ? bytes->content.data() : nullptr;
}
size_t dora_bytes_size(const dora_bytes_t *bytes) { return bytes != nullptr ? bytes->content.size() : 0; }
void dora_bytes_free(dora_bytes_t *bytes) {
    bytes_freed += bytes != nullptr;
    bytes_alive -= bytes != nullptr;
    delete bytes;
}

dora_status_t dora_node_extension_store(dora_node_t *, const char *ns, const char *key, const void *value,
                                        size_t size) {
    stored = {value, size};
    if (value == nullptr && size > 0)
        return DORA_ERROR_NULL_POINTER;
    table[std::string(ns) + '/' + key] = std::string(static_cast<const char *>(value), size);
    return DORA_OK;
}
dora_status_t dora_node_extension_drop(dora_node_t *, const char *ns, const char *key) {
    table.erase(std::string(ns) + '/' + key);
    dropped.emplace_back(key);
    return DORA_OK;
}
dora_status_t dora_node_extension_load(dora_node_t *, const char *ns, const char *key, int32_t remove,
                                       dora_bytes_t **out) {
    *out = nullptr;
    if (status != DORA_OK)
        return status;
    const auto found = table.find(std::string(ns) + '/' + key);
    if (found == table.end())
        return DORA_ERROR_NOT_FOUND;
    *out = make(found->second);
    if (remove != 0)
        table.erase(found);
    return DORA_OK;
}
dora_status_t dora_node_extension_request(dora_node_t *, const char *ns, const void *payload, size_t size,
                                          dora_bytes_t **out) {
    *out = nullptr;
    if (status != DORA_OK)
        return status;
    if (payload == nullptr && size > 0)
        return DORA_ERROR_NULL_POINTER;
    *out = make(std::string(ns) + ':' + std::string(static_cast<const char *>(payload), size));
    return DORA_OK;
}
dora_status_t dora_extension_next_dropped(const char *ns, dora_bytes_t **key) {
    *key = nullptr;
    if (std::string_view(ns) != "maps")
        return DORA_ERROR_INVALID_UTF8;
    if (dropped.empty())
        return DORA_ERROR_NOT_FOUND;
    *key = make(dropped.front());
    dropped.pop_front();
    return DORA_OK;
}
} // extern "C"

namespace {

void bytes() {
    const dora::Bytes none;
    CHECK(!none && none.data() == nullptr && none.size() == 0 && none.empty() && none.span().empty());
    CHECK(none.text().data() == nullptr && none.begin() == none.end());
    const dora::Bytes empty(make({}));
    CHECK(empty && empty.data() == nullptr && empty.empty() && empty.text().empty());

    dora::Bytes some(make("a\0\xFF"s));
    CHECK(some && some.size() == 3 && !some.empty() && some.text() == "a\0\xFF"sv);
    CHECK(some.span().data() == some.data() && some.span().size() == 3 && some.span()[2] == 0xFF);
    CHECK(std::accumulate(some.begin(), some.end(), 0) == 'a' + 0xFF);
    const dora::Span<const std::uint8_t> converted = some;
    const dora::Bytes moved = std::move(some);
    CHECK(moved.data() == converted.data() && !some && some.text().empty());
    check::moving<dora::Bytes>([] { return dora::Bytes(make("x")); }, bytes_freed);
}

// What counts as the memory of a value.
void storing(dora::Node &node) {
    const auto was = [](const void *data, std::size_t size) { return stored == std::pair(data, size); };
    const float floats[] = {1.5F, 2.5F};
    CHECK(node.extension_store("maps", "a", floats) && was(floats, 8));
    CHECK(node.extension_store("maps", "a", floats, 3) && was(floats, 3)); // as bytes, whatever they are
    const std::vector<std::byte> memory(5);
    CHECK(node.extension_store("maps", std::string("a"), memory) && was(memory.data(), 5));
    const std::array<bool, 2> flags = {};
    CHECK(node.extension_store("maps", "a", flags) && was(flags.data(), 2));
    CHECK(node.extension_store("maps", "a", dora::Span<const int>()) && was(nullptr, 0));
    CHECK(node.extension_store("maps", "a", nullptr, 0) && was(nullptr, 0));

    const char *literal = "text";
    CHECK(node.extension_store("maps", "a", literal) && was(literal, 4)); // without its NUL
    CHECK(node.extension_store("maps", "a", std::string_view(literal, 2)) && was(literal, 2));
    const std::string with_nul("a\0b", 3);
    CHECK(node.extension_store("maps", "a", with_nul) && was(with_nul.data(), 3));
    CHECK(node.extension_store("maps", "a", "") && stored.second == 0);
    const char *nothing = nullptr;
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.extension_store("maps", "a", nothing));
}

void loading(dora::Node &node) {
    CHECK(node.extension_store("maps", "floor 1", "walls") && node.extension_store("maps", "floor 2", ""));
    for (int again = 0; again < 2; ++again) {
        const dora::ExtensionResult loaded = node.extension_load("maps", "floor 1");
        CHECK(loaded && loaded.status() == DORA_OK && !loaded.not_found() && !loaded.timed_out());
        CHECK(loaded->text() == "walls" && (*loaded).size() == 5);
    }
    dora::ExtensionResult taken = node.extension_take("maps", std::string("floor 1"));
    const dora::Bytes kept = std::move(*taken);
    CHECK(!taken && kept.text() == "walls");
    const dora::ExtensionResult gone = node.extension_take("maps", "floor 1");
    CHECK(!gone && gone.not_found() && gone.status() == DORA_ERROR_NOT_FOUND && !*gone && gone->empty());
    const dora::ExtensionResult empty = node.extension_load("maps", "floor 2");
    CHECK(empty && !empty.not_found() && empty->empty()); // an empty value is one

    const dora::ExtensionResult answer = node.extension_request("maps", "how many?");
    CHECK(answer && answer->text() == "maps:how many?");
    CHECK(node.extension_request("maps", kept)->text() == "maps:walls"); // bytes are a container
    CHECK(node.extension_request("maps", "xyz", 1)->text() == "maps:x");
    CHECK(node.extension_request("maps", nullptr, 0)->text() == "maps:");
    const char *nothing = nullptr;
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.extension_request("maps", nothing));
}

void outcomes(dora::Node &node) {
    status = DORA_TIMEOUT;
    for (const auto &result : {node.extension_load("maps", "floor 2"), node.extension_take("maps", "floor 2"),
                               node.extension_request("maps", "now?")})
        CHECK(!result && result.timed_out() && !result.not_found() && !*result);
    status = 4; // an outcome of a newer library is no failure
    CHECK(node.extension_load("maps", "floor 2").status() == 4);
    status = DORA_ERROR_DISCONNECTED;
    MESSAGE_OF(DORA_ERROR_DISCONNECTED, (void)node.extension_load("maps", "floor 2"));
    MESSAGE_OF(DORA_ERROR_DISCONNECTED, (void)node.extension_take("maps", "floor 2"));
    // To ask what is not there is a mistake, unlike to look for it.
    status = DORA_ERROR_NOT_FOUND;
    CHECK(MESSAGE_OF(DORA_ERROR_NOT_FOUND, (void)node.extension_request("maps", "?")) == "no such extension");
    status = DORA_OK;
}

void dropping(dora::Node &node) {
    CHECK(!dora::next_dropped_key("maps"));
    CHECK(node.extension_drop("maps", "floor 2") && node.extension_drop("maps", std::string("floor 3")));
    CHECK(node.extension_load("maps", "floor 2").not_found());
    dropped.emplace_back("with\0nul"sv);
    CHECK(dora::next_dropped_key("maps") == "floor 2" &&
          dora::next_dropped_key(std::string("maps")) == "floor 3");
    CHECK(dora::next_dropped_key("maps") == "with\0nul"s && dora::next_dropped_key("maps") == std::nullopt);
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, (void)dora::next_dropped_key("\xFF"));
}

} // namespace

int main() {
    bytes();
    dora::Node node(new dora_node_t);
    storing(node);
    loading(node);
    outcomes(node);
    dropping(node);
    CHECK(bytes_alive == 0);
    return check::result("stand_in_extensions");
}
