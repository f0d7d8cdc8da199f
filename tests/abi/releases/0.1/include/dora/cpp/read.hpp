// What a read gives: an event or an outcome, and the events as a range. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_READ_HPP
#define DORA_CPP_READ_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "../dora.h"
#include "error.hpp"
#include "event.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// What a read ended with: an event, or one of the outcomes that are no failure. Owns the event.
///
///     if (dora::ReadResult result = node.read(100ms))
///         handle(*result);
///     else if (result.timed_out())
///         idle();
class ReadResult {
  public:
    /// `status`, which is no failure, and the event that came with DORA_OK.
    ReadResult(dora_status_t status, Event event) noexcept : status_(status), event_(std::move(event)) {}

    /// DORA_OK with an event, else DORA_CLOSED, DORA_TIMEOUT, DORA_INTERRUPTED or what a newer library adds.
    dora_status_t status() const noexcept { return status_; }

    /// Whether there is an event.
    explicit operator bool() const noexcept { return static_cast<bool>(event_); }

    /// Whether no further event will ever come; of read_reply(), whether no answer will.
    bool closed() const noexcept { return status_ == DORA_CLOSED; }

    /// Whether the time was over before an event came.
    bool timed_out() const noexcept { return status_ == DORA_TIMEOUT; }

    /// Whether the program itself interrupted the wait.
    bool interrupted() const noexcept { return status_ == DORA_INTERRUPTED; }

    /// The event; the empty one where there is none.
    Event &operator*() noexcept { return event_; }
    const Event &operator*() const noexcept { return event_; }
    Event *operator->() noexcept { return &event_; }
    const Event *operator->() const noexcept { return &event_; }

  private:
    dora_status_t status_;
    Event event_;
};

namespace detail {

inline ReadResult read(dora_node_t *node, std::int64_t timeout_ns) {
    dora_event_t *event = nullptr;
    const dora_status_t status = read_dora_event(node, timeout_ns, &event);
    throw_on_failure(status);
    return {status, Event(event)};
}

inline ReadResult read_reply(dora_node_t *node, CString id, CString server, std::int64_t timeout_ns) {
    dora_event_t *event = nullptr;
    const dora_status_t status = dora_node_read_reply(node, id.c_str(), server.c_str(), timeout_ns, &event);
    throw_on_failure(status);
    return {status, Event(event)};
}

} // namespace detail

/// The events of a node as an input range, for one pass. Borrowed from the node, which may move meanwhile.
///
/// It holds one event at a time and frees it before it waits for the next, unless the loop moved it away.
class Events {
  public:
    class iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Event;
        using difference_type = std::ptrdiff_t;
        using pointer = Event *;
        using reference = Event &;

        iterator() noexcept = default;
        explicit iterator(Events *events) : events_(events) { ++*this; }

        Event &operator*() const noexcept { return events_->event_; }
        Event *operator->() const noexcept { return &events_->event_; }
        iterator &operator++() {
            if (!events_->next())
                events_ = nullptr;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator a, iterator b) noexcept { return a.events_ == b.events_; }
        friend bool operator!=(iterator a, iterator b) noexcept { return a.events_ != b.events_; }

      private:
        Events *events_ = nullptr;
    };

    explicit Events(dora_node_t *node) noexcept : node_(node) {}
    Events(const Events &) = delete; // its iterators point to it
    Events &operator=(const Events &) = delete;

    /// Waits for the first event. Throws Error.
    iterator begin() { return iterator(this); }
    iterator end() noexcept { return {}; }

  private:
    bool next() {
        event_.reset();
        event_ = std::move(*detail::read(node_, DORA_FOREVER));
        return static_cast<bool>(event_);
    }

    dora_node_t *node_;
    Event event_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_READ_HPP
