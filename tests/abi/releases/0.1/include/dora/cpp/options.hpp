// How a node is to be set up: dora_node_options_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_OPTIONS_HPP
#define DORA_CPP_OPTIONS_HPP

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>

#include "../dora.h"
#include "error.hpp"
#include "time.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// How a node is to be set up, where Node() is not enough. Owning; for one thread at a time.
///
///     dora::NodeOptions options;
///     options.node_id("viewer").init_timeout(5s);
///     dora::Node node(options);
///     if (!node)
///         return retry_later();
///
/// A node does not use its options up, and later changes do not reach it. Each setter returns the object
/// itself, and throws Error.
class NodeOptions {
  public:
    /// All at their defaults, with which Node(options) does what Node() does. Throws Error.
    NodeOptions() {
        dora_node_options_t *options = nullptr;
        detail::throw_on_failure(dora_node_options_new(&options));
        options_.reset(options);
    }

    /// Takes `options` over, which dora_node_options_new gave. NULL makes it empty.
    explicit NodeOptions(dora_node_options_t *options) noexcept : options_(options) {}

    /// Whether it holds options.
    explicit operator bool() const noexcept { return options_ != nullptr; }

    /// The handle for C functions. Borrowed.
    dora_node_options_t *get() const noexcept { return options_.get(); }

    /// Hands the handle over to the caller, who is to free it, and is empty then.
    [[nodiscard]] dora_node_options_t *release() noexcept { return options_.release(); }

    /// Frees the options, if there are some, and is empty then.
    void reset() noexcept { options_.reset(); }

    /// Names the node, for a program that dora does not start: a dynamic node. A null pointer takes it back.
    /// DORA_ERROR_INVALID_ID, DORA_ERROR_INVALID_UTF8.
    NodeOptions &node_id(CString id) { return checked(dora_node_options_set_node_id(get(), id.c_str())); }

    /// Where the daemon listens for dynamic nodes, on this machine; 0 means the default.
    NodeOptions &daemon_port(std::uint16_t port) {
        return checked(dora_node_options_set_daemon_port(get(), port));
    }

    /// Whether the node may ask a terminal for its inputs, where dora did not start it.
    NodeOptions &interactive(bool interactive = true) {
        return checked(dora_node_options_set_interactive(get(), interactive ? 1 : 0));
    }

    /// Limits how long Node(options) waits for the daemon and the other nodes; after that the node is empty.
    /// By default there is no limit. A time that is zero or less, such as the rest of a deadline that is
    /// over, is no limit that a call could keep: DORA_ERROR_INVALID_ARGUMENT.
    template <class Rep, class Period> NodeOptions &init_timeout(std::chrono::duration<Rep, Period> timeout) {
        return checked(dora_node_options_set_init_timeout_ns(get(), detail::timeout_ns(timeout)));
    }

    /// Limits how long every send, close_output(), close_outputs(), log() and call about an extension waits;
    /// after that it returns false, or a result that timed_out(). By default there is no limit. What had
    /// begun by then goes on, so the message may still arrive. DORA_ERROR_INVALID_ARGUMENT as with
    /// init_timeout().
    template <class Rep, class Period> NodeOptions &send_timeout(std::chrono::duration<Rep, Period> timeout) {
        return checked(dora_node_options_set_send_timeout_ns(get(), detail::timeout_ns(timeout)));
    }

    /// The bytes of shared memory from which the node sends; 0 does without. The memory is locked: see
    /// dora_node_options_set_pool_size for its limits. DORA_ERROR_INVALID_ARGUMENT where it is beyond any
    /// memory.
    NodeOptions &pool_size(std::uint64_t bytes) {
        return checked(dora_node_options_set_pool_size(get(), bytes));
    }

    /// From which size in bytes on messages travel in shared memory. It counts for the whole process, and
    /// cannot change once that has had a node. DORA_ERROR_INVALID_ARGUMENT where it is beyond any memory.
    NodeOptions &zero_copy_threshold(std::uint64_t bytes) {
        return checked(dora_node_options_set_zero_copy_threshold(get(), bytes));
    }

    /// Whether the node keeps the last message of each input, for Node::last_value.
    NodeOptions &keep_last_values(bool keep = true) {
        return checked(dora_node_options_set_keep_last_values(get(), keep ? 1 : 0));
    }

    /// Whether the node wants the fast lane, by which messages between nodes of this library on one machine
    /// travel through shared memory of their own, past dora's data plane. It goes before DORA_FAST_LANE in
    /// the environment. Both ends need it, and consumers that join while the dataflow runs are not noticed:
    /// see dora_node_options_set_fast_lane.
    NodeOptions &fast_lane(bool on = true) {
        return checked(dora_node_options_set_fast_lane(get(), on ? 1 : 0));
    }

    /// The scheduling policy of dora's threads, one of <sched.h>, and its priority. Those of the whole
    /// process have what its first node asks for. DORA_ERROR_INVALID_ARGUMENT for what the system does not
    /// have; Node throws DORA_ERROR_INIT where the process may not use it.
    NodeOptions &thread_policy(std::int32_t policy, std::int32_t priority = 0) {
        return checked(dora_node_options_set_thread_policy(get(), policy, priority));
    }

    /// The CPUs on which dora's threads run, by number; none for those that the process was started on.
    /// DORA_ERROR_INVALID_ARGUMENT for what is no CPU; Node throws DORA_ERROR_INIT where none of them is
    /// there.
    NodeOptions &thread_cpus(Span<const std::int32_t> cpus) {
        return checked(dora_node_options_set_thread_cpus(get(), cpus.data(), cpus.size()));
    }

    /// The same by their numbers in braces: `thread_cpus({2, 3})`.
    NodeOptions &thread_cpus(std::initializer_list<std::int32_t> cpus) {
        return checked(dora_node_options_set_thread_cpus(get(), cpus.begin(), cpus.size()));
    }

    /// Runs the node alone, on the inputs that the file `path` scripts: see dora_node_init. A null pointer
    /// takes it back. DORA_ERROR_INVALID_UTF8.
    NodeOptions &test_inputs(CString path) {
        return checked(dora_node_options_set_test_inputs(get(), path.c_str()));
    }

    /// The same with the script itself, a literal, a std::string or a std::string_view.
    /// DORA_ERROR_INVALID_ARGUMENT where it is none, with the place; DORA_ERROR_INVALID_UTF8.
    template <class Text>
    std::enable_if_t<detail::is_text<Text>, NodeOptions &> test_inputs_json(const Text &json) {
        const detail::TextArgument text = detail::text_argument(json);
        return checked(dora_node_options_set_test_inputs_json(get(), text.data, text.length));
    }

    /// The file to which a node on scripted inputs of these options writes what it sends. A null pointer
    /// takes it back. DORA_ERROR_INVALID_UTF8.
    NodeOptions &test_outputs(CString path) {
        return checked(dora_node_options_set_test_outputs(get(), path.c_str()));
    }

  private:
    struct Free {
        void operator()(dora_node_options_t *options) const noexcept { dora_node_options_free(options); }
    };

    NodeOptions &checked(dora_status_t status) {
        detail::throw_on_failure(status);
        return *this;
    }

    std::unique_ptr<dora_node_options_t, Free> options_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_OPTIONS_HPP
