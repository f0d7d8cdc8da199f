// A node for what is about waiting in vain.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_TESTS_IDLE_NODE_HPP
#define DORA_TESTS_IDLE_NODE_HPP

#include <chrono>

#include <dora/dora.hpp>

namespace check {

/// A node that gets the input "a" with the Int32 1, and nothing more for an hour.
///
/// While dora waits for the next event of a script it serves nothing, be it a send or the rest of an init. So
/// "a" comes when that should be done. An init that is later nevertheless ends by its own timeout, and
/// another is begun.
inline dora::Node idle_node(dora::NodeOptions &options) {
    options.test_inputs_json(R"({"id": "any", "events": [
        {"type": "Input", "id": "a", "time_offset_secs": 0.5, "data": [1], "data_type": "Int32"},
        {"type": "Stop", "time_offset_secs": 3600}]})");
    dora::Node node(nullptr);
    for (std::chrono::seconds limit(2); !node; ++limit)
        node = dora::Node(options.init_timeout(limit));
    return node;
}

} // namespace check

#endif // DORA_TESTS_IDLE_NODE_HPP
