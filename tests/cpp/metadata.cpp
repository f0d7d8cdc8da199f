// Metadata of one's own and that of an event, each type there and back, and what the compiler must refuse.
// Environment: DORA_TEST_WITH_INPUTS=metadata.json.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <iterator>
#include <ranges>
#include <span>
#endif

namespace {

using dora::Span;
using dora::Strings;
using dora::Timestamp;
using std::chrono::nanoseconds;

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

// ---- What binds to set ----

template <class Value, class = void> constexpr bool sets = false;
template <class Value>
constexpr bool
    sets<Value, std::void_t<decltype(std::declval<dora::Metadata &>().set("key", std::declval<Value>()))>> =
        true;

enum Unscoped { one };
enum class Scoped { one };

static_assert(sets<bool> && sets<int> && sets<std::int8_t> && sets<std::uint8_t> && sets<std::uint32_t>);
static_assert(sets<long> && sets<long long> && sets<std::int64_t> && sets<float> && sets<double>);
static_assert(sets<const char *> && sets<char (&)[4]> && sets<std::string> && sets<std::string_view>);
static_assert(sets<Timestamp> && sets<std::chrono::system_clock::time_point>);
static_assert(sets<std::vector<std::int64_t>> && sets<std::vector<long long>> && sets<double (&)[2]>);
static_assert(sets<std::array<double, 9>> && sets<Span<const std::int64_t>> && sets<Span<double>>);
static_assert(sets<std::vector<std::string>> && sets<std::array<std::string_view, 2>> &&
              sets<const char *(&)[2]> && sets<Strings>);

// A pointer is no bool, what may not fit is no integer, a list is not converted behind one's back.
static_assert(!sets<void *> && !sets<int *> && !sets<const bool *> && !sets<std::nullptr_t>);
static_assert(!sets<std::uint64_t> && !sets<unsigned long long> && !sets<long double>);
static_assert(!sets<char> && !sets<wchar_t> && !sets<Unscoped> && !sets<Scoped>);
static_assert(!sets<std::chrono::steady_clock::time_point> && !sets<nanoseconds>);
static_assert(!sets<std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<double>>>);
static_assert(!sets<std::vector<int>> && !sets<std::vector<float>> && !sets<std::vector<bool>> &&
              !sets<std::vector<char>> && !sets<std::vector<std::uint64_t>> && !sets<std::u16string>);
static_assert(!sets<dora::MetadataView> && !sets<std::optional<int>>);

template <class Metadata, class = void> constexpr bool sets_empty_braces = false;
template <class Metadata>
constexpr bool sets_empty_braces<Metadata, std::void_t<decltype(std::declval<Metadata &>().set("key", {}))>> =
    true;
template <class Metadata, class = void> constexpr bool sets_mixed_braces = false;
template <class Metadata>
constexpr bool
    sets_mixed_braces<Metadata, std::void_t<decltype(std::declval<Metadata &>().set("key", {1, 2.0}))>> =
        true;
static_assert(!sets_empty_braces<dora::Metadata>, "of which kind?");
static_assert(!sets_mixed_braces<dora::Metadata>, "of which kind?");

// ---- Ownership ----

static_assert(std::is_nothrow_move_constructible_v<dora::Metadata> &&
              std::is_nothrow_move_assignable_v<dora::Metadata>);
static_assert(!std::is_copy_constructible_v<dora::Metadata> && !std::is_copy_assignable_v<dora::Metadata>);
static_assert(sizeof(dora::Metadata) == sizeof(void *) && sizeof(dora::MetadataView) == sizeof(void *));
static_assert(std::is_convertible_v<dora::Metadata &, dora::MetadataView> &&
              std::is_convertible_v<const dora::Metadata &, dora::MetadataView>);
static_assert(!std::is_convertible_v<dora::MetadataView, dora::Metadata>, "a copy is asked for");
static_assert(!std::is_convertible_v<dora_metadata_t *, dora::Metadata>, "it would be taken over");
#if __cplusplus >= 202002L
static_assert(std::ranges::input_range<dora::MetadataKeys> && std::ranges::sized_range<dora::MetadataKeys>);
static_assert(std::ranges::input_range<Strings> && std::ranges::sized_range<Strings>);
#endif

template <class T> bool equal(Span<const T> values, std::initializer_list<T> wanted) {
    return std::equal(values.begin(), values.end(), wanted.begin(), wanted.end());
}

bool equal(const Strings &texts, std::initializer_list<std::string_view> wanted) {
    return std::equal(texts.begin(), texts.end(), wanted.begin(), wanted.end());
}

std::string keys_of(dora::MetadataView metadata) {
    std::string keys;
    for (const std::string_view key : metadata.keys())
        keys.append(key).append(" ");
    return keys;
}

void scalars() {
    dora::Metadata m;
    CHECK(m && m.count() == 0 && m.keys().empty() && m.keys().begin() == m.keys().end());

    // The type of the argument says the kind, and nothing is promoted to another.
    m.set("bool", true).set("int", 640).set("float", 0.5F).set("double", 640.0).set("literal", "text");
    CHECK(m.kind("bool") == DORA_METADATA_BOOL && m.get<bool>("bool"));
    CHECK(m.kind("int") == DORA_METADATA_INTEGER && m.get<std::int64_t>("int") == 640);
    CHECK(m.kind("float") == DORA_METADATA_FLOAT && m.get<double>("float") == 0.5);
    CHECK(m.kind("double") == DORA_METADATA_FLOAT && m.get<double>("double") == 640.0);
    CHECK(m.kind("literal") == DORA_METADATA_STRING && m.get<std::string_view>("literal") == "text");
    CHECK(m.count() == 5 && keys_of(m) == "bool double float int literal ");
    m.set("bool", false);
    CHECK(!m.get<bool>("bool"));

    for (const std::int64_t value : {lowest, std::int64_t(-1), std::int64_t(0), highest}) {
        CHECK(m.set("i", value).get<std::int64_t>("i") == value);
        const Timestamp time{nanoseconds(value)};
        CHECK(m.set("t", time).get<Timestamp>("t") == time && m.kind("t") == DORA_METADATA_TIMESTAMP);
    }
    m.set("u32", std::numeric_limits<std::uint32_t>::max()).set("i8", std::int8_t(-128));
    CHECK(m.get<std::int64_t>("u32") == 4294967295 && m.get<std::int64_t>("i8") == -128);

    const std::chrono::system_clock::time_point now = std::chrono::system_clock::now();
    CHECK(m.set("now", now).get<Timestamp>("now") == now);
    using Days = std::chrono::duration<int, std::ratio<86400>>;
    m.set("1969-12-31", std::chrono::time_point<std::chrono::system_clock, Days>(Days(-1)));
    CHECK(m.get<Timestamp>("1969-12-31").time_since_epoch() == std::chrono::hours(-24));

    CHECK(std::isnan(m.set("f", std::nan("")).get<double>("f")));
    CHECK(m.set("f", -HUGE_VAL).get<double>("f") == -HUGE_VAL);
    CHECK(m.set("f", std::numeric_limits<float>::infinity()).get<double>("f") == HUGE_VAL);
    CHECK(std::signbit(m.set("f", -0.0).get<double>("f")));
}

void texts() {
    using namespace std::string_view_literals;
    dora::Metadata m;
    const std::string large(std::size_t(1) << 20, 'x');
    const char *pointer = "pointer";
    const char buffer[16] = "buffer";
    m.set("large", large).set("nul", "a\0b\0"sv).set("pointer", pointer).set("buffer", buffer);
    m.set("none", std::string_view()).set(std::string("宽度"), std::string("六百四十"));
    CHECK(m.get<std::string_view>("large") == large && m.get<std::string_view>("nul") == "a\0b\0"sv);
    CHECK(m.get<std::string_view>("pointer") == "pointer" && m.get<std::string_view>("buffer") == "buffer");
    CHECK(m.get<std::string_view>("none").empty() && m.contains("none"));
    CHECK(m.get<std::string_view>("宽度") == "六百四十");
    const std::string_view text = m.get<std::string_view>("pointer");
    CHECK(text.data()[text.size()] == '\0');

    m.set("list", {"a", "猫", ""});
    CHECK(m.kind("list") == DORA_METADATA_STRINGS && equal(m.get<Strings>("list"), {"a", "猫", ""}));
    m.set("list", {"a\0b"sv, std::string_view()});
    CHECK(equal(m.get<Strings>("list"), {"a\0b"sv, ""}));
    m.set("list", {std::string("a string")});
    CHECK(equal(m.get<Strings>("list"), {"a string"}));
    m.set("list", std::vector<std::string>{"one", large, "three"});
    CHECK(equal(m.get<Strings>("list"), {"one", large, "three"}));
    const std::array<std::string_view, 2> views = {"x", "yz"};
    CHECK(equal(m.set("list", views).get<Strings>("list"), {"x", "yz"}));
    const char *const pointers[] = {"p", "q"};
    CHECK(equal(m.set("list", pointers).get<Strings>("list"), {"p", "q"}));
    m.set("list", m.get<Strings>("list")).set("again", m.get<Strings>("list")); // from itself
    CHECK(equal(m.get<Strings>("list"), {"p", "q"}) && equal(m.get<Strings>("again"), {"p", "q"}));
    CHECK(m.set("list", std::vector<std::string>()).get<Strings>("list").empty());
    CHECK(m.set("list", Strings()).get<Strings>("list").empty());

    // The view keeps no pointer to the caller's key.
    m.set("list", {"kept"});
    std::string key = "list";
    const Strings list = m.get<Strings>(key);
    key = "another";
    CHECK(list.size() == 1 && list[0] == "kept" && list[1].data() == nullptr && list[1].empty());
    CHECK(Strings().empty() && Strings()[0].empty() && Strings().begin() == Strings().end());
}

void lists() {
    dora::Metadata m;
    m.set("braces", {-1, 2}).set("small", {std::uint8_t(255)}).set("floats", {0.5F, 1.5F});
    CHECK(equal<std::int64_t>(m.get<Span<const std::int64_t>>("braces"), {-1, 2}));
    CHECK(equal<std::int64_t>(m.get<Span<const std::int64_t>>("small"), {255}));
    CHECK(equal<double>(m.get<Span<const double>>("floats"), {0.5, 1.5}));
    m.set("braces", {lowest, highest}).set("floats", {1.0, HUGE_VAL});
    CHECK(equal<std::int64_t>(m.get<Span<const std::int64_t>>("braces"), {lowest, highest}));
    CHECK(equal<double>(m.get<Span<const double>>("floats"), {1.0, HUGE_VAL}));

    m.set("vector", std::vector<std::int64_t>{1, 2, 3}).set("long long", std::vector<long long>{4, highest});
    CHECK(equal<std::int64_t>(m.get<Span<const std::int64_t>>("vector"), {1, 2, 3}));
    CHECK(equal<std::int64_t>(m.get<Span<const std::int64_t>>("long long"), {4, highest}));
    const double array[] = {5.0, 6.0};
    const std::array<double, 3> k = {7.0, 8.0, 9.0};
    CHECK(equal<double>(m.set("array", array).get<Span<const double>>("array"), {5.0, 6.0}));
    CHECK(equal<double>(m.set("k", k).get<Span<const double>>("k"), {7.0, 8.0, 9.0}));
    CHECK(equal<double>(m.set("k", Span<const double>(k.data(), 1)).get<Span<const double>>("k"), {7.0}));
    m.set("k", m.get<Span<const double>>("array")); // from itself
    CHECK(equal<double>(m.get<Span<const double>>("k"), {5.0, 6.0}));
    CHECK(m.set("k", std::vector<double>()).get<Span<const double>>("k").data() == nullptr);
    CHECK(m.set("k", Span<const std::int64_t>()).get<Span<const std::int64_t>>("k").empty());
#if __cplusplus >= 202002L
    const std::span<const double> span = k;
    CHECK(m.set("k", span).get<Span<const double>>("k").size() == 3);
#endif
}

void failures() {
    dora::Metadata m;
    m.set("width", 640).set("scale", 1.5).set("name", "camera");
    CHECK(MESSAGE_OF(DORA_ERROR_NOT_FOUND, m.get<std::int64_t>("height")) ==
          "no parameter has the `key` \"height\"; there are \"name\", \"scale\", \"width\"");
    CHECK(MESSAGE_OF(DORA_ERROR_WRONG_TYPE, m.get<double>("width")) ==
          "the parameter \"width\" is a DORA_METADATA_INTEGER, not a DORA_METADATA_FLOAT");
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, m.get<bool>("width"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, m.get<std::int64_t>("scale"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, (void)m.get<std::string_view>("scale"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, (void)m.get<Timestamp>("width"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, m.get<Span<const std::int64_t>>("width"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, m.get<Span<const double>>("scale"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, (void)m.get<Strings>("name"));
    MESSAGE_OF(DORA_ERROR_NOT_FOUND, (void)m.get<Strings>("names"));

    // To find nothing is no failure, and leaves the last one alone; to find another kind is one.
    const std::string last = dora_last_error();
    CHECK(!m.find<bool>("height") && !m.find<Strings>("height") && !m.find<Timestamp>("height"));
    CHECK(m.find<double>("height").value_or(480.0) == 480.0 && last == dora_last_error());
    CHECK(m.find<std::int64_t>("width") == 640 && m.find<std::string_view>("name") == "camera");
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, m.find<double>("width"));
    CHECK(m.contains("width") && !m.contains("height") && m.kind("height") == DORA_METADATA_UNKNOWN);

    const char *nothing = nullptr;
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, m.set("_framing", 1)), "_framing"));
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, m.set("__dora_x", {"a"}));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, m.set("\xFF", true));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, m.set("name", "\xFF"));
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_UTF8, m.set("name", {"", "\xFF"})), "values[1]"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, m.set("name", nothing));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, m.set("name", {"a", nothing}));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, m.set(nothing, 1));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, m.get<bool>(nothing));
    CHECK(!m.contains(nothing) && !m.find<bool>(nothing));
    MESSAGE_OF(DORA_ERROR_NOT_FOUND, m.remove("height"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, m.merge({}));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, const dora::Metadata copy{dora::MetadataView()});
    CHECK(m.count() == 3 && m.get<std::string_view>("name") == "camera");
}

