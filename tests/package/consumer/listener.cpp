// Hears the counts of the ticker until the dataflow ends, and writes down the last one if none was missing.
#include <dora/dora.hpp>

#include <cstdint>
#include <fstream>
#include <iostream>

int main() try {
    std::int64_t last = 0;
    dora::Node node;
    for (dora::Event &event : node.events())
        if (event.kind() == DORA_EVENT_INPUT)
            for (const std::int64_t count : event.values<std::int64_t>())
                if (count != ++last) {
                    std::cerr << "heard " << count << " instead of " << last << '\n';
                    return 1;
                }
    std::ofstream("heard.txt") << "ticker counted " << last << " ticks\n";
} catch (const dora::Error &error) {
    std::cerr << error.status_name() << ": " << error.what() << '\n';
    return 1;
}
