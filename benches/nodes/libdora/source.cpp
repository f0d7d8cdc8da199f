// libdora in C++: sends a vector.
#include "../bench.h"
#include <dora/dora.hpp>
#include <vector>

int main() try {
    dora::Node node;
    bench_source_t source = bench_source_begin();
    std::vector<std::uint8_t> message(source.size);
    while (bench_source_next(&source)) {
        bench_source_fill(&source, message.data(), bench_now());
        node.send("data", message);
    }
    bench_source_end(&source);
} catch (const dora::Error &error) {
    std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
    return 1;
}
