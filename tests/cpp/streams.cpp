// The numbers that a stream gives its chunks.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <utility>

namespace {

// The numbers in metadata: "segment/seq", and what is special of the chunk.
std::string place_of(const dora::Metadata &metadata) {
    std::string place = std::to_string(metadata.get<std::int64_t>(DORA_KEY_SEGMENT_ID)) + '/' +
                        std::to_string(metadata.get<std::int64_t>(DORA_KEY_SEQ));
    if (metadata.get<bool>(DORA_KEY_FIN))
        place += " fin";
    if (metadata.find<bool>(DORA_KEY_FLUSH).value_or(false))
        place += " flush";
    return place;
}

std::string_view session_of(const dora::Metadata &metadata) {
    return metadata.get<std::string_view>(DORA_KEY_SESSION_ID);
}

void places() {
    dora::Stream stream("speech of today");
    dora::Metadata metadata;
    metadata.set("rate", 16'000);
    CHECK(&stream.chunk(metadata) == &metadata && place_of(metadata) == "0/0");
    CHECK(session_of(metadata) == "speech of today" && metadata.get<std::int64_t>("rate") == 16'000);
    CHECK(place_of(stream.chunk(metadata)) == "0/1" && place_of(stream.chunk(metadata, false)) == "0/2");
    CHECK(place_of(stream.chunk(metadata, true)) == "0/3 fin");
    stream.next_segment();
    CHECK(place_of(stream.chunk(metadata)) == "1/0");
    CHECK(&stream.flush(metadata) == &metadata && place_of(metadata) == "2/0 flush");
    CHECK(place_of(stream.chunk(metadata)) == "2/1"); // which flushes no more
    CHECK(session_of(metadata) == "speech of today" && metadata.get<std::int64_t>("rate") == 16'000);

    // The place is the stream's, whatever metadata it fills.
    dora::Metadata other;
    CHECK(place_of(stream.chunk(other)) == "2/2" && place_of(metadata) == "2/1");
    dora::Stream moved = std::move(stream);
    CHECK(!stream && stream.get() == nullptr && place_of(moved.chunk(other)) == "2/3");
    stream = dora::Stream(moved.release());
    CHECK(!moved && place_of(stream.chunk(other)) == "2/4" && session_of(other) == "speech of today");
    stream.reset();
    CHECK(!stream);

    // Every call on what is empty is defined.
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, stream.chunk(other));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, stream.flush(other));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, stream.next_segment());
    CHECK(!dora::Stream(nullptr)); // no handle, rather than no id
}

void ids() {
    dora::Stream one;
    dora::Stream two;
    dora::Metadata metadata;
    const std::string id(session_of(one.chunk(metadata)));
    CHECK(id.size() == DORA_ID_SIZE - 1 && session_of(one.flush(metadata)) == id);
    CHECK(session_of(two.chunk(metadata)) != id);
    const char *nothing = nullptr;
    dora::Stream made(nothing); // as without one
    CHECK(session_of(made.chunk(metadata)).size() == id.size());
    const std::string named = "宽度";
    dora::Stream third(named);
    CHECK(session_of(third.chunk(metadata)) == named);
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, const dora::Stream refused("\xFF"));

    dora::Metadata empty(nullptr);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, third.chunk(empty));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, third.flush(empty));
    CHECK(place_of(third.chunk(metadata)) == "0/1"); // what failed was no chunk
}

// A stream as its messages carry it.
void sending() {
    dora::Node node(dora::NodeOptions().test_inputs_json(R"({"id": "any", "events": []})"));
    dora::Stream stream;
    dora::Metadata metadata;
    CHECK(node.send("audio", {1, 2, 3}, stream.chunk(metadata)));
    CHECK(node.send("audio", stream.flush(metadata)));
    CHECK(place_of(metadata) == "1/0 flush");
}

} // namespace

int main() {
    places();
    ids();
    sending();
    return check::result("streams");
}
