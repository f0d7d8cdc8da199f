// The same as program.c, through the C++ layer of the earlier release, which is compiled into the program.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <utility>

namespace {

void numbers(dora::Node &node, const dora::Event &event) {
    const dora::Span<const float> values = event.values<float>();
    CHECK(values.size() == 2 && values[0] == 1.5F && values[1] == -2.25F);
    CHECK(event.metadata().get<std::int64_t>("width") == 640);
    CHECK(event.metadata().get<std::string_view>("unit") == "m");
    CHECK(event.timestamp().has_value());
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, (void)event.values<double>());
    CHECK(node.send("values", values, event.metadata()));
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_ID, (void)node.send("no id")), "`output`"));
}

void words(dora::Node &node, const dora::Event &event) {
    CHECK(event.text(1) == "two");
    dora::ArrowData data = event.arrow();
    CHECK(data.array->length == 2 && std::string_view(data.schema->format) == "u");
    CHECK(node.send("arrow", std::move(data)));
    CHECK(!data.array && !data.schema);
}

void a_loan(dora::Node &node) {
    dora::Metadata metadata;
    metadata.set("height", 480);
    dora::Loan<std::int16_t> loan = node.loan<std::int16_t>("loan", 4);
    for (std::int16_t i = 0; i < 4; ++i)
        loan[static_cast<std::size_t>(i)] = i;
    loan.shorten(3);
    CHECK(node.send(std::move(loan), metadata));
}

std::string sent() {
    const char *path = std::getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    std::ostringstream text;
    text << std::ifstream(path != nullptr ? path : "").rdbuf();
    return text.str();
}

} // namespace

int main() {
    {
        dora::Node node;
        CHECK(node.id() == "test-node"); // as dora names each that is fed from a file
        int inputs = 0;
        for (const dora::Event &event : node.events()) {
            CHECK(event.kind() == DORA_EVENT_INPUT);
            ++inputs;
            if (event.input_id() == "numbers")
                numbers(node, event);
            else if (event.input_id() == "words")
                words(node, event);
            else
                CHECK(event.bits().size() == 2 && event.bits()[0] && !event.bits()[1]);
        }
        CHECK(inputs == 3);
        a_loan(node);
    }
    CHECK(sent() == R"({"id":"values","data":[1.5,-2.25],"data_type":"Float32"}
{"id":"arrow","data":["one","two"],"data_type":"Utf8"}
{"id":"loan","data":[0,1,2],"data_type":"Int16"}
)");
    return check::result("program");
}
