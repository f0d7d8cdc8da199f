/*
 * Nodes that were made with options: several by the same ones, what outlives the options, what the whole
 * process has, where outputs go, the last values of inputs, and sends that end in time.
 * Environment: DORA_TEST_WITH_INPUTS=options_nodes.json, which no node here plays.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

static char outputs_path[4096]; /* DORA_TEST_WRITE_OUTPUTS_TO */

static void set_threshold(dora_node_options_t *options, uint64_t bytes) {
    CHECK_STATUS(DORA_OK, dora_node_options_set_zero_copy_threshold(options, bytes));
}

/* ---- One for the whole process ---- */

/* To be called first: then no node was there that had settled it. */
static void threshold(void) {
    dora_node_options_t *options = must_make_options();
    set_script(options, STOP, 0);
    set_threshold(options, 5000);
    dora_node_t *node = must_init_with(options);
    CHECK(dora_node_zero_copy_threshold(node) == 5000);
    CHECK_TEXT("5000", getenv("DORA_ZERO_COPY_THRESHOLD"));

    const uint64_t others[] = {0, 4096, 4999, 5001, INT64_MAX};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        dora_node_t *refused = GARBAGE_POINTER(dora_node_t *);
        set_threshold(options, others[i]);
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_init_with(options, &refused));
        CHECK(refused == NULL && strstr(dora_last_error(), "DORA_ZERO_COPY_THRESHOLD") != NULL);
    }
    dora_node_free(node);

    /* The same is no change, and neither are options without it. */
    set_threshold(options, 5000);
    node = must_init_with(options);
    CHECK(dora_node_zero_copy_threshold(node) == 5000);
    dora_node_free(node);
    dora_node_options_free(options);
    node = must_play(STOP);
    CHECK(dora_node_zero_copy_threshold(node) == 5000);
    dora_node_free(node);
}

/* ---- Several nodes by the same options, which end and change before them ---- */

static void several(void) {
    dora_node_options_t *options = must_make_options();
    dora_node_t *nodes[3];
    set_script(options, MESSAGE("in", 1) MESSAGE("in", 2), 0);
    nodes[0] = must_init_with(options);
    nodes[1] = must_init_with(options);
    set_script(options, MESSAGE("other", 3), 0);
    nodes[2] = must_init_with(options);
    dora_node_options_free(options);

    CHECK(strcmp(dora_node_dataflow_id(nodes[0]), dora_node_dataflow_id(nodes[1])) != 0);
    read_message(nodes[0], "in", 1);
    read_message(nodes[1], "in", 1);
    read_message(nodes[2], "other", 3);
    dora_node_free(nodes[0]);
    read_message(nodes[1], "in", 2);
    dora_node_free(nodes[1]);
    dora_node_free(nodes[2]);
}

/* A script needs no daemon, so what says which one is left aside. */
static void without_daemon(void) {
    dora_node_options_t *options = must_make_options();
    set_script(options, MESSAGE("in", 1), 0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_node_id(options, "dynamic"));
    CHECK_STATUS(DORA_OK, dora_node_options_set_daemon_port(options, 1));
    CHECK_STATUS(DORA_OK, dora_node_options_set_interactive(options, 1));
    CHECK_STATUS(DORA_OK, dora_node_options_set_init_timeout_ns(options, INT64_MAX));
    dora_node_t *node = must_init_with(options);
    CHECK_TEXT("test-node", dora_node_id(node));
    CHECK(dora_node_pool_size(node) == 0);
    read_message(node, "in", 1);

    /* A script that is refused leaves the one before. */
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_options_set_test_inputs_json(options, "{", 1));
    dora_node_free(node);
    node = must_init_with(options);
    read_message(node, "in", 1);
    dora_node_free(node);
    dora_node_options_free(options);
}

/* ---- Outputs ---- */

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL))
        exit(EXIT_FAILURE);
    CHECK(fputs(text, file) >= 0);
    CHECK(fclose(file) == 0);
}

static void send(dora_node_t *node, const char *text) {
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", text, DORA_NUL_TERMINATED, NULL));
}

#define LINE(text) "{\"id\":\"out\",\"data\":[\"" text "\"],\"data_type\":\"Utf8\"}\n"

static void outputs(void) {
    write_file(outputs_path, "kept\n");

    /* Without a file of its own a scripted node writes nowhere, not into that of the environment either. */
    dora_node_t *node = must_play(STOP);
    send(node, "dropped");
    dora_node_free(node);
    CHECK_OUTPUTS("kept\n");

    dora_node_options_t *options = must_make_options();
    set_script(options, STOP, 0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, outputs_path));
    node = must_init_with(options);
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, NULL));
    send(node, "first");
    dora_node_t *other = must_init_with(options);
    dora_node_options_free(options);
    send(other, "dropped");
    send(node, "second");
    dora_node_free(node);
    dora_node_free(other);
    CHECK_OUTPUTS(LINE("first") LINE("second"));
}

/* ---- The last values of inputs ---- */

static void last_is(dora_node_t *node, const char *input, int32_t number) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    if (CHECK_STATUS(DORA_OK, dora_node_last_value(node, input, &event)))
        is_message(event, input, number);
    dora_event_free(event);
}

static void no_last(dora_status_t status, dora_node_t *node, const char *input) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(status, dora_node_last_value(node, input, &event));
    CHECK(event == NULL);
}

