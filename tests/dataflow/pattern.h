/* What the nodes of services and actions share: a line for each event, messages of a number, and requests. */
#ifndef DORA_TEST_PATTERN_H
#define DORA_TEST_PATTERN_H

#include "support.h"

#include <stdbool.h>

static inline int64_t seconds(int64_t count) { return count * 1000000000; }
static inline int64_t milliseconds(int64_t count) { return count * 1000000; }

static inline const char *or_dash(const char *text) { return text ? text : "-"; }

/*
 * Reports an event. A message is "WORD INPUT NUMBER REQUEST GOAL STATUS", with a dash for each that is not
 * there; any other event is "WORD KIND WHAT".
 */
static inline void report_event(const char *word, const dora_event_t *event) {
    const dora_metadata_t *metadata = dora_event_metadata(event);
    const char *input = dora_event_input_id(event), *kind = dora_event_kind_name(dora_event_kind(event));
    const int32_t *number;
    char digits[16] = "-";
    size_t length;
    if (dora_event_kind(event) == DORA_EVENT_STOP) {
        report("%s %s %d", word, kind, (int)dora_event_stop_cause(event));
    } else if (dora_event_kind(event) != DORA_EVENT_INPUT) {
        const char *node = dora_event_node_id(event), *message = dora_event_message(event);
        report("%s %s %s", word, kind, input ? input : node ? node : or_dash(message));
    } else {
        if (dora_event_int32(event, &number, &length) == DORA_OK && length == 1)
            snprintf(digits, sizeof digits, "%d", (int)*number);
        report("%s %s %s %s %s %d", word, input, digits, or_dash(dora_metadata_request_id(metadata)),
               or_dash(dora_metadata_goal_id(metadata)), (int)dora_metadata_goal_status(metadata));
    }
}

/* Whether an event is a message on an input. */
static inline bool is_message(const dora_event_t *event, const char *input) {
    return dora_event_kind(event) == DORA_EVENT_INPUT && strcmp(dora_event_input_id(event), input) == 0;
}

static inline int32_t number_of(const dora_event_t *event) {
    const int32_t *number;
    size_t length;
    expect_ok("number", dora_event_int32(event, &number, &length));
    return *number;
}

static inline void send_number(dora_node_t *node, const char *output, int32_t number,
                               const dora_metadata_t *metadata) {
    expect_ok("send", dora_node_send_values(node, output, DORA_TYPE_INT32, &number, 1, metadata));
}

static inline dora_metadata_t *new_metadata(void) {
    dora_metadata_t *metadata;
    expect_ok("metadata", dora_metadata_new(&metadata));
    return metadata;
}

/* Sends a request on "request", gives its id, and reports "request NUMBER ID". */
static inline void send_request(dora_node_t *node, int32_t number, char *id) {
    dora_metadata_t *metadata = new_metadata();
    expect_ok("start", dora_metadata_start_request(metadata, id, DORA_ID_SIZE));
    report("request %d %s", (int)number, id);
    send_number(node, "request", number, metadata);
    dora_metadata_free(metadata);
}

/* Awaits a reply, reports "WORD STATUS SENTENCE" and, as "WORD-event", what came, and returns the status. */
static inline dora_status_t await_reply(dora_node_t *node, const char *word, const char *id,
                                        const char *server, int64_t timeout_ns) {
    char event_word[32];
    dora_event_t *event = (dora_event_t *)node; /* what must be overwritten */
    dora_status_t status = dora_node_read_reply(node, id, server, timeout_ns, &event);
    report_status(word, status);
    snprintf(event_word, sizeof event_word, "%s-event", word);
    if ((status == DORA_OK) != (event != NULL))
        report("wrong: %s, and the event is %s", dora_status_name(status), event ? "there" : "NULL");
    else if (event)
        report_event(event_word, event);
    dora_event_free(event);
    return status;
}

#endif
