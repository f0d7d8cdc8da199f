/*
 * Calls every exported function with each of its pointers NULL, one at a time and all together, on a live
 * node, live events and live metadata. Each gives DORA_ERROR_NULL_POINTER and clears its outputs, or the
 * value documented for NULL. Environment: DORA_TEST_WITH_INPUTS=null_pointers.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

static dora_node_t *node;
static dora_event_t *numbers, *booleans, *texts;
static dora_metadata_t *own; /* with a parameter of each kind that has a length */

/* A call refuses the NULL that it got as `argument`. */
#define REFUSED(argument, call) (CHECK_STATUS(DORA_ERROR_NULL_POINTER, call), CHECK(error_names(argument)))

/* The output `pointer` and the number `size` were garbage before, and are cleared now. */
#define CLEARED(pointer, size) (CHECK((pointer) == NULL), CHECK((size) == 0))
#define SPOILED(pointer, type, size) ((pointer) = GARBAGE_POINTER(type), (size) = GARBAGE_SIZE)

static void no_pointers(void) {}

/* ---- Node ---- */

static void node_init(void) { REFUSED("node", dora_node_init(NULL)); }
static void node_free(void) { dora_node_free(NULL); }
static void node_id(void) { CHECK(dora_node_id(NULL) == NULL); }
static void node_dataflow_id(void) { CHECK(dora_node_dataflow_id(NULL) == NULL); }

static void node_config_json(void) { CHECK(dora_node_config_json(NULL) == NULL); }
static void node_descriptor_json(void) { CHECK(dora_node_descriptor_json(NULL) == NULL); }
static void node_input_count(void) { CHECK(dora_node_input_count(NULL) == 0); }
static void node_input_id(void) { CHECK(dora_node_input_id(NULL, 0) == NULL); }
static void node_input_source(void) { CHECK(dora_node_input_source(NULL, 0) == NULL); }
static void node_output_count(void) { CHECK(dora_node_output_count(NULL) == 0); }
static void node_output_id(void) { CHECK(dora_node_output_id(NULL, 0) == NULL); }
static void node_restart_count(void) { CHECK(dora_node_restart_count(NULL) == 0); }
static void node_zero_copy_threshold(void) { CHECK(dora_node_zero_copy_threshold(NULL) == 0); }
static void node_close_outputs(void) { REFUSED("node", dora_node_close_outputs(NULL)); }

