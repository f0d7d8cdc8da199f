/* libdora in C: reads bytes where they lie. */
#include "../bench.h"
#include <dora/dora.h>

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    const uint8_t *bytes;
    size_t size;
    bool goes_on = true;
    dora_status_t status = dora_node_init(&node);
    bench_sink_t sink = bench_sink_begin();
    while (status == DORA_OK && goes_on &&
           (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        goes_on = bench_sink_event(&sink);
        if (goes_on && dora_event_kind(event) == DORA_EVENT_INPUT &&
            (status = dora_event_uint8(event, &bytes, &size)) == DORA_OK)
            bench_sink_message(&sink, bytes, size);
        dora_event_free(event);
    }
    if (status < 0)
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    else
        bench_sink_end(&sink);
    dora_node_free(node);
    return status < 0;
}
