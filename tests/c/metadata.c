/*
 * Metadata of one's own and that of an event: each kind with the values that are easily lost, the order of
 * keys, what is refused and with which words, and how long pointers live.
 * Environment: DORA_TEST_WITH_INPUTS=metadata.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <math.h>
#include <pthread.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static dora_metadata_t *made(void) {
    dora_metadata_t *metadata = GARBAGE_POINTER(dora_metadata_t *);
    if (!CHECK_STATUS(DORA_OK, dora_metadata_new(&metadata)) || !CHECK(metadata != NULL))
        exit(EXIT_FAILURE);
    return metadata;
}

static dora_metadata_t *copied(const dora_metadata_t *from) {
    dora_metadata_t *metadata = GARBAGE_POINTER(dora_metadata_t *);
    if (!CHECK_STATUS(DORA_OK, dora_metadata_copy(from, &metadata)) || !CHECK(metadata != NULL))
        exit(EXIT_FAILURE);
    return metadata;
}

/* ---- What is there: checks of one parameter ---- */

#define IS(metadata, kind, key) CHECK(dora_metadata_kind(metadata, key) == (kind))

static void is_integer(const dora_metadata_t *metadata, const char *key, int64_t wanted) {
    int64_t value = ~wanted;
    IS(metadata, DORA_METADATA_INTEGER, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_integer(metadata, key, &value));
    CHECK(value == wanted);
}

static void is_bool(const dora_metadata_t *metadata, const char *key, bool wanted) {
    bool value = !wanted;
    IS(metadata, DORA_METADATA_BOOL, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_bool(metadata, key, &value));
    CHECK(value == wanted);
}

/* Bit by bit, so that a NaN and the sign of a zero count. */
static void is_float(const dora_metadata_t *metadata, const char *key, double wanted) {
    double value = 7;
    IS(metadata, DORA_METADATA_FLOAT, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_float(metadata, key, &value));
    CHECK(memcmp(&value, &wanted, sizeof value) == 0);
}

static void is_timestamp(const dora_metadata_t *metadata, const char *key, int64_t wanted) {
    int64_t value = ~wanted;
    IS(metadata, DORA_METADATA_TIMESTAMP, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_timestamp_ns(metadata, key, &value));
    CHECK(value == wanted);
}

static void is_string(const dora_metadata_t *metadata, const char *key, const char *wanted, size_t size) {
    const char *value = GARBAGE_POINTER(const char *);
    size_t length = GARBAGE_SIZE;
    IS(metadata, DORA_METADATA_STRING, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(metadata, key, &value, &length));
    CHECK(length == size && memcmp(value, wanted, size) == 0 && value[length] == '\0');
}

/* Literals, of which the size counts the NUL. */
#define IS_STRING(metadata, key, wanted) is_string(metadata, key, wanted, sizeof(wanted) - 1)

static void is_integers(const dora_metadata_t *metadata, const char *key, const int64_t *wanted,
                        size_t size) {
    const int64_t *values = GARBAGE_POINTER(const int64_t *);
    size_t count = GARBAGE_SIZE;
    IS(metadata, DORA_METADATA_INTEGERS, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(metadata, key, &values, &count));
    CHECK(count == size && (size > 0 ? memcmp(values, wanted, size * sizeof *values) == 0 : values == NULL));
}

static void is_floats(const dora_metadata_t *metadata, const char *key, const double *wanted, size_t size) {
    const double *values = GARBAGE_POINTER(const double *);
    size_t count = GARBAGE_SIZE;
    IS(metadata, DORA_METADATA_FLOATS, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_floats(metadata, key, &values, &count));
    CHECK(count == size && (size > 0 ? memcmp(values, wanted, size * sizeof *values) == 0 : values == NULL));
}

static void has_strings(const dora_metadata_t *metadata, const char *key, size_t size) {
    const char *value = GARBAGE_POINTER(const char *);
    size_t count = GARBAGE_SIZE, length = GARBAGE_SIZE;
    IS(metadata, DORA_METADATA_STRINGS, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_strings_count(metadata, key, &count));
    CHECK(count == size);
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                 dora_metadata_get_strings_at(metadata, key, count, &value, &length));
    CHECK(value == NULL && length == 0 && error_names("index") && strstr(dora_last_error(), key) != NULL);
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                 dora_metadata_get_strings_at(metadata, key, SIZE_MAX, &value, NULL));
}