static void last_values(void) {
    dora_node_options_t *options = must_make_options();
    set_script(options, MESSAGE("in", 1) MESSAGE("in", 2) INPUT_ENDS("in") STOP, 0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_keep_last_values(options, -1));
    dora_node_t *keeps = must_init_with(options);
    CHECK_STATUS(DORA_OK, dora_node_options_set_keep_last_values(options, 0));
    dora_node_options_free(options);

    /* A script declares no inputs, so any may come. */
    no_last(DORA_ERROR_NOT_FOUND, keeps, "in");
    CHECK(error_names("input"));
    no_last(DORA_ERROR_INVALID_UTF8, keeps, "in\xFF");
    CHECK(error_names("input"));

    /* The messages come in order; what is no input may come between them. */
    int32_t messages = 0;
    bool closed = false, stopped = false;
    dora_event_t *event, *last = NULL;
    while (read_dora_event(keeps, DORA_FOREVER, &event) == DORA_OK) {
        closed = closed || dora_event_kind(event) == DORA_EVENT_INPUT_CLOSED;
        stopped = stopped || dora_event_kind(event) == DORA_EVENT_STOP;
        if (dora_event_kind(event) == DORA_EVENT_INPUT)
            is_message(event, "in", ++messages);
        dora_event_free(event);
        if (messages > 0)
            last_is(keeps, "in", messages);
    }
    CHECK(messages == 2 && closed && stopped);
    last_is(keeps, "in", 2);
    no_last(DORA_ERROR_NOT_FOUND, keeps, "other");
    CHECK_STATUS(DORA_OK, dora_node_last_value(keeps, "in", &last));
    dora_node_free(keeps);
    is_message(last, "in", 2);
    dora_event_free(last);

    dora_node_t *forgets = must_play(MESSAGE("in", 1));
    read_message(forgets, "in", 1);
    no_last(DORA_ERROR_UNSUPPORTED, forgets, "in");
    dora_node_free(forgets);
}

/* What a wait for a reply has put aside is not read yet; the reply is. */
static void last_values_beside_replies(void) {
    dora_node_options_t *options = must_make_options();
    set_script(options, MESSAGE("in", 1) MESSAGE_WITH("replies", 7, PARAMETER(DORA_KEY_REQUEST_ID, "seven")),
               0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_keep_last_values(options, 1));
    dora_node_t *node = must_init_with(options);
    dora_node_options_free(options);
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_CLOSED, dora_node_read_reply(node, "none", NULL, DORA_FOREVER, &event));
    no_last(DORA_ERROR_NOT_FOUND, node, "replies");
    CHECK_STATUS(DORA_OK, dora_node_read_reply(node, "seven", NULL, 0, &event));
    dora_event_free(event);
    last_is(node, "replies", 7);
    no_last(DORA_ERROR_NOT_FOUND, node, "in");
    read_message(node, "in", 1);
    last_is(node, "in", 1);
    dora_node_free(node);
}

/* ---- Sends that end in time ---- */

/* dora takes nothing while it waits for the time of an event: see threads.c. Here that is far, and the pause
 * lets the node begin before. */
static void send_timeout(void) {
    const int64_t limit_ns = 50 * 1000000;
    dora_node_options_t *options = must_make_options();
    set_script(options, PAUSE PAUSE MESSAGE("in", 1) STOP_AT("30"), 0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, outputs_path));
    CHECK_STATUS(DORA_OK, dora_node_options_set_send_timeout_ns(options, limit_ns));
    dora_node_t *node = must_init_with(options);
    dora_node_options_free(options);
    read_message(node, "in", 1);

    sleep_ms(500); /* until dora has begun to wait, before which a send would go through */
    CHECK_STATUS(DORA_TIMEOUT, dora_node_send_empty(node, "begun", NULL));

    const double began = seconds();
    CHECK_STATUS(DORA_TIMEOUT, dora_node_send_empty(node, "left-out", NULL));
    CHECK_STATUS(DORA_TIMEOUT, dora_node_send_bytes(node, "left-out", "x", 1, NULL));
    CHECK_STATUS(DORA_TIMEOUT, dora_node_send_values(node, "left-out", DORA_TYPE_UINT8, "x", 1, NULL));
    CHECK_STATUS(DORA_TIMEOUT, dora_node_send_text(node, "left-out", "x", 1, NULL));
    CHECK_STATUS(DORA_TIMEOUT, dora_node_log(node, DORA_LOG_INFO, "left out"));
    CHECK_STATUS(DORA_TIMEOUT, dora_node_close_outputs(node));
    CHECK(seconds() - began >= 6 * 1e-9 * (double)limit_ns);
    /* Wrong arguments are told of at once, and so is a read. */
    CHECK_STATUS(DORA_ERROR_INVALID_ID, dora_node_send_empty(node, "left out", NULL));
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_TIMEOUT, read_dora_event(node, 0, &event));
    CHECK(event == NULL);
    dora_node_free(node);

    /* What had begun may have arrived, what had not is left out. */
    char *lines = read_outputs();
    CHECK(strstr(lines, "left-out") == NULL);
    free(lines);
}

int main(void) {
    const char *outputs_to = getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    if (!CHECK(outputs_to != NULL))
        return EXIT_FAILURE;
    snprintf(outputs_path, sizeof outputs_path, "%s", outputs_to);
    threshold();
    several();
    without_daemon();
    outputs();
    last_values();
    last_values_beside_replies();
    send_timeout();
    return check_result("options_nodes");
}
