// dora's C++ interface: reads the bytes that it copies into a vector.
#include "../bench.h"
#include <dora-node-api.h>

int main() {
    DoraNode node = init_dora_node();
    bench_sink_t sink = bench_sink_begin();
    for (;;) {
        auto event = next_event(node.events);
        const DoraEventType type = event_type(event);
        if (type == DoraEventType::AllInputsClosed || !bench_sink_event(&sink))
            break;
        if (type == DoraEventType::Input) {
            const DoraInput input = event_as_input(std::move(event));
            bench_sink_message(&sink, input.data.data(), input.data.size());
        }
    }
    bench_sink_end(&sink);
}