static void has_string(const dora_metadata_t *metadata, const char *key, size_t index, const char *wanted,
                       size_t size) {
    const char *value = GARBAGE_POINTER(const char *);
    size_t length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_OK, dora_metadata_get_strings_at(metadata, key, index, &value, &length));
    CHECK(length == size && memcmp(value, wanted, size) == 0 && value[length] == '\0');
}

#define HAS_STRING(metadata, key, index, wanted) has_string(metadata, key, index, wanted, sizeof(wanted) - 1)

static void is_absent(const dora_metadata_t *metadata, const char *key) {
    int64_t value = 7;
    IS(metadata, DORA_METADATA_UNKNOWN, key);
    CHECK_STATUS(DORA_ERROR_NOT_FOUND, dora_metadata_get_integer(metadata, key, &value));
    CHECK(value == 0);
}

/* The keys and no others, in this order; ends with NULL. */
static void has_keys(const dora_metadata_t *metadata, const char *const *wanted) {
    size_t index = 0, length;
    for (; wanted[index]; ++index) {
        length = GARBAGE_SIZE;
        CHECK_TEXT(wanted[index], dora_metadata_key(metadata, index, &length));
        CHECK(length == strlen(wanted[index]));
    }
    CHECK(dora_metadata_count(metadata) == index);
    length = GARBAGE_SIZE;
    CHECK(dora_metadata_key(metadata, index, &length) == NULL && length == 0);
}

/* ---- Values ---- */

static void numbers(void) {
    dora_metadata_t *m = made();
    const int64_t integers[] = {0, 1, -1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < LENGTH(integers); ++i) {
        CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, "integer", integers[i]));
        is_integer(m, "integer", integers[i]);
        CHECK_STATUS(DORA_OK, dora_metadata_set_timestamp_ns(m, "time", integers[i]));
        is_timestamp(m, "time", integers[i]);
    }
    /* 1677 and 2262 are the limits above; a day before the epoch; now. */
    CHECK_STATUS(DORA_OK, dora_metadata_set_timestamp_ns(m, "time", -86400 * INT64_C(1000000000) + 1));
    is_timestamp(m, "time", -86400 * INT64_C(1000000000) + 1);
    CHECK_STATUS(DORA_OK, dora_metadata_set_timestamp_ns(m, "time", INT64_C(1796056633988950666)));
    is_timestamp(m, "time", INT64_C(1796056633988950666));

    const double floats[] = {0.0,
                             -0.0,
                             0.1,
                             (double)NAN,
                             -(double)NAN,
                             (double)INFINITY,
                             -(double)INFINITY,
                             5e-324,
                             1.7976931348623157e308};
    for (size_t i = 0; i < LENGTH(floats); ++i) {
        CHECK_STATUS(DORA_OK, dora_metadata_set_float(m, "float", floats[i]));
        is_float(m, "float", floats[i]);
    }

    const int32_t flags[] = {0, 1, -1, 256, INT32_MIN};
    for (size_t i = 0; i < LENGTH(flags); ++i) {
        CHECK_STATUS(DORA_OK, dora_metadata_set_bool(m, "flag", flags[i]));
        is_bool(m, "flag", flags[i] != 0);
    }

    const int64_t none[1] = {0};
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(m, "integers", integers, LENGTH(integers)));
    is_integers(m, "integers", integers, LENGTH(integers));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(m, "none", none, 0));
    is_integers(m, "none", NULL, 0);
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(m, "none", NULL, 0));
    is_integers(m, "none", NULL, 0);
    CHECK_STATUS(DORA_OK, dora_metadata_set_floats(m, "floats", floats, LENGTH(floats)));
    is_floats(m, "floats", floats, LENGTH(floats));
    CHECK_STATUS(DORA_OK, dora_metadata_set_floats(m, "none", NULL, 0));
    is_floats(m, "none", NULL, 0);

    /* A list that begins anywhere, as it may in a message. */
    char packed[2 * sizeof(int64_t) + 1];
    memcpy(packed + 1, integers + 3, 2 * sizeof(int64_t));
    CHECK_STATUS(DORA_OK,
                 dora_metadata_set_integers(m, "packed", (const int64_t *)(const void *)(packed + 1), 2));
    is_integers(m, "packed", integers + 3, 2);
    dora_metadata_free(m);
}

