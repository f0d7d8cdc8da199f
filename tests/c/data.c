/*
 * The data of an input of each type: read back value by value with the accessor that fits, refused by every
 * other. Environment: DORA_TEST_WITH_INPUTS=data.json. Arrow structures are in export.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <math.h>

static dora_node_t *node;

/* The next event, which is the input `id` with data of this type. */
static dora_event_t *next(const char *id, int32_t type, const char *format, size_t length, size_t nulls) {
    dora_event_t *event = must_read(node);
    if (!CHECK_TEXT(id, dora_event_input_id(event)))
        exit(EXIT_FAILURE); /* all that follows would be about another input */
    CHECK(dora_event_data_type(event) == type);
    CHECK_TEXT(format, dora_event_data_format(event));
    CHECK(dora_event_length(event) == length);
    CHECK(dora_event_null_count(event) == nulls);
    return event;
}

/* ---- Who may read what ---- */

static dora_status_t worse(bool fits, dora_status_t status) { return fits ? status : DORA_ERROR_WRONG_TYPE; }

/* Calls every accessor: the fitting ones give `status`, which is DORA_OK or why even they cannot, and the
 * others DORA_ERROR_WRONG_TYPE. Whatever fails clears its outputs. */
static void matrix(const dora_event_t *event, bool fixed_width, dora_status_t status) {
    const int32_t held = dora_event_data_type(event);
    const bool empty = dora_event_length(event) == 0;
    const void *values;
    const uint8_t *bytes;
    const char *text;
    size_t length, bit_offset;
    int failed = check_failed;

    for (int32_t type = DORA_TYPE_INT8; type <= DORA_TYPE_FLOAT64; ++type) {
        values = GARBAGE_POINTER(const void *), length = GARBAGE_SIZE;
        const dora_status_t wanted = worse(type == held, status);
        CHECK_STATUS(wanted, dora_event_values(event, type, &values, &length));
        CHECK((values == NULL) == (wanted != DORA_OK || empty));
        CHECK(length == (wanted == DORA_OK ? dora_event_length(event) : 0));

        values = GARBAGE_POINTER(const void *), bytes = GARBAGE_POINTER(const uint8_t *);
        bit_offset = length = GARBAGE_SIZE;
        const dora_status_t nullable = worse(type == held, DORA_OK);
        CHECK_STATUS(nullable,
                     dora_event_values_nullable(event, type, &values, &bytes, &bit_offset, &length));
        CHECK((values == NULL) == (nullable != DORA_OK || empty));
        CHECK((bytes == NULL) == (nullable != DORA_OK || dora_event_null_count(event) == 0));
        CHECK(length == (nullable == DORA_OK ? dora_event_length(event) : 0));
        CHECK(nullable == DORA_OK || bit_offset == 0);
    }
    const int32_t no_numbers[] = {
        DORA_TYPE_OTHER, DORA_TYPE_NULL, DORA_TYPE_BOOL, DORA_TYPE_TEXT, DORA_TYPE_BINARY, 16, -1,
        INT32_MAX,       INT32_MIN};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; ++i) {
        values = GARBAGE_POINTER(const void *), length = GARBAGE_SIZE;
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_event_values(event, no_numbers[i], &values, &length));
        CHECK(values == NULL && length == 0 && error_names("type"));
        values = GARBAGE_POINTER(const void *), bytes = GARBAGE_POINTER(const uint8_t *);
        bit_offset = length = GARBAGE_SIZE;
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_event_values_nullable(event, no_numbers[i], &values, &bytes, &bit_offset, &length));
        CHECK(values == NULL && bytes == NULL && bit_offset == 0 && length == 0);
    }

    bytes = GARBAGE_POINTER(const uint8_t *), bit_offset = length = GARBAGE_SIZE;
    const dora_status_t bits = worse(held == DORA_TYPE_BOOL, status);
    CHECK_STATUS(bits, dora_event_bits(event, &bytes, &bit_offset, &length));
    CHECK((bytes == NULL) == (bits != DORA_OK || empty));
    CHECK(bits == DORA_OK || (bit_offset == 0 && length == 0));

    values = GARBAGE_POINTER(const void *), length = GARBAGE_SIZE;
    const dora_status_t raw = worse(fixed_width, status);
    CHECK_STATUS(raw, dora_event_raw(event, &values, &length));
    CHECK((values == NULL) == (raw != DORA_OK || empty));
    CHECK((length == 0) == (raw != DORA_OK || empty));

    /* The first element of texts and byte strings is a value wherever there is one. */
    text = GARBAGE_POINTER(const char *), length = GARBAGE_SIZE;
    const dora_status_t absent = empty ? DORA_ERROR_INVALID_ARGUMENT : DORA_OK;
    const dora_status_t texts = worse(held == DORA_TYPE_TEXT, absent);
    CHECK_STATUS(texts, dora_event_text(event, 0, &text, &length));
    CHECK((text == NULL) == (texts != DORA_OK) && (length == 0) == (texts != DORA_OK));
    bytes = GARBAGE_POINTER(const uint8_t *), length = GARBAGE_SIZE;
    const dora_status_t binary = worse(held == DORA_TYPE_TEXT || held == DORA_TYPE_BINARY, absent);
    CHECK_STATUS(binary, dora_event_bytes(event, 0, &bytes, &length));
    CHECK((bytes == NULL) == (binary != DORA_OK) && (length == 0) == (binary != DORA_OK));

    if (check_failed > failed)
        fprintf(stderr, "    with input %s\n", dora_event_input_id(event));
}

