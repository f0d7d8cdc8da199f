// Views of memory that something else owns, and the C++ types of dora's data. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_VIEWS_HPP
#define DORA_CPP_VIEWS_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../dora.h"

namespace dora {
inline namespace v0 {

/// A half-precision number as its 16 bits, for DORA_TYPE_FLOAT16: C++17 has no type that computes with it.
struct Float16 {
    std::uint16_t bits; ///< sign, 5 bits of exponent, 10 of fraction
};

/// The DORA_TYPE_* of values of the C++ type T, DORA_TYPE_OTHER where T is no element of an array. Plain
/// `char` is none: text travels as std::string_view, bytes as std::byte or std::uint8_t.
template <class T> inline constexpr std::int32_t data_type_of = DORA_TYPE_OTHER;
template <> inline constexpr std::int32_t data_type_of<bool> = DORA_TYPE_BOOL;
template <> inline constexpr std::int32_t data_type_of<signed char> = DORA_TYPE_INT8;
template <> inline constexpr std::int32_t data_type_of<short> = DORA_TYPE_INT16;
template <> inline constexpr std::int32_t data_type_of<int> = DORA_TYPE_INT32;
template <>
inline constexpr std::int32_t data_type_of<long> = sizeof(long) == 8 ? DORA_TYPE_INT64 : DORA_TYPE_INT32;
template <> inline constexpr std::int32_t data_type_of<long long> = DORA_TYPE_INT64;
template <> inline constexpr std::int32_t data_type_of<unsigned char> = DORA_TYPE_UINT8;
template <> inline constexpr std::int32_t data_type_of<unsigned short> = DORA_TYPE_UINT16;
template <> inline constexpr std::int32_t data_type_of<unsigned int> = DORA_TYPE_UINT32;
template <>
inline constexpr std::int32_t data_type_of<unsigned long> = sizeof(long) == 8 ? DORA_TYPE_UINT64
                                                                              : DORA_TYPE_UINT32;
template <> inline constexpr std::int32_t data_type_of<unsigned long long> = DORA_TYPE_UINT64;
template <> inline constexpr std::int32_t data_type_of<Float16> = DORA_TYPE_FLOAT16;
template <> inline constexpr std::int32_t data_type_of<float> = DORA_TYPE_FLOAT32;
template <> inline constexpr std::int32_t data_type_of<double> = DORA_TYPE_FLOAT64;

static_assert(sizeof(bool) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long long) == 8 &&
                  sizeof(Float16) == 2 && sizeof(float) == 4 && sizeof(double) == 8,
              "dora's data types need these sizes");

namespace detail {

/// Whether arrays of T can be sent: the fixed-width types, and std::byte for bytes without a type.
template <class T>
inline constexpr bool is_element = data_type_of<T> != DORA_TYPE_OTHER || std::is_same_v<T, std::byte>;

/// The element type of an array, or of a container whose data() is a pointer and whose size() is unsigned, as
/// in the standard library. A size with a sign is a linear algebra or GUI library's, whose elements may lie
/// apart (a row of a matrix): give those as pointer and length. std::vector<bool> has no such data() either.
template <class Container, class = void> struct ElementOf {};
template <class T, std::size_t N> struct ElementOf<T[N]> { using Type = T; };
template <class Container>
struct ElementOf<Container,
                 std::enable_if_t<std::is_pointer_v<decltype(std::declval<Container &>().data())> &&
                                  std::is_unsigned_v<decltype(std::declval<Container &>().size())>>> {
    using Type = std::remove_pointer_t<decltype(std::declval<Container &>().data())>;
};

/// Borrowed text of the library, empty for NULL.
inline std::string_view view_of(const char *text) noexcept {
    return text != nullptr ? std::string_view(text) : std::string_view();
}

/// Whether T is text: a literal, a std::string or a std::string_view.
template <class T>
inline constexpr bool is_text =
    std::is_convertible_v<const T &, std::string_view> && !std::is_null_pointer_v<T>;

/// Text as the C functions take it.
struct TextArgument {
    const char *data;
    std::size_t length;
};

/// For a pointer the library looks for the NUL, and refuses NULL where std::string_view would read it.
template <class Text> TextArgument text_argument(const Text &text) {
    if constexpr (std::is_convertible_v<const Text &, const char *>) {
        return {text, DORA_NUL_TERMINATED};
    } else {
        const std::string_view view = text;
        return {view.data(), view.size()};
    }
}

/// The iterator of a range whose values are asked for by index. Holds the range, which is a view.
template <class Range, class Value = std::string_view> class IndexIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Value;

    IndexIterator() noexcept = default;
    IndexIterator(Range range, std::size_t index) noexcept : range_(range), index_(index) {}

