// dora's C++ interface: sends the bytes of a vector.
#include "../bench.h"
#include <dora-node-api.h>
#include <vector>

int main() {
    DoraNode node = init_dora_node();
    bench_source_t source = bench_source_begin();
    std::vector<std::uint8_t> message(source.size);
    while (bench_source_next(&source)) {
        bench_source_fill(&source, message.data(), bench_now());
        const rust::Slice<const std::uint8_t> bytes(message.data(), message.size());
        const DoraResult result = send_output(node.send_output, "data", bytes);
        if (!result.error.empty())
            bench_fail(std::string(result.error).c_str());
    }
    bench_source_end(&source);
}
