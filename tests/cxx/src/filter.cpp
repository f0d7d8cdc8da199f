#include "filter.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace cxx_node {
namespace {

std::vector<dora::ArrowData> kept;

std::uint64_t sum_of(const std::uint8_t *values, std::size_t size) {
    return std::accumulate(values, values + size, std::uint64_t{0});
}

} // namespace

rust::String describe(const dora_event_t &event) {
    std::string text = dora_event_kind_name(dora_event_kind(&event));
    if (const char *input = dora_event_input_id(&event))
        text = text + ' ' + input;
    return text;
}

bool is_first(const dora_event_t &event) { return dora_event_once(&event, "first"); }

std::uint64_t sum(const dora_event_t &event, dora_metadata_t &metadata) {
    const std::uint8_t *values;
    std::size_t size;
    if (dora_event_uint8(&event, &values, &size) != DORA_OK)
        return 0;
    const std::uint64_t sum = sum_of(values, size);
    std::int64_t expected;
    if (dora_metadata_get_integer(&metadata, "expected", &expected) != DORA_OK)
        throw std::runtime_error(dora_last_error());
    if (expected != static_cast<std::int64_t>(sum))
        throw std::runtime_error("the sums differ");
    // What is thrown is an error in Rust.
    if (dora_metadata_set_integer(&metadata, "sum", static_cast<std::int64_t>(sum)) != DORA_OK)
        throw std::runtime_error(dora_last_error());
    return sum;
}

void keep(dora_event_t *event) { kept.push_back(dora::Event(event).arrow()); }

std::uint64_t let_go() {
    std::uint64_t sum = 0;
    for (const dora::ArrowData &data : kept) {
        const auto *values = static_cast<const std::uint8_t *>(data.array->buffers[1]);
        sum += sum_of(values + data.array->offset, static_cast<std::size_t>(data.array->length));
    }
    kept.clear();
    return sum;
}

} // namespace cxx_node
