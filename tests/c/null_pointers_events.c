/*
 * NULL for every pointer of the functions of an event and of its data; see null_pointers.h.
 * Environment: DORA_TEST_WITH_INPUTS=null_pointers_events.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "null_pointers.h"

static dora_event_t *numbers, *booleans, *texts;

/* ---- Events ---- */

static void event_free(void) { dora_event_free(NULL); }
static void event_kind(void) { CHECK(dora_event_kind(NULL) == DORA_EVENT_UNKNOWN); }
static void event_input_id(void) { CHECK(dora_event_input_id(NULL) == NULL); }
static void event_node_id(void) { CHECK(dora_event_node_id(NULL) == NULL); }
static void event_operator_id(void) { CHECK(dora_event_operator_id(NULL) == NULL); }
static void event_key(void) { CHECK(dora_event_key(NULL) == NULL); }
static void event_message(void) { CHECK(dora_event_message(NULL) == NULL); }
static void event_value_json(void) { CHECK(dora_event_value_json(NULL) == NULL); }
static void event_stop_cause(void) { CHECK(dora_event_stop_cause(NULL) == DORA_STOP_UNKNOWN); }
static void event_affected_count(void) { CHECK(dora_event_affected_count(NULL) == 0); }
static void event_metadata(void) { CHECK(dora_event_metadata(NULL) == NULL); }
static void event_timestamp_ns(void) { CHECK(dora_event_timestamp_ns(NULL) == DORA_TIME_ABSENT); }
static void event_timestamp_ntp64(void) { CHECK(dora_event_timestamp_ntp64(NULL) == 0); }
static void event_data_type(void) { CHECK(dora_event_data_type(NULL) == DORA_TYPE_OTHER); }
static void event_data_format(void) { CHECK(dora_event_data_format(NULL) == NULL); }
static void event_length(void) { CHECK(dora_event_length(NULL) == 0); }
static void event_null_count(void) { CHECK(dora_event_null_count(NULL) == 0); }

static void event_once(void) {
    CHECK(!dora_event_once(NULL, "subject"));
    CHECK(!dora_event_once(numbers, NULL));
    CHECK(!dora_event_once(NULL, NULL));
    CHECK(dora_event_once(numbers, "subject"));
}

static void event_affected_input(void) {
    CHECK(dora_event_affected_input(NULL, 0) == NULL);
    CHECK(dora_event_affected_input(NULL, SIZE_MAX) == NULL);
}

static void event_format(void) {
    char buffer[] = "xyz";
    CHECK(dora_event_format(NULL, buffer, sizeof buffer) == 0);
    CHECK(memcmp(buffer, "\0yz", sizeof buffer) == 0);
    CHECK(dora_event_format(NULL, NULL, 0) == 0);
    CHECK(dora_event_format(numbers, NULL, 0) > 0);
    /* A capacity without a buffer has nothing to write to, and is no reason to fall over. */
    CHECK(dora_event_format(numbers, NULL, 100) == dora_event_format(numbers, NULL, 0));
    CHECK(dora_event_format(NULL, NULL, 100) == 0);
}

/* ---- Data of an input ---- */

static void event_values(void) {
    const void *values;
    size_t length;
    SPOILED(values, const void *, length);
    REFUSED("event", dora_event_values(NULL, DORA_TYPE_INT32, &values, &length));
    CLEARED(values, length);
    length = GARBAGE_SIZE;
    REFUSED("values", dora_event_values(numbers, DORA_TYPE_INT32, NULL, &length));
    CHECK(length == 0);
    CHECK_STATUS(DORA_OK, dora_event_values(numbers, DORA_TYPE_INT32, &values, NULL));
    CHECK(values != NULL);
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_event_values(NULL, DORA_TYPE_INT32, NULL, NULL));
}

/* The typed wrappers of the header pass their NULLs on; numbers are of type INT32. */
#define WRAPPER(name, type, status)                                                                          \
    do {                                                                                                     \
        const type *values;                                                                                  \
        size_t length;                                                                                       \
        SPOILED(values, const type *, length);                                                               \
        REFUSED("event", name(NULL, &values, &length));                                                      \
        CLEARED(values, length);                                                                             \
        length = GARBAGE_SIZE;                                                                               \
        REFUSED("values", name(numbers, NULL, &length));                                                     \
        CHECK(length == 0);                                                                                  \
        CHECK_STATUS(DORA_ERROR_NULL_POINTER, name(NULL, NULL, NULL));                                       \
        CHECK_STATUS(status, name(numbers, &values, NULL));                                                  \
    } while (0)

static void wrappers(void) {
    WRAPPER(dora_event_int8, int8_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_int16, int16_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_int32, int32_t, DORA_OK);
    WRAPPER(dora_event_int64, int64_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_uint8, uint8_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_uint16, uint16_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_uint32, uint32_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_uint64, uint64_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_float16, uint16_t, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_float32, float, DORA_ERROR_WRONG_TYPE);
    WRAPPER(dora_event_float64, double, DORA_ERROR_WRONG_TYPE);
}

