// dynamic_relay.c in C++, which passes on all texts; see there.
#include <dora/dora.hpp>

#include "support.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

// The dynamic node that DORA_TEST_NODE_ID names, where nothing else says what this program is.
dora::Node begin() {
    const std::int64_t start = clock_ns(CLOCK_MONOTONIC);
    dora::NodeOptions options;
    options.node_id(std::getenv("DORA_TEST_NODE_ID"));
    options.daemon_port(static_cast<std::uint16_t>(setting("DORA_TEST_DAEMON_PORT", 0)));
    dora::Node node(options);
    report("init DORA_OK");
    report("init_ms %.0f", ms_since(start));
    report("node set");
    return node;
}

void report_self(dora::Node &node) {
    report("self %s %s", node.id().data(), node.dataflow_id().data());
    for (const auto [id, source] : node.inputs())
        report("input %s %s", id.data(), source.data());
    for (const std::string_view output : node.outputs())
        report("output %s %d", output.data(), static_cast<int>(node.output_transport(output.data())));
}

void handle(dora::Node &node, const dora::Event &event) {
    std::string text(event.message());
    const bool is_text = event.data_type() == DORA_TYPE_TEXT;
    if (is_text)
        text = event.text();
    // Before it is sent: one that is killed reported all that it sent.
    report("event %s %s %s", dora_event_kind_name(event.kind()),
           event.input_id().empty() ? "-" : event.input_id().data(), text.empty() ? "-" : text.c_str());
    if (is_text)
        node.send("out", text, event.metadata());
}

} // namespace

int main() {
    try {
        dora::Node node = begin();
        report_self(node);
        for (dora::Event &event : node.events())
            handle(node, event);
        report("end DORA_CLOSED");
        free_node(node.release());
    } catch (const dora::Error &error) {
        report("init %s %s", error.status_name(), error.what());
        report("node NULL");
    }
}
