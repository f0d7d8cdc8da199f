/*
 * A client of the service of the node "server", which is restarted. It has DORA_TEST_REQUESTS requests under
 * way, awaits their replies, reads until it learns of the restart, and asks again until there is an answer.
 *
 *     request NUMBER ID           sent
 *     reply STATUS SENTENCE       what each of the first waits gave
 *     event …                     read; see pattern.h
 *     anew STATUS                 what each of the later waits gave, of a second at most; anew-event …
 *
 * With DORA_TEST_GO it does not name the server, and awaits the first reply until there is that file. With
 * DORA_TEST_ASKS_FIRST it asks again before it reads anything.
 */
#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

enum { REQUESTS_AT_MOST = 2, ATTEMPTS = 15 };

static dora_node_t *node;

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static void await_in_vain(const char *id) {
    dora_event_t *event;
    dora_status_t status;
    do {
        status = dora_node_read_reply(node, id, NULL, milliseconds(100), &event);
        dora_event_free(event);
    } while (status == DORA_TIMEOUT && !is_there(getenv("DORA_TEST_GO")));
    report_status("reply", status);
}

static void read_until_the_restart(void) {
    dora_event_t *event;
    bool is_it = false;
    while (!is_it && read_dora_event(node, seconds(15), &event) == DORA_OK) {
        report_event("event", event);
        is_it = dora_event_kind(event) == DORA_EVENT_NODE_RESTARTED;
        dora_event_free(event);
    }
}

static void ask_anew(int32_t first) {
    char id[DORA_ID_SIZE];
    dora_status_t status;
    int32_t number = first;
    do {
        send_request(node, number, id);
        status = await_reply(node, "anew", id, "server", seconds(1));
    } while (status != DORA_OK && ++number - first < ATTEMPTS);
}

int main(void) {
    char ids[REQUESTS_AT_MOST][DORA_ID_SIZE];
    int32_t requests = (int32_t)setting("DORA_TEST_REQUESTS", 1);
    node = init_node();
    for (int32_t number = 0; number < requests; number++)
        send_request(node, number, ids[number]);
    if (getenv("DORA_TEST_GO"))
        await_in_vain(ids[0]);
    else
        for (int32_t number = 0; number < requests; number++)
            await_reply(node, "reply", ids[number], "server", seconds(10));
    if (!getenv("DORA_TEST_ASKS_FIRST"))
        read_until_the_restart();
    ask_anew(requests);
    if (getenv("DORA_TEST_ASKS_FIRST"))
        read_until_the_restart();
    free_node(node);
    return 0;
}
