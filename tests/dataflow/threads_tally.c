/*
 * Receives what the threads of threads_sender send, DORA_TEST_COUNT of each, and reports "wrong THREAD NUMBER
 * NEXT" for each message that is not the next of its thread, and "all" when it has them.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

enum { THREADS = 4 };

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    const long count = setting("DORA_TEST_COUNT", 0);
    int32_t next[THREADS] = {0};
    long received = 0;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const int32_t *message;
        size_t length;
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            expect_ok("values", dora_event_int32(event, &message, &length));
            if (length != 2 || message[0] < 0 || message[0] >= THREADS || message[1] != next[message[0]])
                report("wrong %d %d %d", (int)message[0], (int)message[1], (int)next[message[0] & 3]);
            else
                next[message[0]]++;
            if (++received == THREADS * count)
                report("all");
        }
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