void several() {
    dora::Metadata first;
    first.set("both", 1).set("old", 1);
    dora::Metadata second(first.view());
    CHECK(second.get() != first.get() && keys_of(second) == "both old ");
    second.set("both", "second").set("new", 2).remove("old");
    CHECK(first.get<std::int64_t>("both") == 1 && keys_of(first) == "both old ");
    first.merge(second).merge(first);
    CHECK(keys_of(first) == "both new old " && first.get<std::string_view>("both") == "second");
    second.clear();
    CHECK(second && second.count() == 0 && keys_of(second).empty());
    CHECK(first.get<std::string_view>("both") == "second");

    // A key may come from the object that it goes to.
    second.set("a", 1).set("b", 2);
    second.set(second.keys()[1].data(), 3);
    CHECK(keys_of(second) == "a b " && second.get<std::int64_t>("b") == 3);
    while (second.count() > 0)
        second.remove(second.keys()[0].data());

    // Moving keeps what points into it.
    const std::string_view text = first.get<std::string_view>("both");
    dora::Metadata moved = std::move(first);
    CHECK(moved.get<std::string_view>("both").data() == text.data());
    dora::Metadata &same = moved;
    moved = std::move(same);
    CHECK(moved && moved.count() == 3);

    // Every call on what is empty is defined.
    CHECK(!first && first.get() == nullptr && first.count() == 0 && first.keys().empty() && !first.view());
    CHECK(first.keys()[0].data() == nullptr && first.kind("both") == DORA_METADATA_UNKNOWN);
    CHECK(!first.contains("both") && !first.find<bool>("both"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, first.get<std::int64_t>("both"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)first.get<Strings>("both"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, first.set("both", 1));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, first.set("both", {"a", "b"}));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, first.remove("both"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, first.merge(second));
    first.clear();
    const dora::MetadataView none;
    CHECK(!none && none.count() == 0 && none.keys().empty() && !none.find<bool>("x") && !none.contains("x"));

    first = std::move(moved);
    CHECK(first.count() == 3 && !moved);
    dora::Metadata taken(first.release());
    CHECK(!first && taken.count() == 3);
    taken.reset();
    CHECK(!taken);
    taken = dora::Metadata();
    CHECK(taken && taken.count() == 0);
}

void received(dora::MetadataView m) {
    using namespace std::string_view_literals;
    const auto keys = m.keys();
    CHECK(m.count() == 18 && keys.size() == 18 && keys[0] == "_dora" && keys[17] == "宽度");
    CHECK(keys[3] == "key\0nul"sv && !m.contains("key") && keys[18].data() == nullptr);
    std::size_t index = 0;
    for (const std::string_view key : keys) {
        CHECK(key == keys[index] && (index == 0 || keys[index - 1] < key));
        CHECK(m.contains(key.data()) == (index++ != 3)); // all but the one that holds a NUL
    }
    CHECK(m.get<std::int64_t>("width") == 640 && m.get<std::int64_t>("lowest") == lowest);
    CHECK(m.get<bool>("on") && m.get<double>("scale") == -0.5);
    CHECK(m.get<std::string_view>("encoding") == "bgr8" && m.get<std::string_view>("nul") == "one\0two"sv);
    CHECK(m.get<std::string_view>("宽度") == "六百四十");
    CHECK(equal<std::int64_t>(m.get<Span<const std::int64_t>>("roi"), {lowest, 0, highest}));
    CHECK(equal<double>(m.get<Span<const double>>("k"), {1e308, 5e-324, -0.0}));
    CHECK(equal(m.get<Strings>("labels"), {"", "猫", "a\0b"sv}));
    CHECK(m.get<Span<const std::int64_t>>("no integers").data() == nullptr);
    CHECK(m.get<Span<const double>>("no floats").empty() && m.get<Strings>("no strings").empty());
    CHECK(m.get<Timestamp>("taken").time_since_epoch() == nanoseconds(-1));
    CHECK(m.kind("too early") == DORA_METADATA_TIMESTAMP);
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, (void)m.get<Timestamp>("too early"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, (void)m.find<Timestamp>("too late"));
    CHECK(!m.contains("_framing") && !m.contains("__dora_x"));
}

void events() {
    dora::Node node;
    dora::Event event = std::move(*node.read());
    received(event.metadata());
    dora::Metadata own(event.metadata());
    dora::Metadata merged;
    merged.merge(event.metadata());
    event.reset();
    received(own);
    received(merged);

    own.set("height", 480).set("width", "wide");
    const dora::Metadata &read_only = own;
    node.send("empty", own);
    node.send("text", "x", read_only);
    node.send("values", {1.0F}, own);
    node.send("vector", std::vector<double>{1.0}, own);
    node.send_bytes("bytes", "x", 1, own);
    node.send("temporary", {1.0F}, dora::Metadata().set("width", 1));
    CHECK(own.get<std::string_view>("width") == "wide" && own.get<std::int64_t>("height") == 480);

    event = std::move(*node.read());
    CHECK(event.metadata() && event.metadata().count() == 0 && !event.metadata().find<bool>("width"));
    event = std::move(*node.read());
    CHECK(event.kind() == DORA_EVENT_STOP && !event.metadata() && event.metadata().keys().empty());
    node.reset();
    received(merged);
}

} // namespace

int main() {
    scalars();
    texts();
    lists();
    failures();
    several();
    events();
    return check::result("metadata");
}
