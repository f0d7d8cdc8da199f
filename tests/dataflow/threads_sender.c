/*
 * Sends from four threads while the main thread waits in a read without input, until the driver stops the
 * dataflow. A message is the number of its thread, and its own of DORA_TEST_COUNT. Reports:
 *
 *     sent COUNT LONGEST_MS    of each thread: what went out, and the longest call
 *     read STATUS KIND         how the read ended
 *     blocked 1                that it had begun before the first send, and ended behind the last
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>

enum { THREADS = 4 };

static dora_node_t *node;

struct sender {
    pthread_t thread;
    int32_t number;
    int32_t sent;
    int64_t first_ns, last_ns;
    double longest_ms;
};

static void *send_all(void *argument) {
    struct sender *sender = argument;
    const int32_t count = (int32_t)setting("DORA_TEST_COUNT", 0);
    sleep_ms(300); /* until the read waits */
    sender->first_ns = clock_ns(CLOCK_MONOTONIC);
    for (int32_t i = 0; i < count; i++) {
        const int32_t message[] = {sender->number, i};
        const int64_t start = clock_ns(CLOCK_MONOTONIC);
        sender->sent += dora_node_send_values(node, "out", DORA_TYPE_INT32, message, 2, NULL) == DORA_OK;
        const double ms = ms_since(start);
        if (ms > sender->longest_ms)
            sender->longest_ms = ms;
    }
    sender->last_ns = clock_ns(CLOCK_MONOTONIC);
    return NULL;
}

int main(void) {
    struct sender senders[THREADS];
    dora_event_t *event;
    bool blocked = true;
    node = init_node();
    memset(senders, 0, sizeof senders);
    for (int32_t i = 0; i < THREADS; i++) {
        senders[i].number = i;
        pthread_create(&senders[i].thread, NULL, send_all, &senders[i]);
    }
    const int64_t begun = clock_ns(CLOCK_MONOTONIC);
    dora_status_t status = read_dora_event(node, DORA_FOREVER, &event);
    const int64_t ended = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(senders[i].thread, NULL);
        report("sent %d %.3f", (int)senders[i].sent, senders[i].longest_ms);
        blocked = blocked && begun < senders[i].first_ns && senders[i].last_ns < ended;
    }
    report("read %s %s", dora_status_name(status), dora_event_kind_name(dora_event_kind(event)));
    report("blocked %d", blocked);
    dora_event_free(event);
    free_node(node);
    return 0;
}
