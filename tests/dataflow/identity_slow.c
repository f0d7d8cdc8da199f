/*
 * Loses messages: it reads nothing until DORA_TEST_UNREAD of its input "in" are lost or, if that is 0, for
 * 400 ms, and then a message each 5 ms. Another thread asks all the time how many are lost, and whether
 * anything is pending. Ends when received and lost make up DORA_TEST_COUNT, or nothing came for a second.
 *
 *     unread TOTAL       lost before anything was read
 *     received COUNT     read
 *     lost TOTAL         lost in the end
 *     order …            a message that came behind a later one
 *     silent TOTAL       lost by the input "silent", on which nothing was sent
 *     control TOTAL      lost control events
 *     fell …             a total that was less than one before it
 *     asked COUNT        calls of the thread while a read waited for a second, in which nothing came
 *     slowest_ms TIME    the longest of them
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

static dora_node_t *node;
static atomic_bool waiting, ended;
static uint64_t received;

static uint64_t lost(const char *input) {
    uint64_t total;
    expect_ok("dropped", dora_node_dropped(node, input, &total));
    return total;
}

static void *ask(void *unused) {
    (void)unused;
    uint64_t before = 0;
    long asked = 0;
    double slowest = 0;
    bool pending;
    while (!atomic_load(&ended)) {
        bool beside_read = atomic_load(&waiting);
        int64_t start = clock_ns(CLOCK_MONOTONIC);
        uint64_t total = lost("in");
        expect_ok("pending", dora_node_pending(node, &pending));
        double ms = ms_since(start);
        if (total < before)
            report("fell %llu after %llu", (unsigned long long)total, (unsigned long long)before);
        before = total;
        if (beside_read && atomic_load(&waiting)) {
            asked++;
            slowest = ms > slowest ? ms : slowest;
        }
        sleep_ms(1);
    }
    report("asked %ld", asked);
    report("slowest_ms %.1f", slowest);
    return NULL;
}

static dora_status_t read_one(int64_t timeout_ns) {
    static int32_t last = -1;
    dora_event_t *event;
    const int32_t *number;
    dora_status_t status = read_dora_event(node, timeout_ns, &event);
    if (status == DORA_OK && dora_event_kind(event) == DORA_EVENT_INPUT) {
        expect_ok("number", dora_event_int32(event, &number, NULL));
        received++;
        if (*number <= last)
            report("order %d behind %d", (int)*number, (int)last);
        last = *number;
    }
    dora_event_free(event);
    return status;
}

static void read_slowly(uint64_t count) {
    while (received + lost("in") < count && read_one(INT64_C(1000000000)) == DORA_OK)
        sleep_ms(5);
}

static void stay_unread(uint64_t until_lost) {
    for (int i = 0; i < (until_lost ? 4000 : 80) && (!until_lost || lost("in") < until_lost); i++)
        sleep_ms(5);
    report("unread %llu", (unsigned long long)lost("in"));
}

int main(void) {
    pthread_t thread;
    node = init_node();
    pthread_create(&thread, NULL, ask, NULL);
    stay_unread((uint64_t)setting("DORA_TEST_UNREAD", 0));
    read_slowly((uint64_t)setting("DORA_TEST_COUNT", 0));
    atomic_store(&waiting, true);
    while (read_one(INT64_C(1000000000)) == DORA_OK)
        ;
    atomic_store(&waiting, false);
    atomic_store(&ended, true);
    pthread_join(thread, NULL);
    report("received %llu", (unsigned long long)received);
    report("lost %llu", (unsigned long long)lost("in"));
    report("silent %llu", (unsigned long long)lost("silent"));
    report("control %llu", (unsigned long long)lost(NULL));
    free_node(node);
    report("end");
    return 0;
}
