/*
 * A client that sends DORA_TEST_REQUESTS requests, one by default, and then does nothing but await the
 * replies, the last first, and read what is left. With DORA_TEST_GO it awaits nothing until there is that
 * file.
 *
 *     request NUMBER ID           sent
 *     reply STATUS SENTENCE       what each wait gave; reply-event …, see pattern.h
 *     event …                     read then
 *     end STATUS                  what the last read gave
 *     behind STATUS               what a further wait gave
 *     dropped INPUT TOTAL         in the end, of each input
 *
 * DORA_TEST_TIMEOUT_MS limits each wait for a reply, DORA_TEST_QUIET_MS each read; by default neither ends
 * before the node does.
 */
#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

enum { REQUESTS_AT_MOST = 2 };

static dora_node_t *node;

static int64_t limit_ns(const char *variable) {
    long ms = setting(variable, -1);
    return ms < 0 ? DORA_FOREVER : milliseconds(ms);
}

static void read_the_rest(void) {
    dora_event_t *event;
    dora_status_t status;
    while ((status = read_dora_event(node, limit_ns("DORA_TEST_QUIET_MS"), &event)) == DORA_OK) {
        report_event("event", event);
        dora_event_free(event);
    }
    report_status("end", status);
}

int main(void) {
    char ids[REQUESTS_AT_MOST][DORA_ID_SIZE];
    uint64_t total;
    int32_t requests = (int32_t)setting("DORA_TEST_REQUESTS", 1);
    node = init_node();
    for (int32_t number = 0; number < requests; number++)
        send_request(node, number, ids[number]);
    wait_for_driver();
    for (int32_t number = requests - 1; number >= 0; number--)
        await_reply(node, "reply", ids[number], "server", limit_ns("DORA_TEST_TIMEOUT_MS"));
    read_the_rest();
    await_reply(node, "behind", ids[0], "server", 0);
    for (size_t i = 0; i < dora_node_input_count(node); i++) {
        expect_ok("dropped", dora_node_dropped(node, dora_node_input_id(node, i), &total));
        report("dropped %s %llu", dora_node_input_id(node, i), (unsigned long long)total);
    }
    free_node(node);
    return 0;
}
