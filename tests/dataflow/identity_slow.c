/*
 * Loses messages: it reads nothing until there is the file of DORA_TEST_GO and DORA_TEST_UNREAD of its input
 * "in" are lost, and then a message each 5 ms. Another thread asks all the time how many are lost, and
 * whether anything is pending. Ends when there is the file of DORA_TEST_DONE and nothing comes any more.
 *
 *     unread TOTAL       lost before anything was read
 *     received COUNT     read
 *     lost TOTAL         lost in the end
 *     order …            a message that came behind a later one
 *     silent TOTAL       lost by the input "silent", on which nothing was sent
 *     control TOTAL      lost control events
 *     fell …             a total that was less than one before it
 *     asked COUNT        calls of the thread while a read waited for two seconds, in which nothing came
 *     slowest_ms TIME    the longest of them
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

#define WAIT_NS INT64_C(2000000000)

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

static void read_slowly(void) {
    const char *done = getenv("DORA_TEST_DONE");
    bool all_sent;
    do {
        sleep_ms(5);
        all_sent = access(done, F_OK) == 0;
    } while (read_one(WAIT_NS) == DORA_OK || !all_sent);
}

static void stay_unread(uint64_t until_lost) {
    wait_for_driver();
    for (int i = 0; i < 4000 && lost("in") < until_lost; i++)
        sleep_ms(5);
    report("unread %llu", (unsigned long long)lost("in"));
}

int main(void) {
    pthread_t thread;
    node = init_node();
    pthread_create(&thread, NULL, ask, NULL);
    stay_unread((uint64_t)setting("DORA_TEST_UNREAD", 0));
    read_slowly();
    atomic_store(&waiting, true);
    while (read_one(WAIT_NS) == DORA_OK)
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
