/*
 * Sends DORA_TEST_COUNT numbers as fast as they are taken: at most WINDOW are on the way, and the receiver
 * answers how many it has. With DORA_TEST_PAUSE_US it rests behind each, so that they come alone.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

enum { WINDOW = 500 };

/* Waits for what the receiver says next; -1 when nothing comes any more. */
static int64_t await_answer(dora_node_t *node) {
    dora_event_t *event;
    int64_t answer = -1;
    while (answer < 0 && read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const int64_t *values;
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            expect_ok("answer", dora_event_int64(event, &values, NULL));
            answer = *values;
        }
        dora_event_free(event);
    }
    return answer;
}

int main(void) {
    dora_node_t *node = init_node();
    const int64_t count = setting("DORA_TEST_COUNT", 0);
    const long pause_us = setting("DORA_TEST_PAUSE_US", 0);
    const struct timespec pause = {0, pause_us * 1000};
    int64_t answered = 0;
    for (int64_t number = 0; number < count && answered >= 0; number++) {
        expect_ok("send", dora_node_send_values(node, "out", DORA_TYPE_INT64, &number, 1, NULL));
        if (pause_us > 0)
            nanosleep(&pause, NULL);
        while (answered >= 0 && number + 1 - answered >= WINDOW)
            answered = await_answer(node);
    }
    while (answered >= 0 && answered < count)
        answered = await_answer(node);
    report("answered %lld", (long long)answered);
    free_node(node);
    return 0;
}
