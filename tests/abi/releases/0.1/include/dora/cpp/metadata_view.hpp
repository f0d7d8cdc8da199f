// The parameters beside a message, as they are read: dora_metadata_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_METADATA_VIEW_HPP
#define DORA_CPP_METADATA_VIEW_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../dora.h"
#include "error.hpp"
#include "time.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// The keys of metadata in their order, as a range of std::string_view. Borrowed from the metadata, and to be
/// made anew when that is changed.
class MetadataKeys {
  public:
    using iterator = detail::IndexIterator<MetadataKeys>;

    explicit MetadataKeys(const dora_metadata_t *metadata = nullptr) noexcept : metadata_(metadata) {}

    std::size_t size() const noexcept { return dora_metadata_count(metadata_); }
    bool empty() const noexcept { return size() == 0; }
    iterator begin() const noexcept { return {*this, 0}; }
    iterator end() const noexcept { return {*this, size()}; }

    /// Key `index`, empty where index is not less than size(). Its data() is fit as a key, unless it holds a
    /// NUL, which only a key that was received may.
    std::string_view operator[](std::size_t index) const noexcept {
        std::size_t length = 0;
        const char *key = dora_metadata_key(metadata_, index, &length);
        return {key, length};
    }

  private:
    const dora_metadata_t *metadata_;
};

/// DORA_METADATA_STRINGS: a list of texts, as a range of std::string_view. Borrowed from the metadata, and to
/// be asked for anew when that is changed.
class Strings {
  public:
    using iterator = detail::IndexIterator<Strings>;

    /// None.
    explicit Strings() noexcept = default;

    /// The `size` texts under `key`, which is kept as a pointer.
    Strings(const dora_metadata_t *metadata, const char *key, std::size_t size) noexcept
        : metadata_(metadata), key_(key), size_(size) {}

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    iterator begin() const noexcept { return {*this, 0}; }
    iterator end() const noexcept { return {*this, size_}; }

    /// Text `index`, empty where index is not less than size().
    std::string_view operator[](std::size_t index) const noexcept {
        const char *text = nullptr;
        std::size_t length = 0;
        const dora_status_t status = dora_metadata_get_strings_at(metadata_, key_, index, &text, &length);
        return status == DORA_OK ? std::string_view(text, length) : std::string_view();
    }

  private:
    const dora_metadata_t *metadata_ = nullptr;
    const char *key_ = nullptr;
    std::size_t size_ = 0;
};

namespace detail {

// What reads a parameter as each type that there is. On failure the value means nothing.

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key, bool &value) noexcept {
    return dora_metadata_get_bool(metadata, key, &value);
}

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key,
                                   std::int64_t &value) noexcept {
    return dora_metadata_get_integer(metadata, key, &value);
}

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key, double &value) noexcept {
    return dora_metadata_get_float(metadata, key, &value);
}

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key,
                                   Timestamp &value) noexcept {
    std::int64_t nanoseconds = 0;
    const dora_status_t status = dora_metadata_get_timestamp_ns(metadata, key, &nanoseconds);
    value = Timestamp(std::chrono::nanoseconds(nanoseconds));
    return status;
}

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key,
                                   std::string_view &value) noexcept {
    const char *text = nullptr;
    std::size_t length = 0;
    const dora_status_t status = dora_metadata_get_string(metadata, key, &text, &length);
    value = {text, length};
    return status;
}

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key,
                                   Span<const std::int64_t> &value) noexcept {
    const std::int64_t *values = nullptr;
    std::size_t count = 0;
    const dora_status_t status = dora_metadata_get_integers(metadata, key, &values, &count);
    value = {values, count};
    return status;
}

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key,
                                   Span<const double> &value) noexcept {
    const double *values = nullptr;
    std::size_t count = 0;
    const dora_status_t status = dora_metadata_get_floats(metadata, key, &values, &count);
    value = {values, count};
    return status;
}

