/*
 * Asks DORA_TEST_COUNT times, and waits for each answer until about the moment at which it comes: the timeout
 * grows when it was too short, and shrinks when it was not. An answer that missed the timeout must be the
 * next event. Reports:
 *
 *     in_time COUNT    answers within the timeout
 *     late COUNT       those behind it
 *     close COUNT      those of them that were there at once, so had come at the deadline
 *     timeout_us US    the last timeout
 *     lost NUMBER      an answer that did not come
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static const int64_t at_once_ns = 20000, for_ever_ns = INT64_C(20000000000);

/* Reads until there is an input, and tells whether it is that number. */
static dora_status_t read_answer(dora_node_t *node, int64_t timeout_ns, int64_t wanted) {
    dora_event_t *event;
    dora_status_t status;
    int32_t kind = DORA_EVENT_UNKNOWN;
    const int64_t *number;
    do {
        status = read_dora_event(node, timeout_ns, &event);
        kind = dora_event_kind(event);
        if (status == DORA_OK && kind == DORA_EVENT_INPUT) {
            expect_ok("number", dora_event_int64(event, &number, NULL));
            if (*number != wanted)
                status = DORA_ERROR_NOT_FOUND;
        }
        dora_event_free(event);
    } while (status == DORA_OK && kind != DORA_EVENT_INPUT);
    return status;
}

int main(void) {
    dora_node_t *node = init_node();
    const int64_t count = setting("DORA_TEST_COUNT", 0);
    int64_t timeout_ns = 1000000, in_time = 0, late = 0, close_ones = 0;
    for (int64_t number = 0; number < count; number++) {
        expect_ok("ask", dora_node_send_values(node, "ask", DORA_TYPE_INT64, &number, 1, NULL));
        dora_status_t status = read_answer(node, timeout_ns, number);
        if (status == DORA_OK) {
            in_time++;
            timeout_ns -= timeout_ns / 64 + 1;
            continue;
        }
        const int64_t start = clock_ns(CLOCK_MONOTONIC);
        if (status != DORA_TIMEOUT || read_answer(node, for_ever_ns, number) != DORA_OK) {
            report("lost %lld", (long long)number);
            break;
        }
        late++;
        close_ones += clock_ns(CLOCK_MONOTONIC) - start < at_once_ns;
        timeout_ns += timeout_ns / 64 + 1;
    }
    report("in_time %lld", (long long)in_time);
    report("late %lld", (long long)late);
    report("close %lld", (long long)close_ones);
    report("timeout_us %lld", (long long)timeout_ns / 1000);
    free_node(node);
    return 0;
}
