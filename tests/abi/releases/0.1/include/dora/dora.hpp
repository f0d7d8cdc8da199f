// libdora for C++17: a thin, move-only layer over dora.h
//
//     #include <cstdio>
//     #include <dora/dora.hpp>
//
//     int main() try {
//         dora::Node node;
//         for (dora::Event &event : node.events())
//             if (event.kind() == DORA_EVENT_INPUT)
//                 node.send("out", event.values<float>(), event.metadata());
//     } catch (const dora::Error &error) {
//         std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
//         return 1;
//     }
//
// The words are those of dora.h, and its documentation holds here: `event.input_id()` is
// `dora_event_input_id(event)`. What the layer adds:
//
// - Ownership. Node, NodeOptions, Event, Metadata, Stream, Bytes, ArrowSchema and ArrowArray own what they
//   hold, can be moved but not copied, and are empty when moved from. An empty one may be destroyed, assigned
//   to and asked `operator bool`; other calls behave as the C function does with NULL. Destructors do not
//   throw.
// - Views. Span, Bits, NullableValues, MetadataView, MetadataKeys, Strings, AffectedInputs, DeclaredInputs,
//   DeclaredOutputs and every std::string_view point into the object that gave them and must not outlive it.
//   A std::string_view that is not empty ends in a NUL, but for Bytes::text; where the C function returns
//   NULL, it is empty and its data() is a null pointer.
// - Errors. A failure throws dora::Error. An outcome that is no failure (closed, timeout, interrupted) is a
//   value: a read gives a ReadResult, a question about an extension an ExtensionResult, what sends or logs
//   returns false, and a node that was not ready in time is empty. So is what is not there: nothing for
//   MetadataView::find and next_dropped_key, an empty Event for Node::last_value.
// - Constants. Kinds, types, causes and levels stay the `int32_t` constants of dora.h (DORA_EVENT_INPUT ...):
//   a newer library may deliver values that this header does not name.
//
// It allocates nothing that the C call does not, but for the text of an Error, for each std::string that it
// returns, for the pointers to a list of texts in Metadata::set and for the callable of set_diagnostics.
// Functions without an object (dora_version_string ...) are called as they are. It needs C++17, is the same
// in every later version, does without RTTI, and defines no macro but the include guards.
//
// In C++20, <dora/coroutine.hpp> beside it lets coroutines await events.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_HPP
#define DORA_HPP

// __cplusplus of Microsoft's compiler stays at C++98 unless it is told otherwise.
#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "<dora/dora.hpp> needs C++17: compile with -std=c++17 or /std:c++17, in CMake with CXX_STANDARD 17"
#else // the compiler may go on, and would fail at every line

#include "cpp/arrow.hpp"
#include "cpp/bytes.hpp"
#include "cpp/declared.hpp"
#include "cpp/diagnostics.hpp"
#include "cpp/error.hpp"
#include "cpp/event.hpp"
#include "cpp/extension.hpp"
#include "cpp/loan.hpp"
#include "cpp/metadata.hpp"
#include "cpp/metadata_view.hpp"
#include "cpp/node.hpp"
#include "cpp/options.hpp"
#include "cpp/read.hpp"
#include "cpp/stream.hpp"
#include "cpp/time.hpp"
#include "cpp/views.hpp"
#include "cpp/visit.hpp"

#endif // C++17
#endif // DORA_HPP
