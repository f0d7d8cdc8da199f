/*
 * Sends what can be sent without an Arrow library, and what cannot. The file of outputs is compared at the
 * end: what was refused must not have gone out, what was accepted must have arrived whole and in order.
 * Environment: DORA_TEST_WITH_INPUTS=sending.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <math.h>

static dora_node_t *node;
static char expected[8192]; /* the lines that the file of outputs should have */

/* Notes a line that the next call should write: its data, as the JSON of the test file has them, and its
 * type. */
static void expect_from(const char *output, const char *data, const char *type) {
    const size_t used = strlen(expected);
    const int more = snprintf(expected + used, sizeof expected - used,
                              "{\"id\":\"%s\",\"data\":%s,\"data_type\":\"%s\"}\n", output, data, type);
    if (!CHECK(more > 0 && (size_t)more < sizeof expected - used))
        exit(EXIT_FAILURE);
}

static void expect(const char *data, const char *type) { expect_from("out", data, type); }

/* ---- Ids ---- */

static dora_status_t send_arrow(const char *output);

static void every_send(dora_status_t status, const char *output) {
    const int32_t value = 1;
    CHECK_STATUS(status, dora_node_send_empty(node, output, NULL));
    CHECK(status == DORA_OK || error_names("output"));
    CHECK_STATUS(status, dora_node_send_bytes(node, output, "x", 1, NULL));
    CHECK(status == DORA_OK || error_names("output"));
    CHECK_STATUS(status, dora_node_send_values(node, output, DORA_TYPE_INT32, &value, 1, NULL));
    CHECK(status == DORA_OK || error_names("output"));
    CHECK_STATUS(status, dora_node_send_text(node, output, "x", 1, NULL));
    CHECK(status == DORA_OK || error_names("output"));
    CHECK_STATUS(status, send_arrow(output));
    CHECK(status == DORA_OK || error_names("output"));
}

static void ids(void) {
    const char *const bad[] = {"",    "cmd vel", "/a",   "a/", "a//b", "/",   "\xC3\xBC", "a\n",
                               "a\t", "a:b",     "a\\b", "a*", "a%20", "a,b", "\x7F",     "a\x01"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        every_send(DORA_ERROR_INVALID_ID, bad[i]);
    const char *const no_text[] = {"\xFF", "a\xC3", "\xC0\x80", "\xED\xA0\x80", "a/\x80"};
    for (size_t i = 0; i < sizeof no_text / sizeof *no_text; ++i)
        every_send(DORA_ERROR_INVALID_UTF8, no_text[i]);

    const char *const good[] = {"a", "operator/out", "A-1_.x", "0"};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        expect_from(good[i], "[]", "Null");
        expect_from(good[i], "[120]", "UInt8");
        expect_from(good[i], "[1]", "Int32");
        expect_from(good[i], "[\"x\"]", "Utf8");
        expect_from(good[i], "[]", "Null");
        every_send(DORA_OK, good[i]);
    }
}

/* ---- Bytes ---- */

static void bytes(void) {
    const uint8_t data[] = {0, 255, 10};
    expect("[0,255,10]", "UInt8");
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "out", data, sizeof data, NULL));
    expect("[]", "UInt8");
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "out", NULL, 0, NULL));
    expect("[]", "UInt8");
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "out", data, 0, NULL));

    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_bytes(node, "out", NULL, 5, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_bytes(node, "out", NULL, SIZE_MAX, NULL));
    const size_t beyond[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i)
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_send_bytes(node, "out", data, beyond[i], NULL));
}

/* ---- Values ---- */

/* Sends them aligned, then from an odd address. */
#define VALUES(type, c_type, json, name, ...)                                                                \
    do {                                                                                                     \
        const c_type values[] = {__VA_ARGS__};                                                               \
        values_of(type, values, sizeof values, sizeof values / sizeof *values, json, name);                  \
    } while (0)

