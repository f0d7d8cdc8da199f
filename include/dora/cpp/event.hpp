// What a node receives: dora_event_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_EVENT_HPP
#define DORA_CPP_EVENT_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "../dora.h"
#include "arrow.hpp"
#include "error.hpp"
#include "metadata_view.hpp"
#include "time.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// The ids of the inputs that a failed node fed, as a range of std::string_view. Borrowed from the event.
class AffectedInputs {
  public:
    using iterator = detail::IndexIterator<AffectedInputs>;

    explicit AffectedInputs(const dora_event_t *event = nullptr) noexcept : event_(event) {}

    std::size_t size() const noexcept { return dora_event_affected_count(event_); }
    bool empty() const noexcept { return size() == 0; }
    iterator begin() const noexcept { return {*this, 0}; }
    iterator end() const noexcept { return {*this, size()}; }

    /// Id `index`, empty where index is not less than size().
    std::string_view operator[](std::size_t index) const noexcept {
        return detail::view_of(dora_event_affected_input(event_, index));
    }

  private:
    const dora_event_t *event_;
};

/// One event. Owning; immutable, may be used from several threads at once, and outlives its node.
///
/// What an accessor returns that is not owning (std::string_view, Span, Bits, NullableValues, MetadataView,
/// AffectedInputs) is valid until the event is destroyed or assigned to; moving the event keeps it valid.
class Event {
  public:
    /// Empty.
    Event() noexcept = default;

    /// Takes `event` over, which read_dora_event gave. NULL makes it empty.
    explicit Event(dora_event_t *event) noexcept : event_(event) {}

    /// Whether it holds an event.
    explicit operator bool() const noexcept { return event_ != nullptr; }

    /// The handle for C functions. Borrowed.
    dora_event_t *get() const noexcept { return event_.get(); }

    /// Hands the handle over to the caller, who is to free it, and is empty then.
    [[nodiscard]] dora_event_t *release() noexcept { return event_.release(); }

    /// Frees the event, if there is one, and is empty then.
    void reset() noexcept { event_.reset(); }

    /// A DORA_EVENT_*, or the kind of a newer library: pass over what is not known.
    std::int32_t kind() const noexcept { return dora_event_kind(get()); }

    /// The name of the kind, such as "DORA_EVENT_INPUT". Static text.
    std::string_view kind_name() const noexcept { return detail::view_of(dora_event_kind_name(kind())); }

    /// The id of the input that the event is about, else empty.
    std::string_view input_id() const noexcept { return detail::view_of(dora_event_input_id(get())); }

    /// The id of the node that restarted or failed, else empty.
    std::string_view node_id() const noexcept { return detail::view_of(dora_event_node_id(get())); }

    /// The id of the operator to reload, else empty.
    std::string_view operator_id() const noexcept { return detail::view_of(dora_event_operator_id(get())); }

    /// The key of the parameter that was updated or deleted, else empty.
    std::string_view key() const noexcept { return detail::view_of(dora_event_key(get())); }

    /// The new value of a parameter as JSON, else empty.
    std::string_view value_json() const noexcept { return detail::view_of(dora_event_value_json(get())); }

    /// The text of an error, of a node's failure or of something unknown, else empty.
    std::string_view message() const noexcept { return detail::view_of(dora_event_message(get())); }

    /// Why to stop: a DORA_STOP_*, DORA_STOP_UNKNOWN for an event that is no stop.
    std::int32_t stop_cause() const noexcept { return dora_event_stop_cause(get()); }

    /// The inputs that a failed node fed, else empty.
    AffectedInputs affected_inputs() const noexcept { return AffectedInputs(get()); }

    /// The metadata of an input, to be sent on; none for other kinds.
    MetadataView metadata() const noexcept { return dora_event_metadata(get()); }

    /// When the data was sent, in nanoseconds since the Unix epoch.
    std::optional<std::int64_t> timestamp_ns() const noexcept {
        const std::int64_t time = dora_event_timestamp_ns(get());
        return time != DORA_TIME_ABSENT ? std::optional<std::int64_t>(time) : std::nullopt;
    }

    /// The same as a time: `node.now() - *event.timestamp()` is how long the data has been on its way.
    std::optional<Timestamp> timestamp() const noexcept {
        const std::optional<std::int64_t> time = timestamp_ns();
        return time ? std::optional<Timestamp>(std::chrono::nanoseconds(*time)) : std::nullopt;
    }

    /// The same as dora's clock has it, 32 bits of seconds and 32 of fraction; 0 where there is none.
    std::uint64_t timestamp_ntp64() const noexcept { return dora_event_timestamp_ntp64(get()); }

    /// Whether this is the first time that `subject` is asked about for this input, for what is to be said
    /// once and not again with every message. Only of an input.
    bool once(CString subject) const noexcept { return dora_event_once(get(), subject.c_str()); }

