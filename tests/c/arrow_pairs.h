/*
 * Hand-made pairs of Arrow structures, to be sent well-formed or spoilt. A release is counted, frees what the
 * structure pointed to and spoils the structure itself, so that sanitizers see who looks at it later.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_ARROW_PAIRS_H
#define DORA_TESTS_ARROW_PAIRS_H

#include "check.h"

/* ---- Making structures ---- */

enum { MAX_PARTS = 8 };

/* What a made structure owns, for its release, whatever a test did to the structure itself. */
struct record {
    void *blocks[MAX_PARTS + 2];
    void *parts[MAX_PARTS]; /* children and dictionary: blocks too, but released first */
    size_t n_blocks, n_parts;
    int releases;
};

static dora_node_t *node;
static struct ArrowSchema the_schema, *const schema = &the_schema; /* the pair that the next call will send */
static struct ArrowArray the_array, *const array = &the_array;
static struct record *records;
static size_t made;

static inline struct record *new_record(void) {
    enum { MAX_RECORDS = 1 << 16 };
    if (!records)
        records = (struct record *)calloc(MAX_RECORDS, sizeof *records);
    if (!records || made == MAX_RECORDS)
        abort();
    return &records[made++];
}

static inline void *own(void *record, const void *bytes, size_t size) {
    struct record *owner = (struct record *)record;
    void *block = malloc(size ? size : 1);
    if (!block || owner->n_blocks == MAX_PARTS + 2)
        abort();
    if (bytes)
        memcpy(block, bytes, size);
    else
        memset(block, 0, size);
    return owner->blocks[owner->n_blocks++] = block;
}

static inline void free_blocks(struct record *record) {
    ++record->releases;
    while (record->n_blocks > 0)
        free(record->blocks[--record->n_blocks]);
}

/* The release of a structure of type `name`. */
#define RELEASE(function, name)                                                                              \
    static void function(struct name *released) {                                                            \
        struct record *record = (struct record *)released->private_data;                                     \
        for (size_t i = 0; i < record->n_parts; ++i) {                                                       \
            struct name *part = (struct name *)record->parts[i];                                             \
            if (part->release)                                                                               \
                part->release(part);                                                                         \
        }                                                                                                    \
        free_blocks(record);                                                                                 \
        memset(released, 0xA5, sizeof *released);                                                            \
        released->release = NULL;                                                                            \
    }
RELEASE(release_schema, ArrowSchema)
RELEASE(release_array, ArrowArray)

/* Turns the pair into a column of `format` without buffers and children. */
static inline void column(struct ArrowSchema *s, struct ArrowArray *a, const char *format, int64_t length) {
    memset(s, 0, sizeof *s);
    s->private_data = new_record();
    s->format = (const char *)own(s->private_data, format, strlen(format) + 1);
    s->name = (const char *)own(s->private_data, "", 1);
    s->children = (struct ArrowSchema **)own(s->private_data, NULL, MAX_PARTS * sizeof *s->children);
    s->flags = ARROW_FLAG_NULLABLE;
    s->release = release_schema;
    memset(a, 0, sizeof *a);
    a->private_data = new_record();
    a->buffers = (const void **)own(a->private_data, NULL, MAX_PARTS * sizeof *a->buffers);
    a->children = (struct ArrowArray **)own(a->private_data, NULL, MAX_PARTS * sizeof *a->children);
    a->length = length;
    a->release = release_array;
}

/* The next buffer of an array: as many bytes as it needs, at any address that malloc gives. */
#define BUFFER(a, bytes) buffer(a, bytes, sizeof(bytes))
static inline void buffer(struct ArrowArray *a, const void *bytes, size_t size) {
    a->buffers[a->n_buffers++] = own(a->private_data, bytes, size);
}

static inline void no_buffer(struct ArrowArray *a) { a->buffers[a->n_buffers++] = NULL; }

/* A part of a pair, to be made a column: the next child, or the dictionary. */
static inline void part(struct ArrowSchema *s, struct ArrowArray *a, struct ArrowSchema **ps,
                        struct ArrowArray **pa) {
    struct record *of_schema = (struct record *)s->private_data, *of_array = (struct record *)a->private_data;
    *ps = (struct ArrowSchema *)own(of_schema, NULL, sizeof **ps);
    *pa = (struct ArrowArray *)own(of_array, NULL, sizeof **pa);
    of_schema->parts[of_schema->n_parts++] = *ps;
    of_array->parts[of_array->n_parts++] = *pa;
}

static inline void child(struct ArrowSchema *s, struct ArrowArray *a, const char *format, int64_t length) {
    part(s, a, &s->children[s->n_children], &a->children[a->n_children]);
    column(s->children[s->n_children++], a->children[a->n_children++], format, length);
}

/* ---- Well-formed pairs, which the tests then spoil ---- */

static const int32_t one_two_three[] = {1, 2, 3};
static const int32_t offsets_1_3_5[] = {0, 1, 3, 5}; /* of the texts "a", "bc", "ü" */
static const char a_bc_ue[] = {'a', 'b', 'c', '\xC3', '\xBC'};
static const uint8_t bits_101[] = {5};

static inline void fill_numbers(struct ArrowArray *a) {
    no_buffer(a);
    BUFFER(a, one_two_three);
}

static inline void fill_texts(struct ArrowArray *a) {
    no_buffer(a);
    BUFFER(a, offsets_1_3_5);
    BUFFER(a, a_bc_ue);
}

static inline void numbers(void) {
    column(schema, array, "i", 3);
    fill_numbers(array);
}

static inline void nullable(void) {
    column(schema, array, "i", 3);
    BUFFER(array, bits_101);
    BUFFER(array, one_two_three);
    array->null_count = 1;
}

