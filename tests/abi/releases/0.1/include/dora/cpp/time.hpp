// Times and timeouts, which are numbers of nanoseconds in C. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_TIME_HPP
#define DORA_CPP_TIME_HPP

#include <chrono>
#include <cstdint>

#include "../dora.h"

namespace dora {
inline namespace v0 {

/// A time of the Unix clock, from 1677 to 2262: a parameter of the kind DORA_METADATA_TIMESTAMP, when a
/// message was sent, and what Node::now tells.
using Timestamp = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

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

} // namespace detail
} // namespace v0
} // namespace dora

#endif // DORA_CPP_TIME_HPP
