/*
 * Events of each kind that a script can play: what they carry and what they do not, how long a read waits,
 * what an ignored stop does, and that events outlive their node and may be used on another thread.
 * Environment: DORA_TEST_WITH_INPUTS=events.json. The inputs in it that cannot be decoded are pauses, in
 * which dora_node_init gets ready: while dora waits for the time of an event, it would not; see threads.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <pthread.h>

/* ---- Names ---- */

#define NAMED(name_of, constant) CHECK_TEXT(#constant, name_of(constant))

static void names(void) {
    NAMED(dora_event_kind_name, DORA_EVENT_UNKNOWN);
    NAMED(dora_event_kind_name, DORA_EVENT_INPUT);
    NAMED(dora_event_kind_name, DORA_EVENT_INPUT_CLOSED);
    NAMED(dora_event_kind_name, DORA_EVENT_STOP);
    NAMED(dora_event_kind_name, DORA_EVENT_RELOAD);
    NAMED(dora_event_kind_name, DORA_EVENT_ERROR);
    NAMED(dora_event_kind_name, DORA_EVENT_INPUT_RECOVERED);
    NAMED(dora_event_kind_name, DORA_EVENT_NODE_RESTARTED);
    NAMED(dora_event_kind_name, DORA_EVENT_NODE_FAILED);
    NAMED(dora_event_kind_name, DORA_EVENT_PARAM_UPDATE);
    NAMED(dora_event_kind_name, DORA_EVENT_PARAM_DELETED);
    const int32_t unknown_kinds[] = {-1, 11, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown_kinds / sizeof *unknown_kinds; ++i)
        CHECK_TEXT("unknown kind", dora_event_kind_name(unknown_kinds[i]));

    NAMED(dora_status_name, DORA_OK);
    NAMED(dora_status_name, DORA_CLOSED);
    NAMED(dora_status_name, DORA_TIMEOUT);
    NAMED(dora_status_name, DORA_INTERRUPTED);
    NAMED(dora_status_name, DORA_ERROR_NULL_POINTER);
    NAMED(dora_status_name, DORA_ERROR_INVALID_ARGUMENT);
    NAMED(dora_status_name, DORA_ERROR_INVALID_UTF8);
    NAMED(dora_status_name, DORA_ERROR_INVALID_ID);
    NAMED(dora_status_name, DORA_ERROR_UNKNOWN_OUTPUT);
    NAMED(dora_status_name, DORA_ERROR_UNKNOWN_INPUT);
    NAMED(dora_status_name, DORA_ERROR_OUTPUT_CLOSED);
    NAMED(dora_status_name, DORA_ERROR_WRONG_TYPE);
    NAMED(dora_status_name, DORA_ERROR_HAS_NULLS);
    NAMED(dora_status_name, DORA_ERROR_NOT_FOUND);
    NAMED(dora_status_name, DORA_ERROR_TOO_LARGE);
    NAMED(dora_status_name, DORA_ERROR_INVALID_ARROW);
    NAMED(dora_status_name, DORA_ERROR_TYPE_MISMATCH);
    NAMED(dora_status_name, DORA_ERROR_BUSY);
    NAMED(dora_status_name, DORA_ERROR_SERVER_RESTARTED);
    NAMED(dora_status_name, DORA_ERROR_INIT);
    NAMED(dora_status_name, DORA_ERROR_VERSION_MISMATCH);
    NAMED(dora_status_name, DORA_ERROR_DISCONNECTED);
    NAMED(dora_status_name, DORA_ERROR_OUT_OF_MEMORY);
    NAMED(dora_status_name, DORA_ERROR_IO);
    NAMED(dora_status_name, DORA_ERROR_UNSUPPORTED);
    NAMED(dora_status_name, DORA_ERROR_INTERNAL);
    NAMED(dora_status_name, DORA_ERROR_PANIC);
    const dora_status_t unknown_statuses[] = {4, 1000, -22, -97, -100, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown_statuses / sizeof *unknown_statuses; ++i)
        CHECK_TEXT("unknown status", dora_status_name(unknown_statuses[i]));
}

