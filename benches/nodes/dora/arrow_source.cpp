// dora's C++ interface through the Arrow C Data Interface: lends the bytes of a vector for the call.
#include "../bench.h"
#include <dora-node-api.h>
#include <dora/arrow_abi.h>
#include <vector>

int main() {
    DoraNode node = init_dora_node();
    bench_source_t source = bench_source_begin();
    std::vector<std::uint8_t> message(source.size);
    while (bench_source_next(&source)) {
        bench_source_fill(&source, message.data(), bench_now());
        const void *buffers[] = {nullptr, message.data()};
        ArrowSchema schema{};
        schema.format = "C";
        schema.name = "";
        schema.release = [](ArrowSchema *self) { self->release = nullptr; };
        ArrowArray array{};
        array.length = static_cast<std::int64_t>(message.size());
        array.n_buffers = 2;
        array.buffers = buffers;
        array.release = [](ArrowArray *self) { self->release = nullptr; };
        const DoraResult result =
            send_arrow_output(node.send_output, "data", reinterpret_cast<std::uint8_t *>(&array),
                              reinterpret_cast<std::uint8_t *>(&schema));
        if (!result.error.empty())
            bench_fail(std::string(result.error).c_str());
    }
    bench_source_end(&source);
}
