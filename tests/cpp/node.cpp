// What a node says about itself, its inputs and its outputs, and the lines that it logs. A script declares no
// inputs and no outputs; stand_in_node.cpp has some.
// Environment: DORA_TEST_WITH_INPUTS=node.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <utility>

namespace {

using std::chrono::milliseconds;

void identity(const dora::Node &node) {
    CHECK(check::contains(node.config_json(), "\"outputs\""));
    CHECK(node.config_json().front() == '{' && node.config_json().back() == '}');
    CHECK(node.restart_count() == 0);
    CHECK(node.zero_copy_threshold() > 0 && node.pool_size() == 0); // no shared memory without a daemon
}

void clock(const dora::Node &node, const dora::Event &input) {
    CHECK(input.timestamp() && input.timestamp()->time_since_epoch().count() == input.timestamp_ns());
    const std::chrono::nanoseconds age = node.now() - *input.timestamp();
    CHECK(age > std::chrono::nanoseconds(0) && age < std::chrono::minutes(2));
    const dora::Timestamp now = node.now();
    CHECK(node.now() > now);
    CHECK(!dora::Event().timestamp());
}

void nothing_declared(dora::Node &node) {
    CHECK(node.inputs().empty() && node.inputs().begin() == node.inputs().end());
    CHECK(node.outputs().empty() && node.outputs().begin() == node.outputs().end());
    CHECK(node.inputs()[0].id.data() == nullptr && node.inputs()[0].source.data() == nullptr);
    CHECK(node.outputs()[0].data() == nullptr);

    const std::string input = "numbers"; // comes, though nobody declares it
    CHECK(node.dropped(input) == 0);
    CHECK(node.input_state(input) == DORA_INPUT_OPEN);
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_UNKNOWN_OUTPUT, node.close_output("out")), "out"));
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_UNKNOWN_OUTPUT, node.output_transport("out")), "out"));
    MESSAGE_OF(DORA_ERROR_INVALID_ID, node.output_transport("no id"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.output_transport(nullptr));
    MESSAGE_OF(DORA_ERROR_INVALID_ID, node.close_output("no id"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.close_output(nullptr));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.input_state(nullptr));
    CHECK(node.dropped() == 0);
    CHECK(node.close_outputs());
}

// Which the daemon keeps, so that here every call on them is refused.
void extensions(dora::Node &node) {
    MESSAGE_OF(DORA_ERROR_UNSUPPORTED, node.extension_store("ns", "key", "value"));
    MESSAGE_OF(DORA_ERROR_UNSUPPORTED, node.extension_store("ns", "key", nullptr, 0));
    MESSAGE_OF(DORA_ERROR_UNSUPPORTED, node.extension_drop("ns", "key"));
    MESSAGE_OF(DORA_ERROR_UNSUPPORTED, (void)node.extension_load("ns", "key"));
    MESSAGE_OF(DORA_ERROR_UNSUPPORTED, (void)node.extension_take("ns", "key"));
    MESSAGE_OF(DORA_ERROR_UNSUPPORTED, (void)node.extension_request("ns", "question"));
    const char *nothing = nullptr;
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.extension_store("ns", "key", nothing));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.extension_store("ns", "key", nothing, 1));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.extension_store(nothing, "key", "value"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.extension_drop("ns", nothing));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.extension_load(nothing, "key"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.extension_request("ns", nothing));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, (void)node.extension_take("ns", "\xFF"));
    CHECK(!dora::next_dropped_key("ns"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)dora::next_dropped_key(nothing));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, (void)dora::next_dropped_key("\xFF"));
}

