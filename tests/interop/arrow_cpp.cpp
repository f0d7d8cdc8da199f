// Data goes to Arrow C++ and comes from there through the two structs, not copied, each released once.
//
// SPDX-License-Identifier: Apache-2.0
#include <arrow/api.h>
#include <arrow/c/bridge.h>

#include <dora/dora.hpp>

#include <cstdint>
#include <memory>

#include "../cpp/check.hpp"

namespace {

std::shared_ptr<arrow::Array> to_arrow(const dora::Event &event) {
    dora::ArrowData data = event.arrow();
    return arrow::ImportArray(data.array.get(), data.schema.get()).ValueOrDie();
}

void send_arrow(dora::Node &node, const char *output, const arrow::Array &array) {
    dora::ArrowSchema schema;
    dora::ArrowArray values;
    CHECK(arrow::ExportArray(array, values.get(), schema.get()).ok());
    node.send(output, std::move(schema), std::move(values));
    CHECK(!schema && !values);
}

std::shared_ptr<arrow::Array> texts() {
    arrow::StringBuilder builder;
    CHECK(builder.AppendValues({"eins", "zwei", "drei"}).ok());
    CHECK(builder.AppendNull().ok());
    return builder.Finish().ValueOrDie();
}

} // namespace

int main() {
    dora::Node node;
    std::shared_ptr<arrow::Array> kept;
    const double *address = nullptr;
    for (dora::Event &event : node.events()) {
        if (event.kind() != DORA_EVENT_INPUT)
            continue;
        auto array = to_arrow(event);
        CHECK(array->ValidateFull().ok());
        if (event.input_id() == "numbers") {
            const auto &numbers = static_cast<const arrow::DoubleArray &>(*array);
            CHECK(array->type()->Equals(arrow::float64()));
            CHECK(numbers.length() == 3 && numbers.Value(0) == 1.5 && numbers.Value(2) == -3.5);
            address = event.values<double>().data();
            CHECK(numbers.raw_values() == address);
            kept = array;
        } else {
            CHECK(array->type_id() == arrow::Type::STRUCT);
            const auto &rows = static_cast<const arrow::StructArray &>(*array);
            CHECK(rows.length() == 2 && rows.GetFieldByName("x") != nullptr);
        }
        send_arrow(node, "echo", *array);
    }
    send_arrow(node, "texts", *texts());
    send_arrow(node, "slice", *texts()->Slice(1, 2));
    node = dora::Node(std::move(node));

    // What was exported outlives its event.
    CHECK(kept && static_cast<const arrow::DoubleArray &>(*kept).raw_values() == address);
    CHECK(static_cast<const arrow::DoubleArray &>(*kept).Value(1) == 2.5);
    return check::result("arrow_cpp");
}
