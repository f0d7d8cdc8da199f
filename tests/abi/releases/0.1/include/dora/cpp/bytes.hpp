// Bytes that the library gives away: dora_bytes_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_BYTES_HPP
#define DORA_CPP_BYTES_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "../dora.h"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// Bytes of one's own. Owning; a container, so that Node::send takes it. What it gives is valid until it is
/// destroyed or assigned to; moving it keeps that valid.
class Bytes {
  public:
    /// Empty.
    Bytes() noexcept = default;

    /// Takes `bytes` over, which a function of the library gave. NULL makes it empty.
    explicit Bytes(dora_bytes_t *bytes) noexcept : bytes_(bytes) {}

    /// Whether it holds bytes, be it none: those of an empty value count too.
    explicit operator bool() const noexcept { return bytes_ != nullptr; }

    /// The handle for C functions. Borrowed.
    dora_bytes_t *get() const noexcept { return bytes_.get(); }

    /// Hands the handle over to the caller, who is to free it, and is empty then.
    [[nodiscard]] dora_bytes_t *release() noexcept { return bytes_.release(); }

    /// Frees the bytes, if there are some, and is empty then.
    void reset() noexcept { bytes_.reset(); }

    /// The first of the bytes, a null pointer where there are none.
    const std::uint8_t *data() const noexcept {
        return static_cast<const std::uint8_t *>(dora_bytes_data(get()));
    }

    /// How many bytes there are.
    std::size_t size() const noexcept { return dora_bytes_size(get()); }
    bool empty() const noexcept { return size() == 0; }
    const std::uint8_t *begin() const noexcept { return data(); }
    const std::uint8_t *end() const noexcept { return data() + size(); }

    /// All of them. Borrowed.
    Span<const std::uint8_t> span() const noexcept { return {data(), size()}; }

    /// The same as text, where that is what they are: it does not end in a NUL. Borrowed.
    std::string_view text() const noexcept {
        return {static_cast<const char *>(dora_bytes_data(get())), size()};
    }

  private:
    struct Free {
        void operator()(dora_bytes_t *bytes) const noexcept { dora_bytes_free(bytes); }
    };

    std::unique_ptr<dora_bytes_t, Free> bytes_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_BYTES_HPP
