// The data of inputs, of each type and with nulls, read without an Arrow library.
// Environment: DORA_TEST_WITH_INPUTS=data.json.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <cstring>
#include <limits>
#include <map>

namespace {

// Two numbers, read as what they are, as bytes, and refused as what they are not.
template <class T> void numbers(const dora::Event &event, T first, T second, std::string_view format) {
    CHECK(event.data_type() == dora::data_type_of<T> && event.data_format() == format);
    CHECK(event.length() == 2 && event.null_count() == 0);
    const dora::Span<const T> values = event.values<T>();
    CHECK(values.size() == 2 && std::memcmp(&values[0], &first, sizeof(T)) == 0 &&
          std::memcmp(&values[1], &second, sizeof(T)) == 0);
    const dora::NullableValues<T> nullable = event.nullable_values<T>();
    CHECK(nullable.values.data() == values.data() && nullable.validity.empty() && nullable[1].has_value());
    CHECK(event.raw().size() == 2 * sizeof(T));
    CHECK(static_cast<const void *>(event.raw().data()) == values.data());

    using Other = std::conditional_t<std::is_same_v<T, double>, float, double>;
    const std::string message = MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.values<Other>());
    CHECK(check::contains(message, event.input_id()));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.nullable_values<Other>());
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.bits());
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.text());
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.bytes());
}

template <class T> void limits(const dora::Event &event, std::string_view format) {
    numbers<T>(event, std::numeric_limits<T>::lowest(), (std::numeric_limits<T>::max)(), format);
}

void empty(const dora::Event &event) {
    CHECK(event.data_type() == DORA_TYPE_FLOAT32 && event.length() == 0);
    CHECK(event.values<float>().data() == nullptr && event.values<float>().empty());
    CHECK(event.nullable_values<float>().empty() && event.raw().data() == nullptr);
}

void booleans(const dora::Event &event) {
    CHECK(event.data_type() == DORA_TYPE_BOOL && event.length() == 10);
    const dora::Bits bits = event.bits();
    std::string read;
    for (std::size_t i = 0; i < bits.size(); ++i)
        read += bits[i] ? '1' : '0';
    CHECK(read == "1011000001");
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.values<std::uint8_t>());
}

void texts(const dora::Event &event) {
    CHECK(event.data_type() == DORA_TYPE_TEXT && event.length() == 4);
    CHECK(event.text() == "a" && event.text(1).empty() &&
          event.text(2) == "Gr\xC3\xB6\xC3\x9F"
                           "e");
    CHECK(event.text(3) == std::string_view("a\0b", 3));
    CHECK(event.text(2).data()[event.text(2).size()] == '\0');
    CHECK(event.text().data() == event.text().data()); // copied once, not on each call
    CHECK(event.bytes(2).size() == 7 && event.bytes(2)[0] == 'G');
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, event.text(4)), "4"));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.raw());
}

void binary(const dora::Event &event) {
    CHECK(event.data_type() == DORA_TYPE_BINARY && event.length() == 2);
    const dora::Span<const std::uint8_t> bytes = event.bytes();
    CHECK(bytes.size() == 2 && bytes[0] == 0x00 && bytes[1] == 0xFF && event.bytes(1).empty());
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, event.bytes(2));
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.text());
}

void holes(const dora::Event &event) {
    CHECK(event.length() == 3 && event.null_count() == 1);
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_HAS_NULLS, event.values<std::int32_t>()), "nullable"));
    MESSAGE_OF(DORA_ERROR_HAS_NULLS, event.raw());
    const auto values = event.nullable_values<std::int32_t>();
    CHECK(values.size() == 3 && values[0] == 1 && values.is_null(1) && !values[1] && values[2] == 3);
}

void structures(const dora::Event &event) {
    CHECK(event.data_type() == DORA_TYPE_OTHER && event.data_format() == "+s" && event.length() == 2);
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, event.values<double>());
    const dora::ArrowData data = event.arrow();
    CHECK(data.schema->n_children == 1 && std::strcmp(data.schema->children[0]->name, "x") == 0);
    CHECK(data.array->length == 2);
    const auto *x = static_cast<const double *>(data.array->children[0]->buffers[1]);
    CHECK(x[0] == 1.5 && x[1] == 2.5);
}

using Reader = void (*)(const dora::Event &);
const std::map<std::string_view, Reader> readers = {
    {"nothing",
     [](const dora::Event &event) { CHECK(event.data_type() == DORA_TYPE_NULL && event.length() == 0); }},
    {"empty", empty},
    {"null", [](const dora::Event &event) { CHECK(event.length() == 2 && event.null_count() == 2); }},
    {"bool", booleans},
    {"int8", [](const dora::Event &event) { limits<std::int8_t>(event, "c"); }},
    {"int16", [](const dora::Event &event) { limits<std::int16_t>(event, "s"); }},
    {"int32", [](const dora::Event &event) { limits<std::int32_t>(event, "i"); }},
    {"int64", [](const dora::Event &event) { limits<std::int64_t>(event, "l"); }},
    {"uint8", [](const dora::Event &event) { limits<std::uint8_t>(event, "C"); }},
    {"uint16", [](const dora::Event &event) { limits<std::uint16_t>(event, "S"); }},
    {"uint32", [](const dora::Event &event) { limits<std::uint32_t>(event, "I"); }},
    {"uint64", [](const dora::Event &event) { limits<std::uint64_t>(event, "L"); }},
    {"float16", [](const dora::Event &event) { numbers<dora::Float16>(event, {0x3E00}, {0xC000}, "e"); }},
    {"float32", [](const dora::Event &event) { numbers<float>(event, 1.5F, -2.25F, "f"); }},
    {"float64", [](const dora::Event &event) { numbers<double>(event, 1.5, -2.25, "g"); }},
    {"text", texts},
    {"binary", binary},
    {"holes", holes},
    {"text-holes",
     [](const dora::Event &event) {
         CHECK(event.text(0) == "a");
         MESSAGE_OF(DORA_ERROR_HAS_NULLS, event.text(1));
         MESSAGE_OF(DORA_ERROR_HAS_NULLS, event.bytes(1));
     }},
    {"bool-holes", [](const dora::Event &event) { MESSAGE_OF(DORA_ERROR_HAS_NULLS, event.bits()); }},
    {"struct", structures},
};

} // namespace

int main() {
    dora::Node node;
    std::size_t read = 0;
    for (dora::Event &event : node.events()) {
        if (event.kind() != DORA_EVENT_INPUT)
            continue;
        const auto reader = readers.find(event.input_id());
        CHECK(reader != readers.end());
        if (reader == readers.end())
            continue;
        const int failed = check::failed;
        reader->second(event);
        if (check::failed > failed)
            std::fprintf(stderr, "  in %s\n", event.to_string().c_str());
        ++read;
    }
    CHECK(read == readers.size());
    return check::result("data");
}