static bool aligned(const void *pointer) { return (uintptr_t)pointer % 64 == 0; }

/* ---- Numbers ---- */

/* Reads three numbers with the typed wrapper, as raw bytes and with their (absent) nulls. */
#define NUMBERS(id, number, c_type, read, format, first, second, third)                                      \
    do {                                                                                                     \
        dora_event_t *event = next(id, number, format, 3, 0);                                                \
        const c_type wanted[] = {first, second, third};                                                      \
        const c_type *values = NULL;                                                                         \
        size_t length = GARBAGE_SIZE;                                                                        \
        CHECK_STATUS(DORA_OK, read(event, &values, &length));                                                \
        if (CHECK(values && length == 3))                                                                    \
            CHECK(memcmp(values, wanted, sizeof wanted) == 0);                                               \
        numbers(event, number, values, sizeof wanted);                                                       \
        dora_event_free(event);                                                                              \
    } while (0)

static void numbers(const dora_event_t *event, int32_t type, const void *values, size_t size) {
    const void *raw = NULL, *nullable = NULL;
    const uint8_t *validity = GARBAGE_POINTER(const uint8_t *);
    size_t length = GARBAGE_SIZE, bit_offset = GARBAGE_SIZE;
    CHECK(aligned(values));
    CHECK_STATUS(DORA_OK, dora_event_raw(event, &raw, &length));
    CHECK(raw == values && length == size);
    CHECK_STATUS(DORA_OK,
                 dora_event_values_nullable(event, type, &nullable, &validity, &bit_offset, &length));
    CHECK(nullable == values && validity == NULL && length == 3);
    matrix(event, true, DORA_OK);
}

static void all_numbers(void) {
    NUMBERS("int8", DORA_TYPE_INT8, int8_t, dora_event_int8, "c", INT8_MIN, 0, INT8_MAX);
    NUMBERS("int16", DORA_TYPE_INT16, int16_t, dora_event_int16, "s", INT16_MIN, 0, INT16_MAX);
    NUMBERS("int32", DORA_TYPE_INT32, int32_t, dora_event_int32, "i", INT32_MIN, 0, INT32_MAX);
    NUMBERS("int64", DORA_TYPE_INT64, int64_t, dora_event_int64, "l", INT64_MIN, 0, INT64_MAX);
    NUMBERS("uint8", DORA_TYPE_UINT8, uint8_t, dora_event_uint8, "C", 0, 1, UINT8_MAX);
    NUMBERS("uint16", DORA_TYPE_UINT16, uint16_t, dora_event_uint16, "S", 0, 1, UINT16_MAX);
    NUMBERS("uint32", DORA_TYPE_UINT32, uint32_t, dora_event_uint32, "I", 0, 1, UINT32_MAX);
    NUMBERS("uint64", DORA_TYPE_UINT64, uint64_t, dora_event_uint64, "L", 0, 1, UINT64_MAX);
    NUMBERS("float16", DORA_TYPE_FLOAT16, uint16_t, dora_event_float16, "e", 0x3E00, 0xC000, 0x7BFF);
    NUMBERS("float32", DORA_TYPE_FLOAT32, float, dora_event_float32, "f", 1.5f, -0.0f, (float)INFINITY);

    /* A NaN has many forms, so that one is not compared by its bytes. */
    dora_event_t *event = next("float64", DORA_TYPE_FLOAT64, "g", 3, 0);
    const double *values = NULL;
    size_t length = 0;
    CHECK_STATUS(DORA_OK, dora_event_float64(event, &values, &length));
    if (CHECK(values && length == 3))
        CHECK(values[0] == 1e300 && values[1] == 5e-324 && isnan(values[2]));
    numbers(event, DORA_TYPE_FLOAT64, values, 3 * sizeof *values);
    dora_event_free(event);
}

