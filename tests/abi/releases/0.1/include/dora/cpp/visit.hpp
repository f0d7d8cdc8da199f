// A handler for each kind of event. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_VISIT_HPP
#define DORA_CPP_VISIT_HPP

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "event.hpp"

namespace dora {
inline namespace v0 {

// What each kind carries, as views into the event. The fields are named as its accessors.

/// DORA_EVENT_INPUT. The data and its metadata are the event's.
struct Input {
    std::string_view input_id;
    const Event &event;
};

/// DORA_EVENT_INPUT_CLOSED
struct InputClosed {
    std::string_view input_id;
};

/// DORA_EVENT_STOP
struct Stop {
    std::int32_t stop_cause; ///< a DORA_STOP_*
};

/// DORA_EVENT_RELOAD
struct Reload {
    std::string_view operator_id; ///< empty for the whole node
};

/// DORA_EVENT_ERROR
struct ErrorEvent {
    std::string_view message;
};

/// DORA_EVENT_INPUT_RECOVERED
struct InputRecovered {
    std::string_view input_id;
};

/// DORA_EVENT_NODE_RESTARTED
struct NodeRestarted {
    std::string_view node_id;
};

/// DORA_EVENT_NODE_FAILED
struct NodeFailed {
    std::string_view node_id;
    std::string_view message;
    AffectedInputs affected_inputs;
};

/// DORA_EVENT_PARAM_UPDATE
struct ParamUpdate {
    std::string_view key;
    std::string_view value_json;
};

/// DORA_EVENT_PARAM_DELETED
struct ParamDeleted {
    std::string_view key;
};

namespace detail {

/// Calls the first handler that takes `argument`.
template <class Argument, class Handler, class... Others>
decltype(auto) call_first(const Argument &argument, Handler &handler, [[maybe_unused]] Others &...others) {
    if constexpr (std::is_invocable_v<Handler &, const Argument &>)
        return handler(argument);
    else
        return call_first(argument, others...);
}

/// Calls the handler for `view`, or where there is none the one for any event.
template <class View, class... Handlers>
decltype(auto) hand_over([[maybe_unused]] const Event &event, [[maybe_unused]] const View &view,
                         Handlers &...handlers) {
    if constexpr ((std::is_invocable_v<Handlers &, const View &> || ...))
        return call_first(view, handlers...);
    else
        return call_first(event, handlers...);
}

/// Whether `Handler` takes any of `Arguments`.
template <class Handler, class... Arguments>
inline constexpr bool takes_any = (std::is_invocable_v<Handler &, const Arguments &> || ...);

} // namespace detail

/// Calls the handler that takes what `event` carries, and returns what it returns:
///
///     dora::visit(event,
///         [&](const dora::Input &input) { node.send("out", input.event.values<float>()); },
///         [&](const dora::Stop &stop) { stopped = stop.stop_cause == DORA_STOP_MANUAL; },
///         [](const dora::Event &) {});
///
/// The first handler that fits is taken. A handler of `const dora::Event &` is required and gets every kind
/// that no other handler takes, with it DORA_EVENT_UNKNOWN and kinds newer than this header. All handlers
/// return the same type. Throws what the handlers throw.
template <class... Handlers> decltype(auto) visit(const Event &event, Handlers &&...handlers) {
    static_assert((std::is_invocable_v<Handlers &, const Event &> || ...),
                  "one handler must take `const dora::Event &`: a newer library may deliver further kinds");
    static_assert((detail::takes_any<Handlers, Event, Input, InputClosed, Stop, Reload, ErrorEvent,
                                     InputRecovered, NodeRestarted, NodeFailed, ParamUpdate, ParamDeleted> &&
                   ...),
                  "a handler takes no kind of event");
    switch (event.kind()) {
    case DORA_EVENT_INPUT:
        return detail::hand_over(event, Input{event.input_id(), event}, handlers...);
    case DORA_EVENT_INPUT_CLOSED:
        return detail::hand_over(event, InputClosed{event.input_id()}, handlers...);
    case DORA_EVENT_STOP:
        return detail::hand_over(event, Stop{event.stop_cause()}, handlers...);
    case DORA_EVENT_RELOAD:
        return detail::hand_over(event, Reload{event.operator_id()}, handlers...);
    case DORA_EVENT_ERROR:
        return detail::hand_over(event, ErrorEvent{event.message()}, handlers...);
    case DORA_EVENT_INPUT_RECOVERED:
        return detail::hand_over(event, InputRecovered{event.input_id()}, handlers...);
    case DORA_EVENT_NODE_RESTARTED:
        return detail::hand_over(event, NodeRestarted{event.node_id()}, handlers...);
    case DORA_EVENT_NODE_FAILED:
        return detail::hand_over(event, NodeFailed{event.node_id(), event.message(), event.affected_inputs()},
                                 handlers...);
    case DORA_EVENT_PARAM_UPDATE:
        return detail::hand_over(event, ParamUpdate{event.key(), event.value_json()}, handlers...);
    case DORA_EVENT_PARAM_DELETED:
        return detail::hand_over(event, ParamDeleted{event.key()}, handlers...);
    default:
        return detail::call_first(event, handlers...);
    }
}

} // namespace v0
} // namespace dora

#endif // DORA_CPP_VISIT_HPP
