// libdora in C++: reads bytes where they lie.
#include "../bench.h"
#include <dora/dora.hpp>

int main() try {
    dora::Node node;
    bench_sink_t sink = bench_sink_begin();
    for (const dora::Event &event : node.events()) {
        if (!bench_sink_event(&sink))
            break;
        if (event.kind() == DORA_EVENT_INPUT) {
            const auto bytes = event.values<std::uint8_t>();
            bench_sink_message(&sink, bytes.data(), bytes.size());
        }
    }
    bench_sink_end(&sink);
} catch (const dora::Error &error) {
    std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
    return 1;
}
