/*
 * Inputs as the two structures of the Arrow C Data Interface, walked by hand: not copied, given as often as
 * asked for, and alive after the event and the node, in whatever order and on whatever thread they are
 * released. Environment: DORA_TEST_WITH_INPUTS=export.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <pthread.h>

struct pair {
    struct ArrowSchema schema;
    struct ArrowArray array;
};

static void export_event(const dora_event_t *event, struct pair *pair) {
    memset(pair, 0xA5, sizeof *pair); /* what the structures held before is not looked at */
    if (!CHECK_STATUS(DORA_OK, dora_event_arrow(event, &pair->schema, &pair->array)) ||
        !CHECK(pair->schema.release != NULL && pair->array.release != NULL))
        exit(EXIT_FAILURE);
}

static void release_schema(struct ArrowSchema *schema) {
    schema->release(schema);
    CHECK(schema->release == NULL);
}

static void release_array(struct ArrowArray *array) {
    array->release(array);
    CHECK(array->release == NULL);
}

static void release(struct pair *pair) {
    release_schema(&pair->schema);
    release_array(&pair->array);
}

static dora_event_t *next(dora_node_t *node, const char *id) {
    dora_event_t *event = must_read(node);
    if (!CHECK_TEXT(id, dora_event_input_id(event)))
        exit(EXIT_FAILURE);
    return event;
}

/* ---- Walks ---- */

/* A column of `format` with no more parts than it should have. */
static bool shaped(const struct ArrowSchema *schema, const struct ArrowArray *array, const char *format,
                   int64_t length, int64_t nulls, int64_t buffers, int64_t children) {
    return CHECK_TEXT(format, schema->format) && CHECK(array->length == length) &&
           CHECK(array->null_count == nulls || array->null_count == -1) && CHECK(array->offset >= 0) &&
           CHECK(array->n_buffers == buffers) && CHECK(buffers == 0 || array->buffers != NULL) &&
           CHECK(schema->n_children == children && array->n_children == children) &&
           CHECK(children == 0 || (schema->children != NULL && array->children != NULL)) &&
           CHECK(schema->dictionary == NULL && array->dictionary == NULL);
}

static bool bit(const void *bits, int64_t index) {
    return (((const uint8_t *)bits)[index / 8] >> index % 8 & 1) != 0;
}

static bool valid(const struct ArrowArray *array, int64_t index) {
    return array->buffers[0] == NULL || bit(array->buffers[0], array->offset + index);
}

static void is_numbers(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    if (!shaped(schema, array, "i", 3, 1, 2, 0))
        return;
    const int32_t *values = (const int32_t *)array->buffers[1] + array->offset;
    CHECK(values[0] == 1 && values[2] == 3);
    CHECK(valid(array, 0) && !valid(array, 1) && valid(array, 2));
    CHECK((schema->flags & ARROW_FLAG_NULLABLE) != 0);
}

static bool is_text(const struct ArrowArray *array, int64_t index, const char *wanted) {
    const int32_t *offsets = (const int32_t *)array->buffers[1] + array->offset + index;
    return offsets[1] - offsets[0] == (int32_t)strlen(wanted) &&
           memcmp((const char *)array->buffers[2] + offsets[0], wanted, strlen(wanted)) == 0;
}

static void walk_texts(const dora_event_t *event) {
    struct pair pair;
    export_event(event, &pair);
    if (shaped(&pair.schema, &pair.array, "u", 4, 1, 3, 0)) {
        CHECK(is_text(&pair.array, 0, "a") && is_text(&pair.array, 1, ""));
        CHECK(is_text(&pair.array, 2,
                      "Gr\xC3\xB6\xC3\x9F"
                      "e") &&
              !valid(&pair.array, 3));
        const uint8_t *bytes = NULL;
        size_t size;
        CHECK_STATUS(DORA_OK, dora_event_bytes(event, 0, &bytes, &size));
        const int32_t *offsets = (const int32_t *)pair.array.buffers[1] + pair.array.offset;
        CHECK(bytes == (const uint8_t *)pair.array.buffers[2] + offsets[0]);
    }
    release(&pair);
}

static void walk_booleans(const dora_event_t *event) {
    struct pair pair;
    export_event(event, &pair);
    if (shaped(&pair.schema, &pair.array, "b", 3, 0, 2, 0))
        CHECK(bit(pair.array.buffers[1], pair.array.offset) &&
              !bit(pair.array.buffers[1], pair.array.offset + 1) &&
              bit(pair.array.buffers[1], pair.array.offset + 2));
    release(&pair);
}

static void walk_lists(const dora_event_t *event) {
    struct pair pair;
    export_event(event, &pair);
    if (shaped(&pair.schema, &pair.array, "+l", 3, 0, 2, 1) &&
        shaped(pair.schema.children[0], pair.array.children[0], "s", 3, 0, 2, 0)) {
        const int32_t *offsets = (const int32_t *)pair.array.buffers[1] + pair.array.offset;
        CHECK(offsets[1] - offsets[0] == 2 && offsets[2] == offsets[1] && offsets[3] - offsets[2] == 1);
        const struct ArrowArray *child = pair.array.children[0];
        const int16_t *values = (const int16_t *)child->buffers[1] + child->offset + offsets[0];
        CHECK(values[0] == 1 && values[1] == 2 && values[2] == 3);
    }
    release(&pair);
}

