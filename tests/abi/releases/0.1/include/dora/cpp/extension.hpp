// The table of bytes that the daemon keeps for extensions. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_EXTENSION_HPP
#define DORA_CPP_EXTENSION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../dora.h"
#include "bytes.hpp"
#include "error.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// What a question about an extension ended with: bytes, or one of the outcomes that are no failure. Owns the
/// bytes.
///
///     if (dora::ExtensionResult result = node.extension_load("maps", "floor 2"))
///         show(result->span());
///     else if (result.not_found())
///         draw_one();
class ExtensionResult {
  public:
    /// `status`, which is DORA_ERROR_NOT_FOUND or no failure, and the bytes that came with DORA_OK.
    ExtensionResult(dora_status_t status, Bytes bytes) noexcept : status_(status), bytes_(std::move(bytes)) {}

    /// DORA_OK with bytes, else DORA_TIMEOUT, DORA_ERROR_NOT_FOUND or an outcome that a newer library adds.
    dora_status_t status() const noexcept { return status_; }

    /// Whether there are bytes, be it an empty value.
    explicit operator bool() const noexcept { return static_cast<bool>(bytes_); }

    /// Whether the send timeout of the options was over before the daemon answered.
    bool timed_out() const noexcept { return status_ == DORA_TIMEOUT; }

    /// Whether there is no such value.
    bool not_found() const noexcept { return status_ == DORA_ERROR_NOT_FOUND; }

    /// The bytes; the empty ones where there are none.
    Bytes &operator*() noexcept { return bytes_; }
    const Bytes &operator*() const noexcept { return bytes_; }
    Bytes *operator->() noexcept { return &bytes_; }
    const Bytes *operator->() const noexcept { return &bytes_; }

  private:
    dora_status_t status_;
    Bytes bytes_;
};

namespace detail {

/// Whether T is text, or an array or container that could be sent.
template <class T, class = void> inline constexpr bool has_bytes = is_text<T>;
template <class T>
inline constexpr bool has_bytes<T, std::void_t<typename ElementOf<const T>::Type>> =
    is_text<T> || is_element<std::remove_cv_t<typename ElementOf<const T>::Type>>;

/// Memory as the C functions take it.
struct BytesArgument {
    const void *data;
    std::size_t size;
};

/// The memory of what has_bytes, of text without its NUL.
template <class Data> BytesArgument bytes_argument(const Data &data) {
    if constexpr (!is_text<Data>) {
        const Span<const std::remove_cv_t<typename ElementOf<const Data>::Type>> span(data);
        return {span.data(), span.size_bytes()};
    } else {
        const TextArgument text = text_argument(data);
        if (text.length != DORA_NUL_TERMINATED)
            return {text.data, text.length};
        // With a size, the library refuses NULL, which std::string_view would read.
        return {text.data, text.data != nullptr ? std::string_view(text.data).size() : 1};
    }
}

inline ExtensionResult extension_load(dora_node_t *node, CString ns, CString key, bool remove) {
    dora_bytes_t *bytes = nullptr;
    const dora_status_t status =
        dora_node_extension_load(node, ns.c_str(), key.c_str(), remove ? 1 : 0, &bytes);
    if (status != DORA_ERROR_NOT_FOUND)
        throw_on_failure(status);
    return {status, Bytes(bytes)};
}

inline ExtensionResult extension_request(dora_node_t *node, CString ns, BytesArgument payload) {
    dora_bytes_t *bytes = nullptr;
    const dora_status_t status =
        dora_node_extension_request(node, ns.c_str(), payload.data, payload.size, &bytes);
    throw_on_failure(status);
    return {status, Bytes(bytes)};
}

} // namespace detail

/// The next key of a namespace whose value was dropped, by any node, since this process stored or loaded it;
/// nothing where there is no further one. For all nodes of the process together. Throws Error.
///
///     while (std::optional<std::string> key = dora::next_dropped_key("maps"))
///         forget(*key);
[[nodiscard]] inline std::optional<std::string> next_dropped_key(CString ns) {
    dora_bytes_t *key = nullptr;
    const dora_status_t status = dora_extension_next_dropped(ns.c_str(), &key);
    if (status == DORA_ERROR_NOT_FOUND)
        return std::nullopt;
    detail::throw_on_failure(status);
    return std::string(Bytes(key).text());
}

} // namespace v0
} // namespace dora

#endif // DORA_CPP_EXTENSION_HPP
