// The C++ layer from several threads: one reads and hands events on, others use them, send, make loans and
// send those of others, ask and interrupt. An interrupt ends the read, then the node ends; and so on.
//
//     stress_cxx [SECONDS]
//
// SPDX-License-Identifier: Apache-2.0
#include "../cpp/check.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

namespace {

// Things on their way from thread to thread, which belong to whom takes them out.
template <class T> class Shelf {
  public:
    void put(T thing) {
        const std::lock_guard lock(mutex_);
        if (things_.size() < 16)
            things_.push_back(std::move(thing));
    }

    std::optional<T> take() {
        const std::lock_guard lock(mutex_);
        if (things_.empty())
            return std::nullopt;
        std::optional<T> thing(std::move(things_.front()));
        things_.pop_front();
        return thing;
    }

  private:
    std::mutex mutex_;
    std::deque<T> things_;
};

struct Round {
    dora::Node node{nullptr};
    Shelf<dora::Event> events;
    Shelf<dora::Loan<double>> loans;
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
};

void use(dora::Event event) {
    const dora::Metadata copy(event.metadata());
    const dora::ArrowData data = event.kind() == DORA_EVENT_INPUT ? event.arrow() : dora::ArrowData();
    event = dora::Event();
}

void read(Round &round) {
    while (!round.stop) {
        dora::ReadResult result = round.node.read();
        if (result)
            round.events.put(std::move(*result));
        else if (result.closed())
            break;
        else
            round.wrong += !result.interrupted();
    }
}

void use_events(Round &round) {
    while (!round.stop)
        if (std::optional<dora::Event> event = round.events.take())
            use(std::move(*event));
        else
            std::this_thread::sleep_for(100us);
}

void send(Round &round) {
    const std::vector<float> values(100, 1.5F);
    while (!round.stop) {
        dora::Metadata metadata;
        metadata.set("text", "value");
        round.wrong += !round.node.send("out", values, metadata);
        round.wrong += !round.node.send("out", "text");
    }
}

void lend(Round &round) {
    while (!round.stop)
        round.loans.put(round.node.loan<double>("out", 1000));
}

void fill(Round &round) {
    while (!round.stop)
        if (std::optional<dora::Loan<double>> loan = round.loans.take()) {
            for (double &value : *loan)
                value = 0.5;
            loan->shorten(500);
            round.wrong += !round.node.send(std::move(*loan));
        } else {
            std::this_thread::sleep_for(100us);
        }
}

void ask(Round &round) {
    while (!round.stop) {
        round.wrong += round.node.input_state("in") != DORA_INPUT_OPEN || round.node.event_fd() < 0;
        if (round.node.pending() || round.node.dropped() > 0)
            round.node.interrupt();
        std::this_thread::sleep_for(200us);
    }
}

// Whatever a thread throws is wrong.
std::thread start(Round &round, void (*body)(Round &)) {
    return std::thread([&round, body] {
        try {
            body(round);
        } catch (const dora::Error &error) {
            std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
            ++round.wrong;
            round.stop = true;
        }
    });
}

void run_round(int number) {
    std::string script = R"({"id":"any","events":[)";
    for (int i = 0; i < 20; ++i)
        script += R"({"time_offset_secs":0,"type":"Input","id":"in","data_type":"Int32","data":[1]},)";
    // Each gives dora a rest of 100 ms, in which reads wait.
    for (int i = 0; i < 30; ++i)
        script += R"({"time_offset_secs":0,"type":"Input","id":"broken","data_type":"Int32","data":["x"]},)";
    script.back() = ']';
    Round round;
    round.node = dora::Node(dora::NodeOptions().test_inputs_json(script + "}"));
    std::thread reader = start(round, read);
    std::vector<std::thread> others;
    for (void (*body)(Round &) : {use_events, send, send, lend, fill, ask})
        others.push_back(start(round, body));
    std::this_thread::sleep_for(std::chrono::milliseconds(number * 7 % 60));
    round.stop = true;
    for (std::thread &other : others)
        other.join();
    // An object is used no more when it ends, so the read comes first.
    round.node.interrupt();
    reader.join();
    round.node = dora::Node(nullptr);
    CHECK(round.wrong == 0);
    while (std::optional<dora::Event> event = round.events.take())
        use(std::move(*event));
}

} // namespace

int main(int argc, char **argv) {
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::duration<double>(argc > 1 ? std::strtod(argv[1], nullptr) : 2.0);
    int rounds = 0;
    do
        run_round(rounds++);
    while (std::chrono::steady_clock::now() < end);
    std::printf("stress_cxx: %d nodes\n", rounds);
    return check::result("stress_cxx");
}
