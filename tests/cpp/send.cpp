// Every form of sending, and what arrives of it.
// Environment: DORA_TEST_WITH_INPUTS=send.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <vector>

namespace {

struct Pod {
    std::uint8_t a, b;
};

void send_all(dora::Node &node, const dora::Event &input) {
    node.send("empty");
    node.send("with-metadata", input.metadata());
    node.send("vector", std::vector<float>{1.5F, 2.5F}, input.metadata());
    node.send("array", std::array<std::int16_t, 3>{-1, 0, 1});
    const std::uint32_t numbers[] = {7, 8, 9};
    node.send("pointer", numbers, 2);
    node.send("braces", {0.5, 0.25}, input.metadata());
    node.send("int64", {std::int64_t(1)});
    node.send("float16", {dora::Float16{0x3E00}});
    node.send("bool", {true, false, true});
    node.send("bytes", std::vector<std::byte>{std::byte(1), std::byte(255)});
    const Pod pod = {3, 4};
    node.send_bytes("pod", &pod, sizeof pod);
    node.send("literal", "gr\xC3\xBC\xC3\x9F dich");
    node.send(std::string("string"), std::string("of its own"), input.metadata());
    node.send("view", std::string_view("cut off").substr(0, 3));
    node.send("echo", input.values<float>(), input.metadata());
    node.send("arrow", input.arrow(), input.metadata());
}

const std::map<std::string, std::string> expected = {
    {"empty", "[] Null"},
    {"with-metadata", "[] Null"},
    {"vector", "[1.5,2.5] Float32"},
    {"array", "[-1,0,1] Int16"},
    {"pointer", "[7,8] UInt32"},
    {"braces", "[0.5,0.25] Float64"},
    {"int64", "[1] Int64"},
    {"float16", "[1.5] Float16"},
    {"bool", "[true,false,true] Boolean"},
    {"bytes", "[1,255] UInt8"},
    {"pod", "[3,4] UInt8"},
    {"literal", "[\"gr\xC3\xBC\xC3\x9F dich\"] Utf8"},
    {"string", "[\"of its own\"] Utf8"},
    {"view", "[\"cut\"] Utf8"},
    {"echo", "[1.5,-2.25] Float32"},
    {"arrow", "[1.5,-2.25] Float32"},
};

// What stands behind `key` in a line of JSON that dora wrote, up to `end`.
std::string behind(const std::string &line, std::string_view key, char end) {
    const std::size_t found = line.find(key);
    if (found == std::string::npos)
        return {};
    const std::size_t start = found + key.size();
    return line.substr(start, line.find(end, start) - start);
}

void compare(const char *path) {
    std::map<std::string, std::string> sent;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::string value =
            behind(line, R"("data":)", ']') + "] " + behind(line, R"("data_type":")", '"');
        CHECK(sent.emplace(behind(line, R"("id":")", '"'), value).second);
    }
    CHECK(sent.size() == expected.size());
    for (const auto &[output, value] : expected) {
        if (sent[output] != value)
            std::fprintf(stderr, "%s: sent %s, not %s\n", output.c_str(), sent[output].c_str(),
                         value.c_str());
        CHECK(sent[output] == value);
    }
}

} // namespace

int main() {
    const char *outputs = std::getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    CHECK(outputs != nullptr);
    if (outputs == nullptr)
        return check::result("send");
    {
        dora::Node node;
        for (dora::Event &event : node.events()) {
            if (event.kind() == DORA_EVENT_INPUT)
                send_all(node, event);
            else
                node.log(DORA_LOG_INFO, event.to_string()); // sending after a stop works too
        }
    }
    compare(outputs);
    return check::result("send");
}
