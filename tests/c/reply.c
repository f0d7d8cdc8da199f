/*
 * Awaiting replies and results: dora_node_read_reply among everything else that arrives, which the reads that
 * follow get whole and in order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

#include <pthread.h>

#define REPLY(number, id) MESSAGE_WITH("replies", number, PARAMETER(DORA_KEY_REQUEST_ID, id))
#define GOAL(number, id) MESSAGE_WITH("goals", number, PARAMETER(DORA_KEY_GOAL_ID, id))
#define GOAL_ENDED(number, id, status)                                                                       \
    MESSAGE_WITH("goals", number, PARAMETER(DORA_KEY_GOAL_ID, id) "," PARAMETER(DORA_KEY_GOAL_STATUS, status))

/* Gets the answer `number` on an input, to the request or goal `id`, and gives it. */
static dora_event_t *answered(dora_node_t *node, const char *id, int64_t timeout_ns, const char *input,
                              int32_t number) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    if (!CHECK_STATUS(DORA_OK, dora_node_read_reply(node, id, NULL, timeout_ns, &event)))
        exit(EXIT_FAILURE);
    is_message(event, input, number);
    return event;
}

static void reply(dora_node_t *node, const char *id, int64_t timeout_ns, int32_t number) {
    dora_event_t *event = answered(node, id, timeout_ns, "replies", number);
    CHECK_TEXT(id, dora_metadata_request_id(dora_event_metadata(event)));
    dora_event_free(event);
}

static void no_reply(dora_status_t status, dora_node_t *node, const char *id, int64_t timeout_ns) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(status, dora_node_read_reply(node, id, NULL, timeout_ns, &event));
    CHECK(event == NULL);
}

/* Reads the messages 1 to `last` of an input, in order, and one stop, which may come anywhere between them;
 * then reads and waits for replies are closed. */
static void reads_to_end(dora_node_t *node, const char *input, int32_t last) {
    int32_t messages = 0;
    int stops = 0;
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        stops += dora_event_kind(event) == DORA_EVENT_STOP;
        if (dora_event_kind(event) != DORA_EVENT_STOP)
            is_message(event, input, ++messages);
        dora_event_free(event);
    }
    CHECK(messages == last && stops == 1 && event == NULL);
    CHECK_STATUS(DORA_CLOSED, read_dora_event(node, DORA_FOREVER, &event));
    no_reply(DORA_CLOSED, node, "none", DORA_FOREVER);
    no_reply(DORA_CLOSED, node, "none", 0);
}

/* ---- Among everything else ---- */

static void in_order(void) {
    dora_node_t *node = must_play(MESSAGE("in", 1) MESSAGE("in", 2) REPLY(70, "seven") MESSAGE("in", 3)
                                      REPLY(71, "seven") REPLY(80, "eight") MESSAGE("in", 4) STOP);
    reply(node, "eight", DORA_FOREVER, 80);
    /* Both came before that one, and are found in the order in which they came. */
    reply(node, "seven", 0, 70);
    reply(node, "seven", 0, 71);
    no_reply(DORA_CLOSED, node, "seven", DORA_FOREVER);
    reads_to_end(node, "in", 4);
    dora_node_free(node);
}

/* What nobody awaits is an event like any other. */
static void not_awaited(void) {
    dora_node_t *node = must_play(REPLY(1, "one") REPLY(2, "two") REPLY(3, "three") STOP);
    no_reply(DORA_CLOSED, node, "none", DORA_FOREVER);
    reads_to_end(node, "replies", 3);
    dora_node_free(node);
}

/* A stop does not end the wait for what is queued behind it, and is not lost by it. */
static void behind_stop(void) {
    dora_node_t *node = must_play(MESSAGE("in", 1) MESSAGE("in", 2) REPLY(70, "seven") STOP);
    sleep_ms(300); /* until the stop has overtaken them */
    reply(node, "seven", DORA_FOREVER, 70);
    reads_to_end(node, "in", 2);
    dora_node_free(node);
}

static void among_other_kinds(void) {
    dora_node_t *node = must_play(MESSAGE("in", 1) INPUT_ENDS("in") REPLY(70, "seven") STOP);
    reply(node, "seven", DORA_FOREVER, 70);
    int messages = 0, ends = 0, stops = 0;
    dora_event_t *event;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const int32_t kind = dora_event_kind(event);
        if (kind != DORA_EVENT_STOP)
            CHECK_TEXT("in", dora_event_input_id(event));
        messages += kind == DORA_EVENT_INPUT;
        ends += kind == DORA_EVENT_INPUT_CLOSED;
        stops += kind == DORA_EVENT_STOP;
        dora_event_free(event);
    }
    CHECK(messages == 1 && ends == 1 && stops == 1);
    dora_node_free(node);
}

/* ---- Goals: the result ends the wait, feedback does not ---- */

static const char goal_script[] = GOAL(1, "goal")                          /* feedback */
    GOAL_ENDED(50, "other", "aborted")                                     /* of another goal */
    GOAL_ENDED(2, "goal", "paused")                                        /* not an end that is known */
    MESSAGE_WITH("goals", 3, PARAMETER(DORA_KEY_GOAL_STATUS, "succeeded")) /* of no goal */
    GOAL_ENDED(60, "goal", "succeeded")                                    /* the first result */
    GOAL_ENDED(61, "goal", "aborted")                                      /* and others of that goal */
    GOAL_ENDED(62, "goal", "canceled")                                     /* as no server sends them */
    GOAL(4, "goal") STOP;

