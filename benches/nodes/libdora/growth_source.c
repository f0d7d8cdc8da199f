/* libdora in C: sends on many outputs in turn, with much metadata, or a struct of many columns. */
#include "growth.h"

static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void release_array(struct ArrowArray *array) { array->release = NULL; }

/* A struct of columns of numbers, the first of which has the time in front; the columns are the caller's. */
typedef struct {
    int64_t count;
    struct ArrowSchema *schemas, **schema_pointers;
    struct ArrowArray *arrays, **array_pointers;
    const void **buffers;
    char (*names)[GROWTH_NAME];
    float (*values)[GROWTH_CHILD];
} columns_t;

static columns_t make_columns(int64_t count) {
    size_t n = (size_t)count;
    columns_t columns = {count,
                         bench_allocate(n * sizeof(struct ArrowSchema)),
                         bench_allocate(n * sizeof(struct ArrowSchema *)),
                         bench_allocate(n * sizeof(struct ArrowArray)),
                         bench_allocate(n * sizeof(struct ArrowArray *)),
                         bench_allocate(n * 2 * sizeof(void *)),
                         bench_allocate(n * GROWTH_NAME),
                         bench_allocate(n * GROWTH_CHILD * sizeof(float))};
    memset(columns.values, 0, n * GROWTH_CHILD * sizeof(float));
    return columns;
}

static dora_status_t send_columns(dora_node_t *node, const char *output, columns_t *columns, int64_t begin) {
    static const void *no_validity[1];
    memcpy(columns->values, &begin, sizeof begin);
    for (int64_t i = 0; i < columns->count; i++) {
        growth_name(columns->names[i], "column", i);
        columns->schemas[i] =
            (struct ArrowSchema){.format = "f", .name = columns->names[i], .release = release_schema};
        columns->buffers[2 * i] = NULL;
        columns->buffers[2 * i + 1] = columns->values[i];
        columns->arrays[i] = (struct ArrowArray){.length = GROWTH_CHILD,
                                                 .n_buffers = 2,
                                                 .buffers = &columns->buffers[2 * i],
                                                 .release = release_array};
        columns->schema_pointers[i] = &columns->schemas[i];
        columns->array_pointers[i] = &columns->arrays[i];
    }
    struct ArrowSchema schema = {.format = "+s",
                                 .name = "",
                                 .n_children = columns->count,
                                 .children = columns->schema_pointers,
                                 .release = release_schema};
    struct ArrowArray array = {.length = GROWTH_CHILD,
                               .n_buffers = 1,
                               .n_children = columns->count,
                               .buffers = no_validity,
                               .children = columns->array_pointers,
                               .release = release_array};
    return dora_node_send_arrow(node, output, &schema, &array, NULL);
}

int main(void) {
    dora_node_t *node;
    dora_metadata_t *metadata;
    char name[GROWTH_NAME];
    growth_t growth = growth_settings();
    growth_check(dora_node_init(&node));
    growth_check(dora_metadata_new(&metadata));
    for (int64_t i = 0; i < growth.keys; i++) {
        growth_name(name, "key", i);
        growth_check(dora_metadata_set_integer(metadata, name, i));
    }
    columns_t columns = make_columns(growth.children);
    bench_source_t source = bench_source_begin();
    void *message = bench_allocate(source.size);
    while (bench_source_next(&source)) {
        growth_name(name, "data", (int64_t)(source.number % (uint64_t)growth.inputs));
        if (growth.children > 0) {
            growth_check(send_columns(node, name, &columns, bench_now()));
        } else {
            bench_source_fill(&source, message, bench_now());
            growth_check(dora_node_send_bytes(node, name, message, source.size, metadata));
        }
    }
    bench_source_end(&source);
    dora_metadata_free(metadata);
    dora_node_free(node);
    return 0;
}
