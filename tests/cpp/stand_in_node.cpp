// A node over a stand-in for the library, for what no script can say: inputs and outputs that a dataflow
// declares, messages that were lost, a second run. It also shows what arguments arrive.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <chrono>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <algorithm>
#include <iterator>
#include <ranges>
#endif

struct dora_metadata_t {};
struct dora_event_t {};
struct dora_node_t {};

namespace {

constexpr const char *inputs[][2] = {{"image", "camera/image"}, {"tick", "dora/timer/millis/100"}};
constexpr const char *outputs[] = {"boxes", "mask", "scores"};

struct Logged {
    std::int32_t level;
    const char *target;
    std::string message;
    const dora_metadata_t *fields;
} logged;

std::vector<std::string> closed;
int interrupts = 0;

struct Awaited {
    std::string id;
    const char *server;
    std::int64_t timeout_ns;
} awaited;

} // namespace

extern "C" {
const char *dora_last_error(void) { return "no such input"; }
const char *dora_status_name(dora_status_t) { return "a name"; }

void dora_node_free(dora_node_t *node) { delete node; }
const char *dora_node_config_json(const dora_node_t *) { return "{\"id\":\"n\"}"; }
const char *dora_node_descriptor_json(const dora_node_t *) { return "{\"nodes\":[]}"; }
size_t dora_node_input_count(const dora_node_t *node) { return node != nullptr ? std::size(inputs) : 0; }
const char *dora_node_input_id(const dora_node_t *, size_t index) {
    return index < std::size(inputs) ? inputs[index][0] : nullptr;
}
const char *dora_node_input_source(const dora_node_t *, size_t index) {
    return index < std::size(inputs) ? inputs[index][1] : nullptr;
}
size_t dora_node_output_count(const dora_node_t *node) { return node != nullptr ? std::size(outputs) : 0; }
const char *dora_node_output_id(const dora_node_t *, size_t index) {
    return index < std::size(outputs) ? outputs[index] : nullptr;
}
uint32_t dora_node_restart_count(const dora_node_t *) { return UINT32_MAX; }
uint64_t dora_node_zero_copy_threshold(const dora_node_t *) { return UINT64_MAX; }
uint64_t dora_node_pool_size(const dora_node_t *) { return UINT64_MAX - 1; }
int64_t dora_node_now_ns(dora_node_t *node) { return node != nullptr ? 1'000'000'123 : DORA_TIME_ABSENT; }
dora_status_t dora_node_output_transport(dora_node_t *, const char *output, int32_t *out) {
    *out = std::string_view(output) == "mask" ? DORA_TRANSPORT_DIRECT : 77; // of a newer library
    return std::string_view(output) == "none" ? DORA_ERROR_UNKNOWN_OUTPUT : DORA_OK;
}

dora_status_t dora_node_close_output(dora_node_t *, const char *output) {
    closed.emplace_back(output);
    return DORA_OK;
}
dora_status_t dora_node_close_outputs(dora_node_t *) {
    closed.emplace_back("all");
    return DORA_OK;
}
dora_status_t dora_node_log_with(dora_node_t *, int32_t level, const char *target, const char *message,
                                 const dora_metadata_t *fields) {
    logged = {level, target, message, fields};
    return DORA_OK;
}
dora_status_t dora_node_pending(dora_node_t *, bool *out) {
    *out = true;
    return DORA_OK;
}
dora_status_t dora_node_event_fd(dora_node_t *, int32_t *fd) {
    *fd = 42;
    return DORA_OK;
}
void dora_node_interrupt(const dora_node_t *) { interrupts++; }
dora_status_t dora_node_dropped(dora_node_t *, const char *input, uint64_t *total) {
    *total = input == nullptr ? 3 : UINT64_MAX;
    return DORA_OK;
}
dora_status_t dora_node_input_state(dora_node_t *, const char *input, int32_t *out) {
    if (std::string_view(input) == "image")
        *out = DORA_INPUT_CLOSED;
    else if (std::string_view(input) == "tick")
        *out = 77; // of a newer library
    else
        return DORA_ERROR_UNKNOWN_INPUT;
    return DORA_OK;
}
dora_status_t dora_node_last_value(dora_node_t *, const char *input, dora_event_t **event) {
    *event = nullptr;
    if (std::string_view(input) == "tick")
        return DORA_ERROR_NOT_FOUND;
    if (std::string_view(input) != "image")
        return DORA_ERROR_UNKNOWN_INPUT;
    *event = new dora_event_t;
    return DORA_OK;
}
dora_status_t dora_node_read_reply(dora_node_t *, const char *id, const char *server, int64_t timeout_ns,
                                   dora_event_t **event) {
    awaited = {id, server, timeout_ns};
    *event = nullptr;
    return server != nullptr ? DORA_ERROR_SERVER_RESTARTED : 4; // an outcome of a newer library
}
void dora_event_free(dora_event_t *event) { delete event; }
int64_t dora_event_timestamp_ns(const dora_event_t *) { return 1'000'000'000; }
} // extern "C"

namespace {

void declared(const dora::Node &node) {
    std::string seen;
    for (const auto [id, source] : node.inputs())
        seen.append(id).append("=").append(source).append(" ");
    CHECK(seen == "image=camera/image tick=dora/timer/millis/100 ");
    const dora::DeclaredInputs from = node.inputs();
    CHECK(from.size() == 2 && !from.empty() && from[1].id == "tick");
    CHECK(from[2].id.data() == nullptr && from[2].source.data() == nullptr);
    dora::DeclaredInputs::iterator input = from.begin();
    CHECK((*input++).source == "camera/image" && (*input).id == "tick" && ++input == from.end());

    seen.clear();
    for (const std::string_view id : node.outputs())
        seen.append(id).append(" ");
    CHECK(seen == "boxes mask scores ");
    const dora::DeclaredOutputs to = node.outputs();
    CHECK(to.size() == 3 && to[2] == "scores" && to[3].data() == nullptr);
    CHECK(dora::DeclaredInputs().empty() && dora::DeclaredOutputs().empty());

#if __cplusplus >= 202002L
    static_assert(std::input_iterator<dora::DeclaredInputs::iterator>);
    static_assert(std::input_iterator<dora::DeclaredOutputs::iterator>);
    static_assert(std::ranges::sized_range<dora::DeclaredInputs>);
    CHECK(std::ranges::count(from, std::string_view("tick"), &dora::DeclaredInput::id) == 1);
#endif
}

void answers(const dora::Node &node) {
    CHECK(node.config_json() == "{\"id\":\"n\"}" && node.descriptor_json() == "{\"nodes\":[]}");
    CHECK(node.restart_count() == UINT32_MAX && node.zero_copy_threshold() == UINT64_MAX);
    CHECK(node.pool_size() == UINT64_MAX - 1);
    CHECK(node.output_transport("mask") == DORA_TRANSPORT_DIRECT &&
          node.output_transport(std::string("boxes")) == 77);
    MESSAGE_OF(DORA_ERROR_UNKNOWN_OUTPUT, node.output_transport("none"));
    CHECK(node.event_fd() == 42);
    node.interrupt();
    CHECK(interrupts == 1);
    CHECK(node.pending());
    CHECK(node.dropped("image") == UINT64_MAX && node.dropped() == 3);
    CHECK(node.input_state("image") == DORA_INPUT_CLOSED && node.input_state(std::string("tick")) == 77);
    CHECK(MESSAGE_OF(DORA_ERROR_UNKNOWN_INPUT, node.input_state("none")) == "no such input");
}

void last_values(const dora::Node &node) {
    const dora::Event image = node.last_value("image");
    CHECK(image && node.now() - *image.timestamp() == std::chrono::nanoseconds(123));
    CHECK(!node.last_value(std::string("tick"))); // none yet is no failure
    MESSAGE_OF(DORA_ERROR_UNKNOWN_INPUT, (void)node.last_value("none"));
}

void replies(dora::Node &node) {
    using namespace std::chrono_literals;
    const char *server = "server";
    const auto was = [](std::string_view id, const char *from, std::int64_t timeout_ns) {
        return awaited.id == id && awaited.server == from && awaited.timeout_ns == timeout_ns;
    };
    const dora::ReadResult newer = node.read_reply("a");
    CHECK(!newer && newer.status() == 4 && was("a", nullptr, DORA_FOREVER));
    CHECK(!node.read_reply(std::string("b"), 7ms) && was("b", nullptr, 7'000'000));
    CHECK(!node.read_reply("c", -1ns) && was("c", nullptr, 0)); // over, and not for ever
    CHECK(!node.read_reply("d", nullptr) && was("d", nullptr, DORA_FOREVER));
    CHECK(!node.read_reply("e", nullptr, 1s) && was("e", nullptr, 1'000'000'000));
    MESSAGE_OF(DORA_ERROR_SERVER_RESTARTED, (void)node.read_reply("f", server));
    CHECK(was("f", server, DORA_FOREVER));
    MESSAGE_OF(DORA_ERROR_SERVER_RESTARTED, (void)node.read_reply("g", server, 0s));
    CHECK(was("g", server, 0));
}

void calls(dora::Node &node) {
    CHECK(node.close_output("mask") && node.close_output(std::string("boxes")) && node.close_outputs());
    CHECK(closed == std::vector<std::string>{"mask", "boxes", "all"});

    const auto was = [](const char *target, std::string_view message, const dora_metadata_t *fields) {
        return logged.level == DORA_LOG_DEBUG && logged.target == target && logged.message == message &&
               logged.fields == fields;
    };
    const char *target = "target";
    const dora_metadata_t fields = {};
    node.log(DORA_LOG_DEBUG, target, "a");
    CHECK(was(target, "a", nullptr));
    node.log(DORA_LOG_DEBUG, target, std::string("b"), &fields);
    CHECK(was(target, "b", &fields));
    node.log(DORA_LOG_DEBUG, "c", dora::MetadataView(&fields));
    CHECK(was(nullptr, "c", &fields));
    node.log(DORA_LOG_DEBUG, nullptr, "d", nullptr);
    CHECK(was(nullptr, "d", nullptr));
}

} // namespace

int main() {
    dora::Node made(new dora_node_t);
    const dora::DeclaredOutputs outputs_before = made.outputs();
    dora::Node node = std::move(made);
    CHECK(outputs_before[0] == "boxes" && made.outputs().empty()); // a view stays with the node that moved
    declared(node);
    answers(node);
    last_values(node);
    replies(node);
    calls(node);
    CHECK(made.now() == (dora::Timestamp::min)()); // of no node
    return check::result("stand_in_node");
}
