/*
 * Services, actions and streams, which are metadata: ids that the library makes, what an answer takes over,
 * how goals end, and the numbers of a stream. Environment: DORA_TEST_WITH_INPUTS=patterns.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "metadata_checks.h"

#include <ctype.h>

/* ---- Requests and goals ---- */

typedef dora_status_t (*start_t)(dora_metadata_t *, char *, size_t);
typedef const char *(*id_of_t)(const dora_metadata_t *);

static bool is_uuid(const char *text) {
    const char *const shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    size_t i = 0;
    while (shape[i] && (shape[i] == 'x' ? isxdigit((unsigned char)text[i]) != 0 : text[i] == shape[i]))
        ++i;
    return !shape[i] && !text[i];
}

static int compare(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }

static void starts(start_t start, const char *key, id_of_t id_of) {
    enum { COUNT = 1000 };
    static char ids[COUNT][DORA_ID_SIZE];
    dora_metadata_t *m = made();
    char buffer[64];

    /* Nothing is written beyond the capacity, nor the metadata changed, by a call that fails. */
    const size_t capacities[] = {0, 1, DORA_ID_SIZE - 1};
    for (size_t i = 0; i < LENGTH(capacities); ++i) {
        memset(buffer, '#', sizeof buffer);
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, start(m, buffer, capacities[i]));
        CHECK(error_names("capacity"));
        CHECK(buffer[0] == (capacities[i] > 0 ? '\0' : '#') && buffer[capacities[i]] == '#');
        CHECK(dora_metadata_count(m) == 0 && id_of(m) == NULL);
    }
    const size_t enough[] = {DORA_ID_SIZE, DORA_ID_SIZE + 1, SIZE_MAX};
    for (size_t i = 0; i < LENGTH(enough); ++i) {
        memset(buffer, '#', sizeof buffer);
        CHECK_STATUS(DORA_OK, start(m, buffer, enough[i]));
        CHECK(is_uuid(buffer) && buffer[DORA_ID_SIZE] == '#');
        CHECK_TEXT(buffer, id_of(m));
        is_string(m, key, buffer, DORA_ID_SIZE - 1);
        CHECK(dora_metadata_count(m) == 1); /* in the place of the id before */
    }

    int started = 0, unique = 1;
    for (int i = 0; i < COUNT; ++i)
        started += start(m, ids[i], sizeof ids[i]) == DORA_OK;
    qsort(ids, COUNT, sizeof *ids, compare);
    for (int i = 1; i < COUNT; ++i)
        unique += strcmp(ids[i - 1], ids[i]) != 0;
    CHECK(started == COUNT && unique == COUNT);
    dora_metadata_free(m);
}

/* One is no other, and what else is there stays. */
static void starts_beside(void) {
    dora_metadata_t *m = made();
    char request[DORA_ID_SIZE], goal[DORA_ID_SIZE];
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, "width", 640));
    CHECK_STATUS(DORA_OK, dora_metadata_start_request(m, request, sizeof request));
    CHECK(dora_metadata_goal_id(m) == NULL);
    CHECK_STATUS(DORA_OK, dora_metadata_start_goal(m, goal, sizeof goal));
    CHECK_TEXT(request, dora_metadata_request_id(m));
    CHECK_TEXT(goal, dora_metadata_goal_id(m));
    CHECK(strcmp(request, goal) != 0);
    is_integer(m, "width", 640);
    CHECK(dora_metadata_count(m) == 3);

    /* An id is a text. */
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, DORA_KEY_REQUEST_ID, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_bool(m, DORA_KEY_GOAL_ID, 1));
    CHECK(dora_metadata_request_id(m) == NULL && dora_metadata_goal_id(m) == NULL);
    dora_metadata_free(m);
}

/* ---- How goals end ---- */