/* What the library says of itself agrees with the header and with itself. */
static void versions(void) {
    char text[32];
    CHECK(dora_abi_version() == DORA_ABI);
    CHECK(dora_version_number() ==
          DORA_VERSION_MAJOR * 1000000 + DORA_VERSION_MINOR * 1000 + DORA_VERSION_PATCH);
    snprintf(text, sizeof text, "%d.%d.%d", DORA_VERSION_MAJOR, DORA_VERSION_MINOR, DORA_VERSION_PATCH);
    CHECK_TEXT(text, dora_version_string());
    int major, minor, patch, end = 0;
    CHECK(sscanf(dora_version_dora(), "%d.%d.%d%n", &major, &minor, &patch, &end) == 3);
    CHECK(dora_version_dora()[end] == '\0');
    CHECK(sscanf(dora_version_arrow(), "%d.%d.%d%n", &major, &minor, &patch, &end) == 3);
    CHECK(dora_version_arrow()[end] == '\0');
}

/* ---- What an event carries ---- */

/* No kind that a script can play carries these. */
static void carries_nothing_else(const dora_event_t *event) {
    CHECK(dora_event_node_id(event) == NULL);
    CHECK(dora_event_operator_id(event) == NULL);
    CHECK(dora_event_key(event) == NULL);
    CHECK(dora_event_message(event) == NULL);
    CHECK(dora_event_value_json(event) == NULL);
    CHECK(dora_event_affected_count(event) == 0);
    CHECK(dora_event_affected_input(event, 0) == NULL);
    CHECK(dora_event_affected_input(event, SIZE_MAX) == NULL);
}

static void input(const dora_event_t *event, const char *id) {
    CHECK(dora_event_kind(event) == DORA_EVENT_INPUT);
    CHECK_TEXT(id, dora_event_input_id(event));
    CHECK(dora_event_stop_cause(event) == DORA_STOP_UNKNOWN);
    CHECK(dora_event_metadata(event) != NULL);
    CHECK(dora_event_metadata(event) == dora_event_metadata(event));
    carries_nothing_else(event);

    /* Just sent, and the same in both forms. */
    const int64_t ns = dora_event_timestamp_ns(event);
    const uint64_t ntp64 = dora_event_timestamp_ntp64(event);
    const int64_t second = 1000000000;
    CHECK(ns / second > time(NULL) - 60 && ns / second < time(NULL) + 60);
    CHECK(ntp64 >> 32 == (uint64_t)(ns / second));
    const int64_t fraction = (int64_t)(((ntp64 & UINT32_MAX) * (uint64_t)second) >> 32);
    CHECK(fraction - ns % second >= -1 && fraction - ns % second <= 1);
}

/* An event that is no input has no data, and says so for each of the ways to ask. */
static void no_input(const dora_event_t *event) {
    CHECK(dora_event_metadata(event) == NULL);
    CHECK(dora_event_timestamp_ns(event) == DORA_TIME_ABSENT);
    CHECK(dora_event_timestamp_ntp64(event) == 0);
    CHECK(dora_event_data_type(event) == DORA_TYPE_OTHER);
    CHECK(dora_event_data_format(event) == NULL);
    CHECK(dora_event_length(event) == 0);
    CHECK(dora_event_null_count(event) == 0);
    carries_nothing_else(event);

    const void *values = GARBAGE_POINTER(const void *);
    const uint8_t *bytes = GARBAGE_POINTER(const uint8_t *);
    const char *text = GARBAGE_POINTER(const char *);
    size_t length = GARBAGE_SIZE, bit_offset = GARBAGE_SIZE;
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_event_values(event, DORA_TYPE_INT32, &values, &length));
    CHECK(values == NULL && length == 0);
    values = GARBAGE_POINTER(const void *), length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE,
                 dora_event_values_nullable(event, DORA_TYPE_INT32, &values, &bytes, &bit_offset, &length));
    CHECK(values == NULL && bytes == NULL && bit_offset == 0 && length == 0);
    bytes = GARBAGE_POINTER(const uint8_t *), bit_offset = length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_event_bits(event, &bytes, &bit_offset, &length));
    CHECK(bytes == NULL && bit_offset == 0 && length == 0);
    length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_event_text(event, 0, &text, &length));
    CHECK(text == NULL && length == 0);
    bytes = GARBAGE_POINTER(const uint8_t *), length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_event_bytes(event, 0, &bytes, &length));
    CHECK(bytes == NULL && length == 0);
    values = GARBAGE_POINTER(const void *), length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_event_raw(event, &values, &length));
    CHECK(values == NULL && length == 0);

    struct ArrowSchema schema;
    struct ArrowArray array;
    memset(&schema, 0xA5, sizeof schema);
    memset(&array, 0xA5, sizeof array);
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_event_arrow(event, &schema, &array));
    CHECK(schema.release == NULL && array.release == NULL);
}

