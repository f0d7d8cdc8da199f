/*
 * A program of an earlier release: compiled against the headers of each, it runs with the library of this
 * one. It uses what 0.1 has; what came later stands behind an `#if` of the version.
 *
 * Environment: DORA_TEST_WITH_INPUTS=program.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

static dora_event_t *must_read_input(dora_node_t *node, const char *id) {
    dora_event_t *event = must_read(node);
    if (!CHECK(dora_event_kind(event) == DORA_EVENT_INPUT) || !CHECK_TEXT(id, dora_event_input_id(event)))
        exit(EXIT_FAILURE);
    return event;
}

static void the_library_is_as_new_as_the_header(void) {
    const uint32_t header = DORA_VERSION_MAJOR * 1000000 + DORA_VERSION_MINOR * 1000 + DORA_VERSION_PATCH;
    CHECK(dora_version_number() >= header);
    CHECK(dora_abi_version() == DORA_ABI);
    CHECK_TEXT("DORA_ERROR_INVALID_ID", dora_status_name(DORA_ERROR_INVALID_ID));
}

static void numbers(dora_node_t *node) {
    dora_event_t *event = must_read_input(node, "numbers");
    const dora_metadata_t *metadata = dora_event_metadata(event);
    const float *values = NULL;
    const double *doubles = NULL;
    const char *unit = NULL;
    size_t length = 0;
    int64_t width = 0;
    CHECK(dora_event_data_type(event) == DORA_TYPE_FLOAT32);
    CHECK_STATUS(DORA_OK, dora_event_float32(event, &values, &length));
    CHECK(length == 2 && values && values[0] == 1.5F && values[1] == -2.25F);
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, dora_event_float64(event, &doubles, &length));
    CHECK(doubles == NULL && length == 0);
    CHECK_STATUS(DORA_OK, dora_metadata_get_integer(metadata, "width", &width));
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(metadata, "unit", &unit, NULL));
    CHECK(width == 640);
    CHECK_TEXT("m", unit);
    CHECK(dora_event_timestamp_ns(event) != DORA_TIME_ABSENT);

    CHECK_STATUS(DORA_OK, dora_node_send_values(node, "values", DORA_TYPE_FLOAT32, values, 2, metadata));
    CHECK_STATUS(DORA_ERROR_INVALID_ID, dora_node_send_empty(node, "no id", NULL));
    CHECK(error_names("output"));
    dora_event_free(event);
}

/* The structures of this program, which the library fills and takes over. */
static void arrow(dora_node_t *node) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    dora_event_t *event = must_read_input(node, "words");
    const char *word = NULL;
    size_t length = 0;
    CHECK_STATUS(DORA_OK, dora_event_text(event, 1, &word, &length));
    CHECK(length == 3 && word && memcmp(word, "two", 3) == 0);
    CHECK_STATUS(DORA_OK, dora_event_arrow(event, &schema, &array));
    dora_event_free(event);
    CHECK_TEXT("u", schema.format);
    CHECK(array.length == 2 && array.null_count == 0 && array.n_buffers == 3 && array.n_children == 0);
    CHECK_STATUS(DORA_OK, dora_node_send_arrow(node, "arrow", &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL);
}

static void flags(dora_node_t *node) {
    dora_event_t *event = must_read_input(node, "flags");
    const uint8_t *bits = NULL;
    size_t bit_offset = 0, length = 0;
    CHECK_STATUS(DORA_OK, dora_event_bits(event, &bits, &bit_offset, &length));
    CHECK(length == 2 && bits && (bits[bit_offset / 8] >> bit_offset % 8 & 1) == 1);
    dora_event_free(event);
}

static void a_loan(dora_node_t *node) {
    dora_metadata_t *metadata = NULL;
    dora_loan_t *loan = NULL;
    CHECK_STATUS(DORA_OK, dora_metadata_new(&metadata));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(metadata, "height", 480));
    CHECK_STATUS(DORA_OK, dora_node_loan(node, "loan", DORA_TYPE_INT16, 4, &loan));
    int16_t *values = (int16_t *)dora_loan_data(loan);
    if (!CHECK(values != NULL))
        exit(EXIT_FAILURE);
    for (int16_t i = 0; i < 4; ++i)
        values[i] = i;
    CHECK_STATUS(DORA_OK, dora_loan_set_length(loan, 3));
    CHECK_STATUS(DORA_OK, dora_node_send_loan(node, &loan, metadata));
    CHECK(loan == NULL);
    dora_metadata_free(metadata);
}

static void the_end(dora_node_t *node) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_CLOSED, read_dora_event(node, DORA_FOREVER, &event));
    CHECK(event == NULL);
    dora_node_free(node);
}

int main(void) {
    dora_node_t *node = must_init();
    the_library_is_as_new_as_the_header();
    CHECK_TEXT("test-node", dora_node_id(node)); /* as dora names each that is fed from a file */
    numbers(node);
    arrow(node);
    flags(node);
    a_loan(node);
    the_end(node);
    CHECK_OUTPUTS("{\"id\":\"values\",\"data\":[1.5,-2.25],\"data_type\":\"Float32\"}\n"
                  "{\"id\":\"arrow\",\"data\":[\"one\",\"two\"],\"data_type\":\"Utf8\"}\n"
                  "{\"id\":\"loan\",\"data\":[0,1,2],\"data_type\":\"Int16\"}\n");
    return check_result("program");
}
