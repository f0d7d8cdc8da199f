/*
 * The service of the node "server": answers the number n with n * n, as pattern_peer.py does, until its input
 * "request" is closed. With DORA_TEST_ORDERED it waits for as many requests as its order of answers has, and
 * answers them in that order. It never answers a number below zero.
 *
 *     run COUNT                  how often it was restarted before
 *     request NUMBER ID          a request
 *     unasked STATUS SENTENCE    what came of answering the first message on "data", and the end of "request"
 *
 * With DORA_TEST_ENDS it ends at the first request of its first run, with that exit code.
 */
#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

static const int order[] = {3, 0, 5, 4, 2, 1};
enum { COUNT = sizeof order / sizeof *order };

static dora_node_t *node;
static dora_metadata_t *metadata;

static void send_answer(const dora_event_t *request) {
    int32_t number = number_of(request);
    expect_ok("answer", dora_metadata_answer(metadata, request));
    send_number(node, "reply", number * number, metadata);
}

/* Takes a request, and answers all in their order when it was the last of them. */
static void answer_in_order(dora_event_t *request) {
    static dora_event_t *waiting[COUNT];
    static int count;
    waiting[number_of(request)] = request;
    for (int i = 0; count == COUNT - 1 && i < COUNT; i++) {
        send_answer(waiting[order[i]]);
        dora_event_free(waiting[order[i]]);
    }
    count++;
}

/* Takes a request. */
static void serve(dora_event_t *request) {
    int32_t number = number_of(request);
    report("request %d %s", (int)number, or_dash(dora_metadata_request_id(dora_event_metadata(request))));
    if (getenv("DORA_TEST_ORDERED") && number >= 0 && number < COUNT) {
        answer_in_order(request);
        return;
    }
    if (number >= 0)
        send_answer(request);
    dora_event_free(request);
}

static void refuse(const dora_event_t *event) {
    dora_status_t status = dora_metadata_answer(metadata, event);
    report("unasked %s %s", dora_status_name(status), dora_last_error());
}

/* Serves until there are no more requests, or the node has to end as it was told. */
static void serve_all(void) {
    dora_event_t *event;
    bool ends_at_first = getenv("DORA_TEST_ENDS") && dora_node_restart_count(node) == 0, goes_on = true;
    while (goes_on && read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (is_message(event, "request") && !ends_at_first) {
            serve(event);
            continue;
        }
        goes_on = strcmp(or_dash(dora_event_input_id(event)), "request") != 0;
        if ((!goes_on && !ends_at_first) || (is_message(event, "data") && number_of(event) == 0))
            refuse(event);
        dora_event_free(event);
    }
}

int main(void) {
    node = init_node();
    metadata = new_metadata();
    bool is_first = dora_node_restart_count(node) == 0;
    report("run %u", (unsigned)dora_node_restart_count(node));
    serve_all();
    dora_metadata_free(metadata);
    free_node(node);
    return is_first ? (int)setting("DORA_TEST_ENDS", 0) : 0;
}
