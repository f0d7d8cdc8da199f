// Parameters of one's own to send beside a message: dora_metadata_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_METADATA_HPP
#define DORA_CPP_METADATA_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "../dora.h"
#include "error.hpp"
#include "event.hpp"
#include "metadata_view.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

namespace detail {

/// Whether every value of a DORA_TYPE_* is an `int64_t`: no boolean, and nothing unsigned of 64 bits.
constexpr bool fits_integer(std::int32_t type) noexcept {
    return type == DORA_TYPE_INT8 || type == DORA_TYPE_INT16 || type == DORA_TYPE_INT32 ||
           type == DORA_TYPE_INT64 || type == DORA_TYPE_UINT8 || type == DORA_TYPE_UINT16 ||
           type == DORA_TYPE_UINT32;
}

/// Whether every T is an `int64_t`.
template <class T> inline constexpr bool is_integer = fits_integer(data_type_of<T>);

/// Whether every T is a `double`.
template <class T> inline constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// Whether a C array of T is one as the C functions take it, or can be made one of pointers and lengths.
template <class T>
inline constexpr bool is_list_element =
    data_type_of<T> == DORA_TYPE_INT64 || data_type_of<T> == DORA_TYPE_FLOAT64 || is_text<T>;

} // namespace detail

/// Metadata of one's own. Owning; converts to MetadataView, so that it is sent as that of an event is:
///
///     dora::Metadata metadata(event.metadata()); // what came, and more
///     metadata.set("width", 640).set("encoding", "bgr8").set("roi", {0, 0, 320, 240});
///     node.send("image", pixels, metadata);
///
/// For one thread at a time. What an accessor returns that is not a plain value is valid until the metadata
/// is changed or destroyed; moving it keeps that valid.
class Metadata {
  public:
    /// Without parameters. Throws Error.
    Metadata() {
        dora_metadata_t *metadata = nullptr;
        detail::throw_on_failure(dora_metadata_new(&metadata));
        metadata_.reset(metadata);
    }

    /// A copy of `other`, which must not be none. Throws Error.
    explicit Metadata(MetadataView other) {
        dora_metadata_t *metadata = nullptr;
        detail::throw_on_failure(dora_metadata_copy(other.get(), &metadata));
        metadata_.reset(metadata);
    }

    /// Takes `metadata` over, which dora_metadata_new or dora_metadata_copy gave. NULL makes it empty.
    explicit Metadata(dora_metadata_t *metadata) noexcept : metadata_(metadata) {}

    /// Whether it holds metadata.
    explicit operator bool() const noexcept { return metadata_ != nullptr; }

    /// The handle for C functions. Borrowed.
    dora_metadata_t *get() const noexcept { return metadata_.get(); }

    /// Hands the handle over to the caller, who is to free it, and is empty then.
    [[nodiscard]] dora_metadata_t *release() noexcept { return metadata_.release(); }

    /// Frees the metadata, if there is some, and is empty then.
    void reset() noexcept { metadata_.reset(); }

    /// What reads it: for a send, or to be copied with `Metadata(other.view())`. Borrowed.
    MetadataView view() const noexcept { return get(); }
    operator MetadataView() const noexcept { return view(); }

    // As MetadataView has them.

    std::size_t count() const noexcept { return view().count(); }
    MetadataKeys keys() const noexcept { return view().keys(); }
    std::int32_t kind(CString key) const noexcept { return view().kind(key); }
    bool contains(CString key) const noexcept { return view().contains(key); }
    template <class T> T get(CString key) const { return view().get<T>(key); }
    template <class T> std::optional<T> find(CString key) const { return view().find<T>(key); }
    std::int32_t goal_status() const noexcept { return view().goal_status(); }
    std::string_view request_id() const noexcept { return view().request_id(); }
    std::string_view goal_id() const noexcept { return view().goal_id(); }

    // Setting. The value is copied, and takes the place of what was under its key. Its C++ type says its
    // kind, which receivers match exactly: `640` is an integer, `640.0` a float. Each returns the object
    // itself, and throws Error: DORA_ERROR_INVALID_ARGUMENT for a key that belongs to dora,
    // DORA_ERROR_INVALID_UTF8.

    /// Sets a boolean. Only a bool is one: a pointer does not convert.
    template <class T> std::enable_if_t<std::is_same_v<T, bool>, Metadata &> set(CString key, T value) {
        return checked(dora_metadata_set_bool(get(), key.c_str(), value ? 1 : 0));
    }

    /// Sets an integer, of a type whose every value fits. An unsigned one of 64 bits, such as std::size_t,
    /// does not compile: cast it to std::int64_t.
    template <class T> std::enable_if_t<detail::is_integer<T>, Metadata &> set(CString key, T value) {
        return checked(dora_metadata_set_integer(get(), key.c_str(), value));
    }

    /// Sets a float or double.
    template <class T> std::enable_if_t<detail::is_float<T>, Metadata &> set(CString key, T value) {
        return checked(dora_metadata_set_float(get(), key.c_str(), static_cast<double>(value)));
    }

    /// Sets a time of the Unix clock: a Timestamp, or what std::chrono::system_clock::now() returns. A
    /// coarser one must lie between 1677 and 2262 too.
    template <class Duration>
    std::enable_if_t<std::is_convertible_v<Duration, std::chrono::nanoseconds>, Metadata &>
    set(CString key, std::chrono::time_point<std::chrono::system_clock, Duration> value) {
        const std::chrono::nanoseconds since_epoch = value.time_since_epoch();
        return checked(dora_metadata_set_timestamp_ns(get(), key.c_str(), since_epoch.count()));
    }

