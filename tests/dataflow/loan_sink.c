/*
 * Reads what loan_source sends, answers each message, and reports of each where its values lie, whether it
 * has a validity bitmap, whether the values are right, and how much was allocated for it: all of malloc and
 * its like goes through here.
 */
#define _GNU_SOURCE
#include "support.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

/* The functions of glibc behind those that this program replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_size_t allocated;

void *malloc(size_t size) {
    allocated += size;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    allocated += count * size;
    return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
    allocated += size;
    return __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) {
    allocated += size;
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory || size == 0 ? 0 : ENOMEM;
}

/* Whether an address lies in memory that other processes map too. */
static int is_shared(const void *address) {
    char line[512];
    int found = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        unsigned long start, end;
        found = strstr(line, "/dev/shm/") && sscanf(line, "%lx-%lx", &start, &end) == 2 &&
                (uintptr_t)address >= start && (uintptr_t)address < end;
    }
    if (file)
        fclose(file);
    return found;
}

static size_t value_at(const void *values, int32_t type, size_t index) {
    switch (type) {
    case DORA_TYPE_UINT8:
        return ((const uint8_t *)values)[index];
    case DORA_TYPE_FLOAT32:
        return (size_t)((const float *)values)[index];
    default:
        return (size_t)((const double *)values)[index];
    }
}

static size_t expected(int32_t type, size_t index, size_t number) {
    size_t value = index * 7 + number;
    return type == DORA_TYPE_UINT8     ? (uint8_t)value
           : type == DORA_TYPE_FLOAT32 ? (uint16_t)value
                                       : (uint32_t)value;
}

/* Reports "message SIZE WHERE BITMAP VERDICT ALLOCATED". */
static void look_at(const dora_event_t *event, size_t number, size_t bytes_allocated) {
    const void *values;
    size_t length;
    struct ArrowSchema schema;
    struct ArrowArray array;
    int32_t type = dora_event_data_type(event);
    expect_ok("values", dora_event_values(event, type, &values, &length));
    expect_ok("arrow", dora_event_arrow(event, &schema, &array));
    int same = array.n_buffers == 2 && (length == 0 || array.buffers[1] == values) &&
               array.length == (int64_t)length;
    int bitmap = array.buffers[0] != NULL || array.null_count != 0;
    for (size_t i = 0; i < length; i++)
        same = same && value_at(values, type, i) == expected(type, i, number);
    report("message %zu %s %s %s %zu",
           length * (type == DORA_TYPE_UINT8     ? 1
                     : type == DORA_TYPE_FLOAT32 ? 4
                                                 : 8),
           is_shared(values) ? "shared" : "heap", bitmap ? "bitmap" : "none", same ? "intact" : "damaged",
           bytes_allocated);
    schema.release(&schema);
    array.release(&array);
}

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    size_t number = 0, before = allocated;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            look_at(event, number++, allocated - before);
            expect_ok("answer", dora_node_send_empty(node, "answer", NULL));
            before = allocated;
        }
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
