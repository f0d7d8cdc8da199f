/*
 * NULL for every pointer of the functions of metadata; see null_pointers.h.
 * Environment: DORA_TEST_WITH_INPUTS=null_pointers_metadata.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "null_pointers.h"

static dora_metadata_t *own;
static dora_event_t *request;

static void metadata_new(void) { REFUSED("out", dora_metadata_new(NULL)); }

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

/* ---- Patterns ---- */

/* Functions that start something write into a buffer, which is an empty text on failure. */
#define STARTS(function)                                                                                     \
    do {                                                                                                     \
        char id[DORA_ID_SIZE] = "garbage";                                                                   \
        REFUSED("metadata", function(NULL, id, sizeof id));                                                  \
        CHECK_TEXT("", id);                                                                                  \
        REFUSED("id", function(own, NULL, sizeof id));                                                       \
        CHECK_STATUS(DORA_ERROR_NULL_POINTER, function(NULL, NULL, sizeof id));                              \
    } while (0)

static void metadata_start_request(void) { STARTS(dora_metadata_start_request); }
static void metadata_start_goal(void) { STARTS(dora_metadata_start_goal); }

static void metadata_answer(void) {
    REFUSED("metadata", dora_metadata_answer(NULL, request));
    REFUSED("request", dora_metadata_answer(own, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_metadata_answer(NULL, NULL));
}

static void metadata_set_goal_status(void) {
    REFUSED("metadata", dora_metadata_set_goal_status(NULL, DORA_GOAL_SUCCEEDED));
}

static void metadata_goal_status(void) { CHECK(dora_metadata_goal_status(NULL) == DORA_GOAL_UNKNOWN); }
static void metadata_goal_id(void) { CHECK(dora_metadata_goal_id(NULL) == NULL); }
static void metadata_request_id(void) { CHECK(dora_metadata_request_id(NULL) == NULL); }

static const struct null_check table[] = {
    {"dora_metadata_answer", metadata_answer},
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
    {"dora_metadata_goal_id", metadata_goal_id},
    {"dora_metadata_goal_status", metadata_goal_status},
    {"dora_metadata_key", metadata_key},
    {"dora_metadata_kind", metadata_kind},
    {"dora_metadata_merge", metadata_merge},
    {"dora_metadata_new", metadata_new},
    {"dora_metadata_remove", metadata_remove},
    {"dora_metadata_request_id", metadata_request_id},
    {"dora_metadata_set_bool", metadata_set_bool},
    {"dora_metadata_set_float", metadata_set_float},
    {"dora_metadata_set_floats", metadata_set_floats},
    {"dora_metadata_set_goal_status", metadata_set_goal_status},
    {"dora_metadata_set_integer", metadata_set_integer},
    {"dora_metadata_set_integers", metadata_set_integers},
    {"dora_metadata_set_string", metadata_set_string},
    {"dora_metadata_set_strings", metadata_set_strings},
    {"dora_metadata_set_timestamp_ns", metadata_set_timestamp_ns},
    {"dora_metadata_start_goal", metadata_start_goal},
    {"dora_metadata_start_request", metadata_start_request},
};

int main(void) {
    const size_t functions = sizeof table / sizeof *table;
    is_complete(table, functions, "dora_metadata_");
    dora_node_t *node = must_init();
    request = must_read(node);
    own = make_metadata();
    call_each(table, functions);
    CHECK(dora_metadata_count(own) == 5 && dora_metadata_kind(own, "refused") == DORA_METADATA_UNKNOWN);

    dora_metadata_free(own);
    dora_event_free(request);
    dora_node_free(node);
    return check_result("null_pointers_metadata");
}
