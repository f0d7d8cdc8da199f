/*
 * Metadata of one's own: each kind with the values that are easily lost, and the order of keys. What is
 * refused is in metadata_refusals.c, what is between objects in metadata_objects.c, and the metadata of
 * events in metadata_events.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "metadata_checks.h"

#include <math.h>

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

int main(void) {
    numbers();
    strings();
    other_kinds();
    keys();
    many_keys();
    return check_result("metadata");
}
