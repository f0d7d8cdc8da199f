/*
 * Takes frames in the form of checksum.h and reports "frame NUMBER SIZE VERDICT MEMORY" for each: whether it
 * is intact, and the KiB of the piece of shared memory in which it lies, 0 for the heap. Answers it where
 * there is an output for that.
 */
#define _POSIX_C_SOURCE 200809L
#include "checksum.h"
#include "options_settings.h"
#include "resources.h"

static const char *verdict(const uint8_t *frame, size_t size) {
    uint64_t sum;
    if (size < 16 || size % 8 != 0)
        return "short";
    memcpy(&sum, frame + 8, 8);
    return sum == checksum(frame + 16, size - 16) ? "intact" : "damaged";
}

static void handle_frame(dora_node_t *node, const dora_event_t *event) {
    const uint8_t *frame;
    size_t size;
    uint64_t number;
    expect_ok("frame", dora_event_uint8(event, &frame, &size));
    memcpy(&number, frame, sizeof number);
    report("frame %llu %zu %s %zu", (unsigned long long)number, size, verdict(frame, size),
           shared_memory_kib(frame));
    if (dora_node_output_count(node) > 0)
        expect_ok("answer", dora_node_send_empty(node, "answer", NULL));
}

int main(void) {
    dora_node_t *node = begin_with_settings();
    dora_event_t *event;
    if (!node)
        return 1;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_data_type(event) == DORA_TYPE_UINT8)
            handle_frame(node, event);
        else
            report("event %s", dora_event_kind_name(dora_event_kind(event)));
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
