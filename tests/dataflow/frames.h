/* Frames in the form of checksum.h that are kept: whether they are still what was sent. */
#ifndef DORA_TEST_FRAMES_H
#define DORA_TEST_FRAMES_H

#include "checksum.h"
#include "support.h"

static inline bool is_whole(const uint8_t *frame, size_t size) {
    uint64_t sum;
    if (size < 16 || size % 8 != 0)
        return false;
    memcpy(&sum, frame + 8, sizeof sum);
    return sum == checksum(frame + 16, size - 16);
}

static inline bool is_intact(const dora_event_t *event) {
    const uint8_t *frame;
    size_t size;
    return dora_event_uint8(event, &frame, &size) == DORA_OK && is_whole(frame, size);
}

/* Reads until a frame comes. */
static inline dora_event_t *read_frame(dora_node_t *node) {
    dora_event_t *event;
    do {
        expect_ok("read", read_dora_event(node, DORA_FOREVER, &event));
        if (dora_event_data_type(event) == DORA_TYPE_UINT8)
            return event;
        dora_event_free(event);
    } while (true);
}

#endif
