// The C++ side of the node: what the bridge in main.rs declares.
#pragma once

#include <dora/dora.hpp>
#include <rust/cxx.h>

#include <cstdint>

namespace cxx_node {

/// The name of the kind, and behind it the id of the input where there is one.
rust::String describe(const dora_event_t &event);

/// Whether the event is the first of its input.
bool is_first(const dora_event_t &event);

/// The sum of the bytes of an input, 0 for every other event; written into the metadata as "sum" besides,
/// which has to have the same as "expected".
std::uint64_t sum(const dora_event_t &event, dora_metadata_t &metadata);

/// Takes an event over, and keeps its data as an Arrow array, behind the end of the event.
void keep(dora_event_t *event);

/// The sum of the bytes of all that was kept, which is let go.
std::uint64_t let_go();

} // namespace cxx_node