static void goal_statuses(void) {
    const char *const texts[] = {NULL, "succeeded", "aborted", "canceled"};
    dora_metadata_t *m = made();
    CHECK(dora_metadata_goal_status(m) == DORA_GOAL_UNKNOWN);
    for (int32_t status = DORA_GOAL_SUCCEEDED; status <= DORA_GOAL_CANCELED; ++status) {
        CHECK_STATUS(DORA_OK, dora_metadata_set_goal_status(m, status));
        CHECK(dora_metadata_goal_status(m) == status);
        is_string(m, DORA_KEY_GOAL_STATUS, texts[status], strlen(texts[status]));
    }
    const int32_t no_status[] = {DORA_GOAL_UNKNOWN, -1, DORA_GOAL_CANCELED + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(no_status); ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_metadata_set_goal_status(m, no_status[i]));
        CHECK(error_names("status"));
        CHECK(dora_metadata_goal_status(m) == DORA_GOAL_CANCELED);
    }
    CHECK(dora_metadata_count(m) == 1);

    const char *const unknown[] = {"", "paused", "Succeeded", "succeeded "};
    for (size_t i = 0; i < LENGTH(unknown); ++i) {
        CHECK_STATUS(DORA_OK,
                     dora_metadata_set_string(m, DORA_KEY_GOAL_STATUS, unknown[i], DORA_NUL_TERMINATED));
        CHECK(dora_metadata_goal_status(m) == DORA_GOAL_UNKNOWN);
    }
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, DORA_KEY_GOAL_STATUS, DORA_GOAL_SUCCEEDED));
    CHECK(dora_metadata_goal_status(m) == DORA_GOAL_UNKNOWN);
    dora_metadata_free(m);
}

/* ---- Answers ---- */

static const char *or_none(const char *id) { return id ? id : "none"; }

/* Answers the event with metadata that had both ids before: these are then the event's, or "none". */
static void answers(const dora_event_t *event, const char *request, const char *goal) {
    dora_metadata_t *m = made();
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, DORA_KEY_REQUEST_ID, "old", 3));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, DORA_KEY_GOAL_ID, "old", 3));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, "height", 480));
    CHECK_STATUS(DORA_OK, dora_metadata_answer(m, event));
    CHECK_TEXT(request, or_none(dora_metadata_request_id(m)));
    CHECK_TEXT(goal, or_none(dora_metadata_goal_id(m)));
    is_integer(m, "height", 480);
    is_absent(m, "width"); /* only ids are taken over */
    dora_metadata_free(m);
}

static void no_answer(dora_status_t status, const dora_event_t *event) {
    dora_metadata_t *m = made();
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, DORA_KEY_REQUEST_ID, "old", 3));
    CHECK_STATUS(status, dora_metadata_answer(m, event));
    CHECK(error_names("request"));
    CHECK_TEXT("old", dora_metadata_request_id(m));
    CHECK(dora_metadata_count(m) == 1);
    dora_metadata_free(m);
}

static void all_answers(void) {
    int seen = 0;
    dora_node_t *node = must_init();
    dora_event_t *event;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const char *input = or_none(dora_event_input_id(event));
        if (strcmp(input, "request") == 0)
            answers(event, "r-1", "none");
        else if (strcmp(input, "goal") == 0)
            answers(event, "none", "g-1");
        else if (strcmp(input, "both") == 0)
            answers(event, "r-2", "g-2");
        else if (strcmp(input, "neither") == 0 || strcmp(input, "numbers") == 0)
            no_answer(DORA_ERROR_NOT_FOUND, event);
        else
            no_answer(DORA_ERROR_WRONG_TYPE, event);
        dora_event_free(event);
        ++seen;
    }
    CHECK(seen == 7);
    dora_node_free(node);
}

/* ---- Streams ---- */

static dora_stream_t *streaming(const char *session_id) {
    dora_stream_t *stream = GARBAGE_POINTER(dora_stream_t *);
    if (!CHECK_STATUS(DORA_OK, dora_stream_new(session_id, &stream)) || !CHECK(stream != NULL))
        exit(EXIT_FAILURE);
    return stream;
}