inline dora_status_t get_parameter(const dora_metadata_t *metadata, const char *key,
                                   Strings &value) noexcept {
    std::size_t count = 0;
    const dora_status_t status = dora_metadata_get_strings_count(metadata, key, &count);
    if (status != DORA_OK)
        return status;
    // The caller's key may be gone before the list is read, so that of the metadata is taken.
    for (const std::string_view own : MetadataKeys(metadata))
        if (own == key)
            value = Strings(metadata, own.data(), count);
    return status;
}

/// Whether parameters are read as T.
template <class T>
inline constexpr bool is_parameter =
    std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::string_view> || std::is_same_v<T, Timestamp> ||
    std::is_same_v<T, Span<const std::int64_t>> || std::is_same_v<T, Span<const double>> ||
    std::is_same_v<T, Strings>;

} // namespace detail

/// Borrowed metadata, an event's or one's own, to be read and to be sent with an output; or none, which holds
/// no parameters.
///
///     const std::int64_t width = event.metadata().get<std::int64_t>("width");
///     const double scale = event.metadata().find<double>("scale").value_or(1.0);
///
/// The types of parameters are bool, std::int64_t, double, std::string_view, dora::Timestamp,
/// Span<const std::int64_t>, Span<const double> and dora::Strings, each for one DORA_METADATA_*. What is not
/// a plain value points into the metadata and is valid until that is changed or ends.
class MetadataView {
  public:
    constexpr MetadataView() noexcept = default;
    constexpr MetadataView(const dora_metadata_t *metadata) noexcept : metadata_(metadata) {}

    /// None. Besides, it keeps a literal 0 from being taken for metadata: `send("count", 0)` does not
    /// compile.
    constexpr MetadataView(std::nullptr_t) noexcept {}

    /// Whether there is metadata.
    constexpr explicit operator bool() const noexcept { return metadata_ != nullptr; }

    /// The handle for C functions, NULL for none. Borrowed.
    constexpr const dora_metadata_t *get() const noexcept { return metadata_; }

    /// How many parameters there are.
    std::size_t count() const noexcept { return dora_metadata_count(metadata_); }

    /// The keys for a range-for: `for (std::string_view key : event.metadata().keys())`.
    MetadataKeys keys() const noexcept { return MetadataKeys(metadata_); }

    /// The DORA_METADATA_* of a parameter, DORA_METADATA_UNKNOWN where there is none.
    std::int32_t kind(CString key) const noexcept { return dora_metadata_kind(metadata_, key.c_str()); }

    /// Whether there is a parameter under `key`, of whatever kind.
    bool contains(CString key) const noexcept { return kind(key) != DORA_METADATA_UNKNOWN; }

    /// The parameter under `key`, which must be of the kind that T stands for: an integer is no double.
    /// Throws Error: DORA_ERROR_NOT_FOUND with the keys that there are, DORA_ERROR_WRONG_TYPE,
    /// DORA_ERROR_NULL_POINTER where there is no metadata.
    template <class T> T get(CString key) const {
        static_assert(detail::is_parameter<T>,
                      "bool, std::int64_t, double, std::string_view, dora::Timestamp, "
                      "dora::Span<const std::int64_t>, dora::Span<const double> or dora::Strings");
        T value{};
        detail::throw_on_failure(detail::get_parameter(metadata_, key.c_str(), value));
        return value;
    }

    /// The same, or nothing where there is no such parameter, which is no failure then. One of another kind
    /// is a mistake of sender or receiver that a default would hide: it throws Error, DORA_ERROR_WRONG_TYPE.
    template <class T> std::optional<T> find(CString key) const {
        return contains(key) ? std::optional<T>(get<T>(key)) : std::nullopt;
    }

    /// How a goal ended: a DORA_GOAL_*, DORA_GOAL_UNKNOWN where the message is no result.
    std::int32_t goal_status() const noexcept { return dora_metadata_goal_status(metadata_); }

    /// The id of the request that a message is or answers, else empty.
    std::string_view request_id() const noexcept {
        return detail::view_of(dora_metadata_request_id(metadata_));
    }

    /// The id of the goal that a message sets, cancels or belongs to, else empty.
    std::string_view goal_id() const noexcept { return detail::view_of(dora_metadata_goal_id(metadata_)); }

  private:
    const dora_metadata_t *metadata_ = nullptr;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_METADATA_VIEW_HPP