static inline void booleans(void) {
    column(schema, array, "b", 3);
    no_buffer(array);
    BUFFER(array, bits_101);
}

static inline void triples(void) {
    column(schema, array, "w:3", 1);
    no_buffer(array);
    buffer(array, "abc", 3);
}

static inline void decimals(void) {
    column(schema, array, "d:9,2", 1);
    no_buffer(array);
    buffer(array, NULL, 16);
}

static inline void texts(void) {
    column(schema, array, "u", 3);
    fill_texts(array);
}

static inline void large_texts(void) {
    const int64_t offsets[] = {0, 1, 3, 5};
    column(schema, array, "U", 3);
    no_buffer(array);
    BUFFER(array, offsets);
    BUFFER(array, a_bc_ue);
}

/* Two texts: "a" inside its view, and 13 letters in a buffer. */
static inline void views(void) {
    const int32_t view[] = {1, 'a', 0, 0, 13, 'b' | 'c' << 8 | 'd' << 16 | 'e' << 24, 0, 0};
    const int64_t sizes[] = {13};
    column(schema, array, "vu", 2);
    no_buffer(array);
    BUFFER(array, view);
    buffer(array, "bcdefghijklmn", 13);
    BUFFER(array, sizes);
}

static inline void structure(void) {
    column(schema, array, "+s", 3);
    no_buffer(array);
    child(schema, array, "i", 3);
    fill_numbers(array->children[0]);
    child(schema, array, "u", 3);
    fill_texts(array->children[1]);
}

static inline void lists(void) {
    const int32_t offsets[] = {0, 2, 2, 3};
    column(schema, array, "+l", 3);
    no_buffer(array);
    BUFFER(array, offsets);
    child(schema, array, "i", 3);
    fill_numbers(array->children[0]);
}

static inline void list_of_3(void) {
    column(schema, array, "+w:3", 1);
    no_buffer(array);
    child(schema, array, "i", 3);
    fill_numbers(array->children[0]);
}

static inline void dictionary(void) {
    const int8_t indices[] = {0, 2, 0};
    column(schema, array, "c", 3);
    no_buffer(array);
    BUFFER(array, indices);
    part(schema, array, &schema->dictionary, &array->dictionary);
    column(schema->dictionary, array->dictionary, "u", 3);
    fill_texts(array->dictionary);
}

static inline void dense_union(void) {
    const int8_t types[] = {0, 1, 0};
    const int32_t offsets[] = {0, 0, 1};
    column(schema, array, "+ud:0,1", 3);
    BUFFER(array, types);
    BUFFER(array, offsets);
    child(schema, array, "i", 3);
    fill_numbers(array->children[0]);
    child(schema, array, "u", 3);
    fill_texts(array->children[1]);
}

static inline void runs(void) {
    column(schema, array, "+r", 3);
    child(schema, array, "i", 3);
    schema->children[0]->flags = 0;
    fill_numbers(array->children[0]);
    child(schema, array, "u", 3);
    fill_texts(array->children[1]);
}

/* ---- Sending them ---- */

static const char *spoilt; /* which of several values was put in, for the report of a failure */

/* What was made since the last call was released, each structure once. */
static inline void all_released(void) {
    CHECK(schema->release == NULL && array->release == NULL);
    bool once = true;
    for (size_t i = 0; i < made; ++i)
        once = once && records[i].releases == 1;
    CHECK(once);
    memset(records, 0, made * sizeof *records);
    made = 0;
}

static inline void refused(const char *what) {
    const int failed = check_failed;
    if (CHECK_STATUS(DORA_ERROR_INVALID_ARROW, dora_node_send_arrow(node, "refused", schema, array, NULL)) &&
        !CHECK(strstr(dora_last_error(), "schema") || strstr(dora_last_error(), "array")))
        fprintf(stderr, "    the error tells neither argument: %s\n", dora_last_error());
    all_released();
    if (check_failed > failed)
        fprintf(stderr, "    with %s%s%s\n", what, spoilt ? ": " : "", spoilt ? spoilt : "");
    spoilt = NULL;
}

/* Makes a pair, spoils it, and expects it to be refused. */
#define BAD(make, ...)                                                                                       \
    do {                                                                                                     \
        make();                                                                                              \
        __VA_ARGS__;                                                                                         \
        refused(#make ", " #__VA_ARGS__);                                                                    \
    } while (0)

static inline void set_format(struct ArrowSchema *s, const char *format) {
    s->format = (const char *)own(s->private_data, format, strlen(format) + 1);
}

/* What the tests spoil is sound before, so that each refusal is about what was spoilt. */
static inline void sound(void) {
    void (*const makes[])(void) = {numbers, nullable,  booleans, triples,   decimals,   texts, large_texts,
                                   views,   structure, lists,    list_of_3, dictionary, runs};
    for (size_t i = 0; i < sizeof makes / sizeof *makes; ++i) {
        makes[i]();
        CHECK_STATUS(DORA_OK, dora_node_send_arrow(node, "sound", schema, array, NULL));
        all_released();
    }
    dense_union(); /* which dora cannot write into a file of outputs */
    CHECK(dora_node_send_arrow(node, "sound", schema, array, NULL) != DORA_ERROR_INVALID_ARROW);
    all_released();
}

/* Frees the node, expects that nothing refused was sent, and says what main returns. */
static inline int end_of_sending(const char *name) {
    dora_node_free(node);
    char *outputs = read_outputs();
    CHECK(strstr(outputs, "refused") == NULL);
    free(outputs);
    free(records);
    return check_result(name);
}

#endif /* DORA_TESTS_ARROW_PAIRS_H */