static void node_close_output(void) {
    REFUSED("node", dora_node_close_output(NULL, "refused"));
    REFUSED("output", dora_node_close_output(node, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_close_output(NULL, NULL));
}

static void node_pending(void) {
    bool pending = true;
    REFUSED("node", dora_node_pending(NULL, &pending));
    CHECK(!pending);
    REFUSED("out", dora_node_pending(node, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_pending(NULL, NULL));
}

/* NULL for the input means the control events. */
static void node_dropped(void) {
    uint64_t total = GARBAGE_SIZE;
    REFUSED("node", dora_node_dropped(NULL, "numbers", &total));
    CHECK(total == 0);
    REFUSED("total", dora_node_dropped(node, "numbers", NULL));
    total = GARBAGE_SIZE;
    CHECK_STATUS(DORA_OK, dora_node_dropped(node, NULL, &total));
    CHECK(total == 0);
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_dropped(NULL, NULL, NULL));
}

static void node_input_state(void) {
    int32_t state = INT32_MAX;
    REFUSED("node", dora_node_input_state(NULL, "numbers", &state));
    CHECK(state == 0);
    state = INT32_MAX;
    REFUSED("input", dora_node_input_state(node, NULL, &state));
    CHECK(state == 0);
    REFUSED("out", dora_node_input_state(node, "numbers", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_input_state(NULL, NULL, NULL));
}

static void node_log_with(void) {
    REFUSED("node", dora_node_log_with(NULL, DORA_LOG_INFO, "target", "text", own));
    REFUSED("message", dora_node_log_with(node, DORA_LOG_INFO, "target", NULL, own));
    CHECK_STATUS(DORA_OK, dora_node_log_with(node, DORA_LOG_INFO, NULL, "text", own));
    CHECK_STATUS(DORA_OK, dora_node_log_with(node, DORA_LOG_INFO, "target", "text", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_log_with(NULL, DORA_LOG_INFO, NULL, NULL, NULL));
}

static void node_log(void) {
    REFUSED("node", dora_node_log(NULL, DORA_LOG_INFO, "text"));
    REFUSED("message", dora_node_log(node, DORA_LOG_INFO, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_log(NULL, DORA_LOG_INFO, NULL));
}

static void read_event(void) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    REFUSED("node", read_dora_event(NULL, DORA_FOREVER, &event));
    CHECK(event == NULL);
    /* It neither waits nor takes the event, which main reads next. */
    REFUSED("event", read_dora_event(node, DORA_FOREVER, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, read_dora_event(NULL, DORA_FOREVER, NULL));
}

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

/* ---- Arrow: both structures are outputs of the one call and are taken by the other ---- */

static int released;
static void release_schema(struct ArrowSchema *schema) { schema->release = NULL, ++released; }
static void release_array(struct ArrowArray *array) { array->release = NULL, ++released; }

/* A live pair: an empty array of the null type. */
static void make(struct ArrowSchema *schema, struct ArrowArray *array) {
    memset(schema, 0, sizeof *schema);
    memset(array, 0, sizeof *array);
    schema->format = "n";
    schema->release = release_schema;
    array->release = release_array;
    released = 0;
}

static void event_arrow(void) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    make(&schema, &array);
    REFUSED("event", dora_event_arrow(NULL, &schema, &array));
    CHECK(schema.release == NULL && array.release == NULL);
    make(&schema, &array);
    REFUSED("schema", dora_event_arrow(numbers, NULL, &array));
    CHECK(array.release == NULL);
    REFUSED("array", dora_event_arrow(numbers, &schema, NULL));
    CHECK(schema.release == NULL);
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_event_arrow(NULL, NULL, NULL));
    CHECK(released == 0); /* outputs are overwritten without a look at what they held */
}

static void send_arrow(void) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    make(&schema, &array);
    REFUSED("node", dora_node_send_arrow(NULL, "refused", &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL && released == 2);
    make(&schema, &array);
    REFUSED("output", dora_node_send_arrow(node, NULL, &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL && released == 2);
    make(&schema, &array);
    REFUSED("schema", dora_node_send_arrow(node, "refused", NULL, &array, NULL));
    CHECK(array.release == NULL && released == 1);
    make(&schema, &array);
    REFUSED("array", dora_node_send_arrow(node, "refused", &schema, NULL, NULL));
    CHECK(schema.release == NULL && released == 1);
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_arrow(NULL, NULL, NULL, NULL, NULL));
    make(&schema, &array);
    CHECK_STATUS(DORA_OK, dora_node_send_arrow(node, "arrow", &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL && released == 2);
}

/* ---- Metadata ---- */

static void metadata_new(void) { REFUSED("out", dora_metadata_new(NULL)); }

static void make_own(void) {
    CHECK_STATUS(DORA_OK, dora_metadata_new(&own));
    const int64_t integer = 1;
    const double number = 1;
    const char *const text = "text";
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(own, "string", text, DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(own, "integers", &integer, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_floats(own, "floats", &number, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(own, "strings", &text, NULL, 1));
}

static void metadata_copy(void) {
    dora_metadata_t *copy = GARBAGE_POINTER(dora_metadata_t *);
    REFUSED("metadata", dora_metadata_copy(NULL, &copy));
    CHECK(copy == NULL);
    REFUSED("out", dora_metadata_copy(own, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_metadata_copy(NULL, NULL));
}

static void metadata_free(void) { dora_metadata_free(NULL); }
static void metadata_clear(void) { dora_metadata_clear(NULL); }
static void metadata_count(void) { CHECK(dora_metadata_count(NULL) == 0); }

static void metadata_key(void) {
    size_t length = GARBAGE_SIZE;
    CHECK(dora_metadata_key(NULL, 0, &length) == NULL && length == 0);
    CHECK(dora_metadata_key(NULL, SIZE_MAX, NULL) == NULL);
    CHECK_TEXT("floats", dora_metadata_key(own, 0, NULL));
    CHECK(dora_metadata_key(own, SIZE_MAX, NULL) == NULL);
}

static void metadata_kind(void) {
    CHECK(dora_metadata_kind(NULL, "string") == DORA_METADATA_UNKNOWN);
    CHECK(dora_metadata_kind(own, NULL) == DORA_METADATA_UNKNOWN);
    CHECK(dora_metadata_kind(NULL, NULL) == DORA_METADATA_UNKNOWN);
}

/* Functions that read one value under `name`, which is `cleared` on failure. */
#define READS_ONE(function, type, name, garbage, cleared)                                                    \
    do {                                                                                                     \
        type value = garbage;                                                                                \
        REFUSED("metadata", function(NULL, "strings", &value));                                              \
        CHECK(value == (cleared));                                                                           \
        value = garbage;                                                                                     \
        REFUSED("key", function(own, NULL, &value));                                                         \
        CHECK(value == (cleared));                                                                           \
        REFUSED(name, function(own, "strings", NULL));                                                       \
        CHECK_STATUS(DORA_ERROR_NULL_POINTER, function(NULL, NULL, NULL));                                   \
    } while (0)

static void metadata_get_bool(void) { READS_ONE(dora_metadata_get_bool, bool, "value", true, false); }
static void metadata_get_float(void) { READS_ONE(dora_metadata_get_float, double, "value", 7, 0); }
static void metadata_get_integer(void) { READS_ONE(dora_metadata_get_integer, int64_t, "value", 7, 0); }

static void metadata_get_timestamp_ns(void) {
    READS_ONE(dora_metadata_get_timestamp_ns, int64_t, "value", 7, DORA_TIME_ABSENT);
}

static void metadata_get_strings_count(void) {
    READS_ONE(dora_metadata_get_strings_count, size_t, "count", GARBAGE_SIZE, 0);
}

/* Functions that read several values under `name`, and whose last argument may be NULL. */
#define READS_MORE(function, type, name, key)                                                                \
    do {                                                                                                     \
        type values;                                                                                         \
        size_t count;                                                                                        \
        SPOILED(values, type, count);                                                                        \
        REFUSED("metadata", function(NULL, key, &values, &count));                                           \
        CLEARED(values, count);                                                                              \
        SPOILED(values, type, count);                                                                        \
        REFUSED("key", function(own, NULL, &values, &count));                                                \
        CLEARED(values, count);                                                                              \
        count = GARBAGE_SIZE;                                                                                \
        REFUSED(name, function(own, key, NULL, &count));                                                     \
        CHECK(count == 0);                                                                                   \
        CHECK_STATUS(DORA_OK, function(own, key, &values, NULL));                                            \
        CHECK(values != NULL);                                                                               \
        CHECK_STATUS(DORA_ERROR_NULL_POINTER, function(NULL, NULL, NULL, NULL));                             \
    } while (0)

static dora_status_t first_of_strings(const dora_metadata_t *metadata, const char *key, const char **value,
                                      size_t *length) {
    return dora_metadata_get_strings_at(metadata, key, 0, value, length);
}

static void metadata_get_string(void) {
    READS_MORE(dora_metadata_get_string, const char *, "value", "string");
}
static void metadata_get_strings_at(void) { READS_MORE(first_of_strings, const char *, "value", "strings"); }
static void metadata_get_integers(void) {
    READS_MORE(dora_metadata_get_integers, const int64_t *, "values", "integers");
}
static void metadata_get_floats(void) {
    READS_MORE(dora_metadata_get_floats, const double *, "values", "floats");
}

/* A function that sets refuses to do without an object and a key; the arguments behind them follow. */
#define SETS(function, ...)                                                                                  \
    (REFUSED("metadata", function(NULL, "refused", __VA_ARGS__)),                                            \
     REFUSED("key", function(own, NULL, __VA_ARGS__)),                                                       \
     CHECK_STATUS(DORA_ERROR_NULL_POINTER, function(NULL, NULL, __VA_ARGS__)))

static void metadata_set_bool(void) { SETS(dora_metadata_set_bool, 1); }
static void metadata_set_float(void) { SETS(dora_metadata_set_float, 1); }
static void metadata_set_integer(void) { SETS(dora_metadata_set_integer, 1); }
static void metadata_set_timestamp_ns(void) { SETS(dora_metadata_set_timestamp_ns, 1); }

static void metadata_set_string(void) {
    SETS(dora_metadata_set_string, "x", 1);
    SETS(dora_metadata_set_string, NULL, 1);
    REFUSED("value", dora_metadata_set_string(own, "refused", NULL, 1));
    REFUSED("value", dora_metadata_set_string(own, "refused", NULL, DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(own, "empty", NULL, 0));
}

static void metadata_set_integers(void) {
    const int64_t value = 1;
    SETS(dora_metadata_set_integers, &value, 1);
    SETS(dora_metadata_set_integers, NULL, 1);
    REFUSED("values", dora_metadata_set_integers(own, "refused", NULL, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(own, "empty", NULL, 0));
}

static void metadata_set_floats(void) {
    const double value = 1;
    SETS(dora_metadata_set_floats, &value, 1);
    SETS(dora_metadata_set_floats, NULL, 1);
    REFUSED("values", dora_metadata_set_floats(own, "refused", NULL, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_floats(own, "empty", NULL, 0));
}

static void metadata_set_strings(void) {
    const char *const values[] = {"x", NULL};
    const size_t lengths[] = {1, 1};
    SETS(dora_metadata_set_strings, values, lengths, 1);
    SETS(dora_metadata_set_strings, NULL, NULL, 1);
    REFUSED("values", dora_metadata_set_strings(own, "refused", NULL, lengths, 2));
    REFUSED("values", dora_metadata_set_strings(own, "refused", NULL, NULL, 2));
    REFUSED("values[1]", dora_metadata_set_strings(own, "refused", values, lengths, 2));
    REFUSED("values[1]", dora_metadata_set_strings(own, "refused", values, NULL, 2));
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(own, "empty", NULL, NULL, 0));
}

static void metadata_merge(void) {
    REFUSED("metadata", dora_metadata_merge(NULL, own));
    REFUSED("from", dora_metadata_merge(own, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_metadata_merge(NULL, NULL));
}

static void metadata_remove(void) {
    REFUSED("metadata", dora_metadata_remove(NULL, "string"));
    REFUSED("key", dora_metadata_remove(own, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_metadata_remove(NULL, NULL));
}

/* ---- Sending ---- */

static void send_empty(void) {
    REFUSED("node", dora_node_send_empty(NULL, "refused", NULL));
    REFUSED("output", dora_node_send_empty(node, NULL, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_empty(NULL, NULL, NULL));
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "empty", NULL));
}

static void send_bytes(void) {
    REFUSED("node", dora_node_send_bytes(NULL, "refused", "x", 1, NULL));
    REFUSED("output", dora_node_send_bytes(node, NULL, "x", 1, NULL));
    REFUSED("data", dora_node_send_bytes(node, "refused", NULL, 1, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_bytes(NULL, NULL, NULL, 1, NULL));
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "bytes", NULL, 0, NULL));
}

static void send_values(void) {
    const double value = 1;
    REFUSED("node", dora_node_send_values(NULL, "refused", DORA_TYPE_FLOAT64, &value, 1, NULL));
    REFUSED("output", dora_node_send_values(node, NULL, DORA_TYPE_FLOAT64, &value, 1, NULL));
    for (int32_t type = DORA_TYPE_BOOL; type <= DORA_TYPE_FLOAT64; ++type) {
        REFUSED("values", dora_node_send_values(node, "refused", type, NULL, 1, NULL));
        CHECK_STATUS(DORA_OK, dora_node_send_values(node, "values", type, NULL, 0, NULL));
    }
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_values(NULL, NULL, DORA_TYPE_BOOL, NULL, 1, NULL));
}

static void send_text(void) {
    REFUSED("node", dora_node_send_text(NULL, "refused", "x", 1, NULL));
    REFUSED("output", dora_node_send_text(node, NULL, "x", 1, NULL));
    REFUSED("text", dora_node_send_text(node, "refused", NULL, 1, NULL));
    REFUSED("text", dora_node_send_text(node, "refused", NULL, DORA_NUL_TERMINATED, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_text(NULL, NULL, NULL, 1, NULL));
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "text", NULL, 0, NULL));
}

/* One line for every name in tests/symbols.txt, in its order. Who adds a function adds it here too. */
static const struct {
    const char *function;
    void (*check)(void);
} table[] = {
    {"dora_abi_version", no_pointers},
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
    {"dora_event_operator_id", event_operator_id},
    {"dora_event_raw", event_raw},
    {"dora_event_stop_cause", event_stop_cause},
    {"dora_event_text", event_text},
    {"dora_event_timestamp_ns", event_timestamp_ns},
    {"dora_event_timestamp_ntp64", event_timestamp_ntp64},
    {"dora_event_value_json", event_value_json},
    {"dora_event_values", event_values},
    {"dora_event_values_nullable", event_values_nullable},
    {"dora_last_error", no_pointers},
    {"dora_metadata_clear", metadata_clear},
    {"dora_metadata_copy", metadata_copy},
    {"dora_metadata_count", metadata_count},
    {"dora_metadata_free", metadata_free},
    {"dora_metadata_get_bool", metadata_get_bool},
    {"dora_metadata_get_float", metadata_get_float},
    {"dora_metadata_get_floats", metadata_get_floats},
    {"dora_metadata_get_integer", metadata_get_integer},
    {"dora_metadata_get_integers", metadata_get_integers},
    {"dora_metadata_get_string", metadata_get_string},
    {"dora_metadata_get_strings_at", metadata_get_strings_at},
    {"dora_metadata_get_strings_count", metadata_get_strings_count},
    {"dora_metadata_get_timestamp_ns", metadata_get_timestamp_ns},
    {"dora_metadata_key", metadata_key},
    {"dora_metadata_kind", metadata_kind},
    {"dora_metadata_merge", metadata_merge},
    {"dora_metadata_new", metadata_new},
    {"dora_metadata_remove", metadata_remove},
    {"dora_metadata_set_bool", metadata_set_bool},
    {"dora_metadata_set_float", metadata_set_float},
    {"dora_metadata_set_floats", metadata_set_floats},
    {"dora_metadata_set_integer", metadata_set_integer},
    {"dora_metadata_set_integers", metadata_set_integers},
    {"dora_metadata_set_string", metadata_set_string},
    {"dora_metadata_set_strings", metadata_set_strings},
    {"dora_metadata_set_timestamp_ns", metadata_set_timestamp_ns},
    {"dora_node_close_output", node_close_output},
    {"dora_node_close_outputs", node_close_outputs},
    {"dora_node_config_json", node_config_json},
    {"dora_node_dataflow_id", node_dataflow_id},
    {"dora_node_descriptor_json", node_descriptor_json},
    {"dora_node_dropped", node_dropped},
    {"dora_node_free", node_free},
    {"dora_node_id", node_id},
    {"dora_node_init", node_init},
    {"dora_node_input_count", node_input_count},
    {"dora_node_input_id", node_input_id},
    {"dora_node_input_source", node_input_source},
    {"dora_node_input_state", node_input_state},
    {"dora_node_log", node_log},
    {"dora_node_log_with", node_log_with},
    {"dora_node_output_count", node_output_count},
    {"dora_node_output_id", node_output_id},
    {"dora_node_pending", node_pending},
    {"dora_node_restart_count", node_restart_count},
    {"dora_node_send_arrow", send_arrow},
    {"dora_node_send_bytes", send_bytes},
    {"dora_node_send_empty", send_empty},
    {"dora_node_send_text", send_text},
    {"dora_node_send_values", send_values},
    {"dora_node_zero_copy_threshold", node_zero_copy_threshold},
    {"dora_status_name", no_pointers},
    {"dora_version_arrow", no_pointers},
    {"dora_version_dora", no_pointers},
    {"dora_version_number", no_pointers},
    {"dora_version_string", no_pointers},
    {"read_dora_event", read_event},
};

int main(void) {
    const size_t functions = sizeof table / sizeof *table;
    CHECK(functions == 86);
    for (size_t i = 1; i < functions; ++i)
        CHECK(strcmp(table[i - 1].function, table[i].function) < 0);

    CHECK_TEXT("", dora_last_error());
    node = must_init();
    read_event();
    numbers = must_read(node);
    CHECK_TEXT("numbers", dora_event_input_id(numbers));
    booleans = must_read(node);
    texts = must_read(node);
    make_own();

    for (size_t i = 0; i < functions; ++i) {
        int failed = check_failed;
        table[i].check();
        if (check_failed > failed)
            fprintf(stderr, "    in the checks of %s\n", table[i].function);
    }
    wrappers();
    CHECK(dora_metadata_count(own) == 5 && dora_metadata_kind(own, "refused") == DORA_METADATA_UNKNOWN);

    dora_metadata_free(own);
    dora_event_free(numbers);
    dora_event_free(booleans);
    dora_event_free(texts);
    dora_node_free(node);
    char *outputs = read_outputs();
    CHECK(strstr(outputs, "refused") == NULL);
    free(outputs);
    return check_result("null_pointers");
}
