// A dynamic node: started by hand beside a dataflow that runs, it tells what its inputs bring, how often, and
// how old that is when it comes.
//
//     dynamic-monitor [id]     which node of the dataflow to be, by default "monitor"
//
// What one sees when it runs: each second a line for each input,
//
//     filtered: 50 messages of 1 x 'g', 0.41 ms old, 0.87 at most
//     value: 50 messages of 1 x 'g', 0.25 ms old, 0.66 at most
//
// where 'g' is Arrow's word for float64.
//
//   every input   anything
#include <dora/dora.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

struct Stream {
    std::size_t messages = 0, length = 0;
    std::string format;
    Milliseconds ages{0}, oldest{0};
};

class Monitor {
  public:
    explicit Monitor(dora::Node &node) : node_(node) {
        for (const auto [id, source] : node.inputs())
            streams_.emplace(id, Stream());
    }

    void on_event(const dora::Event &event) {
        if (event.kind() == DORA_EVENT_ERROR)
            std::fprintf(stderr, "dynamic-monitor: %s\n", event.to_string().c_str());
        if (event.kind() != DORA_EVENT_INPUT)
            return;
        Stream &stream = streams_[std::string(event.input_id())];
        const Milliseconds age = node_.now() - event.timestamp().value();
        stream.messages += 1;
        stream.length = event.length();
        stream.format = event.data_format();
        stream.ages += age;
        stream.oldest = std::max(stream.oldest, age);
    }

    void show() {
        for (auto &[id, stream] : streams_) {
            if (stream.messages == 0)
                std::printf("%s: silent\n", id.c_str());
            else
                std::printf("%s: %zu messages of %zu x '%s', %.2f ms old, %.2f at most\n", id.c_str(),
                            stream.messages, stream.length, stream.format.c_str(),
                            (stream.ages / stream.messages).count(), stream.oldest.count());
            stream = Stream();
        }
    }

  private:
    dora::Node &node_;
    std::map<std::string, Stream> streams_;
};

} // namespace

int main(int argc, char **argv) try {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // each line at once, also into a pipe
    dora::NodeOptions options;
    options.node_id(argc > 1 ? argv[1] : "monitor").init_timeout(5s);
    dora::Node node(options);
    if (!node)
        throw std::runtime_error("the dataflow did not get ready in 5 s");

    Monitor monitor(node);
    Clock::time_point due = Clock::now() + 1s;
    for (;;) {
        const dora::ReadResult result = node.read(due - Clock::now());
        if (result.closed())
            return EXIT_SUCCESS;
        if (result)
            monitor.on_event(*result);
        if (Clock::now() >= due) {
            monitor.show();
            due += 1s;
        }
    }
} catch (const std::exception &error) {
    std::fprintf(stderr, "dynamic-monitor: %s\n", error.what());
    return EXIT_FAILURE;
}
