/* libdora in C: reads from many inputs, all the metadata, a struct of many columns, or what has piled up. */
#include "growth.h"

static int64_t read_keys(const dora_event_t *event, int64_t keys) {
    char name[GROWTH_NAME];
    int64_t value, sum = 0;
    for (int64_t i = 0; i < keys; i++) {
        growth_name(name, "key", i);
        growth_check(dora_metadata_get_integer(dora_event_metadata(event), name, &value));
        sum += value;
    }
    return sum;
}

static void read_columns(bench_sink_t *sink, const dora_event_t *event) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    growth_check(dora_event_arrow(event, &schema, &array));
    const struct ArrowArray *first = array.children[0];
    bench_sink_message(sink, (const float *)first->buffers[1] + first->offset, sizeof(int64_t));
    schema.release(&schema);
    array.release(&array);
}

static void read_bytes(bench_sink_t *sink, const dora_event_t *event) {
    const uint8_t *bytes;
    size_t size;
    growth_check(dora_event_uint8(event, &bytes, &size));
    bench_sink_message(sink, bytes, size);
}

/* Lets messages pile up, reads them, and reports what the processor spent on each. */
static void read_pile(dora_node_t *node, int64_t waiting, int64_t patience_ns) {
    dora_event_t *event;
    int64_t count = 0;
    struct timespec patience = {(time_t)(patience_ns / 1000000000), (long)(patience_ns % 1000000000)};
    growth_check(read_dora_event(node, DORA_FOREVER, &event));
    dora_event_free(event);
    nanosleep(&patience, NULL);
    int64_t cpu = bench_cpu(), time = bench_now();
    while (count < waiting && read_dora_event(node, 0, &event) == DORA_OK) {
        count += dora_event_kind(event) == DORA_EVENT_INPUT;
        dora_event_free(event);
    }
    cpu = bench_cpu() - cpu;
    time = bench_now() - time;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK)
        dora_event_free(event);
    FILE *report = bench_open_report();
    fprintf(report, "received %lld\ntorn 0\nwindow_ns %lld\ncpu_ns %lld\n", (long long)count, (long long)time,
            (long long)cpu);
    fclose(report);
}

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    growth_t growth = growth_settings();
    growth_check(dora_node_init(&node));
    if (growth.waiting > 0) {
        read_pile(node, growth.waiting, bench_setting("BENCH_PATIENCE_NS", 0));
        dora_node_free(node);
        return 0;
    }
    bench_sink_t sink = bench_sink_begin();
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        bench_sink_event(&sink);
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            read_keys(event, growth.keys);
            if (growth.children > 0)
                read_columns(&sink, event);
            else
                read_bytes(&sink, event);
        }
        dora_event_free(event);
    }
    bench_sink_end(&sink);
    dora_node_free(node);
    return 0;
}