    Value operator*() const noexcept { return range_[index_]; }
    IndexIterator &operator++() noexcept {
        ++index_;
        return *this;
    }
    IndexIterator operator++(int) noexcept { return {range_, index_++}; }
    friend bool operator==(const IndexIterator &a, const IndexIterator &b) noexcept {
        return a.index_ == b.index_;
    }
    friend bool operator!=(const IndexIterator &a, const IndexIterator &b) noexcept {
        return a.index_ != b.index_;
    }

  private:
    Range range_{};
    std::size_t index_ = 0;
};

} // namespace detail

/// A borrowed array: a pointer and a length. Where std::span exists, each converts to the other.
template <class T> class Span {
  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;
    using iterator = T *;

    /// The empty array: data() is a null pointer.
    constexpr Span() noexcept = default;

    /// The `length` elements from `data` on.
    constexpr Span(T *data, std::size_t length) noexcept : data_(data), length_(length) {}

    /// The elements of a C array.
    template <std::size_t N> constexpr Span(T (&array)[N]) noexcept : data_(array), length_(N) {}

    /// The elements of a container, which may be a temporary only where they are const.
    template <class Container,
              class Element = typename detail::ElementOf<std::remove_reference_t<Container>>::Type,
              class = std::enable_if_t<!std::is_array_v<std::remove_reference_t<Container>> &&
                                       std::is_convertible_v<Element (*)[], T (*)[]> &&
                                       (std::is_lvalue_reference_v<Container> || std::is_const_v<T>)>>
    constexpr Span(Container &&container) : data_(container.data()), length_(container.size()) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return length_; }
    constexpr std::size_t size_bytes() const noexcept { return length_ * sizeof(T); }
    constexpr bool empty() const noexcept { return length_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + length_; }

    /// Element `index`, which must be less than size(): not checked.
    constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }

  private:
    T *data_ = nullptr;
    std::size_t length_ = 0;
};

/// Borrowed bits as Arrow packs them: lowest bit of a byte first.
class Bits {
  public:
    constexpr Bits() noexcept = default;

    /// The `length` bits from bit `bit_offset` of `bits` on.
    constexpr Bits(const std::uint8_t *bits, std::size_t bit_offset, std::size_t length) noexcept
        : bits_(bits), bit_offset_(bit_offset), length_(length) {}

    /// The first byte; the bits begin bit_offset() bits behind it. Named unlike a container's data(), whose
    /// length would be in bytes.
    constexpr const std::uint8_t *bits() const noexcept { return bits_; }
    constexpr std::size_t bit_offset() const noexcept { return bit_offset_; }

    /// How many bits there are.
    constexpr std::size_t size() const noexcept { return length_; }
    constexpr bool empty() const noexcept { return length_ == 0; }

    /// Bit `index`, which must be less than size(): not checked.
    constexpr bool operator[](std::size_t index) const noexcept {
        const std::size_t position = bit_offset_ + index;
        return ((bits_[position / 8] >> (position % 8)) & 1) != 0;
    }

  private:
    const std::uint8_t *bits_ = nullptr;
    std::size_t bit_offset_ = 0;
    std::size_t length_ = 0;
};

/// Borrowed values of which some may be null.
template <class T> struct NullableValues {
    Span<const T> values; ///< all of them; what stands in the place of a null means nothing
    Bits validity;        ///< 0 where a value is null; empty when none is

    constexpr std::size_t size() const noexcept { return values.size(); }
    constexpr bool empty() const noexcept { return values.empty(); }

    /// Whether value `index`, which must be less than size(), is null.
    constexpr bool is_null(std::size_t index) const noexcept { return !validity.empty() && !validity[index]; }

    /// Value `index`, which must be less than size(), or nothing where it is null.
    constexpr std::optional<T> operator[](std::size_t index) const noexcept {
        return is_null(index) ? std::optional<T>() : std::optional<T>(values[index]);
    }
};

/// Borrowed text that ends in a NUL, as the C functions take ids and log messages: from a literal or a
/// std::string. A std::string_view does not convert, since it need not end in one; those of an Event do, so
/// that `event.input_id().data()` is fit.
class CString {
  public:
    /// A null pointer is for a text that may be left out; elsewhere the library refuses it.
    constexpr CString(const char *text) noexcept : text_(text) {}
    /// Besides, it keeps a literal 0 from being taken for text: `read_reply(id, 0)` does not compile.
    constexpr CString(std::nullptr_t) noexcept : text_(nullptr) {}
    CString(const std::string &text) noexcept : text_(text.c_str()) {}

    constexpr const char *c_str() const noexcept { return text_; }

  private:
    const char *text_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_VIEWS_HPP
