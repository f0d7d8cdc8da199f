/*
 * What the tests of NULL share. They call every exported function with each of its pointers NULL, one at a
 * time and all together, on a live node, live events and live metadata. Each gives DORA_ERROR_NULL_POINTER
 * and clears its outputs, or the value documented for NULL.
 *
 * The tables of these tests have together one line for every name in tests/symbols.txt, each table those of
 * its prefix and in that order. Who adds a function adds its line; a test that misses one fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_NULL_POINTERS_H
#define DORA_TESTS_NULL_POINTERS_H

#include "check.h"

/* A call refuses the NULL that it got as `argument`. */
#define REFUSED(argument, call) (CHECK_STATUS(DORA_ERROR_NULL_POINTER, call), CHECK(error_names(argument)))

/* The output `pointer` and the number `size` were garbage before, and are cleared now. */
#define CLEARED(pointer, size) (CHECK((pointer) == NULL), CHECK((size) == 0))
#define SPOILED(pointer, type, size) ((pointer) = GARBAGE_POINTER(type), (size) = GARBAGE_SIZE)

/* ---- What to call functions with ---- */

/* Metadata with a parameter of each kind that has a length. */
static inline dora_metadata_t *make_metadata(void) {
    dora_metadata_t *metadata = GARBAGE_POINTER(dora_metadata_t *);
    CHECK_STATUS(DORA_OK, dora_metadata_new(&metadata));
    const int64_t integer = 1;
    const double number = 1;
    const char *const text = "text";
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(metadata, "string", text, DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(metadata, "integers", &integer, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_floats(metadata, "floats", &number, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_strings(metadata, "strings", &text, NULL, 1));
    return metadata;
}

static inline void no_pointers(void) {}

static int released;
static void release_schema(struct ArrowSchema *schema) { schema->release = NULL, ++released; }
static void release_array(struct ArrowArray *array) { array->release = NULL, ++released; }

/* A live pair for Arrow, an empty array of the null type: dora_event_arrow overwrites it,
 * dora_node_send_arrow takes it. */
static inline void make_pair(struct ArrowSchema *schema, struct ArrowArray *array) {
    memset(schema, 0, sizeof *schema);
    memset(array, 0, sizeof *array);
    schema->format = "n";
    schema->release = release_schema;
    array->release = release_array;
    released = 0;
}

/* ---- The table of a test ---- */

struct null_check {
    const char *function;
    void (*call)(void);
};

/* The prefix of the test that calls a function. The empty one is that of null_pointers.c, which calls all
 * that have no other; who adds a prefix adds its test. */
static inline const char *prefix_of(const char *function) {
    const char *const prefixes[] = {"dora_event_", "dora_loan_", "dora_metadata_", "dora_node_options_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
        if (strncmp(function, prefixes[i], strlen(prefixes[i])) == 0)
            return prefixes[i];
    return "";
}

/* tests/symbols.txt, which the test package/symbols compares with the library. */
static inline FILE *open_symbols(void) {
    char path[4096];
    const char *slash = strrchr(__FILE__, '/');
    const int folder = slash ? (int)(slash + 1 - __FILE__) : 0;
    snprintf(path, sizeof path, "%.*s../symbols.txt", folder, __FILE__);
    FILE *symbols = fopen(path, "r");
    if (!CHECK(symbols != NULL)) {
        fprintf(stderr, "    cannot open %s\n", path);
        exit(EXIT_FAILURE);
    }
    return symbols;
}

/* The table has the functions of its prefix and no others, in the order of the symbols. */
static inline void is_complete(const struct null_check *table, size_t count, const char *prefix) {
    FILE *symbols = open_symbols();
    char symbol[128];
    size_t index = 0;
    while (fscanf(symbols, "%127s", symbol) == 1) {
        if (strcmp(prefix_of(symbol), prefix) != 0)
            continue;
        if (!CHECK_TEXT(symbol, index < count ? table[index].function : NULL))
            break;
        ++index;
    }
    CHECK(index == count);
    fclose(symbols);
}

static inline void call_each(const struct null_check *table, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const int failed = check_failed;
        table[i].call();
        if (check_failed > failed)
            fprintf(stderr, "    in the checks of %s\n", table[i].function);
    }
}

#endif /* DORA_TESTS_NULL_POINTERS_H */
