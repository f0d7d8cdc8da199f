// What dora::Error says, and what it leaves behind.
// Environment: DORA_TEST_WITH_INPUTS=send.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <cstdlib>
#include <exception>
#include <vector>

namespace {

// Started by hand: no dora, no script.
void init() {
    const std::string script = std::getenv("DORA_TEST_WITH_INPUTS");
    unsetenv("DORA_TEST_WITH_INPUTS");
    const std::string by_hand = MESSAGE_OF(DORA_ERROR_INIT, const dora::Node node);
    CHECK(check::contains(by_hand, "dora run"));
    setenv("DORA_TEST_WITH_INPUTS", "no such file.json", 1);
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INIT, const dora::Node node), "no such file.json"));
    setenv("DORA_TEST_WITH_INPUTS", script.c_str(), 1);
}

void sending(dora::Node &node) {
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_ID, node.send("no id", "text")), "no id"));
    const char *nothing = nullptr;
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.send(nothing)), "output"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.send("literal", nothing));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.send_bytes("bytes", nullptr, 1));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, node.send("literal", "\xFF"));
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, node.log(99, "of no level"));
    node.send_bytes("bytes", nullptr, 0);
    node.send("literal", std::string_view());
}

// The message is a copy: later failures and the end of the node leave it alone.
void message_is_kept(dora::Node &node) {
    std::exception_ptr kept;
    try {
        node.send("first id");
    } catch (const std::exception &error) { // also as what it derives from
        CHECK(check::contains(error.what(), "first"));
        kept = std::current_exception();
    }
    MESSAGE_OF(DORA_ERROR_INVALID_ID, node.send("second id"));
    try {
        std::rethrow_exception(kept);
    } catch (const dora::Error &error) {
        CHECK(check::contains(error.what(), "first") && !check::contains(error.what(), "second"));
        CHECK(error.status() == DORA_ERROR_INVALID_ID);
        CHECK(std::string_view(error.status_name()) == "DORA_ERROR_INVALID_ID");
    }
}

// Every call on what is empty is defined.
void moved_from(dora::Node &node) {
    dora::Node elsewhere = std::move(node);
    CHECK(!node && elsewhere && node.id().empty() && node.dataflow_id().data() == nullptr);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.read());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, for (dora::Event &event : node.events()) event.reset());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.send("vector", {1.0F}));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.log(DORA_LOG_INFO, "text"));
    dora::Node &same = node;
    node = std::move(same);
    node = std::move(elsewhere);
    CHECK(node && !elsewhere && node.id() == "test-node");

    dora::Event event = std::move(*node.read());
    CHECK(event && event.input_id() == "numbers");
    const std::string_view id = event.input_id();
    const dora::Span<const float> values = event.values<float>();
    const dora::Event moved = std::move(event);
    CHECK(moved.input_id().data() == id.data() && moved.values<float>().data() == values.data());
    CHECK(!event && event.kind() == DORA_EVENT_UNKNOWN && event.input_id().data() == nullptr);
    CHECK(event.data_type() == DORA_TYPE_OTHER && event.length() == 0 && event.null_count() == 0);
    CHECK(!event.metadata() && !event.timestamp_ns() && event.affected_inputs().empty());
    CHECK(event.affected_inputs()[0].empty() && event.to_string() == event.to_string());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, event.values<float>());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, event.nullable_values<float>());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, event.bits());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, event.text());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, event.bytes());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, event.raw());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)event.arrow());
}

} // namespace

int main() {
    init();
    dora::Node node;
    sending(node);
    message_is_kept(node);
    moved_from(node);
    return check::result("errors");
}
