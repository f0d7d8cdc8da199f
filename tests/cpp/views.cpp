// Views and what may be sent, without a node: mostly what the compiler must accept and refuse.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <iterator>
#include <ranges>
#include <span>
#endif

namespace {

// What binds to Node::send.
template <class Data, class = void> constexpr bool sends = false;
template <class Data>
constexpr bool
    sends<Data, std::void_t<decltype(std::declval<dora::Node &>().send("out", std::declval<Data>()))>> = true;
template <class T, class = void> constexpr bool sends_pointer = false;
template <class T>
constexpr bool sends_pointer<
    T, std::void_t<decltype(std::declval<dora::Node &>().send("out", std::declval<T>(), std::size_t(1)))>> =
    true;

static_assert(sends<std::vector<float>> && sends<const std::array<double, 3> &> && sends<int (&)[2]>);
static_assert(sends<std::vector<std::byte>> && sends<dora::Span<const std::byte>> && sends<dora::Span<bool>>);
static_assert(sends<std::array<bool, 2>> && sends<std::vector<dora::Float16>>);
static_assert(sends<const char *> && sends<std::string> && sends<std::string_view> && sends<char (&)[8]>);
static_assert(sends<dora::MetadataView> && sends<std::nullptr_t> && sends<dora::ArrowData>);
static_assert(sends_pointer<float *> && sends_pointer<const std::byte *> && sends_pointer<const bool *>);

// Packed, of no type that dora knows, of no memory in one piece, or of no length.
struct Row {
    const float *data() const;
    std::ptrdiff_t size() const; // as of a matrix, whose rows need not be contiguous
};
struct Pod {
    int a, b;
};
static_assert(!sends<std::vector<bool>> && !sends<dora::Bits>);
static_assert(!sends<std::vector<char>> && !sends<std::vector<long double>> && !sends<std::vector<Pod>>);
static_assert(!sends<std::u16string> && !sends<std::vector<std::string>>);
static_assert(!sends<Row> && !sends<dora::NullableValues<float>> && !sends<dora::Event &>);
static_assert(!sends<int> && !sends<float> && !sends<bool> && !sends<float *> && !sends<void *>);
static_assert(!sends_pointer<const char *> && !sends_pointer<const void *> && !sends_pointer<const Pod *>);
// Both halves must be given away.
static_assert(!sends<dora::ArrowData &>);
// The overload that refuses the rest leaves what there is to others: no data, and metadata of each form.
template <class... Arguments>
using Sent = decltype(std::declval<dora::Node &>().send("out", std::declval<Arguments>()...));
static_assert(std::is_same_v<Sent<>, bool> && std::is_same_v<Sent<dora::Metadata &>, bool> &&
              std::is_same_v<Sent<const dora_metadata_t *>, bool>);
static_assert(std::is_same_v<Sent<std::vector<float>, dora::Metadata &>, bool> &&
              std::is_same_v<Sent<float *, int, dora::Metadata &>, bool>);

// What binds to Node::extension_store: what can be sent, but for nothing and Arrow.
template <class Data, class = void> constexpr bool stores = false;
template <class Data>
constexpr bool stores<Data, std::void_t<decltype(std::declval<dora::Node &>().extension_store(
                                "ns", "key", std::declval<Data>()))>> = true;
static_assert(stores<const char *> && stores<std::string> && stores<std::string_view> && stores<char (&)[8]>);
static_assert(stores<std::vector<float>> && stores<dora::Bytes &> && stores<const std::byte (&)[4]>);
static_assert(!stores<std::vector<bool>> && !stores<std::vector<char>> && !stores<std::vector<Pod>>);
static_assert(!stores<int> && !stores<float *> && !stores<void *> && !stores<std::nullptr_t>);
static_assert(!stores<dora::ArrowData> && !stores<dora::Event &> && !stores<Row>);

// A number is no timeout and no text, whether or not it is 0.
template <class N, class = void> constexpr bool polls_for_reply = false;
template <class N>
constexpr bool polls_for_reply<N, std::void_t<decltype(std::declval<N>().read_reply("id", 0))>> = true;
template <class N, class = void> constexpr bool sends_on_zero = false;
template <class N> constexpr bool sends_on_zero<N, std::void_t<decltype(std::declval<N>().send(0))>> = true;
template <class O, class = void> constexpr bool limits_by_number = false;
template <class O>
constexpr bool limits_by_number<O, std::void_t<decltype(std::declval<O>().init_timeout(1))>> = true;
static_assert(!polls_for_reply<dora::Node &> && !sends_on_zero<dora::Node &>);
static_assert(!limits_by_number<dora::NodeOptions &>);

// Diagnostics go to what takes a level and two texts, or to a function of C.
template <class Callback, class = void> constexpr bool listens = false;
template <class Callback>
constexpr bool
    listens<Callback, std::void_t<decltype(dora::set_diagnostics(DORA_LOG_INFO, std::declval<Callback>()))>> =
        true;
static_assert(listens<dora_diagnostics_fn_t> && listens<std::nullptr_t>);
static_assert(listens<std::function<void(std::int32_t, std::string_view, std::string_view)>>);
static_assert(!listens<bool (*)(int, std::string, std::string_view)>, "a view is no std::string");
static_assert(!listens<void (*)()> && !listens<std::function<void(std::string_view)>> && !listens<int>);

// One constant a width and sign, whatever the type is called.
static_assert(dora::data_type_of<std::int8_t> == DORA_TYPE_INT8);
static_assert(dora::data_type_of<std::int16_t> == DORA_TYPE_INT16);
static_assert(dora::data_type_of<std::int32_t> == DORA_TYPE_INT32);
static_assert(dora::data_type_of<std::int64_t> == DORA_TYPE_INT64);
static_assert(dora::data_type_of<long long> == DORA_TYPE_INT64);
static_assert(dora::data_type_of<std::uint8_t> == DORA_TYPE_UINT8);
static_assert(dora::data_type_of<std::uint16_t> == DORA_TYPE_UINT16);
static_assert(dora::data_type_of<std::uint32_t> == DORA_TYPE_UINT32);
static_assert(dora::data_type_of<std::uint64_t> == DORA_TYPE_UINT64);
static_assert(dora::data_type_of<unsigned long long> == DORA_TYPE_UINT64);
static_assert(dora::data_type_of<std::size_t> == DORA_TYPE_UINT64 || sizeof(std::size_t) == 4);
static_assert(dora::data_type_of<dora::Float16> == DORA_TYPE_FLOAT16);
static_assert(dora::data_type_of<float> == DORA_TYPE_FLOAT32);
static_assert(dora::data_type_of<double> == DORA_TYPE_FLOAT64);
static_assert(dora::data_type_of<char> == DORA_TYPE_OTHER && dora::data_type_of<wchar_t> == DORA_TYPE_OTHER);
static_assert(dora::data_type_of<char16_t> == DORA_TYPE_OTHER &&
              dora::data_type_of<char32_t> == DORA_TYPE_OTHER);

template <class T>
constexpr bool move_only =
    std::is_nothrow_move_constructible_v<T> &&std::is_nothrow_move_assignable_v<T> &&
    !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> && std::is_nothrow_destructible_v<T>;
static_assert(move_only<dora::Node> && move_only<dora::Event> && move_only<dora::ReadResult>);
static_assert(move_only<dora::NodeOptions> && move_only<dora::Metadata> && move_only<dora::Stream>);
static_assert(move_only<dora::Bytes> && move_only<dora::ExtensionResult>);
static_assert(move_only<dora::ArrowSchema> && move_only<dora::ArrowArray> && move_only<dora::ArrowData>);
static_assert(std::is_nothrow_copy_constructible_v<dora::Error>,
              "an exception that is copied must not throw");
static_assert(sizeof(dora::Node) == sizeof(void *) && sizeof(dora::Event) == sizeof(void *));
// Who owns is said: no handle becomes an object, and no options a node, unasked.
static_assert(!std::is_convertible_v<dora_node_options_t *, dora::NodeOptions> &&
              !std::is_convertible_v<dora_stream_t *, dora::Stream> &&
              !std::is_convertible_v<dora_bytes_t *, dora::Bytes>);
static_assert(!std::is_convertible_v<const dora::NodeOptions &, dora::Node> &&
              !std::is_convertible_v<const char *, dora::Stream>);

// A temporary node would be gone in the body of the loop.
template <class N, class = void> constexpr bool has_events = false;
template <class N> constexpr bool has_events<N, std::void_t<decltype(std::declval<N>().events())>> = true;
static_assert(has_events<dora::Node &> && !has_events<dora::Node>);

void spans() {
    CHECK(dora::Span<int>().data() == nullptr && dora::Span<int>().empty());

    std::vector<int> numbers = {3, 1, 2};
    dora::Span<int> span = numbers;
    std::sort(span.begin(), span.end());
    CHECK(numbers == std::vector<int>{1, 2, 3});
    CHECK(span.size() == 3 && span.size_bytes() == 12 && span[2] == 3 && !span.empty());

    const dora::Span<const int> read_only = span;
    CHECK(read_only.data() == numbers.data());
    CHECK(std::accumulate(read_only.begin(), read_only.end(), 0) == 6);

    int array[] = {4, 5};
    CHECK(dora::Span<int>(array).size() == 2 && dora::Span<const int>(array)[1] == 5);
    CHECK(dora::Span<const int>(array + 1, 1)[0] == 5);

    static_assert(!std::is_convertible_v<std::vector<float> &, dora::Span<int>>);
    static_assert(!std::is_convertible_v<const std::vector<int> &, dora::Span<int>>);
    static_assert(!std::is_convertible_v<std::vector<int>, dora::Span<int>>, "would dangle");
    static_assert(std::is_convertible_v<std::vector<int>, dora::Span<const int>>,
                  "as an argument it does not");
    static_assert(!std::is_convertible_v<std::vector<bool> &, dora::Span<bool>>);
    static_assert(!std::is_convertible_v<Row, dora::Span<const float>>);

    constexpr dora::Span<const int> none;
    static_assert(none.empty() && none.begin() == none.end());
}

void standard_spans() {
#if __cplusplus >= 202002L
    static_assert(std::ranges::contiguous_range<dora::Span<const float>>);
    static_assert(std::ranges::sized_range<dora::Span<const float>>);
    static_assert(std::input_iterator<dora::AffectedInputs::iterator>);
    static_assert(std::input_iterator<dora::Events::iterator>);

    std::vector<float> numbers = {1.0F, 2.0F};
    const dora::Span<const float> ours = numbers;
    const std::span<const float> theirs = ours;
    CHECK(theirs.data() == numbers.data() && theirs.size() == 2);
    const std::span deduced = ours;
    static_assert(std::is_same_v<decltype(deduced), const std::span<const float>>);
    const dora::Span<const float> back = theirs;
    CHECK(back.data() == numbers.data() && back.size() == 2);

    dora::Span<float> writable = numbers;
    const std::span<float> also = writable;
    also[0] = 7.0F;
    CHECK(ours[0] == 7.0F);

    static_assert(sends<std::span<const float>> && sends<std::span<int, 3>>);
    static_assert(!sends<std::u8string>, "a type of its own since C++20");
#endif
}

void bits() {
    const std::uint8_t packed[] = {0b1010'0000, 0b0000'0011};
    const dora::Bits bits(packed, 5, 6);
    std::string read;
    for (std::size_t i = 0; i < bits.size(); ++i)
        read += bits[i] ? '1' : '0';
    CHECK(read == "101110");
    CHECK(dora::Bits().empty() && dora::Bits().bits() == nullptr);

    const std::int32_t values[] = {1, 0, 3};
    const std::uint8_t validity[] = {0b1010};
    const dora::NullableValues<std::int32_t> nullable = {values, dora::Bits(validity, 1, 3)};
    CHECK(nullable.size() == 3 && nullable[0] == 1 && !nullable[1].has_value() && nullable[2] == 3);
    CHECK(nullable.is_null(1) && !nullable.is_null(2));
    const dora::NullableValues<std::int32_t> all_valid = {values, {}};
    CHECK(all_valid[1] == 0 && !all_valid.is_null(1));
}

void borrowed() {
    const std::string id = "out";
    CHECK(dora::CString(id).c_str() == id.c_str());
    static_assert(!std::is_convertible_v<std::string_view, dora::CString>, "need not end in a NUL");
    CHECK(dora::CString(nullptr).c_str() == nullptr);
    static_assert(!std::is_constructible_v<dora::MetadataView, int>);
    CHECK(!dora::MetadataView() && !dora::MetadataView(nullptr));
}

// Deadlines that are over do not wait; what does not fit is cut, not wrapped.
void timeouts() {
    using namespace std::chrono;
    using dora::detail::timeout_ns;
    constexpr std::int64_t longest = (nanoseconds::max)().count();
    CHECK(timeout_ns(milliseconds(100)) == 100'000'000);
    CHECK(timeout_ns(nanoseconds(1)) == 1 && timeout_ns(duration<double>(0.5)) == 500'000'000);
    CHECK(timeout_ns(duration<short>(3)) == 3'000'000'000 &&
          timeout_ns(duration<unsigned, std::milli>(1)) == 1'000'000);
    CHECK(timeout_ns(nanoseconds(0)) == 0 && timeout_ns(nanoseconds(-1)) == 0);
    CHECK(timeout_ns((hours::min)()) == 0 && timeout_ns(duration<double>(-1e300)) == 0);
    CHECK(timeout_ns((nanoseconds::max)()) == longest && timeout_ns((hours::max)()) == longest);
    CHECK(timeout_ns((seconds::max)()) == longest && timeout_ns((milliseconds::max)()) == longest);
    CHECK(timeout_ns(duration<double>(1e300)) == longest && timeout_ns(duration<float>(1e30F)) == longest);
    CHECK(timeout_ns(duration<double>(std::numeric_limits<double>::quiet_NaN())) == 0);
    // The last whole millisecond below the limit and the first above it.
    CHECK(timeout_ns(milliseconds(longest / 1'000'000)) == longest / 1'000'000 * 1'000'000);
    CHECK(timeout_ns(milliseconds(longest / 1'000'000 + 1)) == longest);
}

} // namespace

int main() {
    spans();
    standard_spans();
    bits();
    borrowed();
    timeouts();
    return check::result("views");
}