/* The longest start of `text` that fits into `size` bytes and does not end within a character. */
static size_t whole_characters(const char *text, size_t size) {
    size_t cut = strlen(text) < size ? strlen(text) : size;
    while (cut > 0 && ((unsigned char)text[cut] & 0xC0) == 0x80)
        --cut;
    return cut;
}

/* dora_event_format is snprintf with every capacity. */
static void format(const dora_event_t *event, const char *kind, const char *part) {
    char whole[512], buffer[512];
    const size_t length = dora_event_format(event, whole, sizeof whole);
    if (!CHECK(length > 0 && length < sizeof whole - 8))
        return;
    CHECK(strlen(whole) == length);
    CHECK(strstr(whole, kind) != NULL && strstr(whole, part) != NULL);
    CHECK(strpbrk(whole, "\r\n") == NULL);
    CHECK(dora_event_format(event, NULL, 0) == length);
    for (size_t capacity = 0; capacity <= length + 1; ++capacity) {
        memset(buffer, '#', sizeof buffer);
        CHECK(dora_event_format(event, buffer, capacity) == length);
        if (capacity > 0) {
            const size_t cut = whole_characters(whole, capacity - 1);
            CHECK(memcmp(buffer, whole, cut) == 0 && buffer[cut] == '\0');
        }
        bool untouched = true;
        for (size_t i = capacity; i < sizeof buffer; ++i)
            untouched = untouched && buffer[i] == '#';
        CHECK(untouched);
    }
}

/* ---- Waiting ---- */

/* Reads with a timeout that will be over before anything arrives. It is never over early; that it is over in
 * time is seen in the best of some reads, since the machine may be busy with something else. */
static void times_out(dora_node_t *node, int64_t timeout_ns) {
    bool in_time = false;
    for (int i = 0; i < 10 && !in_time; ++i) {
        dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
        const double start = seconds();
        CHECK_STATUS(DORA_TIMEOUT, read_dora_event(node, timeout_ns, &event));
        const double late = seconds() - start - 1e-9 * (double)timeout_ns;
        CHECK(event == NULL && late >= 0);
        in_time = late < 0.02;
    }
    CHECK(in_time);
}

static double processor_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static int ends_of_thousand_reads(dora_node_t *node) {
    int ends = 0;
    for (int i = 0; i < 1000; ++i) {
        dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
        const int64_t timeout_ns = i % 3 == 0 ? DORA_FOREVER : i % 3 == 1 ? 0 : INT64_MAX;
        ends += read_dora_event(node, timeout_ns, &event) == DORA_CLOSED && event == NULL;
    }
    return ends;
}

/* ---- Life after the node ---- */

struct kept {
    dora_event_t *event;
    const int32_t *values;
    size_t length;
    dora_status_t status;
    bool same_id;
};

static void *use_and_free(void *argument) {
    struct kept *kept = (struct kept *)argument;
    kept->status = dora_event_int32(kept->event, &kept->values, &kept->length);
    kept->same_id = strcmp(dora_event_input_id(kept->event), "numbers") == 0;
    if (kept->status == DORA_OK && kept->length == 3)
        kept->length += (size_t)kept->values[0] + (size_t)kept->values[1] + (size_t)kept->values[2];
    dora_event_free(kept->event);
    return NULL;
}

