/*
 * One node, two threads: what the one sends while the other waits in a read, whom a second read disturbs,
 * whose error is whose, and how a node ends under a waiting read.
 *
 * dora plays a script in the thread that also takes what is sent, so while it waits for the time of an event
 * it takes nothing, and lets no node begin. It does not wait in threads.json: that begins with inputs that
 * cannot be decoded, after each of which dora rests for 100 ms elsewhere. A read waits through all of them,
 * 8 seconds that no test needs. Environment: DORA_TEST_WITH_INPUTS=threads.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <pthread.h>

enum { MESSAGES = 1000 };

/* ---- A thread that waits in a read ---- */

struct reader {
    pthread_t thread;
    dora_node_t *node;
    dora_status_t status;
    dora_event_t *event;
    double ended;
};

static void *read_for_ever(void *argument) {
    struct reader *reader = (struct reader *)argument;
    reader->event = GARBAGE_POINTER(dora_event_t *);
    reader->status = read_dora_event(reader->node, DORA_FOREVER, &reader->event);
    reader->ended = seconds();
    return NULL;
}

static void start(struct reader *reader, dora_node_t *node) {
    memset(reader, 0, sizeof *reader);
    reader->node = node;
    if (!CHECK(pthread_create(&reader->thread, NULL, read_for_ever, reader) == 0))
        exit(EXIT_FAILURE);
    sleep_ms(300); /* until it waits */
}

/* ---- Sends do not wait for a read ---- */

static void sends_during_read(void) {
    dora_node_t *node = must_init();
    struct reader reader;
    start(&reader, node);
    int sent = 0;
    for (int64_t i = 0; i < MESSAGES; ++i)
        sent += dora_node_send_values(node, "out", DORA_TYPE_INT64, &i, 1, NULL) == DORA_OK;
    const double sends_ended = seconds();
    CHECK(sent == MESSAGES);

    /* The node ends under the read, which so shows that it was still waiting. */
    dora_node_free(node);
    const double freed = seconds();
    CHECK(freed - sends_ended < 2 + SOON);
    CHECK(pthread_join(reader.thread, NULL) == 0);
    CHECK(reader.status == DORA_CLOSED && reader.event == NULL);
    CHECK(reader.ended > sends_ended);
    CHECK(reader.ended - sends_ended < 2 + SOON);

    static char expected[64 * MESSAGES];
    size_t size = 0;
    for (int i = 0; i < MESSAGES; ++i)
        size +=
            (size_t)sprintf(expected + size, "{\"id\":\"out\",\"data\":[%d],\"data_type\":\"Int64\"}\n", i);
    CHECK_OUTPUTS(expected);
}

/* ---- Sends of several threads follow each other, whole ---- */

struct sender {
    pthread_t thread;
    dora_node_t *node;
    char output[2];
    int sent;
};

static void *send_many(void *argument) {
    struct sender *sender = (struct sender *)argument;
    int64_t values[32];
    for (int64_t i = 0; i < MESSAGES / 4; ++i) {
        for (size_t k = 0; k < 32; ++k)
            values[k] = i;
        sender->sent +=
            dora_node_send_values(sender->node, sender->output, DORA_TYPE_INT64, values, 32, NULL) == DORA_OK;
    }
    return NULL;
}

