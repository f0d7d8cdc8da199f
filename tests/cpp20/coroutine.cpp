// Coroutines on the events of a real node, driven by poll: none missed, none announced that is not there.
// Environment: DORA_TEST_WITH_INPUTS=coroutine.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
//
// SPDX-License-Identifier: Apache-2.0
#include "../cpp/check.hpp"
#include "../cpp/idle_node.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include <dora/coroutine.hpp>
#include <poll.h>

namespace {

// Waits until the descriptor is readable, for ever; one alone, so that poll fails only for a signal.
void wait_for(const dora::AsyncReader &reader) {
    pollfd entry{reader.fd(), POLLIN, 0};
    while (poll(&entry, 1, -1) <= 0)
        continue;
}

bool is_readable(const dora::AsyncReader &reader) {
    pollfd entry{reader.fd(), POLLIN, 0};
    return poll(&entry, 1, 0) == 1;
}

struct Seen {
    std::string kinds;
    std::int32_t sum = 0;
    int reads = 0;
};

// Waits for an input, whose values it sends on; the empty event when there will be none.
dora::Task<dora::Event> next_input(dora::Node &node, dora::AsyncReader &reader, Seen &seen) {
    while (dora::ReadResult result = co_await reader.read()) {
        ++seen.reads;
        seen.kinds += std::string(result->kind_name().substr(sizeof "DORA_EVENT")) + ' ';
        if (result->kind() == DORA_EVENT_INPUT) {
            node.send("out", result->values<std::int32_t>(), result->metadata());
            co_return std::move(*result);
        }
    }
    co_return dora::Event();
}

dora::Task<dora::Event> add_up(dora::Node &node, dora::AsyncReader &reader, Seen &seen) {
    dora::Event last;
    while (dora::Event input = co_await next_input(node, reader, seen)) {
        for (const std::int32_t value : input.values<std::int32_t>())
            seen.sum += value;
        last = std::move(input);
    }
    co_return last;
}

void to_the_end() {
    dora::Node node;
    dora::AsyncReader reader(node);
    Seen seen;
    dora::Task<dora::Event> task = add_up(node, reader, seen);
    CHECK(seen.reads == 0);
    task.start();
    int alarms = 0;
    for (; !task.done(); ++alarms) {
        CHECK(reader.waiting());
        wait_for(reader);
        reader.on_readable();
    }
    CHECK(seen.kinds == "INPUT INPUT INPUT INPUT_CLOSED INPUT STOP " && seen.sum == 1 + 2 + 3 + 40 + 500 + 6);
    CHECK(alarms <= 2 * (seen.reads + 1)); // the end is one too, and an event rarely two
    CHECK(task.get().values<std::int32_t>()[0] == 6);
    CHECK(is_readable(reader)); // for ever
    dora::Task<dora::Event> after = next_input(node, reader, seen);
    after.start();
    CHECK(after.done() && !after.get());
}

dora::Task<std::string> first_of(dora::AsyncReader &reader, const char *expected) {
    dora::ReadResult result = co_await reader.read();
    if (!result)
        co_return std::to_string(result.status());
    if (result->input_id() != expected)
        throw std::runtime_error(std::string(result->input_id()));
    co_return expected;
}

void one_by_one() {
    dora::NodeOptions options;
    dora::Node node = check::idle_node(options);
    dora::AsyncReader reader(node);
    dora::Task<std::string> wrong = first_of(reader, "b");
    wrong.start();
    if (!wrong.done()) {
        wait_for(reader);
        reader.on_readable();
    }
    try {
        wrong.get();
        CHECK(false);
    } catch (const std::runtime_error &error) {
        CHECK(std::string_view(error.what()) == "a");
    }

    // Nothing comes any more, but what others of the program say.
    dora::Task<std::string> late = first_of(reader, "b");
    late.start();
    CHECK(!late.done() && !is_readable(reader));
    reader.on_timeout();
    CHECK(late.done() && late.get() == std::to_string(DORA_TIMEOUT));

    dora::Task<std::string> interrupted = first_of(reader, "b");
    interrupted.start();
    std::thread other([&] { node.interrupt(); });
    wait_for(reader);
    reader.on_readable();
    other.join();
    CHECK(interrupted.done() && interrupted.get() == std::to_string(DORA_INTERRUPTED));

    {
        dora::Task<std::string> left = first_of(reader, "b");
        left.start();
        CHECK(reader.waiting() && !is_readable(reader));
    }
    CHECK(!reader.waiting());
    node.reset(); // before its reader, which is not used any more
}

} // namespace

int main() {
    one_by_one();
    to_the_end();
    return check::result("coroutine");
}