int main(void) {
    names();
    versions();

    dora_node_t *node = must_init();
    CHECK(dora_node_id(node) != NULL && *dora_node_id(node) != '\0');
    const char *dataflow = dora_node_dataflow_id(node);
    CHECK(dataflow != NULL && strlen(dataflow) == 36 && dataflow[8] == '-' && dataflow[23] == '-');

    dora_event_t *numbers = must_read(node);
    input(numbers, "numbers");
    CHECK(dora_event_data_type(numbers) == DORA_TYPE_INT32);
    format(numbers, "DORA_EVENT_INPUT", "numbers");

    dora_event_t *place = must_read(node);
    input(place, "place");
    format(place, "DORA_EVENT_INPUT", "Gr\xC3\xB6\xC3\x9F");
    dora_event_free(place);

    dora_event_t *tick = must_read(node);
    input(tick, "tick");
    CHECK(dora_event_data_type(tick) == DORA_TYPE_NULL && dora_event_length(tick) == 0);
    CHECK(dora_event_timestamp_ns(tick) == dora_event_timestamp_ns(numbers)); /* both of second 0 */
    dora_event_free(tick);

    dora_event_t *closed = must_read(node);
    CHECK(dora_event_kind(closed) == DORA_EVENT_INPUT_CLOSED);
    CHECK_TEXT("numbers", dora_event_input_id(closed));
    CHECK(dora_event_stop_cause(closed) == DORA_STOP_UNKNOWN);
    no_input(closed);
    format(closed, "DORA_EVENT_INPUT_CLOSED", "numbers");
    dora_event_free(closed);

    times_out(node, 0);
    times_out(node, 1);
    times_out(node, 20 * 1000000);
    times_out(node, 0);

    /* The longest timeout that there is ends when an event comes; waiting for it takes no processor time. */
    const double used = processor_seconds();
    CHECK_STATUS(DORA_OK, read_dora_event(node, INT64_MAX, &tick));
    CHECK(processor_seconds() - used < 0.2); /* of the two that it takes */
    input(tick, "tick");
    const int64_t apart = dora_event_timestamp_ns(tick) - dora_event_timestamp_ns(numbers);
    CHECK(apart > 1999000000 && apart < 2001000000);
    dora_event_free(tick);
    CHECK_STATUS(DORA_OK, read_dora_event(node, INT64_MIN, &tick));
    input(tick, "tick");
    dora_event_free(tick);

    dora_event_t *stop = must_read(node);
    CHECK(dora_event_kind(stop) == DORA_EVENT_STOP);
    CHECK(dora_event_stop_cause(stop) == DORA_STOP_MANUAL);
    CHECK(dora_event_input_id(stop) == NULL);
    no_input(stop);
    format(stop, "DORA_EVENT_STOP", "DORA_EVENT_STOP");

    /* A node that ignores the stop is told of the end each time, at once, and may still send. */
    double fastest = SOON;
    for (int round = 0; round < 5; ++round) {
        const double start = seconds();
        CHECK(ends_of_thousand_reads(node) == 1000);
        const double taken = seconds() - start;
        fastest = taken < fastest ? taken : fastest;
    }
    CHECK(fastest < 0.1);
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", "late", 4, dora_event_metadata(numbers)));

    dora_node_free(node);
    CHECK(dora_event_stop_cause(stop) == DORA_STOP_MANUAL);
    dora_event_free(stop);
    struct kept kept;
    memset(&kept, 0, sizeof kept);
    kept.event = numbers;
    pthread_t thread;
    if (CHECK(pthread_create(&thread, NULL, use_and_free, &kept) == 0)) {
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(kept.status == DORA_OK && kept.length == 3 + 1 + 2 + 3 && kept.same_id);
    }

    CHECK_OUTPUTS("{\"id\":\"out\",\"data\":[\"late\"],\"data_type\":\"Utf8\"}\n");
    return check_result("events");
}
