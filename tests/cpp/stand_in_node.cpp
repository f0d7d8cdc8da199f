// A node over a stand-in for the library, for what no script can say: inputs and outputs that a dataflow
// declares, messages that were lost, a second run. It also shows what arguments arrive.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <algorithm>
#include <iterator>
#include <ranges>
#endif

struct dora_metadata_t {};
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
    CHECK(node.pending());
    CHECK(node.dropped("image") == UINT64_MAX && node.dropped() == 3);
    CHECK(node.input_state("image") == DORA_INPUT_CLOSED && node.input_state(std::string("tick")) == 77);
    CHECK(MESSAGE_OF(DORA_ERROR_UNKNOWN_INPUT, node.input_state("none")) == "no such input");
}

void calls(dora::Node &node) {
    node.close_output("mask");
    node.close_output(std::string("boxes"));
    node.close_outputs();
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
    calls(node);
    return check::result("stand_in_node");
}