static void event_values_nullable(void) {
    const void *values;
    const uint8_t *validity;
    size_t bit_offset, length;
#define CALL(event, values, validity, bit_offset, length)                                                    \
    dora_event_values_nullable(event, DORA_TYPE_INT32, values, validity, bit_offset, length)
#define SPOIL() (SPOILED(values, const void *, length), SPOILED(validity, const uint8_t *, bit_offset))

    SPOIL();
    REFUSED("event", CALL(NULL, &values, &validity, &bit_offset, &length));
    CLEARED(values, length);
    CLEARED(validity, bit_offset);
    SPOIL();
    REFUSED("values", CALL(numbers, NULL, &validity, &bit_offset, &length));
    CLEARED(validity, bit_offset);
    CHECK(length == 0);
    SPOIL();
    REFUSED("validity", CALL(numbers, &values, NULL, &bit_offset, &length));
    CLEARED(values, length);
    CHECK(bit_offset == 0);
    SPOIL();
    REFUSED("bit_offset", CALL(numbers, &values, &validity, NULL, &length));
    CLEARED(values, length);
    CHECK(validity == NULL);
    CHECK_STATUS(DORA_OK, CALL(numbers, &values, &validity, &bit_offset, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, CALL(NULL, NULL, NULL, NULL, NULL));
#undef CALL
#undef SPOIL
}

static void event_bits(void) {
    const uint8_t *bits;
    size_t bit_offset, length;
    SPOILED(bits, const uint8_t *, length);
    bit_offset = GARBAGE_SIZE;
    REFUSED("event", dora_event_bits(NULL, &bits, &bit_offset, &length));
    CLEARED(bits, length);
    CHECK(bit_offset == 0);
    bit_offset = length = GARBAGE_SIZE;
    REFUSED("bits", dora_event_bits(booleans, NULL, &bit_offset, &length));
    CHECK(bit_offset == 0 && length == 0);
    SPOILED(bits, const uint8_t *, length);
    REFUSED("bit_offset", dora_event_bits(booleans, &bits, NULL, &length));
    CLEARED(bits, length);
    CHECK_STATUS(DORA_OK, dora_event_bits(booleans, &bits, &bit_offset, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_event_bits(NULL, NULL, NULL, NULL));
}

static void event_text(void) {
    const char *text;
    size_t length;
    SPOILED(text, const char *, length);
    REFUSED("event", dora_event_text(NULL, 0, &text, &length));
    CLEARED(text, length);
    length = GARBAGE_SIZE;
    REFUSED("out", dora_event_text(texts, 0, NULL, &length));
    CHECK(length == 0);
    CHECK_STATUS(DORA_OK, dora_event_text(texts, 0, &text, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_event_text(NULL, 0, NULL, NULL));
}

static void event_bytes(void) {
    const uint8_t *bytes;
    size_t size;
    SPOILED(bytes, const uint8_t *, size);
    REFUSED("event", dora_event_bytes(NULL, 0, &bytes, &size));
    CLEARED(bytes, size);
    size = GARBAGE_SIZE;
    REFUSED("bytes", dora_event_bytes(texts, 0, NULL, &size));
    CHECK(size == 0);
    CHECK_STATUS(DORA_OK, dora_event_bytes(texts, 0, &bytes, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_event_bytes(NULL, 0, NULL, NULL));
}

static void event_raw(void) {
    const void *bytes;
    size_t size;
    SPOILED(bytes, const void *, size);
    REFUSED("event", dora_event_raw(NULL, &bytes, &size));
    CLEARED(bytes, size);
    size = GARBAGE_SIZE;
    REFUSED("bytes", dora_event_raw(numbers, NULL, &size));
    CHECK(size == 0);
    CHECK_STATUS(DORA_OK, dora_event_raw(numbers, &bytes, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_event_raw(NULL, NULL, NULL));
}

static void event_arrow(void) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    make_pair(&schema, &array);
    REFUSED("event", dora_event_arrow(NULL, &schema, &array));
    CHECK(schema.release == NULL && array.release == NULL);
    make_pair(&schema, &array);
    REFUSED("schema", dora_event_arrow(numbers, NULL, &array));
    CHECK(array.release == NULL);
    REFUSED("array", dora_event_arrow(numbers, &schema, NULL));
    CHECK(schema.release == NULL);
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_event_arrow(NULL, NULL, NULL));
    CHECK(released == 0); /* outputs are overwritten without a look at what they held */
}

static const struct null_check table[] = {
    {"dora_event_affected_count", event_affected_count},
    {"dora_event_affected_input", event_affected_input},
    {"dora_event_arrow", event_arrow},
    {"dora_event_bits", event_bits},
    {"dora_event_bytes", event_bytes},
    {"dora_event_data_format", event_data_format},
    {"dora_event_data_type", event_data_type},
    {"dora_event_format", event_format},
    {"dora_event_free", event_free},
    {"dora_event_input_id", event_input_id},
    {"dora_event_key", event_key},
    {"dora_event_kind", event_kind},
    {"dora_event_kind_name", no_pointers},
    {"dora_event_length", event_length},
    {"dora_event_message", event_message},
    {"dora_event_metadata", event_metadata},
    {"dora_event_node_id", event_node_id},
    {"dora_event_null_count", event_null_count},
    {"dora_event_once", event_once},
    {"dora_event_operator_id", event_operator_id},
    {"dora_event_raw", event_raw},
    {"dora_event_stop_cause", event_stop_cause},
    {"dora_event_text", event_text},
    {"dora_event_timestamp_ns", event_timestamp_ns},
    {"dora_event_timestamp_ntp64", event_timestamp_ntp64},
    {"dora_event_value_json", event_value_json},
    {"dora_event_values", event_values},
    {"dora_event_values_nullable", event_values_nullable},
};

int main(void) {
    const size_t functions = sizeof table / sizeof *table;
    is_complete(table, functions, "dora_event_");
    dora_node_t *node = must_init();
    numbers = must_read(node);
    booleans = must_read(node);
    texts = must_read(node);
    call_each(table, functions);
    wrappers();

    dora_event_free(numbers);
    dora_event_free(booleans);
    dora_event_free(texts);
    dora_node_free(node);
    return check_result("null_pointers_events");
}
