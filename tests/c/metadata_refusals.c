/*
 * What metadata refuses, with which words, and that a refusal leaves everything as it was.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "metadata_checks.h"

/* Keys of dora's wire format are refused by every setter, and those beside them are not. */
static void internal_keys(void) {
    dora_metadata_t *m = made();
    const char *const internal[] = {"_framing", "_schema_hash", "_wire_size",
                                    "__dora_",  "__dora_x",     "__dora_startup_marker"};
    const int64_t integer = 1;
    const double number = 1;
    const char *const text = "x";
#define IS_INTERNAL(call)                                                                                    \
    (CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, call),                                                        \
     CHECK(error_names("key") && strstr(dora_last_error(), key) != NULL))
    for (size_t i = 0; i < LENGTH(internal); ++i) {
        const char *key = internal[i];
        IS_INTERNAL(dora_metadata_set_bool(m, key, 1));
        IS_INTERNAL(dora_metadata_set_integer(m, key, 1));
        IS_INTERNAL(dora_metadata_set_float(m, key, 1));
        IS_INTERNAL(dora_metadata_set_timestamp_ns(m, key, 1));
        IS_INTERNAL(dora_metadata_set_string(m, key, text, 1));
        IS_INTERNAL(dora_metadata_set_integers(m, key, &integer, 1));
        IS_INTERNAL(dora_metadata_set_floats(m, key, &number, 1));
        IS_INTERNAL(dora_metadata_set_strings(m, key, &text, NULL, 1));
        is_absent(m, key);
        CHECK_STATUS(DORA_ERROR_NOT_FOUND, dora_metadata_remove(m, key));
    }
    CHECK(dora_metadata_count(m) == 0);
    const char *const others[] = {
        "_dora", "__dor", "__dora", "_framing2", "_wire", "framing", "open_telemetry_context", "request_id"};
    for (size_t i = 0; i < LENGTH(others); ++i)
        CHECK_STATUS(DORA_OK, dora_metadata_set_bool(m, others[i], 1));
    CHECK(dora_metadata_count(m) == LENGTH(others));
    dora_metadata_free(m);
}

/* Whether reading the parameter of kind `there` as kind `wanted` gave what it must. */
static void check_read(int32_t there, int32_t wanted, dora_status_t status, bool cleared) {
    if (there == wanted) {
        CHECK_STATUS(DORA_OK, status);
        return;
    }
    char message[160];
    snprintf(message, sizeof message, "the parameter \"%s\" is a %s, not a %s", kinds[there], kinds[there],
             kinds[wanted]);
    CHECK_STATUS(DORA_ERROR_WRONG_TYPE, status);
    CHECK_TEXT(message, dora_last_error());
    CHECK(cleared);
}

static void wrong_kinds(void) {
    dora_metadata_t *m = made_with_each_kind();
    CHECK(dora_metadata_count(m) == LENGTH(kinds) - 1);
    for (int32_t there = DORA_METADATA_BOOL; there <= DORA_METADATA_STRINGS; ++there) {
        const char *key = kinds[there];
        IS(m, there, key);
        bool flag = true;
        dora_status_t status = dora_metadata_get_bool(m, key, &flag);
        check_read(there, DORA_METADATA_BOOL, status, !flag);
        int64_t integer = 7;
        status = dora_metadata_get_integer(m, key, &integer);
        check_read(there, DORA_METADATA_INTEGER, status, integer == 0);
        double number = 7;
        status = dora_metadata_get_float(m, key, &number);
        check_read(there, DORA_METADATA_FLOAT, status, number == 0);
        int64_t time = 7;
        status = dora_metadata_get_timestamp_ns(m, key, &time);
        check_read(there, DORA_METADATA_TIMESTAMP, status, time == DORA_TIME_ABSENT);

        const char *text = GARBAGE_POINTER(const char *);
        size_t length = GARBAGE_SIZE;
        status = dora_metadata_get_string(m, key, &text, &length);
        check_read(there, DORA_METADATA_STRING, status, text == NULL && length == 0);
        const int64_t *integers = GARBAGE_POINTER(const int64_t *);
        length = GARBAGE_SIZE;
        status = dora_metadata_get_integers(m, key, &integers, &length);
        check_read(there, DORA_METADATA_INTEGERS, status, integers == NULL && length == 0);
        const double *numbers = GARBAGE_POINTER(const double *);
        length = GARBAGE_SIZE;
        status = dora_metadata_get_floats(m, key, &numbers, &length);
        check_read(there, DORA_METADATA_FLOATS, status, numbers == NULL && length == 0);
        length = GARBAGE_SIZE;
        status = dora_metadata_get_strings_count(m, key, &length);
        check_read(there, DORA_METADATA_STRINGS, status, length == 0);
        text = GARBAGE_POINTER(const char *);
        length = GARBAGE_SIZE;
        status = dora_metadata_get_strings_at(m, key, 0, &text, &length);
        check_read(there, DORA_METADATA_STRINGS, status, text == NULL && length == 0);
    }
    dora_metadata_free(m);
}

