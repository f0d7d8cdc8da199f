// The layer over a stand-in for the library, which delivers what no test script can: every kind of event,
// kinds of the future, interrupts, failures; and which counts what is freed and records what is sent.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "moving.hpp"

#include <array>
#include <deque>
#include <utility>
#include <vector>

struct dora_metadata_t {};

struct dora_event_t {
    std::int32_t kind;
    const char *input_id = nullptr;
    const char *node_id = nullptr;
    const char *message = nullptr;
    std::vector<const char *> affected = {};
};

struct dora_node_t {
    std::deque<std::pair<dora_status_t, dora_event_t *>> script;
    std::vector<std::int64_t> timeouts = {};
};

namespace {

int events_alive = 0;
int events_freed = 0;
int nodes_freed = 0;
int held_at_read = 0; // events that the program had in its hands when it last read
const char *last_error = "";

dora_event_t *make(dora_event_t event) {
    ++events_alive;
    return new dora_event_t(std::move(event));
}

struct Sent {
    std::string call;
    std::string output;
    std::int32_t type;
    const void *data;
    std::size_t length;
    const dora_metadata_t *metadata;
} sent;

dora_status_t record(const char *call, const char *output, std::int32_t type, const void *data,
                     std::size_t length, const dora_metadata_t *metadata) {
    sent = {call, output, type, data, length, metadata};
    return DORA_OK;
}

} // namespace

extern "C" {
const char *dora_last_error(void) { return last_error; }
const char *dora_status_name(dora_status_t) { return "a name"; }

void dora_node_free(dora_node_t *node) {
    nodes_freed += node != nullptr;
    delete node;
}
dora_status_t read_dora_event(dora_node_t *node, int64_t timeout_ns, dora_event_t **out) {
    *out = nullptr;
    if (node == nullptr) {
        last_error = "`node` is NULL";
        return DORA_ERROR_NULL_POINTER;
    }
    held_at_read = events_alive;
    for (const auto &step : node->script)
        held_at_read -= step.second != nullptr;
    node->timeouts.push_back(timeout_ns);
    if (node->script.empty())
        return DORA_CLOSED;
    const auto [status, event] = node->script.front();
    node->script.pop_front();
    *out = event;
    return status;
}

void dora_event_free(dora_event_t *event) {
    events_freed += event != nullptr;
    events_alive -= event != nullptr;
    delete event;
}
int32_t dora_event_kind(const dora_event_t *event) {
    return event != nullptr ? event->kind : DORA_EVENT_UNKNOWN;
}
const char *dora_event_input_id(const dora_event_t *event) {
    return event != nullptr ? event->input_id : nullptr;
}
const char *dora_event_node_id(const dora_event_t *event) { return event->node_id; }
const char *dora_event_operator_id(const dora_event_t *event) { return event->node_id; }
const char *dora_event_key(const dora_event_t *event) { return event->input_id; }
const char *dora_event_message(const dora_event_t *event) { return event->message; }
const char *dora_event_value_json(const dora_event_t *event) { return event->message; }
int32_t dora_event_stop_cause(const dora_event_t *) { return DORA_STOP_MANUAL; }
size_t dora_event_affected_count(const dora_event_t *event) { return event->affected.size(); }
const char *dora_event_affected_input(const dora_event_t *event, size_t index) {
    return index < event->affected.size() ? event->affected[index] : nullptr;
}

dora_status_t dora_node_send_empty(dora_node_t *, const char *output, const dora_metadata_t *metadata) {
    return record("empty", output, DORA_TYPE_NULL, nullptr, 0, metadata);
}
dora_status_t dora_node_send_bytes(dora_node_t *, const char *output, const void *data, size_t length,
                                   const dora_metadata_t *metadata) {
    return record("bytes", output, DORA_TYPE_UINT8, data, length, metadata);
}
dora_status_t dora_node_send_values(dora_node_t *, const char *output, int32_t type, const void *data,
                                    size_t length, const dora_metadata_t *metadata) {
    return record("values", output, type, data, length, metadata);
}
dora_status_t dora_node_send_text(dora_node_t *, const char *output, const char *text, size_t length,
                                  const dora_metadata_t *metadata) {
    return record("text", output, DORA_TYPE_TEXT, text, length, metadata);
}
dora_status_t dora_node_send_arrow(dora_node_t *, const char *output, struct ArrowSchema *schema,
                                   struct ArrowArray *array, const dora_metadata_t *metadata) {
    schema->release(schema);
    array->release(array);
    return record("arrow", output, DORA_TYPE_OTHER, nullptr, 0, metadata);
}
} // extern "C"