static void strings(void) {
    dora_metadata_t *m = made();
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "text", "rgb8", DORA_NUL_TERMINATED));
    IS_STRING(m, "text", "rgb8");
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "text", "rgb8", 3));
    IS_STRING(m, "text", "rgb");
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "text", "\0one\0two\0", 9));
    IS_STRING(m, "text", "\0one\0two\0");
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "text", "one\0two", DORA_NUL_TERMINATED));
    IS_STRING(m, "text", "one");
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "text", "", DORA_NUL_TERMINATED));
    IS_STRING(m, "text", "");
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "text", NULL, 0));
    IS_STRING(m, "text", "");

    const size_t megabyte = (size_t)1 << 20;
    char *large = (char *)malloc(megabyte);
    if (CHECK(large != NULL)) {
        for (size_t i = 0; i < megabyte; ++i)
            large[i] = (char)(i % 128); /* with NULs */
        CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "large", large, megabyte));
        is_string(m, "large", large, megabyte);
        const char *const list[] = {large, "猫"};
        const size_t lengths[] = {megabyte, DORA_NUL_TERMINATED};
        CHECK_STATUS(DORA_OK, dora_metadata_set_strings(m, "list", list, lengths, 2));
        has_strings(m, "list", 2);
        has_string(m, "list", 0, large, megabyte);
        HAS_STRING(m, "list", 1, "猫");
        free(large);
    }

    const char *const texts[] = {"one\0two", "", "猫", NULL};
    const size_t lengths[] = {7, 0, DORA_NUL_TERMINATED, 0};
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(m, "list", texts, lengths, 3));
    has_strings(m, "list", 3);
    HAS_STRING(m, "list", 0, "one\0two");
    HAS_STRING(m, "list", 1, "");
    HAS_STRING(m, "list", 2, "猫");
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(m, "list", texts, NULL, 2));
    has_strings(m, "list", 2);
    HAS_STRING(m, "list", 0, "one");
    HAS_STRING(m, "list", 1, "");
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(m, "list", texts, lengths, 0));
    has_strings(m, "list", 0);
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(m, "list", NULL, NULL, 0));
    has_strings(m, "list", 0);
    dora_metadata_free(m);
}

/* ---- Keys ---- */

static void keys(void) {
    dora_metadata_t *m = made();
    const char *const none[] = {NULL};
    has_keys(m, none);

    /* By their bytes, whatever the order of setting; the empty key is one. */
    const char *const set[] = {"宽度", "b", "", "é", "a b", "B", "ab", "a", "z\x7f", "🦀"};
    const char *const sorted[] = {"", "B", "a", "a b", "ab", "b", "z\x7f", "é", "宽度", "🦀", NULL};
    for (size_t i = 0; i < LENGTH(set); ++i)
        CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, set[i], (int64_t)i));
    has_keys(m, sorted);
    for (size_t i = 0; i < LENGTH(set); ++i)
        is_integer(m, set[i], (int64_t)i);
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "宽度", "六百四十", DORA_NUL_TERMINATED));
    has_keys(m, sorted);
    IS_STRING(m, "宽度", "六百四十");
    CHECK(dora_metadata_key(m, SIZE_MAX, NULL) == NULL);

    CHECK_STATUS(DORA_OK, dora_metadata_remove(m, "a b"));
    CHECK_STATUS(DORA_OK, dora_metadata_remove(m, ""));
    const char *const rest[] = {"B", "a", "ab", "b", "z\x7f", "é", "宽度", "🦀", NULL};
    has_keys(m, rest);
    CHECK_STATUS(DORA_ERROR_NOT_FOUND, dora_metadata_remove(m, "a b"));
    CHECK_TEXT("no parameter has the `key` \"a b\"; there are \"B\", \"a\", \"ab\", \"b\", \"z\\u{7f}\", "
               "\"é\", \"宽度\", \"🦀\"",
               dora_last_error());
    has_keys(m, rest);

    dora_metadata_clear(m);
    has_keys(m, none);
    is_absent(m, "B");
    CHECK_TEXT("no parameter has the `key` \"B\"; there are none", dora_last_error());
    dora_metadata_clear(m);
    CHECK_STATUS(DORA_OK, dora_metadata_set_bool(m, "again", 1));
    is_bool(m, "again", true);
    dora_metadata_free(m);
}