static void goals(void) {
    const char *const statuses[] = {"succeeded", "aborted", "canceled"};
    dora_node_t *node = must_play(goal_script);
    for (int32_t i = 0; i < 3; ++i) {
        dora_event_t *result = answered(node, "goal", DORA_FOREVER, "goals", 60 + i);
        const dora_metadata_t *metadata = dora_event_metadata(result);
        const char *status = NULL;
        CHECK_TEXT("goal", dora_metadata_goal_id(metadata));
        CHECK(dora_metadata_goal_status(metadata) == DORA_GOAL_SUCCEEDED + i);
        CHECK_STATUS(DORA_OK, dora_metadata_get_string(metadata, DORA_KEY_GOAL_STATUS, &status, NULL));
        CHECK_TEXT(statuses[i], status);
        dora_event_free(result);
    }
    dora_event_free(answered(node, "other", DORA_FOREVER, "goals", 50));
    reads_to_end(node, "goals", 4);
    dora_node_free(node);
}

/* ---- Time ---- */

static void at_once(void) {
    dora_node_t *node = must_play_on(REPLY(70, "seven"));
    wait_until_pending(node);
    reply(node, "seven", 0, 70);
    no_reply(DORA_TIMEOUT, node, "seven", 0);
    dora_node_free(node);

    node = must_play_on(MESSAGE("in", 1));
    wait_until_pending(node);
    no_reply(DORA_TIMEOUT, node, "seven", 0);
    bool pending = false;
    CHECK_STATUS(DORA_OK, dora_node_pending(node, &pending));
    CHECK(pending);
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    if (CHECK_STATUS(DORA_OK, read_dora_event(node, 0, &event)))
        is_message(event, "in", 1);
    dora_event_free(event);
    dora_node_free(node);
}

static void in_time(void) {
    dora_node_t *node = must_play_on(MESSAGE("in", 1) PAUSE REPLY(70, "seven"));
    const int64_t timeouts[] = {1, 20 * 1000000};
    for (size_t i = 0; i < sizeof timeouts / sizeof *timeouts; ++i) {
        const double began = seconds();
        no_reply(DORA_TIMEOUT, node, "none", timeouts[i]);
        CHECK(seconds() - began >= 1e-9 * (double)timeouts[i]);
    }
    reply(node, "seven", INT64_MAX, 70);
    read_message(node, "in", 1);
    dora_node_free(node);
}

/* ---- Misuse, which takes nothing ---- */

static void misuse(void) {
    dora_node_t *node = must_play(REPLY(70, "seven"));
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    no_reply(DORA_ERROR_INVALID_ARGUMENT, node, "", DORA_FOREVER);
    CHECK(error_names("correlation_id"));
    no_reply(DORA_ERROR_INVALID_UTF8, node, "seven\xFF", DORA_FOREVER);
    CHECK(error_names("correlation_id"));
    const char *const bad[] = {"", "a b", "a/b", "gr\xC3\xBC\xC3\x9F"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        event = GARBAGE_POINTER(dora_event_t *);
        CHECK_STATUS(DORA_ERROR_INVALID_ID,
                     dora_node_read_reply(node, "seven", bad[i], DORA_FOREVER, &event));
        CHECK(error_names("server") && event == NULL);
    }
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_read_reply(node, "seven", "a\xFF", DORA_FOREVER, &event));
    CHECK(error_names("server"));

    if (CHECK_STATUS(DORA_OK, dora_node_read_reply(node, "seven", "server", DORA_FOREVER, &event)))
        is_message(event, "replies", 70);
    dora_event_free(event);
    dora_node_free(node);
}

/* ---- One receive call at a time ---- */

struct waiter {
    dora_node_t *node;
    bool awaits_reply;
    dora_status_t status;
    dora_event_t *event;
};

/* Waits until the node ends, and again should it be the one whom the other call keeps out. */
static void *wait_for_end(void *argument) {
    struct waiter *waiter = (struct waiter *)argument;
    do {
        waiter->event = GARBAGE_POINTER(dora_event_t *);
        waiter->status = waiter->awaits_reply
                             ? dora_node_read_reply(waiter->node, "none", NULL, DORA_FOREVER, &waiter->event)
                             : read_dora_event(waiter->node, DORA_FOREVER, &waiter->event);
    } while (waiter->status == DORA_ERROR_BUSY);
    return NULL;
}

static void busy(bool awaits_reply) {
    struct waiter waiter;
    pthread_t thread;
    memset(&waiter, 0, sizeof waiter);
    waiter.node = must_play_on("");
    waiter.awaits_reply = awaits_reply;
    if (!CHECK(pthread_create(&thread, NULL, wait_for_end, &waiter) == 0))
        exit(EXIT_FAILURE);

    dora_status_t status = DORA_TIMEOUT;
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    while (status == DORA_TIMEOUT) {
        sleep_ms(1);
        status = dora_node_read_reply(waiter.node, "none", NULL, 0, &event);
    }
    CHECK(status == DORA_ERROR_BUSY && event == NULL);
    no_reply(DORA_ERROR_BUSY, waiter.node, "none", DORA_FOREVER);
    event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_ERROR_BUSY, read_dora_event(waiter.node, DORA_FOREVER, &event));
    CHECK(event == NULL);

    dora_node_free(waiter.node);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(waiter.status == DORA_CLOSED && waiter.event == NULL);
}

int main(void) {
    in_order();
    not_awaited();
    behind_stop();
    among_other_kinds();
    goals();
    at_once();
    in_time();
    misuse();
    busy(true);
    busy(false);
    return check_result("reply");
}
