/* dora's C interface: reads bytes where they lie. */
#include "../bench.h"
#include <node_api.h>

int main(void) {
    void *context = init_dora_context_from_env();
    if (!context)
        bench_fail("no node");
    bench_sink_t sink = bench_sink_begin();
    bool goes_on = true;
    for (void *event; goes_on && (event = dora_next_event(context)) != NULL; free_dora_event(event)) {
        goes_on = bench_sink_event(&sink);
        if (goes_on && read_dora_event_type(event) == DoraEventType_Input) {
            char *bytes;
            size_t size;
            read_dora_input_data(event, &bytes, &size);
            bench_sink_message(&sink, bytes, size);
        }
    }
    bench_sink_end(&sink);
    free_dora_context(context);
    return 0;
}