static void values_of(int32_t type, const void *values, size_t size, size_t length, const char *json,
                      const char *name) {
    static uint64_t room[16];
    char *odd = (char *)room + 1;
    if (!CHECK(size < sizeof room))
        return;
    memcpy(odd, values, size);
    expect(json, name);
    CHECK_STATUS(DORA_OK, dora_node_send_values(node, "out", type, values, length, NULL));
    expect(json, name);
    CHECK_STATUS(DORA_OK, dora_node_send_values(node, "out", type, odd, length, NULL));
    expect("[]", name);
    CHECK_STATUS(DORA_OK, dora_node_send_values(node, "out", type, NULL, 0, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_values(node, "out", type, NULL, 5, NULL));

    /* Lengths whose bytes are beyond any memory, and those that wrap around to 0 bytes or to one element. */
    const size_t width = size / length;
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_send_values(node, "out", type, odd, SIZE_MAX, NULL));
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                 dora_node_send_values(node, "out", type, odd, SIZE_MAX / 2 + 1, NULL));
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                 dora_node_send_values(node, "out", type, odd, SIZE_MAX / width, NULL));
    if (width > 1) {
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_send_values(node, "out", type, odd, SIZE_MAX / width + 1, NULL));
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_send_values(node, "out", type, odd, SIZE_MAX / width + 2, NULL));
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_send_values(node, "out", type, odd, SIZE_MAX / 2, NULL));
    }
}

static void values(void) {
    VALUES(DORA_TYPE_BOOL, uint8_t, "[false,true,true,true,true]", "Boolean", 0, 1, 2, 128, 255);
    VALUES(DORA_TYPE_INT8, int8_t, "[-128,127]", "Int8", INT8_MIN, INT8_MAX);
    VALUES(DORA_TYPE_INT16, int16_t, "[-32768,32767]", "Int16", INT16_MIN, INT16_MAX);
    VALUES(DORA_TYPE_INT32, int32_t, "[-2147483648,2147483647]", "Int32", INT32_MIN, INT32_MAX);
    VALUES(DORA_TYPE_INT64, int64_t, "[-9223372036854775808,9223372036854775807]", "Int64", INT64_MIN,
           INT64_MAX);
    VALUES(DORA_TYPE_UINT8, uint8_t, "[0,255]", "UInt8", 0, UINT8_MAX);
    VALUES(DORA_TYPE_UINT16, uint16_t, "[0,65535]", "UInt16", 0, UINT16_MAX);
    VALUES(DORA_TYPE_UINT32, uint32_t, "[0,4294967295]", "UInt32", 0, UINT32_MAX);
    VALUES(DORA_TYPE_UINT64, uint64_t, "[0,18446744073709551615]", "UInt64", 0, UINT64_MAX);
    VALUES(DORA_TYPE_FLOAT16, uint16_t, "[1.5,-2.0]", "Float16", 0x3E00, 0xC000);
    VALUES(DORA_TYPE_FLOAT32, float, "[1.5,\"Infinity\",\"NaN\"]", "Float32", 1.5f, (float)INFINITY,
           (float)NAN);
    VALUES(DORA_TYPE_FLOAT64, double, "[0.1,\"-Infinity\",1e+300]", "Float64", 0.1, (double)-INFINITY, 1e300);

    const int32_t no_numbers[] = {
        DORA_TYPE_OTHER, DORA_TYPE_NULL, DORA_TYPE_TEXT, DORA_TYPE_BINARY, DORA_TYPE_BINARY + 1, -1,
        INT32_MAX,       INT32_MIN};
    const double value = 1;
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; ++i)
        for (size_t length = 0; length < 2; ++length) {
            CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                         dora_node_send_values(node, "out", no_numbers[i], &value, length, NULL));
            CHECK(error_names("type"));
        }
}

/* ---- Texts ---- */

