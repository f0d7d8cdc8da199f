/*
 * Hand-made Arrow structures, malformed in every way that shows in them. Each is refused as
 * DORA_ERROR_INVALID_ARROW, and whatever the call says, each structure was released once when it returns.
 * Those whose buffers hold the fault are in arrow_misuse_contents.c, well-formed ones in arrow_types.c.
 * Environment: DORA_TEST_WITH_INPUTS=arrow_misuse.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "arrow_pairs.h"

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

int main(void) {
    node = must_init();
    sound();
    taken();
    bad_structures();
    bad_counts();
    bad_pointers();
    bad_depth();
    released_parts();
    sound();
    return end_of_sending("arrow_misuse");
}
