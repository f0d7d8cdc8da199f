/*
 * Metadata of an event: as it was received, on several threads, in copies that outlive the event, and out
 * with a message. Environment: DORA_TEST_WITH_INPUTS=metadata_events.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "metadata_checks.h"

#include <math.h>
#include <pthread.h>

static void received(const dora_metadata_t *m) {
    const char *const keys_in_order[] = {
        "_dora", "encoding", "k",   "key",   "labels", "lowest",    "no floats", "no integers", "no strings",
        "nul",   "on",       "roi", "scale", "taken",  "too early", "too late",  "width",       "宽度"};
    CHECK(dora_metadata_count(m) == LENGTH(keys_in_order));
    for (size_t i = 0; i < LENGTH(keys_in_order); ++i)
        CHECK_TEXT(keys_in_order[i], dora_metadata_key(m, i, NULL));
    /* A key that holds a NUL is listed whole, and no other is taken for it. */
    size_t length = GARBAGE_SIZE;
    const char *key = dora_metadata_key(m, 3, &length);
    CHECK(length == 7 && memcmp(key, "key\0nul", 8) == 0);
    is_absent(m, "key");

    const int64_t roi[] = {INT64_MIN, 0, INT64_MAX};
    const double k[] = {1e308, 5e-324, -0.0};
    is_integer(m, "width", 640);
    is_integer(m, "lowest", INT64_MIN);
    is_bool(m, "on", true);
    is_float(m, "scale", -0.5);
    IS_STRING(m, "encoding", "bgr8");
    IS_STRING(m, "nul", "one\0two");
    IS_STRING(m, "宽度", "六百四十");
    is_integers(m, "roi", roi, LENGTH(roi));
    is_floats(m, "k", k, LENGTH(k));
    has_strings(m, "labels", 3);
    HAS_STRING(m, "labels", 0, "");
    HAS_STRING(m, "labels", 1, "猫");
    HAS_STRING(m, "labels", 2, "a\0b");
    is_integers(m, "no integers", NULL, 0);
    is_floats(m, "no floats", NULL, 0);
    has_strings(m, "no strings", 0);
    is_timestamp(m, "taken", -1);

    /* Times that 64 bits of nanoseconds do not hold keep their kind. */
    const char *const far_away[] = {"too early", "too late"};
    for (size_t i = 0; i < 2; ++i) {
        int64_t time = 7;
        IS(m, DORA_METADATA_TIMESTAMP, far_away[i]);
        CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_metadata_get_timestamp_ns(m, far_away[i], &time));
        CHECK(time == DORA_TIME_ABSENT && strstr(dora_last_error(), far_away[i]) != NULL);
    }
    const char *const internal[] = {"_framing", "_schema_hash", "_wire_size", "__dora_x"};
    for (size_t i = 0; i < LENGTH(internal); ++i)
        is_absent(m, internal[i]);
}

/* What one thread finds; the texts are made when they are first asked for, and for all threads once. */
struct found {
    const dora_metadata_t *metadata;
    const char *key, *string, *of_list;
    dora_status_t statuses[2];
};

static void *find(void *argument) {
    struct found *found = (struct found *)argument;
    found->key = dora_metadata_key(found->metadata, 0, NULL);
    found->statuses[0] = dora_metadata_get_string(found->metadata, "encoding", &found->string, NULL);
    found->statuses[1] = dora_metadata_get_strings_at(found->metadata, "labels", 1, &found->of_list, NULL);
    return NULL;
}

/* An event's metadata is for several threads at once. */
static void on_threads(const dora_metadata_t *metadata) {
    pthread_t threads[8];
    struct found found[LENGTH(threads)];
    for (size_t i = 0; i < LENGTH(threads); ++i) {
        found[i].metadata = metadata;
        CHECK(pthread_create(&threads[i], NULL, find, &found[i]) == 0);
    }
    for (size_t i = 0; i < LENGTH(threads); ++i)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (size_t i = 0; i < LENGTH(threads); ++i) {
        CHECK_STATUS(DORA_OK, found[i].statuses[0]);
        CHECK_STATUS(DORA_OK, found[i].statuses[1]);
        CHECK(found[i].key == found[0].key && found[i].string == found[0].string &&
              found[i].of_list == found[0].of_list);
    }
    CHECK_TEXT("_dora", found[0].key);
    CHECK_TEXT("bgr8", found[0].string);
    CHECK_TEXT("猫", found[0].of_list);
}

static void send_with(dora_node_t *node, const dora_metadata_t *metadata) {
    const float value = 1;
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "empty", metadata));
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "bytes", "x", 1, metadata));
    CHECK_STATUS(DORA_OK, dora_node_send_values(node, "values", DORA_TYPE_FLOAT32, &value, 1, metadata));
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "text", "x", 1, metadata));
}

static void events(void) {
    dora_node_t *node = must_init();
    dora_event_t *event = must_read(node);
    const dora_metadata_t *borrowed = dora_event_metadata(event);
    on_threads(borrowed);
    received(borrowed);
    CHECK(dora_event_metadata(event) == borrowed);

    dora_metadata_t *extended = copied(borrowed);
    received(extended);
    dora_event_free(event);
    received(extended);
    dora_metadata_t *merged = made();
    CHECK_STATUS(DORA_OK, dora_metadata_merge(merged, extended));
    received(merged);
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(extended, "height", 480));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(extended, "width", "wide", DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_metadata_set_float(extended, "not finite", (double)NAN));
    send_with(node, extended);
    is_integer(extended, "height", 480);
    IS_STRING(extended, "width", "wide");
    IS_STRING(extended, "nul", "one\0two");
    received(merged);

    event = must_read(node);
    borrowed = dora_event_metadata(event);
    CHECK(borrowed != NULL && dora_metadata_count(borrowed) == 0);
    is_absent(borrowed, "width");
    dora_event_free(event);
    event = must_read(node);
    CHECK(dora_event_kind(event) == DORA_EVENT_STOP && dora_event_metadata(event) == NULL);
    dora_event_free(event);

    dora_metadata_clear(extended);
    send_with(node, extended);
    dora_node_free(node);
    received(merged); /* outlives all else */
    dora_metadata_free(merged);
    dora_metadata_free(extended);
}

int main(void) {
    events();
    return check_result("metadata_events");
}