static void empty(void) {
    dora_event_t *event = next("no-int32", DORA_TYPE_INT32, "i", 0, 0);
    matrix(event, true, DORA_OK);
    dora_event_free(event);
    matrix(event = next("no-bool", DORA_TYPE_BOOL, "b", 0, 0), false, DORA_OK);
    dora_event_free(event);
    matrix(event = next("no-text", DORA_TYPE_TEXT, "u", 0, 0), false, DORA_OK);
    dora_event_free(event);
    matrix(event = next("no-binary", DORA_TYPE_BINARY, "z", 0, 0), false, DORA_OK);
    dora_event_free(event);
}

static bool bit(const uint8_t *bits, size_t index) { return (bits[index / 8] >> index % 8 & 1) != 0; }

/* Nulls are refused as values and marked as nulls, with the values between them in their places. */
static void holes(void) {
    const int32_t wanted[] = {0, 10, 0, 30, 40, 50, 60, 70, 0, 90};
    const void *values = NULL;
    const uint8_t *validity = NULL;
    size_t bit_offset = GARBAGE_SIZE, length = 0;
    dora_event_t *event = next("holes", DORA_TYPE_INT32, "i", 10, 3);
    matrix(event, true, DORA_ERROR_HAS_NULLS);
    CHECK_STATUS(DORA_OK, dora_event_values_nullable(event, DORA_TYPE_INT32, &values, &validity, &bit_offset,
                                                     &length));
    if (CHECK(values && validity && length == 10)) {
        for (size_t i = 0; i < 10; ++i) {
            CHECK(bit(validity, bit_offset + i) == (wanted[i] != 0));
            CHECK(wanted[i] == 0 || ((const int32_t *)values)[i] == wanted[i]);
        }
        CHECK(aligned(values) && aligned(validity));
    }
    dora_event_free(event);

    matrix(event = next("bool-holes", DORA_TYPE_BOOL, "b", 2, 1), false, DORA_ERROR_HAS_NULLS);
    dora_event_free(event);
}

static void booleans(void) {
    const char wanted[] = "1011000001";
    const uint8_t *bits = NULL;
    size_t bit_offset = GARBAGE_SIZE, length = 0;
    dora_event_t *event = next("bool", DORA_TYPE_BOOL, "b", 10, 0);
    CHECK_STATUS(DORA_OK, dora_event_bits(event, &bits, &bit_offset, &length));
    if (CHECK(bits && length == 10))
        for (size_t i = 0; i < 10; ++i)
            CHECK(bit(bits, bit_offset + i) == (wanted[i] == '1'));
    CHECK(aligned(bits));
    matrix(event, false, DORA_OK);
    dora_event_free(event);
}

/* ---- Texts and byte strings ---- */

/* One element of a text input: equal, terminated, the same bytes without a copy. */
static void one_text(const dora_event_t *event, size_t index, const char *wanted, size_t size) {
    const char *text = NULL, *again = NULL;
    const uint8_t *bytes = GARBAGE_POINTER(const uint8_t *);
    size_t length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_OK, dora_event_text(event, index, &text, &length));
    if (CHECK(text && length == size))
        CHECK(memcmp(text, wanted, size) == 0 && text[size] == '\0');
    CHECK_STATUS(DORA_OK, dora_event_text(event, index, &again, NULL));
    CHECK(again == text); /* copied once, so that what was borrowed before stays */
    CHECK_STATUS(DORA_OK, dora_event_bytes(event, index, &bytes, &length));
    if (CHECK(length == size && (bytes == NULL) == (size == 0)) && size > 0)
        CHECK(memcmp(bytes, wanted, size) == 0);
}

static void refused(const dora_event_t *event, size_t index, dora_status_t text_status,
                    dora_status_t status) {
    const char *text = GARBAGE_POINTER(const char *);
    const uint8_t *bytes = GARBAGE_POINTER(const uint8_t *);
    size_t length = GARBAGE_SIZE;
    CHECK_STATUS(text_status, dora_event_text(event, index, &text, &length));
    CHECK(text == NULL && length == 0);
    length = GARBAGE_SIZE;
    CHECK_STATUS(status, dora_event_bytes(event, index, &bytes, &length));
    CHECK(bytes == NULL && length == 0);
}

