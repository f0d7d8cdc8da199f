// A program that ends in one of the ways in which programs end, with the exit code 7, while frames come in
// shared memory and one is held. DORA_TEST_MODE is the way; see the table below. It reports "leaving SECONDS"
// when it begins to end, on the clock that counts since the machine started.
#include "support.h"

#include <dora/dora.hpp>

#include <cstdlib>
#include <string_view>
#include <thread>

namespace {

constexpr int exit_code = 7;

// Never destroyed, as in C.
dora_node_t *node;
dora_event_t *held;

void hold_a_frame(dora_node_t *of) {
    do {
        dora_event_free(held);
        expect_ok("read", read_dora_event(of, DORA_FOREVER, &held));
    } while (dora_event_data_type(held) != DORA_TYPE_UINT8);
}

void begin() {
    node = init_node();
    hold_a_frame(node);
}

void leave() { report("leaving %.2f", static_cast<double>(clock_ns(CLOCK_BOOTTIME)) / 1e9); }

void read_on() {
    dora_event_t *event;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK)
        dora_event_free(event);
}

void send_on() {
    static const std::uint8_t large[100000] = {};
    while (dora_node_send_bytes(node, "out", large, sizeof large, nullptr) == DORA_OK) {
    }
}

// ---- The ways ----

int in_a_global() {
    begin();
    leave();
    return exit_code;
}

int freed_before() {
    begin();
    leave();
    free_node(node);
    return exit_code;
}

int freed_by_a_static() {
    static const dora::Node object;
    hold_a_frame(object.get());
    leave();
    return exit_code;
}

int freed_by_a_thread() {
    std::thread([] {
        thread_local const dora::Node object;
        hold_a_frame(object.get());
        leave();
    }).join();
    return exit_code;
}

int freed_by_the_main_thread() {
    thread_local const dora::Node object;
    hold_a_frame(object.get());
    leave();
    return exit_code;
}

int freed_by_an_exit_handler() {
    std::atexit([] { free_node(node); });
    begin();
    leave();
    return exit_code;
}

int beside_a_thread(void (*work)()) {
    begin();
    std::thread(work).detach();
    sleep_ms(50);
    leave();
    return exit_code;
}

int while_a_thread_reads() { return beside_a_thread(read_on); }

int while_a_thread_sends() { return beside_a_thread(send_on); }

int by_another_thread() {
    begin();
    std::thread([] {
        sleep_ms(50);
        leave();
        std::exit(exit_code);
    }).detach();
    read_on();
    return 1;
}

int without_handlers() {
    begin();
    leave();
    std::_Exit(exit_code);
}

const struct {
    std::string_view mode;
    int (*leave)();
} ways[] = {
    {"global", in_a_global},
    {"freed", freed_before},
    {"static", freed_by_a_static},
    {"thread", freed_by_a_thread},
    {"main_thread", freed_by_the_main_thread},
    {"handler", freed_by_an_exit_handler},
    {"reading", while_a_thread_reads},
    {"sending", while_a_thread_sends},
    {"elsewhere", by_another_thread},
    {"at_once", without_handlers},
};

} // namespace

int main() {
    for (const auto &way : ways)
        if (is_setting("DORA_TEST_MODE", way.mode.data()))
            return way.leave();
    return 1;
}