/* A message shows as much of the keys as one reads. */
static void many_keys(void) {
    dora_metadata_t *m = made();
    char key[1001] = "";
    for (int i = 0; i < 1000; ++i) {
        snprintf(key, sizeof key, "%03d", i);
        memset(key + 3, 'x', sizeof key - 4);
        CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, key, i));
    }
    CHECK(dora_metadata_count(m) == 1000);
    is_integer(m, key, 999);
    is_absent(m, "none of them");
    CHECK(strstr(dora_last_error(), "and 990 more") != NULL && strlen(dora_last_error()) < 1000);
    size_t length = 0;
    for (size_t i = 0; i < 1000; ++i)
        CHECK(strtol(dora_metadata_key(m, i, &length), NULL, 10) == (long)i && length == sizeof key - 1);
    dora_metadata_free(m);
}

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

/* ---- What is refused, with which words ---- */

/* One parameter of each kind, whose key is its kind's constant. */
static dora_metadata_t *made_with_each_kind(void) {
    dora_metadata_t *m = made();
    const int64_t integer = 1;
    const double number = 1;
    const char *const text = "x";
    CHECK_STATUS(DORA_OK, dora_metadata_set_bool(m, "DORA_METADATA_BOOL", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, "DORA_METADATA_INTEGER", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_float(m, "DORA_METADATA_FLOAT", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "DORA_METADATA_STRING", text, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_timestamp_ns(m, "DORA_METADATA_TIMESTAMP", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(m, "DORA_METADATA_INTEGERS", &integer, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_floats(m, "DORA_METADATA_FLOATS", &number, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(m, "DORA_METADATA_STRINGS", &text, NULL, 1));
    return m;
}

static const char *const kinds[] = {
    NULL,
    "DORA_METADATA_BOOL",
    "DORA_METADATA_INTEGER",
    "DORA_METADATA_FLOAT",
    "DORA_METADATA_STRING",
    "DORA_METADATA_TIMESTAMP",
    "DORA_METADATA_INTEGERS",
    "DORA_METADATA_FLOATS",
    "DORA_METADATA_STRINGS",
};

/* What reading the parameter of kind `there` as kind `wanted` must give, here `status` with cleared outputs.
 */
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

/* A setter takes the place of what was there, of whatever kind; a failed one leaves it. */
static void other_kinds(void) {
    const int64_t integer = 2;
    const double number = 2;
    const char *const text = "new";
    for (size_t i = 1; i < LENGTH(kinds); ++i) {
        dora_metadata_t *m = made_with_each_kind();
        const char *key = kinds[i];
        CHECK_STATUS(DORA_OK, dora_metadata_set_bool(m, key, 1));
        is_bool(m, key, true);
        CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, key, text, 3));
        IS_STRING(m, key, "new");
        CHECK_STATUS(DORA_OK, dora_metadata_set_integers(m, key, &integer, 1));
        is_integers(m, key, &integer, 1);
        CHECK_STATUS(DORA_OK, dora_metadata_set_strings(m, key, &text, NULL, 1));
        has_strings(m, key, 1);
        CHECK_STATUS(DORA_OK, dora_metadata_set_floats(m, key, &number, 1));
        is_floats(m, key, &number, 1);
        CHECK_STATUS(DORA_OK, dora_metadata_set_timestamp_ns(m, key, 2));
        is_timestamp(m, key, 2);
        CHECK_STATUS(DORA_OK, dora_metadata_set_float(m, key, 2));
        is_float(m, key, 2);
        CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, key, 2));
        is_integer(m, key, 2);
        CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_metadata_set_string(m, key, "\xff", 1));
        is_integer(m, key, 2);
        CHECK(dora_metadata_count(m) == LENGTH(kinds) - 1);
        dora_metadata_free(m);
    }
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

/* ---- Copies, and two objects in one ---- */

static void copies(void) {
    dora_metadata_t *first = made_with_each_kind();
    dora_metadata_t *second = copied(first);
    CHECK(dora_metadata_count(second) == LENGTH(kinds) - 1);
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(second, kinds[DORA_METADATA_STRING], "second", 6));
    CHECK_STATUS(DORA_OK, dora_metadata_remove(second, kinds[DORA_METADATA_BOOL]));
    IS_STRING(first, kinds[DORA_METADATA_STRING], "x");
    is_bool(first, kinds[DORA_METADATA_BOOL], true);
    dora_metadata_free(first);
    IS_STRING(second, kinds[DORA_METADATA_STRING], "second");
    HAS_STRING(second, kinds[DORA_METADATA_STRINGS], 0, "x");
    is_absent(second, kinds[DORA_METADATA_BOOL]);
    dora_metadata_free(second);
}

