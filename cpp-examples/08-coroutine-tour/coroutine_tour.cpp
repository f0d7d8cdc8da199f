// A tour: moves the axis of 04-move-action from place to place, and has a lamp blink meanwhile. Each of the
// two is a coroutine, written from top to bottom, and both run in one thread.
//
// What one sees when it runs: a line for each place,
//
//     at 0.410 m, 21 times told where on the way
//     at 0.100 m, 17 times told where on the way
//     at 0.260 m, 11 times told where on the way
//
//   input  feedback   one float64: where the axis is
//   input  result     the same at the end of a goal
//   output goal       one float64: where to move to, in metres
//   output lamp       one bool: whether the lamp is to shine
#include "loop.hpp"

#include <dora/coroutine.hpp>
#include <dora/dora.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace std::chrono_literals;
using loop::Loop;
using loop::Sleep;

constexpr auto patience = 10s; // how long the axis may be silent
constexpr auto pause = 200ms;
constexpr auto blink_time = 250ms;

// Waits for the next message about a goal; an empty event when the dataflow ends.
dora::Task<dora::Event> next_answer(Loop &loop, dora::AsyncReader &reader, std::string_view goal) {
    for (;;) {
        dora::ReadResult result = co_await read_within(loop, reader, patience);
        if (result.timed_out())
            throw std::runtime_error("the axis is silent");
        if (!result || result->kind() == DORA_EVENT_STOP)
            co_return dora::Event();
        if (result->kind() == DORA_EVENT_ERROR)
            throw std::runtime_error(std::string(result->message()));
        if (result->kind() == DORA_EVENT_INPUT_CLOSED && result->input_id() == "result")
            throw std::runtime_error("the axis has ended");
        if (result->kind() == DORA_EVENT_INPUT && result->metadata().goal_id() == goal)
            co_return std::move(*result);
    }
}

// Moves the axis, and ends with how often it told where it was on the way; with nothing when the dataflow
// ends.
dora::Task<std::optional<int>> move(Loop &loop, dora::Node &node, dora::AsyncReader &reader, double target) {
    dora::Metadata metadata;
    const std::string goal = metadata.start_goal();
    node.send("goal", {target}, metadata);
    for (int told = 0;; ++told) {
        const dora::Event answer = co_await next_answer(loop, reader, goal);
        if (!answer)
            co_return std::nullopt;
        if (answer.metadata().goal_status() == DORA_GOAL_SUCCEEDED)
            co_return told;
        if (answer.input_id() == "result")
            throw std::runtime_error("the axis gave the goal up");
    }
}

// Blinks until it is destroyed.
dora::Task<> blink(Loop &loop, dora::Node &node) {
    for (bool on = true;; on = !on) {
        node.send("lamp", {on});
        co_await Sleep(loop, blink_time);
    }
}

dora::Task<> tour(Loop &loop, dora::Node &node, dora::AsyncReader &reader) {
    for (const double place : {0.41, 0.10, 0.26}) {
        dora::Task<> lamp = blink(loop, node);
        lamp.start();
        const std::optional<int> told = co_await move(loop, node, reader, place);
        if (lamp.done())
            lamp.get(); // throws why it blinks no more
        lamp = {};      // destroys it, in the midst of its sleep
        node.send("lamp", {false});
        if (!told)
            co_return;
        std::printf("at %.3f m, %d times told where on the way\n", place, *told);
        co_await Sleep(loop, pause);
    }
}

} // namespace

int main() try {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // each line at once, though stdout is a pipe to dora
    dora::Node node;
    dora::AsyncReader reader(node);
    Loop loop;
    dora::Task<> whole = tour(loop, node, reader);
    loop.run(whole, reader);
    whole.get(); // throws what the tour did
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "coroutine-tour: %s\n", error.what());
    return EXIT_FAILURE;
}