// Every call on what is empty is defined.
void moved_from(dora::Node &node) {
    dora::Node elsewhere = std::move(node);
    CHECK(node.config_json().data() == nullptr && node.descriptor_json().data() == nullptr);
    CHECK(node.inputs().empty() && node.outputs().empty());
    CHECK(node.restart_count() == 0 && node.zero_copy_threshold() == 0);
    CHECK(node.pool_size() == 0 && node.now() == (dora::Timestamp::min)());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.output_transport("out"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.last_value("numbers"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.extension_store("ns", "key", "value"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.extension_drop("ns", "key"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.extension_load("ns", "key"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.extension_take("ns", "key"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.extension_request("ns", "question"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.pending());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.dropped());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.dropped("numbers"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.input_state("numbers"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.close_output("out"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.close_outputs());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.log(DORA_LOG_INFO, "target", "refused"));
    node = std::move(elsewhere);
}

void log(dora::Node &node, const dora::Event &input) {
    const std::string target = "planner";
    dora::Metadata fields;
    fields.set("step", 7).set("why", "a detour");
    CHECK(node.log(DORA_LOG_WARN, "message only") && node.log(DORA_LOG_WARN, "with fields", fields));
    node.log(DORA_LOG_ERROR, target, std::string("with target"));
    node.log(DORA_LOG_ERROR, target, "with both", input.metadata());
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, node.log(99, "target", "refused"));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, node.log(DORA_LOG_INFO, "refused \xFF", "text"));
    const char *nothing = nullptr;
    node.log(DORA_LOG_WARN, nothing, "without target");
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.log(DORA_LOG_INFO, "refused", nothing)),
                          "message"));
}

// Of the stop, which comes a second after the input. On a machine that is busy it may be here before it is
// looked for, so nothing here depends on the time.
void pending(dora::Node &node) {
    const bool before = node.pending();
    dora::ReadResult result = node.read(milliseconds(0));
    CHECK(result || (result.timed_out() && !before));
    if (!result) {
        while (!node.pending())
            std::this_thread::sleep_for(milliseconds(1));
        result = node.read(milliseconds(0));
    }
    CHECK(result && result->kind() == DORA_EVENT_STOP);
    CHECK(node.read().closed() && node.pending() && node.pending()); // for ever
}

// The one line of `path` that holds `message`.
std::string line_of(const std::string &path, std::string_view message) {
    std::ifstream file(path);
    std::string found;
    int count = 0;
    for (std::string line; std::getline(file, line);)
        if (check::contains(line, message)) {
            found = line;
            ++count;
        }
    CHECK(count == 1);
    return found;
}

void compare(const std::string &path) {
    const std::string plain = line_of(path, R"("message":"message only")");
    CHECK(check::contains(plain, R"("level":"warn")") && !check::contains(plain, R"("target")"));
    const std::string fields = line_of(path, R"("message":"with fields")");
    CHECK(check::contains(fields, R"("step":"7")") && check::contains(fields, R"("why":"a detour")"));
    CHECK(check::contains(fields, R"("level":"warn")") && !check::contains(fields, R"("target")"));
    const std::string target = line_of(path, R"("message":"with target")");
    CHECK(check::contains(target, R"("target":"planner")") && check::contains(target, R"("level":"error")"));
    CHECK(!check::contains(target, R"("fields")"));
    const std::string both = line_of(path, R"("message":"with both")");
    CHECK(check::contains(both, R"("target":"planner")") && check::contains(both, R"("width":"640")"));
    CHECK(!check::contains(line_of(path, R"("message":"without target")"), R"("target")"));
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        CHECK(!check::contains(line, "refused"));
}

} // namespace

int main() {
    const char *outputs = std::getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    const std::string path = std::string(outputs != nullptr ? outputs : "node") + ".stdout";
    CHECK(std::freopen(path.c_str(), "w", stdout) != nullptr); // which carries the log
    {
        dora::Node node;
        identity(node);
        const dora::ReadResult input = node.read();
        CHECK(input);
        clock(node, *input);
        log(node, *input);
        nothing_declared(node);
        extensions(node);
        moved_from(node);
        pending(node);
    }
    std::fflush(stdout);
    compare(path);
    return check::result("node");
}
