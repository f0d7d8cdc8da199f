// A node of a dataflow: dora_node_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_NODE_HPP
#define DORA_CPP_NODE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../dora.h"
#include "arrow.hpp"
#include "declared.hpp"
#include "error.hpp"
#include "event.hpp"
#include "metadata.hpp"
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

    /// Whether no further event will ever come.
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

/// A timeout for the C functions, where a negative number means for ever. Here it means a deadline that is
/// over, so it counts as 0; what does not fit is cut to the longest time, 292 years.
template <class Rep, class Period>
constexpr std::int64_t timeout_ns(const std::chrono::duration<Rep, Period> &timeout) {
    using std::chrono::nanoseconds;
    using Seconds = std::chrono::duration<double>;
    constexpr nanoseconds longest = (nanoseconds::max)();
    if (!(timeout > timeout.zero())) // so written that it holds for NaN as well
        return 0;
    // Rounding to double keeps order, so nothing that overflows the cast gets past this.
    if (Seconds(timeout) >= Seconds(longest))
        return longest.count();
    return std::chrono::duration_cast<nanoseconds>(timeout).count();
}

inline ReadResult read(dora_node_t *node, std::int64_t timeout_ns) {
    dora_event_t *event = nullptr;
    const dora_status_t status = read_dora_event(node, timeout_ns, &event);
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

/// A node of a dataflow. Owning. May be used from several threads at once, though only one may read at a
/// time; construction, moving and destruction belong to one thread.
class Node {
  public:
    /// Joins the dataflow that the environment names, as dora sets it for the nodes that it starts; or plays
    /// the script that DORA_TEST_WITH_INPUTS names. Throws Error, with what to do about it.
    Node() {
        dora_node_t *node = nullptr;
        detail::throw_on_failure(dora_node_init(&node));
        node_.reset(node);
    }

    /// Takes `node` over, which dora_node_init gave. NULL makes it empty.
    explicit Node(dora_node_t *node) noexcept : node_(node) {}

    /// Whether it holds a node.
    explicit operator bool() const noexcept { return node_ != nullptr; }

    /// The handle for C functions. Borrowed.
    dora_node_t *get() const noexcept { return node_.get(); }

    /// Hands the handle over to the caller, who is to free it, and is empty then.
    [[nodiscard]] dora_node_t *release() noexcept { return node_.release(); }

    /// Leaves the dataflow, if it is in one, and is empty then. Takes two seconds at most.
    void reset() noexcept { node_.reset(); }

    /// The id of the node in its dataflow. Borrowed from the node.
    std::string_view id() const noexcept { return detail::view_of(dora_node_id(get())); }

    /// The id of the running dataflow. Borrowed from the node.
    std::string_view dataflow_id() const noexcept { return detail::view_of(dora_node_dataflow_id(get())); }

    /// The configuration of this node as JSON. Borrowed from the node.
    std::string_view config_json() const noexcept { return detail::view_of(dora_node_config_json(get())); }

    /// The whole dataflow as JSON, with the `env` of every node and what may be secret there; empty where
    /// there is no dataflow. Borrowed from the node.
    std::string_view descriptor_json() const noexcept {
        return detail::view_of(dora_node_descriptor_json(get()));
    }

    /// The inputs that the dataflow declares: `for (auto [id, source] : node.inputs())`.
    DeclaredInputs inputs() const noexcept { return DeclaredInputs(get()); }

    /// The ids of the outputs that the dataflow declares: `for (std::string_view id : node.outputs())`.
    DeclaredOutputs outputs() const noexcept { return DeclaredOutputs(get()); }

    /// How often dora has started this node anew.
    std::uint32_t restart_count() const noexcept { return dora_node_restart_count(get()); }

    /// The size in bytes from which on messages travel in shared memory.
    std::uint64_t zero_copy_threshold() const noexcept { return dora_node_zero_copy_threshold(get()); }

    /// Waits for the next event, for ever. Throws Error: DORA_ERROR_BUSY while another thread reads.
    [[nodiscard]] ReadResult read() { return detail::read(get(), DORA_FOREVER); }

    /// Waits for the next event, at most `timeout`. With zero, or the negative rest of a deadline that is
    /// over, it returns at once. Throws Error: DORA_ERROR_BUSY while another thread reads.
    template <class Rep, class Period>
    [[nodiscard]] ReadResult read(std::chrono::duration<Rep, Period> timeout) {
        return detail::read(get(), detail::timeout_ns(timeout));
    }

    /// The events for a range-for, which waits for each. It ends when the node is closed or interrupted, and
    /// throws Error on failure.
    Events events() & { return Events(get()); }

    // About what comes, also while another thread reads, for which they do not wait.

    /// Whether read() would return at once: an event waits, or nothing will come any more. Throws Error.
    bool pending() const {
        bool pending = false;
        detail::throw_on_failure(dora_node_pending(get(), &pending));
        return pending;
    }

    /// How many messages `input` has lost because its queue was full. Throws Error:
    /// DORA_ERROR_UNKNOWN_INPUT with the declared ones.
    std::uint64_t dropped(CString input) const {
        std::uint64_t total = 0;
        detail::throw_on_failure(dora_node_dropped(get(), input.c_str(), &total));
        return total;
    }

    /// How many events that are no inputs were lost. Throws Error.
    std::uint64_t dropped() const { return dropped(nullptr); }

    /// A DORA_INPUT_*: whether `input` is open, as far as the events tell that were read. Throws Error:
    /// DORA_ERROR_UNKNOWN_INPUT with the declared ones.
    std::int32_t input_state(CString input) const {
        std::int32_t state = DORA_INPUT_UNKNOWN;
        detail::throw_on_failure(dora_node_input_state(get(), input.c_str(), &state));
        return state;
    }

    // Sending. Data is not kept by reference. `metadata` is borrowed for the call: that of an event, one's
    // own (Metadata), or none. Each throws Error: DORA_ERROR_UNKNOWN_OUTPUT with the declared ones,
    // DORA_ERROR_INVALID_ID and the others of dora.h.

    /// Sends a message without data, such as a timer tick is.
    void send(CString output, MetadataView metadata = {}) {
        detail::throw_on_failure(dora_node_send_empty(get(), output.c_str(), metadata.get()));
    }

    /// Sends a text: a literal, a std::string or a std::string_view.
    template <class Text>
    std::enable_if_t<detail::is_text<Text>> send(CString output, const Text &text,
                                                 MetadataView metadata = {}) {
        const detail::TextArgument argument = detail::text_argument(text);
        detail::throw_on_failure(
            dora_node_send_text(get(), output.c_str(), argument.data, argument.length, metadata.get()));
    }

    /// Sends the `length` values from `values` on as an array of their type (`float` is DORA_TYPE_FLOAT32);
    /// std::byte makes it bytes.
    template <class T>
    std::enable_if_t<detail::is_element<T>> send(CString output, const T *values, std::size_t length,
                                                 MetadataView metadata = {}) {
        if constexpr (std::is_same_v<T, std::byte>)
            send_bytes(output, values, length, metadata);
        else
            detail::throw_on_failure(dora_node_send_values(get(), output.c_str(), data_type_of<T>, values,
                                                           length, metadata.get()));
    }

    /// Sends the values of a C array, a std::vector, a std::array, a Span or a std::span. A std::vector<bool>
    /// is none of them, since it packs its values: take an array of bool.
    template <class Container, class T = std::remove_cv_t<typename detail::ElementOf<const Container>::Type>>
    std::enable_if_t<detail::is_element<T>> send(CString output, const Container &values,
                                                 MetadataView metadata = {}) {
        const Span<const T> span(values);
        send(output, span.data(), span.size(), metadata);
    }

    /// Sends the values in braces: `send("out", {1.0, 2.0})`.
    template <class T>
    std::enable_if_t<detail::is_element<T>> send(CString output, std::initializer_list<T> values,
                                                 MetadataView metadata = {}) {
        send(output, values.begin(), values.size(), metadata);
    }

    /// Sends an array of any type through the Arrow C Data Interface. Takes both parts over: they are empty
    /// afterwards, also when it throws.
    void send(CString output, ArrowSchema &&schema, ArrowArray &&array, MetadataView metadata = {}) {
        detail::throw_on_failure(
            dora_node_send_arrow(get(), output.c_str(), schema.get(), array.get(), metadata.get()));
    }

    /// The same for both in one.
    void send(CString output, ArrowData &&data, MetadataView metadata = {}) {
        send(output, std::move(data.schema), std::move(data.array), metadata);
    }

    /// Refuses everything else; compilers quote its line. One value goes in braces; `char`, and memory of
    /// other types, by send_bytes; ArrowData is to be moved. It comes last because of the ellipsis, and
    /// behind the first `send`, where there is no data, because it is a template.
    template <class = void>
    void send(CString, ...) = delete; // text, {1.0}, container of numbers, pointer + length; else send_bytes

    /// Sends `size` bytes of memory of any type. `bytes` may be null where there are none.
    void send_bytes(CString output, const void *bytes, std::size_t size, MetadataView metadata = {}) {
        detail::throw_on_failure(dora_node_send_bytes(get(), output.c_str(), bytes, size, metadata.get()));
    }

    /// Ends an output, for which its receivers get DORA_EVENT_INPUT_CLOSED; closed before is fine. Throws
    /// Error: DORA_ERROR_UNKNOWN_OUTPUT with the declared ones.
    void close_output(CString output) {
        detail::throw_on_failure(dora_node_close_output(get(), output.c_str()));
    }

    /// Ends all outputs. Throws Error.
    void close_outputs() { detail::throw_on_failure(dora_node_close_outputs(get())); }

    /// Writes a line to the log of the dataflow; `level` is a DORA_LOG_*. Throws Error.
    void log(std::int32_t level, CString message) {
        detail::throw_on_failure(dora_node_log(get(), level, message.c_str()));
    }

    /// The same with `fields` beside it, each value as a text.
    void log(std::int32_t level, CString message, MetadataView fields) {
        log(level, nullptr, message, fields);
    }

    /// The same with `target` too, the part of the program that speaks.
    void log(std::int32_t level, CString target, CString message, MetadataView fields = {}) {
        detail::throw_on_failure(
            dora_node_log_with(get(), level, target.c_str(), message.c_str(), fields.get()));
    }

  private:
    struct Free {
        void operator()(dora_node_t *node) const noexcept { dora_node_free(node); }
    };

    std::unique_ptr<dora_node_t, Free> node_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_NODE_HPP
