// Passes each message of lane_frame.h on, by a loan, on each of its outputs, and reports what came as
// lane_sink does. With DORA_TEST_FIRST it begins a ring: it sends so many messages of its own, reads them
// from its other side, and ends when all have come back.
#include "lane_book.h"

#include <dora/dora.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

void send(dora::Node &node, std::string_view output, const std::uint8_t *frame, std::size_t size) {
    dora::Loan<std::uint8_t> loan = node.loan<std::uint8_t>(output.data(), size);
    std::copy(frame, frame + size, loan.data());
    node.send(std::move(loan));
}

void send_first(dora::Node &node, std::uint32_t number) {
    std::uint8_t frame[1000];
    const std::size_t size = 8 + 13 * number % 992;
    lane_fill(frame, size, lane_head{number, static_cast<std::uint16_t>(node.restart_count()), 0});
    for (const std::string_view output : node.outputs())
        send(node, output, frame, size);
}

// Gives whether it was a message.
bool take(dora::Node &node, const dora::Event &event, bool passes_on) {
    if (event.kind() == DORA_EVENT_INPUT_CLOSED) {
        lane_book *book = lane_book_of(event.input_id().data());
        book->is_closed = true;
        book->closed++;
    }
    if (event.data_type() != DORA_TYPE_UINT8)
        return false;
    const auto values = event.values<std::uint8_t>();
    lane_head head;
    lane_receive(lane_book_of(event.input_id().data()), values.data(), values.size(), &head);
    if (passes_on)
        for (const std::string_view output : node.outputs())
            send(node, output, values.data(), values.size());
    return true;
}

// Reads `count` messages, or all for a negative one.
void read(dora::Node &node, long count, bool passes_on) {
    while (count != 0) {
        dora_event_t *event;
        if (read_dora_event(node.get(), DORA_FOREVER, &event) != DORA_OK)
            return;
        count -= take(node, dora::Event(event), passes_on);
    }
}

} // namespace

int main() {
    static char books[4096];
    const long first = setting("DORA_TEST_FIRST", 0), burst = setting("DORA_TEST_BURST", 1);
    try {
        dora::NodeOptions options;
        if (std::getenv("DORA_TEST_LANE_OPTION"))
            options.fast_lane(setting("DORA_TEST_LANE_OPTION", 0) != 0);
        dora::Node node(options);
        report("run %u", static_cast<unsigned>(node.restart_count()));
        report_ways(node.get());
        for (long number = 0; number < first; number += burst) {
            for (long i = 0; i < burst; i++)
                send_first(node, static_cast<std::uint32_t>(number + i));
            read(node, burst, false);
        }
        if (first == 0)
            read(node, -1, true);
        lane_print_books(node.get(), books, sizeof books);
        report("result {\"inputs\":%s}", books);
        free_node(node.release());
    } catch (const dora::Error &error) {
        report("wrong: %s %s", error.status_name(), error.what());
        return 1;
    }
}
