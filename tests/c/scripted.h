/*
 * Nodes that play a script which stands in the test itself, for tests that need several of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_SCRIPTED_H
#define DORA_TESTS_SCRIPTED_H

#include "check.h"

/* ---- The events of a script, one behind the other ----
 *
 * What is no message overtakes messages that wait, a stop too. Where a test counts on the next event, the
 * script ends without one: reads are then closed behind the last message. */

/* A message with one number and no parameters, or with these: a PARAMETER, or several with commas. */
#define MESSAGE(input, number) MESSAGE_WITH(input, number, "")
#define MESSAGE_WITH(input, number, parameters)                                                              \
    EVENT_AT("0", "Input")                                                                                   \
    ",\"id\":\"" input "\",\"data_type\":\"Int32\",\"data\":[" #number "],\"metadata\":{" parameters "}},"
#define PARAMETER(key, value) "\"" key "\":{\"String\":\"" value "\"}"

#define INPUT_ENDS(input) EVENT_AT("0", "InputClosed") ",\"id\":\"" input "\"},"
#define STOP STOP_AT("0")
#define STOP_AT(time) EVENT_AT(time, "Stop") "},"

/* A second in which nothing comes. A time in the script would not do, since for that dora makes sends wait
 * and even dora_node_init; see threads.c. */
#define PAUSE BROKEN BROKEN BROKEN BROKEN BROKEN BROKEN BROKEN BROKEN BROKEN BROKEN
#define BROKEN EVENT_AT("0", "Input") ",\"id\":\"broken\",\"data_type\":\"Int32\",\"data\":[\"x\"]},"

#define EVENT_AT(time, type) "{\"time_offset_secs\":" time ",\"type\":\"" type "\""

/* ---- Nodes ---- */

static inline dora_node_options_t *must_make_options(void) {
    dora_node_options_t *options = GARBAGE_POINTER(dora_node_options_t *);
    if (!CHECK_STATUS(DORA_OK, dora_node_options_new(&options)) || !CHECK(options != NULL))
        exit(EXIT_FAILURE);
    return options;
}

/* Sets a script of these events, and behind them of so many seconds in which nothing comes. */
static inline void set_script(dora_node_options_t *options, const char *events, int pauses) {
    char script[1 << 14];
    size_t size = (size_t)snprintf(script, sizeof script, "{\"id\":\"scripted\",\"events\":[%s", events);
    for (; pauses > 0; --pauses)
        size += (size_t)snprintf(script + size, sizeof script - size, "%s", PAUSE);
    if (!CHECK(size + 2 < sizeof script))
        exit(EXIT_FAILURE);
    memcpy(script + size - 1, "]}", 3); /* in the place of the last comma */
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs_json(options, script, DORA_NUL_TERMINATED));
}

static inline dora_node_t *must_init_with(const dora_node_options_t *options) {
    dora_node_t *node = GARBAGE_POINTER(dora_node_t *);
    if (!CHECK_STATUS(DORA_OK, dora_node_init_with(options, &node)) || !CHECK(node != NULL))
        exit(EXIT_FAILURE);
    return node;
}

static inline dora_node_t *must_play_with(const char *events, int pauses) {
    dora_node_options_t *options = must_make_options();
    set_script(options, events, pauses);
    dora_node_t *node = must_init_with(options);
    dora_node_options_free(options);
    return node;
}

/* A node that plays these events, behind which its reads are closed. What it sends is dropped. */
static inline dora_node_t *must_play(const char *events) { return must_play_with(events, 0); }

/* One whose reads wait behind these events, for longer than a test needs. */
static inline dora_node_t *must_play_on(const char *events) { return must_play_with(events, 10); }

/* ---- Reading ---- */

/* The event is the message `number` of an input. */
static inline void is_message(const dora_event_t *event, const char *input, int32_t number) {
    const int32_t *values = NULL;
    size_t length = 0;
    CHECK(dora_event_kind(event) == DORA_EVENT_INPUT);
    CHECK_TEXT(input, dora_event_input_id(event));
    CHECK_STATUS(DORA_OK, dora_event_int32(event, &values, &length));
    if (!CHECK(length == 1 && values && *values == number))
        fprintf(stderr, "    message %d, wanted %d of %s\n", length == 1 ? (int)*values : -1, (int)number,
                input);
}

/* Reads the message `number` of an input. */
static inline void read_message(dora_node_t *node, const char *input, int32_t number) {
    dora_event_t *event = must_read(node);
    is_message(event, input, number);
    dora_event_free(event);
}

/* Waits until a read would return at once. */
static inline void wait_until_pending(dora_node_t *node) {
    bool pending = false;
    while (CHECK_STATUS(DORA_OK, dora_node_pending(node, &pending)) && !pending)
        sleep_ms(1);
}

#endif /* DORA_TESTS_SCRIPTED_H */