namespace {

using Script = std::deque<std::pair<dora_status_t, dora_event_t *>>;

dora::Node node_with(Script script) { return dora::Node(new dora_node_t{std::move(script)}); }

bool was(const char *call, std::int32_t type, const void *data, std::size_t length,
         const dora_metadata_t *metadata = nullptr) {
    return sent.call == call && sent.output == "out" && sent.type == type && sent.data == data &&
           sent.length == length && sent.metadata == metadata;
}

// Which C function each form of send calls, and with what.
void sending() {
    dora::Node node = node_with({});
    const dora_metadata_t metadata = {};
    const std::string output = "out";

    node.send(output);
    CHECK(was("empty", DORA_TYPE_NULL, nullptr, 0));
    node.send("out", &metadata);
    CHECK(was("empty", DORA_TYPE_NULL, nullptr, 0, &metadata));

    const std::vector<float> floats = {1.0F, 2.0F};
    node.send("out", floats);
    CHECK(was("values", DORA_TYPE_FLOAT32, floats.data(), 2));
    node.send("out", floats, &metadata);
    CHECK(was("values", DORA_TYPE_FLOAT32, floats.data(), 2, &metadata));
    node.send("out", floats.data(), 1, dora::MetadataView(&metadata));
    CHECK(was("values", DORA_TYPE_FLOAT32, floats.data(), 1, &metadata));
    node.send("out", dora::Span<const float>(floats));
    CHECK(was("values", DORA_TYPE_FLOAT32, floats.data(), 2));

    std::array<std::int64_t, 3> integers = {};
    node.send("out", integers);
    CHECK(was("values", DORA_TYPE_INT64, integers.data(), 3));
    std::uint8_t octets[4] = {};
    node.send("out", octets);
    CHECK(was("values", DORA_TYPE_UINT8, octets, 4));
    node.send("out", octets, 2); // of an array too, the length counts
    CHECK(was("values", DORA_TYPE_UINT8, octets, 2));
    const bool flags[2] = {};
    node.send("out", flags);
    CHECK(was("values", DORA_TYPE_BOOL, flags, 2));
    node.send("out", {1.0, 2.0, 3.0}, &metadata);
    CHECK(sent.call == "values" && sent.type == DORA_TYPE_FLOAT64 && sent.length == 3 &&
          sent.metadata == &metadata);

    const std::vector<std::byte> bytes(5);
    node.send("out", bytes);
    CHECK(was("bytes", DORA_TYPE_UINT8, bytes.data(), 5));
    node.send("out", bytes.data(), 4);
    CHECK(was("bytes", DORA_TYPE_UINT8, bytes.data(), 4));
    node.send_bytes("out", &integers, sizeof integers, &metadata);
    CHECK(was("bytes", DORA_TYPE_UINT8, integers.data(), 24, &metadata));
    node.send("out", dora::Span<const int>());
    CHECK(was("values", DORA_TYPE_INT32, nullptr, 0));

    const char *literal = "text";
    node.send("out", literal, &metadata);
    CHECK(was("text", DORA_TYPE_TEXT, literal, DORA_NUL_TERMINATED, &metadata));
    const char *no_text = nullptr;
    node.send("out", no_text); // the library refuses it; this layer must not read it
    CHECK(was("text", DORA_TYPE_TEXT, nullptr, DORA_NUL_TERMINATED));
    const std::string_view view = std::string_view(literal).substr(1, 2);
    node.send("out", view);
    CHECK(was("text", DORA_TYPE_TEXT, literal + 1, 2));
    const std::string with_nul("a\0b", 3);
    node.send("out", with_nul);
    CHECK(was("text", DORA_TYPE_TEXT, with_nul.data(), 3));

    dora::ArrowData data;
    data.schema->release = [](::ArrowSchema *schema) { schema->release = nullptr; };
    data.array->release = [](::ArrowArray *array) { array->release = nullptr; };
    node.send("out", std::move(data), &metadata);
    CHECK(was("arrow", DORA_TYPE_OTHER, nullptr, 0, &metadata) && !data.schema && !data.array);
}

void results() {
    dora::Node node = node_with({{DORA_TIMEOUT, nullptr},
                                 {DORA_INTERRUPTED, nullptr},
                                 {4, nullptr},
                                 {DORA_OK, make({DORA_EVENT_INPUT_CLOSED, "x"})},
                                 {DORA_ERROR_BUSY, nullptr},
                                 {-50, nullptr}});
    const dora::ReadResult timeout = node.read(std::chrono::milliseconds(7));
    CHECK(!timeout && timeout.timed_out() && !timeout.closed() && !timeout.interrupted());
    const dora::ReadResult interrupted = node.read(-std::chrono::hours(1));
    CHECK(!interrupted && interrupted.interrupted() && interrupted.status() == DORA_INTERRUPTED);
    const dora::ReadResult newer = node.read(); // an outcome of a newer library is no failure
    CHECK(!newer && newer.status() == 4 && !newer.closed());
    CHECK((*newer).kind() == DORA_EVENT_UNKNOWN && newer->input_id().data() == nullptr);

    dora::ReadResult result = node.read();
    CHECK(result && result.status() == DORA_OK && result->input_id() == "x");
    const dora::Event kept = std::move(*result);
    CHECK(!result && kept.kind() == DORA_EVENT_INPUT_CLOSED && events_alive == 1);

    last_error = "another thread reads";
    const std::string message = MESSAGE_OF(DORA_ERROR_BUSY, (void)node.read());
    last_error = "something newer";
    CHECK(message == "another thread reads");
    CHECK(MESSAGE_OF(-50, (void)node.read()) == "something newer");
    CHECK(node.read().closed());

    const std::vector<std::int64_t> expected = {
        7'000'000, 0, DORA_FOREVER, DORA_FOREVER, DORA_FOREVER, DORA_FOREVER, DORA_FOREVER};
    CHECK(node.get()->timeouts == expected);
}

void loops() {
    std::vector<dora::Event> kept;
    {
        dora::Node node = node_with({{DORA_OK, make({DORA_EVENT_INPUT, "a"})},
                                     {DORA_OK, make({DORA_EVENT_INPUT, "b"})},
                                     {DORA_OK, make({DORA_EVENT_INPUT, "c"})},
                                     {DORA_INTERRUPTED, nullptr},
                                     {DORA_OK, make({DORA_EVENT_INPUT, "d"})},
                                     {DORA_ERROR_INTERNAL, nullptr}});
        std::string seen;
        for (dora::Event &event : node.events()) {
            seen += event.input_id();
            if (event.input_id() == "b")
                kept.push_back(std::move(event));
        }
        CHECK(seen == "abc");     // an interrupt ends the loop, for that is what it is for
        CHECK(held_at_read == 1); // the one kept: the others were freed before the wait for the next
        last_error = "broken";
        const auto read_on = [&] {
            for (dora::Event &event : node.events()) {
                dora::Node moved = std::move(node);
                seen += event.input_id();
                node = std::move(moved); // the loop goes on meanwhile
            }
        };
        CHECK(MESSAGE_OF(DORA_ERROR_INTERNAL, read_on()) == "broken" && seen == "abcd");
        for (const dora::Event &event : node.events())
            CHECK(event.kind() == -1); // closed: never reached
    }
    CHECK(events_alive == 1 && kept.size() == 1 && kept[0].input_id() == "b"); // outlives its node
    kept.clear();
    CHECK(events_alive == 0);
}

std::string describe(const dora::Event &event) {
    return dora::visit(
        event, [](const dora::Input &input) { return "input " + std::string(input.event.input_id()); },
        [](const dora::InputClosed &closed) { return "closed " + std::string(closed.input_id); },
        [](dora::Stop stop) { return "stop " + std::to_string(stop.stop_cause); },
        [](const dora::Reload &reload) { return "reload " + std::string(reload.operator_id); },
        [](const dora::ErrorEvent &error) { return "error " + std::string(error.message); },
        [](const dora::InputRecovered &recovered) { return "recovered " + std::string(recovered.input_id); },
        [](const dora::NodeRestarted &restarted) { return "restarted " + std::string(restarted.node_id); },
        [](const dora::NodeFailed &failed) {
            std::string text = "failed " + std::string(failed.node_id) + ' ' + std::string(failed.message);
            for (const std::string_view input : failed.affected_inputs)
                text.append(" ").append(input);
            return text;
        },
        [](const dora::ParamUpdate &update) {
            return std::string(update.key) + '=' + std::string(update.value_json);
        },
        [](const dora::ParamDeleted &deleted) { return "deleted " + std::string(deleted.key); },
        [](const dora::Event &other) { return "other " + std::to_string(other.kind()); });
}

void visiting() {
    const auto described = [](dora_event_t event) { return describe(dora::Event(make(std::move(event)))); };
    CHECK(described({DORA_EVENT_UNKNOWN}) == "other 0");
    CHECK(described({DORA_EVENT_INPUT, "x"}) == "input x");
    CHECK(described({DORA_EVENT_INPUT_CLOSED, "x"}) == "closed x");
    CHECK(described({DORA_EVENT_STOP}) == "stop 1");
    CHECK(described({DORA_EVENT_RELOAD, nullptr, "op"}) == "reload op");
    CHECK(described({DORA_EVENT_RELOAD}) == "reload ");
    CHECK(described({DORA_EVENT_ERROR, nullptr, nullptr, "lost"}) == "error lost");
    CHECK(described({DORA_EVENT_INPUT_RECOVERED, "x"}) == "recovered x");
    CHECK(described({DORA_EVENT_NODE_RESTARTED, nullptr, "n"}) == "restarted n");
    CHECK(described({DORA_EVENT_NODE_FAILED, nullptr, "n", "exit 1", {"x", "y"}}) == "failed n exit 1 x y");
    CHECK(described({DORA_EVENT_NODE_FAILED, nullptr, "n", "exit 1"}) == "failed n exit 1");
    CHECK(described({DORA_EVENT_PARAM_UPDATE, "k", nullptr, "1.5"}) == "k=1.5");
    CHECK(described({DORA_EVENT_PARAM_DELETED, "k"}) == "deleted k");
    CHECK(described({99}) == "other 99" && described({-1}) == "other -1");
    CHECK(describe(dora::Event()) == "other 0");
    CHECK(events_alive == 0);

    const dora::Event failed(make({DORA_EVENT_NODE_FAILED, nullptr, "n", nullptr, {"x", "y"}}));
    const dora::AffectedInputs affected = failed.affected_inputs();
    dora::AffectedInputs::iterator input_id = affected.begin();
    CHECK(affected.size() == 2 && affected[1] == "y" && affected[2].data() == nullptr);
    CHECK(*input_id++ == "x" && *input_id == "y" && ++input_id == affected.end());

    // Kinds without a handler go to the one for any event; handlers may keep state and return nothing.
    int inputs = 0;
    int others = 0;
    const dora::Event stop(make({DORA_EVENT_STOP}));
    const dora::Event input(make({DORA_EVENT_INPUT, "x"}));
    auto count_inputs = [&inputs](const dora::Input &) { ++inputs; };
    for (const dora::Event *event : {&stop, &input, &stop})
        dora::visit(*event, count_inputs, [&others](const dora::Event &) { ++others; });
    CHECK(inputs == 1 && others == 2);
    // The first handler that fits is taken, and one handler may take several kinds.
    struct Both {
        int operator()(const dora::Stop &) const { return 1; }
        int operator()(const dora::Input &) const { return 2; }
    };
    const auto any = [](const auto &) { return 3; };
    CHECK(dora::visit(stop, Both(), any) == 1 && dora::visit(input, Both(), any) == 2);
    CHECK(dora::visit(stop, any, Both()) == 3);
}

void ownership() {
    check::moving<dora::Node>([] { return node_with({}); }, nodes_freed);
    check::moving<dora::Event>([] { return dora::Event(make({DORA_EVENT_STOP})); }, events_freed);

    dora::Node node(nullptr);
    CHECK(!node);
    CHECK(MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.read()) == "`node` is NULL");
    CHECK(MESSAGE_OF(DORA_ERROR_NULL_POINTER, for (dora::Event &event : node.events()) event.reset()) != "");
}

} // namespace

int main() {
    sending();
    results();
    CHECK(events_alive == 0);
    loops();
    visiting();
    CHECK(events_alive == 0);
    ownership();
    return check::result("stand_in");
}