static void sends_of_several_threads(void) {
    dora_node_t *node = must_init();
    struct reader reader;
    struct sender senders[4];
    start(&reader, node);
    for (int i = 0; i < 4; ++i) {
        memset(&senders[i], 0, sizeof senders[i]);
        senders[i].node = node;
        senders[i].output[0] = (char)('a' + i);
        if (!CHECK(pthread_create(&senders[i].thread, NULL, send_many, &senders[i]) == 0))
            exit(EXIT_FAILURE);
    }
    for (int i = 0; i < 4; ++i) {
        CHECK(pthread_join(senders[i].thread, NULL) == 0);
        CHECK(senders[i].sent == MESSAGES / 4);
    }
    dora_node_free(node);
    CHECK(pthread_join(reader.thread, NULL) == 0);
    CHECK(reader.status == DORA_CLOSED);

    /* Each line is whole and the next of its sender. */
    char *outputs = read_outputs();
    int next[4] = {0, 0, 0, 0}, lines = 0;
    for (char *line = strtok(outputs, "\n"); line; line = strtok(NULL, "\n"), ++lines) {
        char wanted[512];
        int output = 0, size = 0;
        while (output < 3 && line[7] != 'a' + output)
            ++output;
        size = sprintf(wanted, "{\"id\":\"%c\",\"data\":[%d", 'a' + output, next[output]);
        for (int k = 1; k < 32; ++k)
            size += sprintf(wanted + size, ",%d", next[output]);
        sprintf(wanted + size, "],\"data_type\":\"Int64\"}");
        ++next[output];
        CHECK_TEXT(wanted, line);
    }
    CHECK(lines == MESSAGES);
    free(outputs);
}

/* ---- One read at a time ---- */

static void second_read(void) {
    dora_node_t *node = must_init();
    struct reader reader;
    start(&reader, node);
    const int64_t timeouts[] = {0, 1, 20000000, INT64_MAX, DORA_FOREVER, INT64_MIN};
    const double began = seconds();
    for (size_t i = 0; i < sizeof timeouts / sizeof *timeouts; ++i) {
        dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
        CHECK_STATUS(DORA_ERROR_BUSY, read_dora_event(node, timeouts[i], &event));
        CHECK(event == NULL && *dora_last_error() != '\0');
    }
    CHECK(seconds() - began < SOON);
    dora_node_free(node);
    CHECK(pthread_join(reader.thread, NULL) == 0);
    CHECK(reader.status == DORA_CLOSED && reader.event == NULL); /* not disturbed */
}

/* ---- Each thread has its own error ---- */

struct errors {
    dora_node_t *node;
    char first[256], second[256];
    bool empty_at_first;
};

static void *fail(void *argument) {
    struct errors *errors = (struct errors *)argument;
    errors->empty_at_first = *dora_last_error() == '\0';
    if (dora_node_send_empty(errors->node, "other thread", NULL) == DORA_ERROR_INVALID_ID)
        snprintf(errors->first, sizeof errors->first, "%s", dora_last_error());
    if (dora_node_log(errors->node, 77, "x") == DORA_ERROR_INVALID_ARGUMENT)
        snprintf(errors->second, sizeof errors->second, "%s", dora_last_error());
    return NULL;
}

static void errors_of_each_thread(void) {
    struct errors errors;
    memset(&errors, 0, sizeof errors);
    errors.node = must_init();
    CHECK_STATUS(DORA_ERROR_INVALID_ID, dora_node_send_empty(errors.node, "this thread", NULL));
    const char *error = dora_last_error();
    CHECK(strstr(error, "this thread") != NULL);
    char kept[512];
    snprintf(kept, sizeof kept, "%s", error);

    pthread_t thread;
    if (CHECK(pthread_create(&thread, NULL, fail, &errors) == 0))
        CHECK(pthread_join(thread, NULL) == 0);
    CHECK(errors.empty_at_first);
    CHECK(strstr(errors.first, "other thread") != NULL);
    CHECK(strstr(errors.second, "77") != NULL && strstr(errors.second, "other thread") == NULL);

    /* Neither that, nor success, nor an outcome, nor the end of the node has changed it. */
    dora_event_t *event;
    CHECK_STATUS(DORA_OK, dora_node_send_empty(errors.node, "out", NULL));
    CHECK_STATUS(DORA_TIMEOUT, read_dora_event(errors.node, 0, &event));
    dora_node_free(errors.node);
    CHECK(dora_last_error() == error);
    CHECK_TEXT(kept, error);
}

int main(void) {
    sends_during_read();
    sends_of_several_threads();
    second_read();
    errors_of_each_thread();
    return check_result("threads");
}