static void not_found(void) {
    dora_metadata_t *m = made();
    CHECK_STATUS(DORA_OK, dora_metadata_set_bool(m, "width", 1));
    const char *const message = "no parameter has the `key` \"height\"; there are \"width\"";
    bool flag = true;
    int64_t integer = 7, time = 7;
    double number = 7;
    const char *text = GARBAGE_POINTER(const char *);
    const int64_t *integers = GARBAGE_POINTER(const int64_t *);
    const double *floats = GARBAGE_POINTER(const double *);
    size_t length = GARBAGE_SIZE, count = GARBAGE_SIZE;
#define IS_NOT_FOUND(call, cleared)                                                                          \
    (CHECK_STATUS(DORA_ERROR_NOT_FOUND, call), CHECK_TEXT(message, dora_last_error()), CHECK(cleared))
    IS_NOT_FOUND(dora_metadata_get_bool(m, "height", &flag), !flag);
    IS_NOT_FOUND(dora_metadata_get_integer(m, "height", &integer), integer == 0);
    IS_NOT_FOUND(dora_metadata_get_float(m, "height", &number), number == 0);
    IS_NOT_FOUND(dora_metadata_get_timestamp_ns(m, "height", &time), time == DORA_TIME_ABSENT);
    IS_NOT_FOUND(dora_metadata_get_string(m, "height", &text, &length), text == NULL && length == 0);
    length = GARBAGE_SIZE;
    IS_NOT_FOUND(dora_metadata_get_integers(m, "height", &integers, &length), !integers && length == 0);
    length = GARBAGE_SIZE;
    IS_NOT_FOUND(dora_metadata_get_floats(m, "height", &floats, &length), !floats && length == 0);
    IS_NOT_FOUND(dora_metadata_get_strings_count(m, "height", &count), count == 0);
    text = GARBAGE_POINTER(const char *);
    length = GARBAGE_SIZE;
    IS_NOT_FOUND(dora_metadata_get_strings_at(m, "height", 0, &text, &length), !text && length == 0);
    IS_NOT_FOUND(dora_metadata_remove(m, "height"), true);
    dora_metadata_free(m);
}

static void not_utf8(void) {
    dora_metadata_t *m = made();
    const int64_t integer = 1;
    const double number = 1;
    const char *const texts[] = {"fine", "b\xff"};
    const char *text;
    const int64_t *integers;
    const double *floats;
    bool flag;
    int64_t value;
    double float_value;
    size_t count;
#define IS_NOT_UTF8(name, call) (CHECK_STATUS(DORA_ERROR_INVALID_UTF8, call), CHECK(error_names(name)))
    IS_NOT_UTF8("key", dora_metadata_set_bool(m, "\xff", 1));
    IS_NOT_UTF8("key", dora_metadata_set_integer(m, "\xff", 1));
    IS_NOT_UTF8("key", dora_metadata_set_float(m, "\xff", 1));
    IS_NOT_UTF8("key", dora_metadata_set_timestamp_ns(m, "\xff", 1));
    IS_NOT_UTF8("key", dora_metadata_set_string(m, "\xff", "x", 1));
    IS_NOT_UTF8("key", dora_metadata_set_integers(m, "\xff", &integer, 1));
    IS_NOT_UTF8("key", dora_metadata_set_floats(m, "\xff", &number, 1));
    IS_NOT_UTF8("key", dora_metadata_set_strings(m, "\xff", texts, NULL, 1));
    IS_NOT_UTF8("key", dora_metadata_get_bool(m, "\xff", &flag));
    IS_NOT_UTF8("key", dora_metadata_get_integer(m, "\xff", &value));
    IS_NOT_UTF8("key", dora_metadata_get_float(m, "\xff", &float_value));
    IS_NOT_UTF8("key", dora_metadata_get_timestamp_ns(m, "\xff", &value));
    IS_NOT_UTF8("key", dora_metadata_get_string(m, "\xff", &text, NULL));
    IS_NOT_UTF8("key", dora_metadata_get_integers(m, "\xff", &integers, NULL));
    IS_NOT_UTF8("key", dora_metadata_get_floats(m, "\xff", &floats, NULL));
    IS_NOT_UTF8("key", dora_metadata_get_strings_count(m, "\xff", &count));
    IS_NOT_UTF8("key", dora_metadata_get_strings_at(m, "\xff", 0, &text, NULL));
    IS_NOT_UTF8("key", dora_metadata_remove(m, "\xff"));
    IS(m, DORA_METADATA_UNKNOWN, "\xff");
    IS_NOT_UTF8("value", dora_metadata_set_string(m, "text", "\xff", DORA_NUL_TERMINATED));
    IS_NOT_UTF8("value", dora_metadata_set_string(m, "text", "猫", 2));           /* cut within a character */
    IS_NOT_UTF8("value", dora_metadata_set_string(m, "text", "\xed\xa0\x80", 3)); /* half a pair of UTF-16 */
    IS_NOT_UTF8("values[1]", dora_metadata_set_strings(m, "text", texts, NULL, 2));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "text", "\xff", 0));
    CHECK(dora_metadata_count(m) == 1);
    dora_metadata_free(m);
}

/* Lengths that no memory has; SIZE_MAX is DORA_NUL_TERMINATED and so a length of texts alone. */
static void too_long(void) {
    dora_metadata_t *m = made();
    const int64_t integer = 1;
    const double number = 1;
    const char *const texts[] = {"x", "y"};
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1, SIZE_MAX / 16 + 1};
    const size_t lengths[] = {1, SIZE_MAX - 1};
#define IS_TOO_LONG(name, call) (CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, call), CHECK(error_names(name)))
    for (size_t i = 0; i < LENGTH(counts); ++i) {
        IS_TOO_LONG("count", dora_metadata_set_integers(m, "list", &integer, counts[i]));
        IS_TOO_LONG("count", dora_metadata_set_floats(m, "list", &number, counts[i]));
        IS_TOO_LONG("count", dora_metadata_set_strings(m, "list", texts, NULL, counts[i]));
    }
    IS_TOO_LONG("length", dora_metadata_set_string(m, "text", "x", SIZE_MAX - 1));
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_metadata_set_strings(m, "list", texts, lengths, 2));
    CHECK(dora_metadata_count(m) == 0);
    dora_metadata_free(m);
}

int main(void) {
    internal_keys();
    wrong_kinds();
    not_found();
    not_utf8();
    too_long();
    return check_result("metadata_refusals");
}