static void is_chunk(const dora_metadata_t *m, int64_t segment, int64_t seq, bool final) {
    IS_STRING(m, DORA_KEY_SESSION_ID, "session");
    is_integer(m, DORA_KEY_SEGMENT_ID, segment);
    is_integer(m, DORA_KEY_SEQ, seq);
    is_bool(m, DORA_KEY_FIN, final);
    is_integer(m, "width", 640);
}

/* The next chunk has these numbers, and flushes nothing. */
static void chunk(dora_stream_t *stream, dora_metadata_t *m, int64_t segment, int64_t seq, int32_t final) {
    CHECK_STATUS(DORA_OK, dora_stream_chunk(stream, final, m));
    is_chunk(m, segment, seq, final != 0);
    is_absent(m, DORA_KEY_FLUSH);
    CHECK(dora_metadata_count(m) == 5);
}

static void flush(dora_stream_t *stream, dora_metadata_t *m, int64_t segment) {
    CHECK_STATUS(DORA_OK, dora_stream_flush(stream, m));
    is_chunk(m, segment, 0, false);
    is_bool(m, DORA_KEY_FLUSH, true);
    CHECK(dora_metadata_count(m) == 6);
}

static void streams(void) {
    char session[] = "session";
    dora_stream_t *stream = streaming(session);
    memset(session, '#', sizeof session - 1); /* it was copied */
    dora_metadata_t *m = made();
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, "width", 640));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, DORA_KEY_SEQ, 77));

    chunk(stream, m, 0, 0, 0);
    chunk(stream, m, 0, 1, 0);
    /* What failed takes no number. */
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_stream_chunk(stream, 0, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_stream_flush(stream, NULL));
    chunk(stream, m, 0, 2, INT32_MIN);
    CHECK_STATUS(DORA_OK, dora_stream_next_segment(stream));
    chunk(stream, m, 1, 0, 1);
    CHECK_STATUS(DORA_OK, dora_stream_next_segment(stream));
    chunk(stream, m, 2, 0, 0);
    flush(stream, m, 3);
    chunk(stream, m, 3, 1, 0);
    flush(stream, m, 4);
    flush(stream, m, 5);
    CHECK_STATUS(DORA_OK, dora_stream_next_segment(stream));
    chunk(stream, m, 6, 0, 1);

    /* Each stream counts for itself, and metadata outlives it. */
    dora_stream_t *other = streaming("session");
    chunk(other, m, 0, 0, 0);
    dora_stream_free(other);
    is_chunk(m, 0, 0, false);
    dora_stream_free(stream);
    dora_metadata_free(m);
}

static void session_ids(void) {
    char first[64];
    const char *id = NULL;
    dora_stream_t *stream = streaming(NULL);
    dora_metadata_t *m = made();
    CHECK_STATUS(DORA_OK, dora_stream_chunk(stream, 0, m));
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, DORA_KEY_SESSION_ID, &id, NULL));
    snprintf(first, sizeof first, "%s", id);
    CHECK(is_uuid(first));
    CHECK_STATUS(DORA_OK, dora_stream_flush(stream, m));
    is_string(m, DORA_KEY_SESSION_ID, first, strlen(first));
    dora_stream_free(stream);

    stream = streaming(NULL);
    CHECK_STATUS(DORA_OK, dora_stream_chunk(stream, 0, m));
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, DORA_KEY_SESSION_ID, &id, NULL));
    CHECK(is_uuid(id) && strcmp(first, id) != 0);
    dora_stream_free(stream);
    dora_metadata_free(m);

    stream = GARBAGE_POINTER(dora_stream_t *);
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_stream_new("a\xFF", &stream));
    CHECK(error_names("session_id") && stream == NULL);
}

int main(void) {
    starts(dora_metadata_start_request, DORA_KEY_REQUEST_ID, dora_metadata_request_id);
    starts(dora_metadata_start_goal, DORA_KEY_GOAL_ID, dora_metadata_goal_id);
    starts_beside();
    goal_statuses();
    all_answers();
    streams();
    session_ids();
    return check_result("patterns");
}
