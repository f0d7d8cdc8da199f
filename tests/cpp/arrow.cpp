// Who owns Arrow structs, and that each is released once: in the owners, by the library, on failure, at the
// end. Environment: DORA_TEST_WITH_INPUTS=send.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <cstring>
#include <optional>
#include <thread>
#include <utility>

namespace {

// An array of one int32, as a program without an Arrow library makes it; its releases are counted.
int schemas_released = 0;
int arrays_released = 0;
const std::int32_t number = 42;
const void *buffers[] = {nullptr, &number};

void release_schema(::ArrowSchema *schema) {
    ++schemas_released;
    std::memset(static_cast<void *>(schema), 0x5A, sizeof *schema); // nobody may read it any more ...
    schema->release = nullptr;                                      // ... but this
}

void release_array(::ArrowArray *array) {
    ++arrays_released;
    std::memset(static_cast<void *>(array), 0x5A, sizeof *array);
    array->release = nullptr;
}

dora::ArrowData made() {
    dora::ArrowData data;
    data.schema->format = "i";
    data.schema->name = "";
    data.schema->release = release_schema;
    data.array->length = 1;
    data.array->n_buffers = 2;
    data.array->buffers = buffers;
    data.array->release = release_array;
    return data;
}

bool released(int times) {
    const bool as_expected = schemas_released == times && arrays_released == times;
    if (!as_expected)
        std::fprintf(stderr, "released: %d schemas, %d arrays\n", schemas_released, arrays_released);
    schemas_released = 0;
    arrays_released = 0;
    return as_expected;
}

void owners() {
    {
        dora::ArrowArray empty;
        CHECK(!empty && empty.get()->release == nullptr);
        empty.reset();
        const dora::ArrowArray moved = std::move(empty);
        CHECK(!moved);
    }
    CHECK(released(0));
    {
        dora::ArrowData data = made();
        dora::ArrowData moved = std::move(data);
        CHECK(!data.schema && !data.array && moved.schema && moved.array->length == 1);
        data = std::move(moved);
        dora::ArrowData &same = data;
        data = std::move(same);
        CHECK(data.array && data.array->buffers == buffers);
        data = made(); // releases what it held
        CHECK(released(1));
        data.schema.reset();
        data.array.reset();
        data.array.reset();
        CHECK(released(1) && !data.schema && !data.array);
    }
    CHECK(released(0));
    {
        dora::ArrowData data = made();
        ::ArrowArray array = data.array.release(); // handed over: the owner keeps its hands off
        ::ArrowSchema schema = data.schema.release();
        CHECK(!data.array && array.release == release_array);
        const dora::ArrowArray owner(&array); // and back
        CHECK(owner && array.release == nullptr);
        const dora::ArrowSchema schema_owner(&schema);
    }
    CHECK(released(1));
    {
        dora::ArrowData data = made();
        data.array->release(data.array.get()); // as a library does that takes it over through get()
        data.schema->release(data.schema.get());
        CHECK(!data.array && !data.schema);
    }
    CHECK(released(1));
}

void sending(dora::Node &node) {
    dora::ArrowData data = made();
    node.send("arrow", std::move(data.schema), std::move(data.array));
    CHECK(!data.schema && !data.array && released(1));
    node.send("arrow", made());
    CHECK(released(1));

    // Taken also where it fails, for whatever reason.
    data = made();
    MESSAGE_OF(DORA_ERROR_INVALID_ID, node.send("no id", std::move(data)));
    CHECK(!data.schema && !data.array && released(1));
    data = made();
    data.array->n_buffers = 1;
    MESSAGE_OF(DORA_ERROR_INVALID_ARROW, node.send("arrow", std::move(data)));
    CHECK(!data.schema && !data.array && released(1));
    dora::Node none(nullptr);
    data = made();
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, none.send("arrow", std::move(data)));
    CHECK(!data.schema && !data.array && released(1));
    // Half of it, or none.
    data = made();
    MESSAGE_OF(DORA_ERROR_INVALID_ARROW, node.send("arrow", dora::ArrowSchema(), std::move(data.array)));
    data.schema.reset();
    CHECK(released(1));
    MESSAGE_OF(DORA_ERROR_INVALID_ARROW, node.send("arrow", dora::ArrowData()));
    CHECK(released(0));
}

bool holds_numbers(const dora::ArrowData &data) {
    const auto *values = static_cast<const float *>(data.array->buffers[1]) + data.array->offset;
    return data.array->length == 2 && values[0] == 1.5F && values[1] == -2.25F;
}

// No copy, again and again, longer than the event and the node, on another thread.
void receiving(std::optional<dora::Node> &node) {
    dora::Event event = std::move(*node->read());
    CHECK(event.input_id() == "numbers");
    dora::ArrowData data = event.arrow();
    CHECK(std::strcmp(data.schema->format, "f") == 0 && holds_numbers(data));
    CHECK(static_cast<const float *>(data.array->buffers[1]) == event.values<float>().data());
    const dora::ArrowData again = event.arrow();
    CHECK(again.array->buffers[1] == data.array->buffers[1] && again.array.get() != data.array.get());
    node->send("arrow", event.arrow(), event.metadata());

    event.reset();
    node.reset();
    CHECK(holds_numbers(data) && holds_numbers(again));
    std::thread([moved = std::move(data)]() mutable {
        moved.array.reset();
        moved.schema.reset();
    }).join();
    CHECK(!data.array && holds_numbers(again));
}

} // namespace

int main() {
    owners();
    std::optional<dora::Node> node(std::in_place);
    sending(*node);
    receiving(node);
    CHECK(released(0));
    return check::result("arrow");
}
