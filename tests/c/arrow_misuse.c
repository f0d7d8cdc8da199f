/*
 * Hand-made Arrow structures, malformed in every way that shows in them. Each is refused as
 * DORA_ERROR_INVALID_ARROW, and whatever the call says, each structure was released once when it returns. A
 * release frees what the structure pointed to and spoils the structure itself, so that sanitizers see who
 * looks at it later. Well-formed ones are in arrow_types.c. Environment:
 * DORA_TEST_WITH_INPUTS=arrow_misuse.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
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
static struct ArrowSchema *schema; /* the pair that the next call will send */
static struct ArrowArray *array;
static struct record *records;
static size_t made;

static struct record *new_record(void) {
    enum { MAX_RECORDS = 1 << 16 };
    if (!records)
        records = (struct record *)calloc(MAX_RECORDS, sizeof *records);
    if (!records || made == MAX_RECORDS)
        abort();
    return &records[made++];
}

static void *own(void *record, const void *bytes, size_t size) {
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

static void free_blocks(struct record *record) {
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
static void column(struct ArrowSchema *s, struct ArrowArray *a, const char *format, int64_t length) {
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
static void buffer(struct ArrowArray *a, const void *bytes, size_t size) {
    a->buffers[a->n_buffers++] = own(a->private_data, bytes, size);
}

static void no_buffer(struct ArrowArray *a) { a->buffers[a->n_buffers++] = NULL; }

/* A part of a pair, to be made a column: the next child, or the dictionary. */
static void part(struct ArrowSchema *s, struct ArrowArray *a, struct ArrowSchema **ps,
                 struct ArrowArray **pa) {
    struct record *of_schema = (struct record *)s->private_data, *of_array = (struct record *)a->private_data;
    *ps = (struct ArrowSchema *)own(of_schema, NULL, sizeof **ps);
    *pa = (struct ArrowArray *)own(of_array, NULL, sizeof **pa);
    of_schema->parts[of_schema->n_parts++] = *ps;
    of_array->parts[of_array->n_parts++] = *pa;
}

static void child(struct ArrowSchema *s, struct ArrowArray *a, const char *format, int64_t length) {
    part(s, a, &s->children[s->n_children], &a->children[a->n_children]);
    column(s->children[s->n_children++], a->children[a->n_children++], format, length);
}

/* ---- Well-formed pairs, which the tests then spoil ---- */

static const int32_t one_two_three[] = {1, 2, 3};
static const int32_t offsets_1_3_5[] = {0, 1, 3, 5}; /* of the texts "a", "bc", "ü" */
static const char a_bc_ue[] = {'a', 'b', 'c', '\xC3', '\xBC'};
static const uint8_t bits_101[] = {5};

static void fill_numbers(struct ArrowArray *a) {
    no_buffer(a);
    BUFFER(a, one_two_three);
}

static void fill_texts(struct ArrowArray *a) {
    no_buffer(a);
    BUFFER(a, offsets_1_3_5);
    BUFFER(a, a_bc_ue);
}

static void numbers(void) {
    column(schema, array, "i", 3);
    fill_numbers(array);
}

static void nullable(void) {
    column(schema, array, "i", 3);
    BUFFER(array, bits_101);
    BUFFER(array, one_two_three);
    array->null_count = 1;
}

static void booleans(void) {
    column(schema, array, "b", 3);
    no_buffer(array);
    BUFFER(array, bits_101);
}

static void triples(void) {
    column(schema, array, "w:3", 1);
    no_buffer(array);
    buffer(array, "abc", 3);
}

static void decimals(void) {
    column(schema, array, "d:9,2", 1);
    no_buffer(array);
    buffer(array, NULL, 16);
}

static void texts(void) {
    column(schema, array, "u", 3);
    fill_texts(array);
}

static void large_texts(void) {
    const int64_t offsets[] = {0, 1, 3, 5};
    column(schema, array, "U", 3);
    no_buffer(array);
    BUFFER(array, offsets);
    BUFFER(array, a_bc_ue);
}

/* Two texts: "a" inside its view, and 13 letters in a buffer. */
static void views(void) {
    const int32_t view[] = {1, 'a', 0, 0, 13, 'b' | 'c' << 8 | 'd' << 16 | 'e' << 24, 0, 0};
    const int64_t sizes[] = {13};
    column(schema, array, "vu", 2);
    no_buffer(array);
    BUFFER(array, view);
    buffer(array, "bcdefghijklmn", 13);
    BUFFER(array, sizes);
}

static void structure(void) {
    column(schema, array, "+s", 3);
    no_buffer(array);
    child(schema, array, "i", 3);
    fill_numbers(array->children[0]);
    child(schema, array, "u", 3);
    fill_texts(array->children[1]);
}

static void lists(void) {
    const int32_t offsets[] = {0, 2, 2, 3};
    column(schema, array, "+l", 3);
    no_buffer(array);
    BUFFER(array, offsets);
    child(schema, array, "i", 3);
    fill_numbers(array->children[0]);
}

static void list_of_3(void) {
    column(schema, array, "+w:3", 1);
    no_buffer(array);
    child(schema, array, "i", 3);
    fill_numbers(array->children[0]);
}

static void dictionary(void) {
    const int8_t indices[] = {0, 2, 0};
    column(schema, array, "c", 3);
    no_buffer(array);
    BUFFER(array, indices);
    part(schema, array, &schema->dictionary, &array->dictionary);
    column(schema->dictionary, array->dictionary, "u", 3);
    fill_texts(array->dictionary);
}

static void dense_union(void) {
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

static void runs(void) {
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
static void all_released(void) {
    CHECK(schema->release == NULL && array->release == NULL);
    bool once = true;
    for (size_t i = 0; i < made; ++i)
        once = once && records[i].releases == 1;
    CHECK(once);
    memset(records, 0, made * sizeof *records);
    made = 0;
}

static void refused(const char *what) {
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

static void set_format(struct ArrowSchema *s, const char *format) {
    s->format = (const char *)own(s->private_data, format, strlen(format) + 1);
}

static void bad_structures(void) {
    BAD(numbers, schema->release(schema));
    BAD(numbers, array->release(array));
    BAD(numbers, schema->release(schema), array->release(array));

    BAD(numbers, schema->format = NULL);
    BAD(structure, schema->children[0]->format = NULL);
    const char *const formats[] = {"",    "?",    "ii",    "w",  "w:",  "w:x",  "w:-1",  "w:99999999999",
                                   "+w",  "+w:",  "+w:-2", "d:", "d:1", "ts",   "tsn",   "tsx:",
                                   "td",  "tdX",  "tt",    "tD", "tiX", "+",    "+x",    "+u",
                                   "+ud", "+ud:", "+ud:x", "v",  "vx",  "\xFF", "i\xC3", "+vx",
                                   " i",  "I ",   "w:3 ",  "+l:"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        BAD(numbers, set_format(schema, formats[i]), spoilt = formats[i]);
        BAD(structure, set_format(schema->children[0], formats[i]), spoilt = formats[i]);
    }
    const char *const decimal_formats[] = {"d:0,0", "d:39,1", "d:99,1", "d:9,10,127", "d:-1,2"};
    for (size_t i = 0; i < sizeof decimal_formats / sizeof *decimal_formats; ++i)
        BAD(decimals, set_format(schema, decimal_formats[i]), spoilt = decimal_formats[i]);
    BAD(structure, schema->children[0]->name = "\xFF");
    BAD(structure, schema->children[0]->metadata = "\xFF\xFF\xFF\xFF");             /* -1 pairs */
    BAD(structure, schema->children[0]->metadata = "\1\0\0\0\xFF\xFF\xFF\xFF");     /* a key of -1 bytes */
    BAD(structure, schema->children[0]->metadata = "\1\0\0\0\1\0\0\0\xFF\0\0\0\0"); /* a key, not UTF-8 */
}

static void bad_counts(void) {
    const int64_t counts[] = {-1, 0, 1, 3, 4, INT32_MAX, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        BAD(numbers, array->n_buffers = counts[i]);
        BAD(structure, array->children[0]->n_buffers = counts[i]);
        if (counts[i] != 3)
            BAD(texts, array->n_buffers = counts[i]);
        if (counts[i] != 0) {
            BAD(numbers, array->n_children = counts[i]);
            BAD(numbers, schema->n_children = counts[i]);
            BAD(numbers, array->n_children = schema->n_children = counts[i]);
        }
        BAD(structure, array->n_children = counts[i]);
        BAD(structure, schema->n_children = counts[i]);
        if (counts[i] != 1)
            BAD(lists, array->n_children = schema->n_children = counts[i]);
    }
    BAD(numbers, array->length = -1);
    BAD(numbers, array->length = INT64_MIN);
    BAD(numbers, array->offset = -1);
    BAD(numbers, array->offset = INT64_MIN);
    BAD(numbers, array->offset = INT64_MAX);              /* the end overflows */
    BAD(numbers, array->length = INT64_MAX);              /* the bytes overflow */
    BAD(numbers, array->length = (INT64_C(1) << 62) + 1); /* the bytes wrap around to 4 */
    BAD(booleans, array->length = INT64_MAX);
    BAD(triples, array->length = INT64_MAX / 3 + 1);
    BAD(decimals, array->length = INT64_MAX / 16 + 1);
    BAD(texts, array->length = INT64_MAX);
    BAD(lists, array->length = INT64_MAX);
    BAD(list_of_3, array->length = INT64_MAX / 3 + 1);
    BAD(texts, array->offset = INT64_MAX - 3);
    BAD(structure, array->children[0]->length = -1);
    BAD(structure, array->children[0]->offset = -1);

    BAD(numbers, array->null_count = -2);
    BAD(numbers, array->null_count = INT64_MIN);
    BAD(numbers, array->null_count = 4);
    BAD(numbers, array->null_count = 1); /* without bits that say where */
    BAD(nullable, array->null_count = -2);
    BAD(nullable, array->null_count = 4);
    BAD(nullable, array->null_count = 0);
    BAD(nullable, array->null_count = 2);
}

static void bad_pointers(void) {
    BAD(numbers, array->buffers = NULL);
    BAD(numbers, array->buffers[1] = NULL);
    BAD(texts, array->buffers = NULL);
    BAD(texts, array->buffers[1] = NULL);
    BAD(texts, array->buffers[2] = NULL);
    BAD(lists, array->buffers[1] = NULL);
    BAD(lists, array->children = NULL);
    BAD(lists, array->children[0] = NULL);
    BAD(lists, schema->children = NULL);
    BAD(lists, schema->children[0] = NULL);
    BAD(structure, array->children = NULL);
    BAD(structure, array->children[1] = NULL);
    BAD(structure, schema->children = NULL);
    BAD(structure, schema->children[1] = NULL);
    BAD(structure, array->children[0]->buffers = NULL);
    BAD(structure, array->children[0]->buffers[1] = NULL);
    BAD(views, array->buffers[1] = NULL);
    BAD(views, array->buffers[2] = NULL);
    BAD(views, array->buffers[3] = NULL);
    BAD(dense_union, array->buffers[0] = NULL);
    BAD(dense_union, array->buffers[1] = NULL);
    BAD(dictionary, array->dictionary = NULL);
    BAD(dictionary, schema->dictionary = NULL);
}

/* A place in a buffer, to put something else there. */
#define AT(type, a, buffer, index) (((type *)(a)->buffers[buffer])[index])

static void bad_texts(void) {
    BAD(texts, AT(int32_t, array, 1, 1) = 4); /* 0 4 3 5: the offsets decrease */
    BAD(texts, AT(int32_t, array, 1, 0) = -1);
    BAD(texts, AT(int32_t, array, 1, 3) = -5);
    BAD(texts, AT(int32_t, array, 1, 2) = 4); /* 0 1 4 5: within a character */
    BAD(texts, AT(char, array, 2, 4) = '\xFF');
    BAD(texts, AT(char, array, 2, 0) = '\x80');
    BAD(large_texts, AT(int64_t, array, 1, 1) = 4);
    BAD(large_texts, AT(int64_t, array, 1, 0) = -1);
    BAD(large_texts, AT(int64_t, array, 1, 3) = -5);
    BAD(large_texts, AT(int64_t, array, 1, 3) = INT64_MAX);
    BAD(large_texts, set_format(schema, "Z"), AT(int64_t, array, 1, 3) = INT64_MAX);
    BAD(large_texts, AT(char, array, 2, 4) = '\xFF');
    BAD(structure, AT(int32_t, array->children[1], 1, 1) = 4);
    BAD(structure, AT(char, array->children[1], 2, 4) = '\xFF');

    BAD(views, AT(int32_t, array, 1, 0) = -1);
    BAD(views, AT(char, array, 1, 5) = 'b');  /* behind the one character of the text */
    BAD(views, AT(int32_t, array, 1, 5) = 0); /* not what the buffer begins with */
    BAD(views, AT(int32_t, array, 1, 6) = 1); /* there is no such buffer */
    BAD(views, AT(int32_t, array, 1, 7) = 1); /* ends behind the buffer */
    BAD(views, AT(int32_t, array, 1, 7) = -1);
    BAD(views, AT(int64_t, array, 3, 0) = -1);
    BAD(views, AT(int64_t, array, 3, 0) = INT64_MAX);
    BAD(views, AT(int64_t, array, 3, 0) = 12); /* shorter than the text in it */
    BAD(views, AT(char, array, 2, 12) = '\xFF');
}

static void bad_nesting(void) {
    BAD(lists, AT(int32_t, array, 1, 1) = 3); /* 0 3 2 3: the offsets decrease */
    BAD(lists, AT(int32_t, array, 1, 0) = -1);
    BAD(lists, AT(int32_t, array, 1, 3) = -3);
    BAD(lists, AT(int32_t, array, 1, 3) = 4); /* there are three values */
    BAD(lists, set_format(schema, "+m"));     /* the child of a map is a struct of two */
    BAD(lists, set_format(schema, "+s"));
    BAD(structure, set_format(schema, "+l"));
    BAD(structure, array->length = 4);
    BAD(structure, array->offset = 1);
    BAD(structure, array->children[1]->length = 2);
    BAD(list_of_3, array->length = 2);
    BAD(list_of_3, array->offset = 1);
    BAD(list_of_3, array->children[0]->length = 2);
    BAD(numbers, set_format(schema, "+s"));
    BAD(numbers, set_format(schema, "u"));

    BAD(dictionary, AT(int8_t, array, 1, 1) = 3);
    BAD(dictionary, AT(int8_t, array, 1, 1) = -1);
    BAD(dictionary, array->dictionary->length = 2);
    BAD(dictionary, set_format(schema, "f"));
    BAD(dense_union, AT(int8_t, array, 0, 1) = 2);
    BAD(dense_union, AT(int8_t, array, 0, 1) = -1);
    BAD(dense_union, AT(int32_t, array, 1, 2) = 3);
    BAD(dense_union, AT(int32_t, array, 1, 2) = -1);
    BAD(dense_union, set_format(schema, "+ud:0"));
    BAD(dense_union, set_format(schema, "+ud:0,0"));
    BAD(dense_union, set_format(schema, "+ud:0,300"));
    BAD(runs, AT(int32_t, array->children[0], 1, 0) = 0);
    BAD(runs, AT(int32_t, array->children[0], 1, 1) = 1);
    BAD(runs, AT(int32_t, array->children[0], 1, 2) = 2); /* ends before the array does */
    BAD(runs, set_format(schema->children[0], "f"));
    BAD(runs, array->children[1]->length = 2);
}

/* Makes a child of its own out of a pair. */
static void loop(struct ArrowSchema *s, struct ArrowArray *a) {
    set_format(s, "+s");
    s->n_children = a->n_children = 1;
    a->n_buffers = 1;
    s->children[0] = s;
    a->children[0] = a;
}

/* A schema within itself has no end, and one that is 10,000 deep is as good as endless. */
static void bad_depth(void) {
    BAD(structure, loop(schema->children[0], array->children[0]));
    BAD(lists, loop(schema->children[0], array->children[0]));
    BAD(dictionary, schema->dictionary->dictionary = schema->dictionary,
        array->dictionary->dictionary = array->dictionary);
    BAD(structure, schema->children[0] = schema);
    BAD(structure, schema->children[0] = schema, array->children[0] = array);
    BAD(lists, schema->children[0] = schema, array->children[0] = array);
    BAD(dictionary, schema->dictionary = schema);
    BAD(dictionary, schema->dictionary = schema, array->dictionary = array);

    column(schema, array, "+s", 0);
    no_buffer(array);
    struct ArrowSchema *s = schema;
    struct ArrowArray *a = array;
    for (int depth = 0; depth < 10000; ++depth) {
        child(s, a, "+s", 0);
        s = s->children[0], a = a->children[0];
        no_buffer(a);
    }
    refused("10,000 structs within each other");
}

/* Takes a part of a pair away as the specification has it: a copy lives on, here for no time at all, and what
 * stays in the pair is marked as released and else as it was. */
static void move_schema(struct ArrowSchema *s) {
    struct ArrowSchema moved = *s;
    s->release = NULL;
    moved.release(&moved);
}

static void move_array(struct ArrowArray *a) {
    struct ArrowArray moved = *a;
    a->release = NULL;
    moved.release(&moved);
}

/* Parts that were released before, or taken by somebody: nothing else in them may be looked at. */
static void released_parts(void) {
    BAD(structure, array->children[1]->release(array->children[1]));
    BAD(structure, schema->children[1]->release(schema->children[1]));
    BAD(structure, move_array(array->children[1]));
    BAD(structure, move_schema(schema->children[1]));
    BAD(dictionary, move_array(array->dictionary));
    BAD(dictionary, move_schema(schema->dictionary));
}

/* Whatever argument is wrong, both structures are taken. */
static void taken(void) {
    structure();
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_arrow(NULL, "refused", schema, array, NULL));
    all_released();
    structure();
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_arrow(node, NULL, schema, array, NULL));
    all_released();
    structure();
    CHECK_STATUS(DORA_ERROR_INVALID_ID, dora_node_send_arrow(node, "cmd vel", schema, array, NULL));
    all_released();
    structure();
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_send_arrow(node, "\xFF", schema, array, NULL));
    all_released();
    structure();
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_arrow(node, "refused", NULL, array, NULL));
    schema->release(schema);
    all_released();
    structure();
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_arrow(node, "refused", schema, NULL, NULL));
    array->release(array);
    all_released();
    dictionary();
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_arrow(NULL, NULL, schema, array, NULL));
    all_released();
}

/* What the tests spoil is sound before, so that each refusal is about what was spoilt. */
static void sound(void) {
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

int main(void) {
    struct ArrowSchema the_schema;
    struct ArrowArray the_array;
    schema = &the_schema;
    array = &the_array;
    node = must_init();
    sound();
    taken();
    bad_structures();
    bad_counts();
    bad_pointers();
    bad_texts();
    bad_nesting();
    bad_depth();
    released_parts();
    sound();
    dora_node_free(node);

    char *outputs = read_outputs();
    CHECK(strstr(outputs, "refused") == NULL);
    free(outputs);
    free(records);
    return check_result("arrow_misuse");
}
