/*
 * Hand-made Arrow structures, malformed in what their buffers hold or in how their parts fit together. As in
 * arrow_misuse.c, each is refused as DORA_ERROR_INVALID_ARROW and was released once when the call returns.
 * Environment: DORA_TEST_WITH_INPUTS=arrow_misuse_contents.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "arrow_pairs.h"

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

int main(void) {
    node = must_init();
    sound();
    bad_texts();
    bad_nesting();
    sound();
    return end_of_sending("arrow_misuse_contents");
}
