// The few lines that the C++ tests need of a test framework.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_TESTS_CHECK_HPP
#define DORA_TESTS_CHECK_HPP

#include <cstdio>
#include <string>
#include <string_view>

#include <dora/dora.hpp>

namespace check {

inline int done = 0;
inline int failed = 0;

inline void that(bool holds, const char *what, const char *file, int line) {
    ++done;
    if (holds)
        return;
    ++failed;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

/// The message of the dora::Error that `call` throws, which must be of `status`.
template <class Call> std::string message_of(dora_status_t status, Call call, const char *file, int line) {
    try {
        call();
    } catch (const dora::Error &error) {
        that(error.status() == status, error.status_name(), file, line);
        that(std::string_view(error.status_name()) == dora_status_name(status), "status_name()", file, line);
        return error.what();
    }
    that(false, "throws nothing", file, line);
    return {};
}

inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// What main returns: a failure also when nothing was checked.
inline int result(const char *name) {
    std::printf("%s: %d checks, %d failed\n", name, done, failed);
    return done > 0 && failed == 0 ? 0 : 1;
}

} // namespace check

#define CHECK(...) check::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define MESSAGE_OF(status, ...)                                                                              \
    check::message_of(                                                                                       \
        status, [&] { __VA_ARGS__; }, __FILE__, __LINE__)

#endif // DORA_TESTS_CHECK_HPP