/* A child may be moved out of its parent, which is then released without it. */
static void walk_struct(const dora_event_t *event) {
    struct pair pair, child;
    export_event(event, &pair);
    if (!shaped(&pair.schema, &pair.array, "+s", 2, 0, 1, 2)) {
        release(&pair);
        return;
    }
    const int x = strcmp(pair.schema.children[0]->name, "x") == 0 ? 0 : 1;
    CHECK_TEXT("x", pair.schema.children[x]->name);
    CHECK_TEXT("name", pair.schema.children[1 - x]->name);
    const struct ArrowArray *names = pair.array.children[1 - x];
    if (shaped(pair.schema.children[1 - x], names, "u", 2, 0, 3, 0))
        CHECK(is_text(names, 0, "a") && is_text(names, 1, "bc"));
    child.schema = *pair.schema.children[x];
    child.array = *pair.array.children[x];
    pair.schema.children[x]->release = NULL;
    pair.array.children[x]->release = NULL;
    release(&pair);
    if (shaped(&child.schema, &child.array, "g", 2, 0, 2, 0)) {
        const double *values = (const double *)child.array.buffers[1] + child.array.offset;
        CHECK(values[0] == 1.5 && values[1] == 2.5);
    }
    CHECK_TEXT("x", child.schema.name);
    release(&child);
}

/* ---- Lives ---- */

static void *release_on_another_thread(void *argument) {
    struct pair *pair = (struct pair *)argument;
    pair->array.release(&pair->array);
    pair->schema.release(&pair->schema);
    return NULL;
}

int main(void) {
    dora_node_t *node = must_init();
    dora_event_t *numbers = next(node, "numbers");
    dora_event_t *event;
    struct pair pairs[4];
    for (int i = 0; i < 4; ++i) {
        export_event(numbers, &pairs[i]);
        is_numbers(&pairs[i].schema, &pairs[i].array);
        CHECK(pairs[i].array.buffers[0] == pairs[0].array.buffers[0]);
        CHECK(pairs[i].array.buffers[1] == pairs[0].array.buffers[1]);
    }
    const void *values = NULL;
    const uint8_t *validity = NULL;
    size_t bit_offset, length;
    CHECK_STATUS(DORA_OK, dora_event_values_nullable(numbers, DORA_TYPE_INT32, &values, &validity,
                                                     &bit_offset, &length));
    CHECK(values == (const int32_t *)pairs[0].array.buffers[1] + pairs[0].array.offset);

    walk_texts(event = next(node, "texts"));
    dora_event_free(event);
    walk_booleans(event = next(node, "bool"));
    dora_event_free(event);
    walk_lists(event = next(node, "lists"));
    dora_event_free(event);
    walk_struct(event = next(node, "struct"));
    dora_event_free(event);
    struct pair empty, tick;
    export_event(event = next(node, "empty"), &empty);
    dora_event_free(event);
    shaped(&empty.schema, &empty.array, "l", 0, 0, 2, 0);
    release(&empty);
    export_event(event = next(node, "tick"), &tick);
    dora_event_free(event);
    shaped(&tick.schema, &tick.array, "n", 0, 0, 0, 0);
    event = must_read(node);
    CHECK(dora_event_kind(event) == DORA_EVENT_STOP);
    dora_event_free(event);

    /* The two structures of a pair do not need each other, nor the event, nor the pair beside it. */
    release_schema(&pairs[1].schema);
    release_array(&pairs[0].array);
    release_schema(&pairs[0].schema);
    is_numbers(&pairs[2].schema, &pairs[1].array);
    dora_event_free(numbers);
    is_numbers(&pairs[2].schema, &pairs[1].array);
    release_array(&pairs[1].array);

    /* What was received goes out again, unchanged and without its event. */
    CHECK_STATUS(DORA_OK, dora_node_send_arrow(node, "again", &pairs[3].schema, &pairs[3].array, NULL));
    CHECK(pairs[3].schema.release == NULL && pairs[3].array.release == NULL);
    CHECK_STATUS(DORA_OK, dora_node_send_arrow(node, "again", &tick.schema, &tick.array, NULL));
    CHECK(tick.schema.release == NULL && tick.array.release == NULL);

    dora_node_free(node);
    is_numbers(&pairs[2].schema, &pairs[2].array);
    pthread_t thread;
    if (CHECK(pthread_create(&thread, NULL, release_on_another_thread, &pairs[2]) == 0)) {
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(pairs[2].schema.release == NULL && pairs[2].array.release == NULL);
    }
    CHECK_OUTPUTS("{\"id\":\"again\",\"data\":[1,null,3],\"data_type\":\"Int32\"}\n"
                  "{\"id\":\"again\",\"data\":[],\"data_type\":\"Null\"}\n");
    return check_result("export");
}
