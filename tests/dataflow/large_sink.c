/* Checks the messages of large_source, which send DORA_TEST_COUNT, and answers each. */
#define _POSIX_C_SOURCE 200809L
#include "checksum.h"
#include "resources.h"
#include "support.h"

static const char *verdict(const dora_event_t *event, uint64_t expected_number) {
    const uint8_t *bytes;
    size_t size;
    uint64_t number, sum;
    expect_ok("bytes", dora_event_uint8(event, &bytes, &size));
    if (size < 16 || size % 8 != 0)
        return "short";
    memcpy(&number, bytes, 8);
    memcpy(&sum, bytes + 8, 8);
    if (number != expected_number)
        return "out of order";
    return sum == checksum(bytes + 16, size - 16) ? "intact" : "damaged";
}

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    long count = setting("DORA_TEST_COUNT", 0);
    long received = 0, intact = 0;
    report("begin");
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            const char *found = verdict(event, (uint64_t)received);
            intact += strcmp(found, "intact") == 0;
            /* A thousand lines would say nothing more. */
            if (received < 10 || strcmp(found, "intact") != 0)
                report("message %zu %s", dora_event_length(event), found);
            if (received == setting("DORA_TEST_WARM_UP", -1))
                report_resources();
            if (++received == count) {
                report_resources();
                count_shared_memory(1);
            }
            expect_ok("answer", dora_node_send_empty(node, "answer", NULL));
        }
        dora_event_free(event);
    }
    report("intact %ld", intact);
    free_node(node);
    return 0;
}
