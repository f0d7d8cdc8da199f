// A node of a dataflow: dora_node_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_NODE_HPP
#define DORA_CPP_NODE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../dora.h"
#include "arrow.hpp"
#include "declared.hpp"
#include "error.hpp"
#include "event.hpp"
#include "extension.hpp"
#include "loan.hpp"
#include "metadata_view.hpp"
#include "options.hpp"
#include "read.hpp"
#include "time.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

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

    /// The same with `options`, which it does not use up. When their init timeout is over, the node is empty,
    /// and `operator bool` false; without such a timeout it never is. Throws Error as Node() does, and
    /// DORA_ERROR_INVALID_ARGUMENT for options that do not fit together or come too late,
    /// DORA_ERROR_OUT_OF_MEMORY for shared memory that cannot be had.
    explicit Node(const NodeOptions &options) {
        dora_node_t *node = nullptr;
        detail::throw_on_failure(dora_node_init_with(options.get(), &node));
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

    /// The size in bytes of the shared memory from which the node sends, 0 where there is none.
    std::uint64_t pool_size() const noexcept { return dora_node_pool_size(get()); }

    /// The time of the dataflow, kept behind every message that was read: subtract Event::timestamp() for how
    /// long that has been on its way. `(Timestamp::min)()` when there is no node.
    Timestamp now() const noexcept { return Timestamp(std::chrono::nanoseconds(dora_node_now_ns(get()))); }

    /// Whether this is the first time that `subject` is asked about, for what is to be said once.
    bool once(CString subject) const noexcept { return dora_node_once(get(), subject.c_str()); }

    /// A DORA_TRANSPORT_*: which way the messages of `output` take. Throws Error: DORA_ERROR_UNKNOWN_OUTPUT
    /// with the declared ones.
    std::int32_t output_transport(CString output) const {
        std::int32_t transport = DORA_TRANSPORT_UNKNOWN;
        detail::throw_on_failure(dora_node_output_transport(get(), output.c_str(), &transport));
        return transport;
    }

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

    /// Waits for the answer to a request or for the result of a goal, by the `id` that
    /// Metadata::start_request or start_goal gave, and leaves everything else to the reads that follow.
    /// Throws Error: DORA_ERROR_BUSY while another thread reads.
    [[nodiscard]] ReadResult read_reply(CString id) {
        return detail::read_reply(get(), id, nullptr, DORA_FOREVER);
    }

    /// The same, at most `timeout`, which counts as in read().
    template <class Rep, class Period>
    [[nodiscard]] ReadResult read_reply(CString id, std::chrono::duration<Rep, Period> timeout) {
        return detail::read_reply(get(), id, nullptr, detail::timeout_ns(timeout));
    }

    /// The same from the node `server`, whose restart ends the wait: it throws Error,
    /// DORA_ERROR_SERVER_RESTARTED, and the request is to be sent anew. A null pointer is for any.
    [[nodiscard]] ReadResult read_reply(CString id, CString server) {
        return detail::read_reply(get(), id, server, DORA_FOREVER);
    }

    /// The same, at most `timeout`.
    template <class Rep, class Period>
    [[nodiscard]] ReadResult read_reply(CString id, CString server,
                                        std::chrono::duration<Rep, Period> timeout) {
        return detail::read_reply(get(), id, server, detail::timeout_ns(timeout));
    }

    // About what comes, also while another thread reads, for which they do not wait.

    /// A descriptor for event loops, readable when read() would not time out: then read with timeout 0 until
    /// the result timed_out() or is closed(). It belongs to the node; see dora_node_event_fd. Throws Error:
    /// DORA_ERROR_IO where the system has none left.
    int event_fd() const {
        std::int32_t fd = -1;
        detail::throw_on_failure(dora_node_event_fd(get(), &fd));
        return fd;
    }

    /// Has the read in progress, or the next one, return with interrupted(). Async-signal-safe: a handler may
    /// call it on a node that it reaches by a pointer.
    void interrupt() const noexcept { dora_node_interrupt(get()); }

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

    /// The last message of `input` once more, where the options keep it; empty while none was read. Throws
    /// Error: DORA_ERROR_UNKNOWN_INPUT with the declared ones, DORA_ERROR_UNSUPPORTED where they do not.
    Event last_value(CString input) const {
        dora_event_t *event = nullptr;
        const dora_status_t status = dora_node_last_value(get(), input.c_str(), &event);
        if (status != DORA_ERROR_NOT_FOUND)
            detail::throw_on_failure(status);
        return Event(event);
    }

    // Sending. Data is not kept by reference. `metadata` is borrowed for the call: that of an event, one's
    // own (Metadata), or none. Each returns whether it was done: false when the send timeout of the options
    // was over, or the wait interrupted, after which the message may still arrive, and without such a timeout
    // never. Each throws
    // Error: DORA_ERROR_UNKNOWN_OUTPUT with the declared ones, DORA_ERROR_INVALID_ID and the others of
    // dora.h.

    /// Sends a message without data, such as a timer tick is.
    bool send(CString output, MetadataView metadata = {}) {
        return detail::done(dora_node_send_empty(get(), output.c_str(), metadata.get()));
    }

    /// Sends a text: a literal, a std::string or a std::string_view.
    template <class Text>
    std::enable_if_t<detail::is_text<Text>, bool> send(CString output, const Text &text,
                                                       MetadataView metadata = {}) {
        const detail::TextArgument argument = detail::text_argument(text);
        return detail::done(
            dora_node_send_text(get(), output.c_str(), argument.data, argument.length, metadata.get()));
    }

    /// Sends the `length` values from `values` on as an array of their type (`float` is DORA_TYPE_FLOAT32);
    /// std::byte makes it bytes.
    template <class T>
    std::enable_if_t<detail::is_element<T>, bool> send(CString output, const T *values, std::size_t length,
                                                       MetadataView metadata = {}) {
        if constexpr (std::is_same_v<T, std::byte>)
            return send_bytes(output, values, length, metadata);
        else
            return detail::done(dora_node_send_values(get(), output.c_str(), data_type_of<T>, values, length,
                                                      metadata.get()));
    }

    /// Sends the values of a C array, a std::vector, a std::array, a Span or a std::span. A std::vector<bool>
    /// is none of them, since it packs its values: take an array of bool.
    template <class Container, class T = std::remove_cv_t<typename detail::ElementOf<const Container>::Type>>
    std::enable_if_t<detail::is_element<T>, bool> send(CString output, const Container &values,
                                                       MetadataView metadata = {}) {
        const Span<const T> span(values);
        return send(output, span.data(), span.size(), metadata);
    }

    /// Sends the values in braces: `send("out", {1.0, 2.0})`.
    template <class T>
    std::enable_if_t<detail::is_element<T>, bool> send(CString output, std::initializer_list<T> values,
                                                       MetadataView metadata = {}) {
        return send(output, values.begin(), values.size(), metadata);
    }

    /// Sends an array of any type through the Arrow C Data Interface. Takes both parts over: they are empty
    /// afterwards, also when it throws or returns false.
    bool send(CString output, ArrowSchema &&schema, ArrowArray &&array, MetadataView metadata = {}) {
        return detail::done(
            dora_node_send_arrow(get(), output.c_str(), schema.get(), array.get(), metadata.get()));
    }

    /// The same for both in one.
    bool send(CString output, ArrowData &&data, MetadataView metadata = {}) {
        return send(output, std::move(data.schema), std::move(data.array), metadata);
    }

    /// Lends memory for a message of `length` values on an output, to be filled and sent. Waits for nothing.
    /// Throws Error: DORA_ERROR_TOO_LARGE, DORA_ERROR_UNKNOWN_OUTPUT with the declared ones.
    template <class T> [[nodiscard]] Loan<T> loan(CString output, std::size_t length) {
        static_assert(detail::is_element<T> && !std::is_same_v<T, bool>,
                      "a loan is of integers of 8 to 64 bits, Float16, float, double or std::byte");
        constexpr bool is_byte = std::is_same_v<T, std::byte>;
        constexpr std::int32_t type = is_byte ? DORA_TYPE_UINT8 : data_type_of<T>;
        dora_loan_t *loan = nullptr;
        detail::throw_on_failure(dora_node_loan(get(), output.c_str(), type, length, &loan));
        return Loan<T>(loan);
    }

    /// Sends a loan on its output. It is empty afterwards, also when this throws or returns false.
    template <class T> bool send(Loan<T> &&loan, MetadataView metadata = {}) {
        dora_loan_t *taken = loan.release();
        return detail::done(dora_node_send_loan(get(), &taken, metadata.get()));
    }

    /// Refuses everything else; compilers quote its line. One value goes in braces; `char`, and memory of
    /// other types, by send_bytes; ArrowData is to be moved. It comes last because of the ellipsis, and
    /// behind the first `send`, where there is no data, because it is a template.
    template <class = void>
    bool send(CString, ...) = delete; // text, {1.0}, container of numbers, pointer + length; else send_bytes

    /// Sends `size` bytes of memory of any type. `bytes` may be null where there are none.
    bool send_bytes(CString output, const void *bytes, std::size_t size, MetadataView metadata = {}) {
        return detail::done(dora_node_send_bytes(get(), output.c_str(), bytes, size, metadata.get()));
    }

    // What waits for sends too, and returns false and throws as they do.

    /// Ends an output, for which its receivers get DORA_EVENT_INPUT_CLOSED; closed before is fine.
    bool close_output(CString output) { return detail::done(dora_node_close_output(get(), output.c_str())); }

    /// Ends all outputs.
    bool close_outputs() { return detail::done(dora_node_close_outputs(get())); }

    /// Writes a line to the log of the dataflow; `level` is a DORA_LOG_*.
    bool log(std::int32_t level, CString message) {
        return detail::done(dora_node_log(get(), level, message.c_str()));
    }

    /// The same with `fields` beside it, each value as a text.
    bool log(std::int32_t level, CString message, MetadataView fields) {
        return log(level, nullptr, message, fields);
    }

    /// The same with `target` too, the part of the program that speaks.
    bool log(std::int32_t level, CString target, CString message, MetadataView fields = {}) {
        return detail::done(dora_node_log_with(get(), level, target.c_str(), message.c_str(), fields.get()));
    }

    // Extensions: bytes that the daemon keeps for the nodes of a dataflow, each value under a namespace and a
    // key. Each throws Error: DORA_ERROR_UNSUPPORTED where the node runs without a daemon.

    /// Stores the `size` bytes from `value` on, in the place of what was there.
    bool extension_store(CString ns, CString key, const void *value, std::size_t size) {
        return detail::done(dora_node_extension_store(get(), ns.c_str(), key.c_str(), value, size));
    }

    /// The same for the memory of an array or a container that could be sent, or of a text without its NUL.
    template <class Data>
    std::enable_if_t<detail::has_bytes<Data>, bool> extension_store(CString ns, CString key,
                                                                    const Data &value) {
        const detail::BytesArgument bytes = detail::bytes_argument(value);
        return extension_store(ns, key, bytes.data, bytes.size);
    }

    /// Ends a value, which next_dropped_key() tells to who stored or loaded it; not to be there is fine.
    bool extension_drop(CString ns, CString key) {
        return detail::done(dora_node_extension_drop(get(), ns.c_str(), key.c_str()));
    }

    /// Loads a value. That there is none, or that the send timeout of the options was over, is an outcome.
    [[nodiscard]] ExtensionResult extension_load(CString ns, CString key) {
        return detail::extension_load(get(), ns, key, false);
    }

    /// Loads a value and takes it out of the table, at one.
    [[nodiscard]] ExtensionResult extension_take(CString ns, CString key) {
        return detail::extension_load(get(), ns, key, true);
    }

    /// Asks the extension that the daemon has for a namespace, with the `size` bytes from `payload` on, and
    /// waits for its answer. That it has none is an Error, DORA_ERROR_NOT_FOUND.
    [[nodiscard]] ExtensionResult extension_request(CString ns, const void *payload, std::size_t size) {
        return detail::extension_request(get(), ns, {payload, size});
    }

    /// The same with the memory of an array or a container that could be sent, or of a text without its NUL.
    template <class Data>
    [[nodiscard]] std::enable_if_t<detail::has_bytes<Data>, ExtensionResult>
    extension_request(CString ns, const Data &payload) {
        return detail::extension_request(get(), ns, detail::bytes_argument(payload));
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