static void texts(void) {
    expect("[\"Gr\xC3\xB6\xC3\x9F"
           "e\"]",
           "Utf8");
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out",
                                              "Gr\xC3\xB6\xC3\x9F"
                                              "e",
                                              DORA_NUL_TERMINATED, NULL));
    expect("[\"a\\u0000b\"]", "Utf8");
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", "a\0b", 3, NULL));
    expect("[\"a\"]", "Utf8");
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", "a\0b", DORA_NUL_TERMINATED, NULL));
    expect("[\"ab\"]", "Utf8"); /* a length needs no NUL */
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", "ab\xFF", 2, NULL));
    expect("[\"\"]", "Utf8");
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", "", DORA_NUL_TERMINATED, NULL));
    expect("[\"\"]", "Utf8");
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", NULL, 0, NULL));

    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_text(node, "out", NULL, 5, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_text(node, "out", NULL, DORA_NUL_TERMINATED, NULL));
    const size_t beyond[] = {SIZE_MAX - 1, SIZE_MAX / 2 + 1};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i)
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_send_text(node, "out", "ab", beyond[i], NULL));

    /* A byte that begins nothing, a character cut short, the overlong NUL, half a surrogate pair, U+110000.
     */
    const char *const bad[] = {"\xFF", "a\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_UTF8,
                     dora_node_send_text(node, "out", bad[i], DORA_NUL_TERMINATED, NULL));
        CHECK(error_names("text"));
        CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_send_text(node, "out", bad[i], strlen(bad[i]), NULL));
    }
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_send_text(node, "out", "\xC3\xBC", 1, NULL));
}

/* ---- Arrow, as far as the other forms need it; the rest is in arrow_misuse.c ---- */

static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void release_array(struct ArrowArray *array) { array->release = NULL; }

static dora_status_t send_column(const char *output, const char *format, int64_t length, int64_t n_buffers,
                                 const void *values) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    const void *buffers[] = {NULL, values};
    memset(&schema, 0, sizeof schema);
    memset(&array, 0, sizeof array);
    schema.format = format;
    schema.release = release_schema;
    array.length = length;
    array.n_buffers = n_buffers;
    array.buffers = buffers;
    array.release = release_array;
    const dora_status_t status = dora_node_send_arrow(node, output, &schema, &array, NULL);
    CHECK(schema.release == NULL && array.release == NULL);
    return status;
}

static dora_status_t send_arrow(const char *output) { return send_column(output, "n", 0, 0, NULL); }

/* ---- Too large, and with metadata ---- */

/* A daemon takes 64 MiB, and this node knows no other way; no receiver takes 300 MiB. */
static void too_large(void) {
    const size_t sizes[] = {(size_t)70 << 20, (size_t)300 << 20};
    char *zeros = (char *)calloc(sizes[1], 1);
    if (!CHECK(zeros != NULL))
        return;
    for (int i = 0; i < 2; ++i) {
        const size_t size = sizes[i];
        CHECK_STATUS(DORA_ERROR_TOO_LARGE, dora_node_send_bytes(node, "out", zeros, size, NULL));
        CHECK_STATUS(DORA_ERROR_TOO_LARGE,
                     dora_node_send_values(node, "out", DORA_TYPE_FLOAT64, zeros, size / 8, NULL));
        CHECK_STATUS(DORA_ERROR_TOO_LARGE, dora_node_send_text(node, "out", zeros, size, NULL));
        CHECK_STATUS(DORA_ERROR_TOO_LARGE, send_column("out", "c", (int64_t)size, 2, zeros));
    }
    free(zeros);
    /* As large as memory can be at all, which nobody has to look at to refuse it. */
    CHECK_STATUS(DORA_ERROR_TOO_LARGE, dora_node_send_bytes(node, "out", "x", SIZE_MAX / 2, NULL));
    expect("[120]", "UInt8");
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "out", "x", 1, NULL));
}

static void with_metadata(const dora_metadata_t *metadata) {
    const float value = 1;
    expect("[]", "Null");
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "out", metadata));
    expect("[120]", "UInt8");
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "out", "x", 1, metadata));
    expect("[1.0]", "Float32");
    CHECK_STATUS(DORA_OK, dora_node_send_values(node, "out", DORA_TYPE_FLOAT32, &value, 1, metadata));
    expect("[\"x\"]", "Utf8");
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "out", "x", 1, metadata));
}

int main(void) {
    node = must_init();
    dora_event_t *numbers = must_read(node);
    ids();
    bytes();
    values();
    texts();
    with_metadata(dora_event_metadata(numbers));
    dora_event_free(numbers);
    too_large();
    dora_node_free(node);

    CHECK_OUTPUTS(expected);
    return check_result("sending");
}