static void texts(const char *id, const char *format) {
    dora_event_t *event = next(id, DORA_TYPE_TEXT, format, 5, 1);
    one_text(event, 4, "a\0b", 3);
    one_text(event, 0, "first", 5);
    one_text(event, 1, "", 0);
    one_text(event, 2,
             "Gr\xC3\xB6\xC3\x9F"
             "e \xF0\x9F\x98\x80",
             12);
    refused(event, 3, DORA_ERROR_HAS_NULLS, DORA_ERROR_HAS_NULLS);
    const size_t beyond[] = {5, 6, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i) {
        refused(event, beyond[i], DORA_ERROR_INVALID_ARGUMENT, DORA_ERROR_INVALID_ARGUMENT);
        CHECK(error_names("index"));
    }
    matrix(event, false, DORA_OK);
    dora_event_free(event);
}

static void byte_strings(const char *id, const char *format) {
    dora_event_t *event = next(id, DORA_TYPE_BINARY, format, 3, 1);
    const uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK_STATUS(DORA_OK, dora_event_bytes(event, 0, &bytes, &size));
    CHECK(size == 2 && bytes && bytes[0] == 0x00 && bytes[1] == 0xFF);
    bytes = GARBAGE_POINTER(const uint8_t *), size = GARBAGE_SIZE;
    CHECK_STATUS(DORA_OK, dora_event_bytes(event, 1, &bytes, &size));
    CHECK(bytes == NULL && size == 0);
    refused(event, 2, DORA_ERROR_WRONG_TYPE, DORA_ERROR_HAS_NULLS);
    refused(event, 3, DORA_ERROR_WRONG_TYPE, DORA_ERROR_INVALID_ARGUMENT);
    refused(event, SIZE_MAX, DORA_ERROR_WRONG_TYPE, DORA_ERROR_INVALID_ARGUMENT);
    matrix(event, false, DORA_OK);
    dora_event_free(event);
}

/* ---- Other types of a fixed width: their bytes are read raw ---- */

static void raw(const char *id, int32_t type, const char *format, const void *wanted, size_t size) {
    dora_event_t *event = next(id, type, format, 2, 0);
    const void *bytes = NULL;
    size_t length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_OK, dora_event_raw(event, &bytes, &length));
    if (CHECK(bytes && length == size))
        CHECK(memcmp(bytes, wanted, size) == 0 && aligned(bytes));
    CHECK_STATUS(DORA_OK, dora_event_raw(event, &bytes, NULL));
    matrix(event, true, DORA_OK);
    dora_event_free(event);
}

static void all_raw(void) {
    const uint8_t triples[] = {0x00, 0x01, 0x02, 0xFD, 0xFE, 0xFF};
    const int64_t times[] = {0, INT64_C(1796000000000000000)};
    const int64_t decimals[] = {125, 0, -100, -1}; /* little-endian pairs that make 128 bits */
    const int32_t pairs[] = {1, 2, 3, 4};
    raw("triples", DORA_TYPE_BINARY, "w:3", triples, sizeof triples);
    raw("time", DORA_TYPE_OTHER, "tsn:+00:00", times, sizeof times);
    raw("decimal", DORA_TYPE_OTHER, "d:10,2", decimals, sizeof decimals);
    raw("pairs", DORA_TYPE_OTHER, "+w:2", pairs, sizeof pairs);
}

int main(void) {
    node = must_init();
    dora_event_t *event = next("tick", DORA_TYPE_NULL, "n", 0, 0);
    matrix(event, false, DORA_OK);
    dora_event_free(event);
    matrix(event = next("nulls", DORA_TYPE_NULL, "n", 2, 2), false, DORA_OK);
    dora_event_free(event);
    booleans();
    all_numbers();
    empty();
    holes();
    texts("utf8", "u");
    texts("large-utf8", "U");
    texts("utf8-view", "vu");
    event = next("one-text", DORA_TYPE_TEXT, "u", 1, 0);
    one_text(event, 0, "whole", 5);
    dora_event_free(event);
    byte_strings("binary", "z");
    byte_strings("large-binary", "Z");
    byte_strings("binary-view", "vz");
    all_raw();
    matrix(event = next("lists", DORA_TYPE_OTHER, "+l", 3, 0), false, DORA_OK);
    dora_event_free(event);
    matrix(event = next("struct", DORA_TYPE_OTHER, "+s", 2, 0), false, DORA_OK);
    dora_event_free(event);
    dora_node_free(node);
    return check_result("data");
}