    /// Writes a line for people into `buffer` as snprintf does: cut to `capacity` and terminated. Returns the
    /// length of the whole line.
    std::size_t format(char *buffer, std::size_t capacity) const noexcept {
        return dora_event_format(get(), buffer, capacity);
    }

    /// That line as a string. Allocates it.
    std::string to_string() const {
        std::string line(format(nullptr, 0), '\0');
        format(line.data(), line.size() + 1);
        return line;
    }

    /// The DORA_TYPE_* of the data, DORA_TYPE_OTHER for what needs Arrow.
    std::int32_t data_type() const noexcept { return dora_event_data_type(get()); }

    /// The type of the data as a format string of the Arrow C Data Interface, empty where there is no data.
    std::string_view data_format() const noexcept { return detail::view_of(dora_event_data_format(get())); }

    /// How many elements the data has.
    std::size_t length() const noexcept { return dora_event_length(get()); }

    /// How many of them are null.
    std::size_t null_count() const noexcept { return dora_event_null_count(get()); }

    /// The data as an array of T, which must be its type (`values<float>()` for DORA_TYPE_FLOAT32). Not
    /// copied; an empty array gives an empty Span, whose data() is a null pointer. Throws Error:
    /// DORA_ERROR_WRONG_TYPE, or DORA_ERROR_HAS_NULLS where nullable_values() is needed.
    template <class T> Span<const T> values() const {
        static_assert(has_values<T>, "not of fixed width: bits() is for bool, text() and bytes() for others");
        const void *values = nullptr;
        std::size_t length = 0;
        detail::throw_on_failure(dora_event_values(get(), data_type_of<T>, &values, &length));
        return {static_cast<const T *>(values), length};
    }

    /// The data as an array of T of which some may be null. Not copied. Throws Error: DORA_ERROR_WRONG_TYPE.
    template <class T> NullableValues<T> nullable_values() const {
        static_assert(has_values<T>, "not of fixed width");
        const void *values = nullptr;
        const std::uint8_t *validity = nullptr;
        std::size_t bit_offset = 0;
        std::size_t length = 0;
        detail::throw_on_failure(
            dora_event_values_nullable(get(), data_type_of<T>, &values, &validity, &bit_offset, &length));
        return {{static_cast<const T *>(values), length},
                validity != nullptr ? Bits(validity, bit_offset, length) : Bits()};
    }

    /// The data as booleans. Not copied. Throws Error: DORA_ERROR_WRONG_TYPE, DORA_ERROR_HAS_NULLS.
    Bits bits() const {
        const std::uint8_t *bits = nullptr;
        std::size_t bit_offset = 0;
        std::size_t length = 0;
        detail::throw_on_failure(dora_event_bits(get(), &bits, &bit_offset, &length));
        return {bits, bit_offset, length};
    }

    /// Element `index` of data that is text. Throws Error: DORA_ERROR_WRONG_TYPE, DORA_ERROR_HAS_NULLS where
    /// it is null, DORA_ERROR_INVALID_ARGUMENT where there is no such element.
    std::string_view text(std::size_t index = 0) const {
        const char *text = nullptr;
        std::size_t length = 0;
        detail::throw_on_failure(dora_event_text(get(), index, &text, &length));
        return {text, length};
    }

    /// The bytes of element `index` of data that is text or binary. Not copied. Throws Error as text() does.
    Span<const std::uint8_t> bytes(std::size_t index = 0) const {
        const std::uint8_t *bytes = nullptr;
        std::size_t size = 0;
        detail::throw_on_failure(dora_event_bytes(get(), index, &bytes, &size));
        return {bytes, size};
    }

    /// All values of data of a fixed-width type as bytes, whatever that type is. Not copied. Throws Error:
    /// DORA_ERROR_WRONG_TYPE, DORA_ERROR_HAS_NULLS.
    Span<const std::byte> raw() const {
        const void *bytes = nullptr;
        std::size_t size = 0;
        detail::throw_on_failure(dora_event_raw(get(), &bytes, &size));
        return {static_cast<const std::byte *>(bytes), size};
    }

    /// The data through the Arrow C Data Interface. Not copied: it shares the event's memory, outlives the
    /// event and may be asked for again. Throws Error.
    ArrowData arrow() const {
        ArrowData data;
        detail::throw_on_failure(dora_event_arrow(get(), data.schema.get(), data.array.get()));
        return data;
    }

  private:
    struct Free {
        void operator()(dora_event_t *event) const noexcept { dora_event_free(event); }
    };

    template <class T>
    static constexpr bool has_values = !std::is_same_v<T, bool> && data_type_of<T> != DORA_TYPE_OTHER;

    std::unique_ptr<dora_event_t, Free> event_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_EVENT_HPP
