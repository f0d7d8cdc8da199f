/*
 * What the tests of metadata share: objects made, and checks of what is in one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_METADATA_CHECKS_H
#define DORA_TESTS_METADATA_CHECKS_H

#include "check.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- Making objects ---- */

static inline dora_metadata_t *made(void) {
    dora_metadata_t *metadata = GARBAGE_POINTER(dora_metadata_t *);
    if (!CHECK_STATUS(DORA_OK, dora_metadata_new(&metadata)) || !CHECK(metadata != NULL))
        exit(EXIT_FAILURE);
    return metadata;
}

static inline dora_metadata_t *copied(const dora_metadata_t *from) {
    dora_metadata_t *metadata = GARBAGE_POINTER(dora_metadata_t *);
    if (!CHECK_STATUS(DORA_OK, dora_metadata_copy(from, &metadata)) || !CHECK(metadata != NULL))
        exit(EXIT_FAILURE);
    return metadata;
}

/* The key that made_with_each_kind gives to the parameter of a kind: the name of the kind's constant. */
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

/* One parameter of each kind. */
static inline dora_metadata_t *made_with_each_kind(void) {
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

/* ---- What is there: checks of one parameter ---- */

#define IS(metadata, kind, key) CHECK(dora_metadata_kind(metadata, key) == (kind))

static inline void is_integer(const dora_metadata_t *metadata, const char *key, int64_t wanted) {
    int64_t value = ~wanted;
    IS(metadata, DORA_METADATA_INTEGER, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_integer(metadata, key, &value));
    CHECK(value == wanted);
}

static inline void is_bool(const dora_metadata_t *metadata, const char *key, bool wanted) {
    bool value = !wanted;
    IS(metadata, DORA_METADATA_BOOL, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_bool(metadata, key, &value));
    CHECK(value == wanted);
}

/* Bit by bit, so that a NaN and the sign of a zero count. */
static inline void is_float(const dora_metadata_t *metadata, const char *key, double wanted) {
    double value = 7;
    IS(metadata, DORA_METADATA_FLOAT, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_float(metadata, key, &value));
    CHECK(memcmp(&value, &wanted, sizeof value) == 0);
}

static inline void is_timestamp(const dora_metadata_t *metadata, const char *key, int64_t wanted) {
    int64_t value = ~wanted;
    IS(metadata, DORA_METADATA_TIMESTAMP, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_timestamp_ns(metadata, key, &value));
    CHECK(value == wanted);
}

static inline void is_string(const dora_metadata_t *metadata, const char *key, const char *wanted,
                             size_t size) {
    const char *value = GARBAGE_POINTER(const char *);
    size_t length = GARBAGE_SIZE;
    IS(metadata, DORA_METADATA_STRING, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(metadata, key, &value, &length));
    CHECK(length == size && memcmp(value, wanted, size) == 0 && value[length] == '\0');
}

/* Literals, of which the size counts the NUL. */
#define IS_STRING(metadata, key, wanted) is_string(metadata, key, wanted, sizeof(wanted) - 1)

static inline void is_integers(const dora_metadata_t *metadata, const char *key, const int64_t *wanted,
                               size_t size) {
    const int64_t *values = GARBAGE_POINTER(const int64_t *);
    size_t count = GARBAGE_SIZE;
    IS(metadata, DORA_METADATA_INTEGERS, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(metadata, key, &values, &count));
    CHECK(count == size && (size > 0 ? memcmp(values, wanted, size * sizeof *values) == 0 : values == NULL));
}

static inline void is_floats(const dora_metadata_t *metadata, const char *key, const double *wanted,
                             size_t size) {
    const double *values = GARBAGE_POINTER(const double *);
    size_t count = GARBAGE_SIZE;
    IS(metadata, DORA_METADATA_FLOATS, key);
    CHECK_STATUS(DORA_OK, dora_metadata_get_floats(metadata, key, &values, &count));
    CHECK(count == size && (size > 0 ? memcmp(values, wanted, size * sizeof *values) == 0 : values == NULL));
}

static inline void has_strings(const dora_metadata_t *metadata, const char *key, size_t size) {
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

static inline void has_string(const dora_metadata_t *metadata, const char *key, size_t index,
                              const char *wanted, size_t size) {
    const char *value = GARBAGE_POINTER(const char *);
    size_t length = GARBAGE_SIZE;
    CHECK_STATUS(DORA_OK, dora_metadata_get_strings_at(metadata, key, index, &value, &length));
    CHECK(length == size && memcmp(value, wanted, size) == 0 && value[length] == '\0');
}

#define HAS_STRING(metadata, key, index, wanted) has_string(metadata, key, index, wanted, sizeof(wanted) - 1)

static inline void is_absent(const dora_metadata_t *metadata, const char *key) {
    int64_t value = 7;
    IS(metadata, DORA_METADATA_UNKNOWN, key);
    CHECK_STATUS(DORA_ERROR_NOT_FOUND, dora_metadata_get_integer(metadata, key, &value));
    CHECK(value == 0);
}

/* The keys and no others, in this order; ends with NULL. */
static inline void has_keys(const dora_metadata_t *metadata, const char *const *wanted) {
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

#endif /* DORA_TESTS_METADATA_CHECKS_H */