static void merges(void) {
    dora_metadata_t *to = made();
    dora_metadata_t *from = made();
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(to, "both", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(to, "old", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(from, "both", "of another kind", DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(from, "new", 2));
    const char *const keys_of_from[] = {"both", "new", NULL};
    const char *const keys_of_both[] = {"both", "new", "old", NULL};
    CHECK_STATUS(DORA_OK, dora_metadata_merge(to, from));
    has_keys(to, keys_of_both);
    has_keys(from, keys_of_from);
    IS_STRING(to, "both", "of another kind");
    is_integer(to, "new", 2);
    is_integer(to, "old", 1);

    dora_metadata_clear(from);
    IS_STRING(to, "both", "of another kind");
    CHECK_STATUS(DORA_OK, dora_metadata_merge(to, from)); /* with nothing */
    has_keys(to, keys_of_both);
    CHECK_STATUS(DORA_OK, dora_metadata_merge(to, to));
    has_keys(to, keys_of_both);
    IS_STRING(to, "both", "of another kind");
    CHECK_STATUS(DORA_OK, dora_metadata_merge(from, to)); /* into nothing */
    has_keys(from, keys_of_both);
    dora_metadata_free(from);
    dora_metadata_free(to);
}

/* Reading leaves pointers as they are, and gives the same again. */
static void pointers(void) {
    dora_metadata_t *m = made_with_each_kind();
    const char *key = dora_metadata_key(m, 0, NULL);
    const char *text, *one_of_list, *again;
    const int64_t *integers;
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, kinds[DORA_METADATA_STRING], &text, NULL));
    CHECK_STATUS(DORA_OK,
                 dora_metadata_get_strings_at(m, kinds[DORA_METADATA_STRINGS], 0, &one_of_list, NULL));
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(m, kinds[DORA_METADATA_INTEGERS], &integers, NULL));
    dora_metadata_t *copy = copied(m);
    CHECK_STATUS(DORA_OK, dora_metadata_merge(copy, m));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(copy, "text", text, DORA_NUL_TERMINATED));
    dora_metadata_free(copy);
    CHECK_TEXT("DORA_METADATA_BOOL", key);
    CHECK_TEXT("x", text);
    CHECK_TEXT("x", one_of_list);
    CHECK(*integers == 1);
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, kinds[DORA_METADATA_STRING], &again, NULL));
    CHECK(again == text && dora_metadata_key(m, 0, NULL) == key);

    /* A value may come from the object that it goes to: it is copied first. */
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, kinds[DORA_METADATA_STRING], one_of_list, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, kinds[DORA_METADATA_STRING], &text, NULL));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "copy", text, DORA_NUL_TERMINATED));
    IS_STRING(m, "copy", "x");
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(m, kinds[DORA_METADATA_INTEGERS], &integers, NULL));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(m, kinds[DORA_METADATA_INTEGERS], integers, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(m, kinds[DORA_METADATA_INTEGERS], &integers, NULL));
    CHECK(*integers == 1);
    dora_metadata_free(m);
}

/* So may a key. */
static void own_keys(void) {
    dora_metadata_t *m = made();
    const char *const key = "longer than what an allocator keeps of a freed block";
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, key, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, dora_metadata_key(m, 0, NULL), 2));
    CHECK(dora_metadata_count(m) == 1);
    is_integer(m, key, 2);
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, dora_metadata_key(m, 0, NULL), "x", 1));
    IS_STRING(m, key, "x");
    CHECK_STATUS(DORA_OK, dora_metadata_remove(m, dora_metadata_key(m, 0, NULL)));
    CHECK(dora_metadata_count(m) == 0);
    is_absent(m, key);
    dora_metadata_free(m);
}

/* ---- From an event, and out with a message ---- */

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
    numbers();
    strings();
    keys();
    many_keys();
    internal_keys();
    wrong_kinds();
    other_kinds();
    not_found();
    not_utf8();
    too_long();
    copies();
    merges();
    pointers();
    own_keys();
    events();
    return check_result("metadata");
}
