/*
 * Ends its node while everything is in use, in a state of the outside that the driver chooses and tells by a
 * file: it holds events and loans, an event loop watches its descriptor, messages wait or a thread reads, and
 * two threads send, one of them to a receiver that takes nothing. Reports:
 *
 *     held COUNT         frames that are held
 *     loop COUNT         what the event loop still sees of the node afterwards
 *     intact COUNT       frames that are what they were afterwards
 *     read STATUS        the read that was in progress
 *     sends STATUS       what ended the sends of a thread
 *
 * With DORA_TEST_WAITING nobody reads, and messages wait.
 */
#define _POSIX_C_SOURCE 200809L
#include "frames.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>

enum { HELD = 4 };

static dora_node_t *node;
static dora_event_t *frames[HELD];
static dora_loan_t *loans[HELD];
static atomic_bool leaving;

static void hold(void) {
    for (int i = 0; i < HELD; i++) {
        frames[i] = read_frame(node);
        expect_ok("loan", dora_node_loan(node, "out", DORA_TYPE_UINT8, 10000, &loans[i]));
    }
    report("held %d", HELD);
}

static int watch(void) {
    struct epoll_event interest = {.events = EPOLLIN};
    int32_t descriptor;
    int loop = epoll_create1(EPOLL_CLOEXEC);
    expect_ok("fd", dora_node_event_fd(node, &descriptor));
    if (epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &interest) != 0)
        abort();
    return loop;
}

static void *read_on(void *unused) {
    dora_event_t *event;
    dora_status_t status;
    while ((status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK)
        dora_event_free(event);
    report_status("read", status);
    return unused;
}

/* A call that begins behind the end of the node would be undefined, so none does. */
static void *send_on(void *output) {
    static const uint8_t large[300000];
    dora_status_t status = DORA_OK;
    while (!leaving && status == DORA_OK)
        status = dora_node_send_bytes(node, output, large, sizeof large, NULL);
    report_status("sends", status);
    return NULL;
}

int main(void) {
    static char out[] = "out", pinned[] = "pinned";
    struct epoll_event event;
    pthread_t threads[3];
    int intact = 0;
    node = init_node();
    hold();
    int loop = watch();
    bool is_waiting = getenv("DORA_TEST_WAITING") != NULL;
    if (!is_waiting)
        pthread_create(&threads[0], NULL, read_on, NULL);
    report("ready");
    wait_for_driver();
    pthread_create(&threads[1], NULL, send_on, out);
    pthread_create(&threads[2], NULL, send_on, pinned);
    sleep_ms(1000);

    leaving = true;
    free_node(node);
    report("loop %d", epoll_wait(loop, &event, 1, 0));
    for (int i = 0; i < HELD; i++) {
        intact += is_intact(frames[i]);
        dora_event_free(frames[i]);
        dora_loan_free(loans[i]);
    }
    report("intact %d", intact);
    close(loop);
    report("end");
    return 0; /* whoever is stuck in dora is not waited for */
}
