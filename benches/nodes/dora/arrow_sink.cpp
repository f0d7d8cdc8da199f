// dora's C++ interface through the Arrow C Data Interface: reads bytes where they lie.
#include "../bench.h"
#include <dora-node-api.h>
#include <dora/arrow_abi.h>

static void take(rust::Box<DoraEvent> event, bench_sink_t *sink) {
    ArrowArray array;
    ArrowSchema schema;
    const DoraResult result = event_as_arrow_input(std::move(event), reinterpret_cast<std::uint8_t *>(&array),
                                                   reinterpret_cast<std::uint8_t *>(&schema));
    if (!result.error.empty())
        bench_fail(std::string(result.error).c_str());
    const auto bytes = static_cast<const std::uint8_t *>(array.buffers[1]) + array.offset;
    bench_sink_message(sink, bytes, static_cast<std::size_t>(array.length));
    array.release(&array);
    schema.release(&schema);
}

int main() {
    DoraNode node = init_dora_node();
    bench_sink_t sink = bench_sink_begin();
    for (;;) {
        auto event = next_event(node.events);
        const DoraEventType type = event_type(event);
        if (type == DoraEventType::AllInputsClosed || !bench_sink_event(&sink))
            break;
        if (type == DoraEventType::Input)
            take(std::move(event), &sink);
    }
    bench_sink_end(&sink);
}
