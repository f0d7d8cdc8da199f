// Setting up and sending over a stand-in for the library, whose calls end as the test wants: done, over time,
// with an outcome of the future, failed. It also shows what arguments arrive.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "moving.hpp"

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

struct dora_node_options_t {};
struct dora_stream_t {};
struct dora_node_t {};

namespace {

dora_status_t status = DORA_OK; // what calls end with
const dora_node_options_t *options_of_init = nullptr;
int options_freed = 0;
int streams_freed = 0;

// The last option that was set, and to what.
std::string option;
std::int64_t number = 0;
const char *text = nullptr;
std::size_t text_length = 0;

dora_status_t set_number(const char *name, std::int64_t to) {
    option = name;
    number = to;
    return status;
}
dora_status_t set_text(const char *name, const char *to, std::size_t length = 0) {
    option = name;
    text = to;
    text_length = length;
    return status;
}

} // namespace

extern "C" {
const char *dora_last_error(void) { return "it failed"; }
const char *dora_status_name(dora_status_t) { return "a name"; }

dora_status_t dora_node_options_new(dora_node_options_t **out) {
    *out = status == DORA_OK ? new dora_node_options_t : nullptr;
    return status;
}
void dora_node_options_free(dora_node_options_t *options) {
    options_freed += options != nullptr;
    delete options;
}
dora_status_t dora_node_options_set_node_id(dora_node_options_t *, const char *id) {
    return set_text("node_id", id);
}
dora_status_t dora_node_options_set_daemon_port(dora_node_options_t *, uint16_t port) {
    return set_number("daemon_port", port);
}
dora_status_t dora_node_options_set_interactive(dora_node_options_t *, int32_t interactive) {
    return set_number("interactive", interactive);
}
dora_status_t dora_node_options_set_init_timeout_ns(dora_node_options_t *, int64_t timeout) {
    return set_number("init_timeout", timeout);
}
dora_status_t dora_node_options_set_send_timeout_ns(dora_node_options_t *, int64_t timeout) {
    return set_number("send_timeout", timeout);
}
dora_status_t dora_node_options_set_pool_size(dora_node_options_t *, uint64_t bytes) {
    return set_number("pool_size", static_cast<std::int64_t>(bytes));
}
dora_status_t dora_node_options_set_zero_copy_threshold(dora_node_options_t *, uint64_t bytes) {
    return set_number("zero_copy_threshold", static_cast<std::int64_t>(bytes));
}
dora_status_t dora_node_options_set_keep_last_values(dora_node_options_t *, int32_t keep) {
    return set_number("keep_last_values", keep);
}
dora_status_t dora_node_options_set_fast_lane(dora_node_options_t *, int32_t is_on) {
    return set_number("fast_lane", is_on);
}
dora_status_t dora_node_options_set_thread_policy(dora_node_options_t *, int32_t policy, int32_t priority) {
    return set_number("thread_policy", 100 * policy + priority);
}
dora_status_t dora_node_options_set_thread_cpus(dora_node_options_t *, const int32_t *cpus, size_t count) {
    return set_number("thread_cpus",
                      count == 0 ? 0 : 1000 * static_cast<std::int64_t>(count) + cpus[count - 1]);
}
dora_status_t dora_node_options_set_test_inputs(dora_node_options_t *, const char *path) {
    return set_text("test_inputs", path);
}
dora_status_t dora_node_options_set_test_inputs_json(dora_node_options_t *, const char *json, size_t length) {
    return set_text("test_inputs_json", json, length);
}
dora_status_t dora_node_options_set_test_outputs(dora_node_options_t *, const char *path) {
    return set_text("test_outputs", path);
}

dora_status_t dora_node_init_with(const dora_node_options_t *options, dora_node_t **node) {
    options_of_init = options;
    *node = status == DORA_OK ? new dora_node_t : nullptr;
    return status;
}
void dora_node_free(dora_node_t *node) { delete node; }

dora_status_t dora_stream_new(const char *, dora_stream_t **out) {
    *out = status == DORA_OK ? new dora_stream_t : nullptr;
    return status;
}
void dora_stream_free(dora_stream_t *stream) {
    streams_freed += stream != nullptr;
    delete stream;
}

dora_status_t dora_node_send_empty(dora_node_t *, const char *, const dora_metadata_t *) { return status; }
dora_status_t dora_node_send_bytes(dora_node_t *, const char *, const void *, size_t,
                                   const dora_metadata_t *) {
    return status;
}
dora_status_t dora_node_send_values(dora_node_t *, const char *, int32_t, const void *, size_t,
                                    const dora_metadata_t *) {
    return status;
}
dora_status_t dora_node_send_text(dora_node_t *, const char *, const char *, size_t,
                                  const dora_metadata_t *) {
    return status;
}
dora_status_t dora_node_send_arrow(dora_node_t *, const char *, struct ArrowSchema *schema,
                                   struct ArrowArray *array, const dora_metadata_t *) {
    schema->release(schema);
    array->release(array);
    return status;
}
dora_status_t dora_node_close_output(dora_node_t *, const char *) { return status; }
dora_status_t dora_node_close_outputs(dora_node_t *) { return status; }
dora_status_t dora_node_log(dora_node_t *, int32_t, const char *) { return status; }
dora_status_t dora_node_log_with(dora_node_t *, int32_t, const char *, const char *,
                                 const dora_metadata_t *) {
    return status;
}
dora_status_t dora_node_extension_store(dora_node_t *, const char *, const char *, const void *, size_t) {
    return status;
}
dora_status_t dora_node_extension_drop(dora_node_t *, const char *, const char *) { return status; }
} // extern "C"

