/*
 * A node whose daemon is killed or freezes, which the driver tells by a file. With DORA_TEST_MODE:
 *     reader  waits in a read when it happens; sends afterwards
 *     sender  sends all the time and reads only afterwards
 *     printer as reader, but has printed something that is still in the buffer of its stdout
 *     leaver  ends as soon as it has happened
 *     stuck   is ended while another thread is stuck in a send
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <signal.h>

static dora_node_t *node;

static dora_status_t send(void) {
    return dora_node_send_text(node, "out", "hello", DORA_NUL_TERMINATED, NULL);
}

/* Reads until the end, then a thousand times more. */
static void read_to_the_end(void) {
    dora_event_t *event;
    int closed = 0;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const char *message = dora_event_message(event);
        if (dora_event_kind(event) != DORA_EVENT_INPUT)
            report("event %s %s", dora_event_kind_name(dora_event_kind(event)), message ? message : "");
        dora_event_free(event);
    }
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < 1000; i++)
        closed += read_dora_event(node, i % 2 ? DORA_FOREVER : 0, &event) == DORA_CLOSED;
    report("closed %d", closed);
    report("closed_ms %.1f", ms_since(start));
}

/* Sends until it fails; counts the sends that the kernel still took after the kill, a hundred at most. */
static void send_until_refused(void) {
    dora_status_t status;
    int accepted = 0;
    do {
        status = send();
        if (access(getenv("DORA_TEST_GO"), F_OK) == 0 && status == DORA_OK)
            accepted++;
        sleep_ms(10);
    } while (status == DORA_OK && accepted < 100);
    report("accepted %d", accepted);
    report_status("send", status);
}

static void *send_until_stuck(void *unused) {
    static const uint8_t large[1 << 20];
    (void)unused;
    while (dora_node_send_bytes(node, "out", large, sizeof large, NULL) == DORA_OK)
        ;
    return NULL;
}

static void go_on_without_the_daemon(void) {
    if (is_setting("DORA_TEST_MODE", "sender"))
        send_until_refused();
    read_to_the_end();
    report_status("send", send());
    report_status("send", dora_node_send_empty(node, "out", NULL));
    /* Nobody reads stdout any more either, once the daemon is gone altogether. */
    sleep_ms(300);
    if (is_setting("DORA_TEST_MODE", "printer"))
        printf("not written out yet\n");
    report_status("log", dora_node_log(node, DORA_LOG_INFO, "alone"));
    /* What is not written out yet would end the program with a signal at its end. */
    signal(SIGPIPE, SIG_IGN);
}

int main(void) {
    pthread_t thread;
    node = init_node();
    expect_ok("send", send());
    report("ready");
    if (is_setting("DORA_TEST_MODE", "leaver")) {
        wait_for_driver();
    } else if (is_setting("DORA_TEST_MODE", "stuck")) {
        wait_for_driver();
        pthread_create(&thread, NULL, send_until_stuck, NULL);
        sleep_ms(1000);
    } else {
        go_on_without_the_daemon();
    }
    free_node(node);
    report("end");
    return 0;
}
