// What the library says of its own work: dora_diagnostics_set. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_DIAGNOSTICS_HPP
#define DORA_CPP_DIAGNOSTICS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../dora.h"
#include "error.hpp"

namespace dora {
inline namespace v0 {
namespace detail {

/// A callable to which diagnostics go or went, in a list of such.
struct Listener {
    Listener() noexcept = default;
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;
    virtual ~Listener() = default;

    Listener *next = nullptr;
};

template <class Callback> struct ListenerOf final : Listener {
    template <class From> explicit ListenerOf(From &&from) : callback(std::forward<From>(from)) {}

    /// A dora_diagnostics_fn_t.
    static void call(std::int32_t level, const char *target, const char *message, void *user) noexcept {
        try {
            static_cast<ListenerOf *>(user)->callback(level, std::string_view(target),
                                                      std::string_view(message));
        } catch (...) { // C must not see it, and a lost line is not worth the program
        }
    }

    Callback callback;
};

/// Those that may still be called. The program ends without ending them, since the library speaks to the
/// last.
inline std::atomic<Listener *> listeners{nullptr};

/// Keeps what hangs on `first`.
inline void keep(Listener *first) noexcept {
    if (first == nullptr)
        return;
    Listener *last = first;
    while (last->next != nullptr)
        last = last->next;
    last->next = listeners.load();
    while (!listeners.compare_exchange_weak(last->next, first)) {
    }
}

/// Sets the callback, and keeps the listener that it needs, if any. Those that were there before it began are
/// not called any more when it succeeded, whatever other threads set meanwhile, so it ends them. No lock is
/// held: the library waits here for a callback, which may itself try to come here.
inline void set_diagnostics(std::int32_t max_level, dora_diagnostics_fn_t callback, void *user,
                            std::unique_ptr<Listener> listener) {
    Listener *former = listeners.exchange(nullptr);
    const dora_status_t status = dora_diagnostics_set(max_level, callback, user);
    if (status < DORA_OK) {
        keep(former);
        throw_on_failure(status);
    }
    keep(listener.release());
    while (former != nullptr)
        delete std::exchange(former, former->next);
}

} // namespace detail

/// Says where the diagnostics of this library go, for the whole process: to `callback`, with `user`, up to
/// `max_level`, a DORA_LOG_*. It is called on a thread of the library's own, must not call functions of this
/// library, and must not throw. A null pointer is for nothing. When this returns, the callback that was set
/// before does not run any more. Throws Error: DORA_ERROR_INVALID_ARGUMENT, DORA_ERROR_UNSUPPORTED when it is
/// called from the callback.
inline void set_diagnostics(std::int32_t max_level, dora_diagnostics_fn_t callback, void *user = nullptr) {
    detail::set_diagnostics(max_level, callback, user, nullptr);
}

/// The same for a callable, which is moved or copied to where it stays until another takes its place:
///
///     dora::set_diagnostics(DORA_LOG_WARN, [](std::int32_t level, std::string_view target,
///                                             std::string_view message) { ... });
///
/// What it throws is dropped. It may be called until the program ends: call `set_diagnostics(nullptr)` before
/// what it refers to does.
template <class Callback, class = std::enable_if_t<std::is_invocable_v<std::decay_t<Callback> &, std::int32_t,
                                                                       std::string_view, std::string_view>>>
void set_diagnostics(std::int32_t max_level, Callback &&callback) {
    using Listener = detail::ListenerOf<std::decay_t<Callback>>;
    auto listener = std::make_unique<Listener>(std::forward<Callback>(callback));
    Listener *user = listener.get();
    detail::set_diagnostics(max_level, &Listener::call, user, std::move(listener));
}

/// Nobody hears the diagnostics any more, also where RUST_LOG asks for lines. Throws Error:
/// DORA_ERROR_UNSUPPORTED when it is called from the callback.
inline void set_diagnostics(std::nullptr_t) { set_diagnostics(DORA_LOG_ERROR, nullptr); }

} // namespace v0
} // namespace dora

#endif // DORA_CPP_DIAGNOSTICS_HPP