namespace {

using namespace std::chrono_literals;

void setting() {
    dora::NodeOptions options;
    const auto was = [&options](dora::NodeOptions &returned, std::string_view name, std::int64_t to) {
        return &returned == &options && option == name && number == to;
    };
    CHECK(was(options.daemon_port(65'535), "daemon_port", 65'535));
    CHECK(was(options.interactive(), "interactive", 1) && was(options.interactive(false), "interactive", 0));
    CHECK(was(options.init_timeout(1'500ms), "init_timeout", 1'500'000'000));
    CHECK(was(options.init_timeout(0s), "init_timeout", 0)); // which the library refuses
    CHECK(was(options.send_timeout(std::chrono::duration<double>(0.25)), "send_timeout", 250'000'000));
    CHECK(was(options.send_timeout(-1ns), "send_timeout", 0)); // over, and not for ever
    CHECK(was(options.send_timeout((std::chrono::hours::max)()), "send_timeout", INT64_MAX));
    CHECK(was(options.pool_size(UINT64_MAX), "pool_size", -1) && was(options.pool_size(0), "pool_size", 0));
    CHECK(was(options.zero_copy_threshold(4'097), "zero_copy_threshold", 4'097));
    CHECK(was(options.keep_last_values(), "keep_last_values", 1));
    CHECK(was(options.keep_last_values(false), "keep_last_values", 0));
    CHECK(was(options.fast_lane(), "fast_lane", 1));
    CHECK(was(options.fast_lane(false), "fast_lane", 0));
    CHECK(was(options.thread_policy(2, 50), "thread_policy", 250));
    CHECK(was(options.thread_cpus({3, 1}), "thread_cpus", 2001));
    CHECK(was(options.thread_cpus({}), "thread_cpus", 0));

    const auto said = [&options](dora::NodeOptions &returned, std::string_view name, const void *to,
                                 std::size_t length = 0) {
        return &returned == &options && option == name && text == to && text_length == length;
    };
    const std::string id = "viewer";
    CHECK(said(options.node_id(id), "node_id", id.c_str()));
    CHECK(said(options.node_id(nullptr), "node_id", nullptr)); // takes it back
    CHECK(said(options.test_inputs(id), "test_inputs", id.c_str()));
    CHECK(said(options.test_inputs(nullptr), "test_inputs", nullptr));
    CHECK(said(options.test_outputs(id), "test_outputs", id.c_str()));
    CHECK(said(options.test_outputs(nullptr), "test_outputs", nullptr));
    const char *literal = "{} and more";
    CHECK(said(options.test_inputs_json(literal), "test_inputs_json", literal, DORA_NUL_TERMINATED));
    CHECK(said(options.test_inputs_json(std::string_view(literal, 2)), "test_inputs_json", literal, 2));
    CHECK(said(options.test_inputs_json(id), "test_inputs_json", id.data(), id.size()));

    status = DORA_ERROR_PANIC;
    CHECK(MESSAGE_OF(DORA_ERROR_PANIC, options.interactive()) == "it failed");
    MESSAGE_OF(DORA_ERROR_PANIC, const dora::NodeOptions failed);
    MESSAGE_OF(DORA_ERROR_PANIC, const dora::Stream failed);
    status = DORA_OK;
}

void init() {
    dora::NodeOptions options;
    dora::Node node(options);
    CHECK(node && options_of_init == options.get() && options);
    for (const dora_status_t outcome : {DORA_TIMEOUT, 4}) { // and one of a newer library
        status = outcome;
        CHECK(!dora::Node(options));
        node = dora::Node(options);
        CHECK(!node && node.get() == nullptr);
    }
    status = DORA_ERROR_INIT;
    CHECK(MESSAGE_OF(DORA_ERROR_INIT, const dora::Node failed(options)) == "it failed");
    status = DORA_OK;
    CHECK(dora::Node(dora::NodeOptions(nullptr)) && options_of_init == nullptr);
}

// Every call that waits for the sending half says whether it was done.
void sending() {
    dora::Node node(new dora_node_t);
    const std::vector<float> values = {1.0F};
    const std::vector<std::byte> bytes(1);
    const std::vector<std::function<bool()>> calls = {
        [&] { return node.send("out"); },
        [&] { return node.send("out", "text"); },
        [&] { return node.send("out", values); },
        [&] { return node.send("out", values.data(), 1); },
        [&] {
            return node.send("out", {1.0, 2.0});
        },
        [&] { return node.send("out", bytes); },
        [&] { return node.send_bytes("out", "x", 1); },
        [&] {
            dora::ArrowData data;
            data.schema->release = [](::ArrowSchema *schema) { schema->release = nullptr; };
            data.array->release = [](::ArrowArray *array) { array->release = nullptr; };
            return node.send("out", std::move(data));
        },
        [&] { return node.close_output("out"); },
        [&] { return node.close_outputs(); },
        [&] { return node.log(DORA_LOG_INFO, "message"); },
        [&] { return node.log(DORA_LOG_INFO, "message", dora::MetadataView()); },
        [&] { return node.log(DORA_LOG_INFO, "target", "message"); },
        [&] { return node.extension_store("ns", "key", "value"); },
        [&] { return node.extension_store("ns", "key", values.data(), 4); },
        [&] { return node.extension_drop("ns", "key"); },
    };
    for (const std::function<bool()> &call : calls) {
        status = DORA_OK;
        CHECK(call());
        for (const dora_status_t outcome : {DORA_TIMEOUT, DORA_INTERRUPTED, 4}) {
            status = outcome;
            CHECK(!call());
        }
        status = DORA_ERROR_DISCONNECTED;
        CHECK(MESSAGE_OF(DORA_ERROR_DISCONNECTED, call()) == "it failed");
    }
    status = DORA_OK;
}

} // namespace

int main() {
    setting();
    init();
    sending();
    check::moving<dora::NodeOptions>([] { return dora::NodeOptions(); }, options_freed);
    check::moving<dora::Stream>([] { return dora::Stream(); }, streams_freed);
    return check::result("stand_in_outcomes");
}
