// Events of a script, read in each way there is: with and without a timeout, in a loop, after the end.
// Environment: DORA_TEST_WITH_INPUTS=events.json, and once more =inputs_closed.json.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "idle_node.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

void first_input(const dora::Event &event) {
    CHECK(event.kind() == DORA_EVENT_INPUT && event.kind_name() == "DORA_EVENT_INPUT");
    CHECK(event.input_id() == "numbers" && std::strcmp(event.input_id().data(), "numbers") == 0);
    CHECK(event.data_type() == DORA_TYPE_INT32 && event.length() == 3);
    CHECK(event.metadata());
    CHECK(event.once("here") && !event.once("here"));

    const std::optional<std::int64_t> sent = event.timestamp_ns();
    CHECK(sent.has_value());
    const std::int64_t seconds = sent.value_or(0) / 1'000'000'000;
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    CHECK(seconds > now - 60 && seconds < now + 60);
    CHECK(static_cast<std::int64_t>(event.timestamp_ntp64() >> 32) == seconds);

    // What other kinds carry is absent.
    CHECK(event.node_id().data() == nullptr && event.operator_id().data() == nullptr);
    CHECK(event.key().empty() && event.value_json().empty() && event.message().empty());
    CHECK(event.stop_cause() == DORA_STOP_UNKNOWN && event.affected_inputs().empty());

    const std::string line = event.to_string();
    CHECK(check::contains(line, "numbers") && line.size() == event.format(nullptr, 0));
    CHECK(line.find('\0') == std::string::npos);
    char cut[5] = {'x', 'x', 'x', 'x', 'x'};
    CHECK(event.format(cut, sizeof cut) == line.size() && line.substr(0, 4) == cut);
}

void without_data(const dora::Event &event) {
    CHECK(event.data_type() == DORA_TYPE_OTHER && event.data_format().data() == nullptr &&
          event.length() == 0);
    CHECK(!event.metadata() && !event.timestamp_ns().has_value() && event.timestamp_ntp64() == 0);
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.values<float>());
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_WRONG_TYPE, (void)event.arrow()), event.kind_name()));
}

void closed_for_ever(dora::Node &node) {
    const Clock::time_point start = Clock::now();
    bool closed = true;
    for (int i = 0; i < 1000; ++i)
        closed = closed && node.read().closed();
    CHECK(closed && Clock::now() - start < std::chrono::seconds(10));
    for (dora::Event &event : node.events())
        CHECK(event.kind() == -1); // never reached
}

// Upper bounds are far off, for a machine that has other things to do.
void timeouts() {
    dora::NodeOptions options;
    dora::Node node = check::idle_node(options);
    CHECK(node.read()->input_id() == "a");
    const Clock::time_point start = Clock::now();
    CHECK(node.read(milliseconds(0)).timed_out() && node.read(milliseconds(-5)).timed_out());
    CHECK(node.read(milliseconds(60)).timed_out());
    CHECK(Clock::now() - start >= milliseconds(60) && Clock::now() - start < std::chrono::seconds(30));
}

} // namespace

int main() {
    timeouts();
    dora::Node node;
    CHECK(node && !node.dataflow_id().empty());
    CHECK(node.id() == "test-node"); // dora names it so, whatever the script says
    CHECK(node.once("here") && !node.once("here"));
    const char *script = std::getenv("DORA_TEST_WITH_INPUTS");
    const bool stopped = script != nullptr && check::contains(script, "events.json");

    dora::ReadResult first = node.read(std::chrono::seconds(30));
    CHECK(first && first.status() == DORA_OK);
    const dora::Event kept = std::move(*first);
    first_input(kept);

    std::string seen;
    dora::Event last;
    for (dora::Event &event : node.events()) {
        if (!seen.empty())
            seen += ' ';
        seen += event.kind_name();
        if (event.kind() == DORA_EVENT_INPUT_CLOSED)
            CHECK(event.input_id() == "numbers");
        if (event.kind() != DORA_EVENT_INPUT)
            without_data(event);
        last = std::move(event);
    }
    CHECK(seen == (stopped ? "DORA_EVENT_INPUT DORA_EVENT_INPUT_CLOSED DORA_EVENT_INPUT DORA_EVENT_STOP"
                           : "DORA_EVENT_INPUT_CLOSED DORA_EVENT_STOP"));
    CHECK(last.stop_cause() == (stopped ? DORA_STOP_MANUAL : DORA_STOP_ALL_INPUTS_CLOSED));
    closed_for_ever(node);

    const Clock::time_point start = Clock::now();
    node.reset();
    CHECK(!node && node.id().data() == nullptr && Clock::now() - start < std::chrono::seconds(10));
    CHECK(kept.values<std::int32_t>()[2] == 3); // events outlive their node
    return check::result("events");
}