    /// Sets a text: a literal, a std::string or a std::string_view.
    template <class Text>
    std::enable_if_t<detail::is_text<Text>, Metadata &> set(CString key, const Text &value) {
        const detail::TextArgument text = detail::text_argument(value);
        return checked(dora_metadata_set_string(get(), key.c_str(), text.data, text.length));
    }

    /// Sets a list: a C array, a std::vector, a std::array, a Span or a std::span, of std::int64_t, of double
    /// or of texts. Lists of other numbers would have to be converted first. For texts it allocates an array
    /// of pointers and one of lengths.
    template <class Container, class T = std::remove_cv_t<typename detail::ElementOf<const Container>::Type>>
    std::enable_if_t<detail::is_list_element<T>, Metadata &> set(CString key, const Container &values) {
        return set_list(key, Span<const T>(values));
    }

    /// Sets the list in braces: `{1, 2}` of any integers that fit, `{1.0, 2.0}` or `{"a", "b"}`. All of one
    /// type. An empty one has none: take a container.
    template <class T, std::size_t N>
    std::enable_if_t<detail::is_integer<T> || detail::is_float<T> || detail::is_text<T>, Metadata &>
    set(CString key, T (&&values)[N]) {
        if constexpr (detail::is_list_element<T>) {
            return set_list(key, Span<const T>(values, N));
        } else {
            std::conditional_t<detail::is_float<T>, double, std::int64_t> wide[N];
            for (std::size_t i = 0; i < N; ++i)
                wide[i] = values[i];
            return set(key, wide);
        }
    }

    /// Sets a list of texts from other metadata, or from this one.
    template <class List>
    std::enable_if_t<std::is_same_v<List, Strings>, Metadata &> set(CString key, const List &values) {
        return set_texts(key, values);
    }

    /// Sets every parameter of `from`, in the place of what was there under its key. Throws Error where
    /// `from` is none.
    Metadata &merge(MetadataView from) { return checked(dora_metadata_merge(get(), from.get())); }

    /// Removes a parameter. Throws Error: DORA_ERROR_NOT_FOUND.
    Metadata &remove(CString key) { return checked(dora_metadata_remove(get(), key.c_str())); }

    /// Removes every parameter.
    void clear() noexcept { dora_metadata_clear(get()); }

    // What makes a message part of a service or an action: see "Patterns" in dora.h.

    /// Makes it a request's: sets a new id, in the place of one that was there, and returns it, for
    /// Node::read_reply. Throws Error.
    std::string start_request() { return started(dora_metadata_start_request); }

    /// Makes it a goal's: sets a new id, in the place of one that was there, and returns it, by which
    /// feedback and result are known. Throws Error.
    std::string start_goal() { return started(dora_metadata_start_goal); }

    /// Makes it an answer's, to the request or goal that arrived: `node.send("reply", {sum},
    /// dora::Metadata().answer(event))`. Throws Error: DORA_ERROR_WRONG_TYPE where `request` is no input,
    /// DORA_ERROR_NOT_FOUND where nobody awaits an answer.
    Metadata &answer(const Event &request) { return checked(dora_metadata_answer(get(), request.get())); }

    /// Sets how a goal ended, a DORA_GOAL_*, which makes the answer its result. Throws Error:
    /// DORA_ERROR_INVALID_ARGUMENT.
    Metadata &set_goal_status(std::int32_t status) {
        return checked(dora_metadata_set_goal_status(get(), status));
    }

  private:
    struct Free {
        void operator()(dora_metadata_t *metadata) const noexcept { dora_metadata_free(metadata); }
    };

    Metadata &checked(dora_status_t status) {
        detail::throw_on_failure(status);
        return *this;
    }

    std::string started(dora_status_t (*start)(dora_metadata_t *, char *, std::size_t)) {
        char id[DORA_ID_SIZE] = "";
        detail::throw_on_failure(start(get(), id, sizeof id));
        return id;
    }

    template <class T> Metadata &set_list(CString key, Span<const T> values) {
        // By way of void, since `long` and `long long` are two types.
        [[maybe_unused]] const void *data = values.data();
        if constexpr (detail::is_text<T>)
            return set_texts(key, values);
        else if constexpr (detail::is_float<T>)
            return checked(dora_metadata_set_floats(get(), key.c_str(), static_cast<const double *>(data),
                                                    values.size()));
        else
            return checked(dora_metadata_set_integers(
                get(), key.c_str(), static_cast<const std::int64_t *>(data), values.size()));
    }

    template <class Texts> Metadata &set_texts(CString key, const Texts &values) {
        const auto texts = std::make_unique<const char *[]>(values.size());
        const auto lengths = std::make_unique<std::size_t[]>(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const detail::TextArgument text = detail::text_argument(values[i]);
            texts[i] = text.length != 0 ? text.data : ""; // that of an empty std::string_view may be null
            lengths[i] = text.length;
        }
        return checked(
            dora_metadata_set_strings(get(), key.c_str(), texts.get(), lengths.get(), values.size()));
    }

    std::unique_ptr<dora_metadata_t, Free> metadata_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_METADATA_HPP
