/*
 * Watches the node with epoll, edge-triggered with DORA_TEST_EDGES, reads all that there is each time it is
 * told, and answers how many of DORA_TEST_COUNT numbers it has. Reports:
 *
 *     fd NUMBER        the descriptor that it watches
 *     events COUNT     numbers in order, until one was not
 *     others COUNT     other events
 *     wakes COUNT      returns of epoll_wait
 *     vain COUNT       those of them behind which the first read timed out, since the first read that did
 *     reads COUNT      reads in all
 *     thread_ms MS     processor time of the loop, and the time that passed
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <sys/epoll.h>
#include <unistd.h>

enum { ANSWER_EVERY = 100 };

struct tally {
    int64_t events, others, wakes, vain, reads;
    bool was_empty;
};

static int watch(dora_node_t *node) {
    struct epoll_event watched;
    int fd, epoll = epoll_create1(EPOLL_CLOEXEC);
    memset(&watched, 0, sizeof watched);
    watched.events = EPOLLIN;
    if (getenv("DORA_TEST_EDGES"))
        watched.events |= EPOLLET;
    expect_ok("fd", dora_node_event_fd(node, &fd));
    report("fd %d", fd);
    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &watched) != 0)
        abort();
    return epoll;
}

/* Counts an event; false when it is a number, and not the next. */
static bool take(dora_node_t *node, const dora_event_t *event, int64_t count, struct tally *tally) {
    const int64_t *number;
    if (dora_event_kind(event) != DORA_EVENT_INPUT) {
        tally->others++;
        return true;
    }
    expect_ok("number", dora_event_int64(event, &number, NULL));
    if (*number != tally->events)
        return false;
    tally->events++;
    if (tally->events % ANSWER_EVERY == 0 || tally->events == count)
        expect_ok("answer", dora_node_send_values(node, "answer", DORA_TYPE_INT64, &tally->events, 1, NULL));
    return true;
}

/* A call that whoever traces the node finds before and behind the loop, and nothing else here makes. */
static void mark(void) { (void)getppid(); }

int main(void) {
    dora_node_t *node = init_node();
    const int64_t count = setting("DORA_TEST_COUNT", 0);
    struct tally tally;
    struct epoll_event told;
    const int epoll = watch(node);
    const int64_t start = clock_ns(CLOCK_MONOTONIC), used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    memset(&tally, 0, sizeof tally);
    bool goes_on = true;
    mark();
    while (goes_on && tally.events < count && epoll_wait(epoll, &told, 1, -1) == 1) {
        dora_event_t *event;
        const int64_t reads = tally.reads++;
        dora_status_t status;
        for (; (status = read_dora_event(node, 0, &event)) == DORA_OK; tally.reads++) {
            goes_on = take(node, event, count, &tally) && goes_on;
            dora_event_free(event);
        }
        goes_on = goes_on && status == DORA_TIMEOUT;
        tally.wakes++;
        tally.vain += tally.was_empty && tally.reads == reads + 1;
        tally.was_empty = true;
    }
    mark();
    report("events %lld", (long long)tally.events);
    report("others %lld", (long long)tally.others);
    report("wakes %lld", (long long)tally.wakes);
    report("vain %lld", (long long)tally.vain);
    report("reads %lld", (long long)tally.reads);
    report("thread_ms %.0f %.0f", (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - used) / 1e6, ms_since(start));
    close(epoll);
    free_node(node);
    report("end");
    return 0;
}
