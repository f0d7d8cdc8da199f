// Failures as exceptions. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_ERROR_HPP
#define DORA_CPP_ERROR_HPP

#include <stdexcept>

#include "../dora.h"

namespace dora {
inline namespace v0 {

/// A call that failed: the only type that this layer throws of its own. what() says which argument, what was
/// wrong and what would be right. Visible across shared libraries, so that one may throw it and another catch
/// it.
class [[gnu::visibility("default")]] Error : public std::runtime_error {
  public:
    /// The failure `status` with `message`, which is copied.
    Error(dora_status_t status, const char *message) : std::runtime_error(message), status_(status) {}

    /// The status that the C function returned, a DORA_ERROR_*.
    dora_status_t status() const noexcept { return status_; }

    /// The name of that status, such as "DORA_ERROR_INIT". Static text.
    const char *status_name() const noexcept { return dora_status_name(status_); }

  private:
    dora_status_t status_;
};

namespace detail {

/// Throws Error when `status` is a failure; outcomes pass. To be called before any other function of the
/// library, because the message is that of this thread's last failure.
inline void throw_on_failure(dora_status_t status) {
    if (status < DORA_OK)
        throw Error(status, dora_last_error());
}

/// Whether what can be over time was done. Throws Error when `status` is a failure.
inline bool done(dora_status_t status) {
    throw_on_failure(status);
    return status == DORA_OK;
}

} // namespace detail
} // namespace v0
} // namespace dora

#endif // DORA_CPP_ERROR_HPP
