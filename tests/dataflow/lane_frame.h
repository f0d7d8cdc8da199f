/*
 * A message of the tests of the fast lane. Every byte of it follows from its first eight and its size, so
 * that one which is torn, cut, mixed with another, or written over is seen. Any size from eight bytes on:
 *
 *     bytes 0–3   its number, from 0, on that output in that run of its sender
 *     bytes 4–5   the restarts of its sender before that run
 *     byte  6     which output it is of its sender
 *     byte  7     a check of these and of the size
 *     the rest    words that count up in large steps, from a value that these make
 *
 * lane_peer.py and lane_peer.rs write and read the same.
 */
#ifndef DORA_TEST_LANE_FRAME_H
#define DORA_TEST_LANE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LANE_STEP UINT64_C(0x9e3779b97f4a7c15)

struct lane_head {
    uint32_t number;
    uint16_t incarnation;
    uint8_t output;
};

/* What the words begin with: any other head or size gives another. */
static inline uint64_t lane_seed(struct lane_head head, size_t size) {
    uint64_t seed = head.number | (uint64_t)head.incarnation << 32 | (uint64_t)head.output << 48;
    seed = (seed ^ (uint64_t)size * LANE_STEP) * UINT64_C(0xbf58476d1ce4e5b9);
    return (seed ^ seed >> 31) * UINT64_C(0x94d049bb133111eb);
}

static inline void lane_fill(uint8_t *frame, size_t size, struct lane_head head) {
    uint64_t word = lane_seed(head, size);
    uint8_t check = (uint8_t)(word >> 56);
    memcpy(frame, &head.number, 4);
    memcpy(frame + 4, &head.incarnation, 2);
    frame[6] = head.output;
    frame[7] = check;
    size_t at = 8;
    for (; at + 8 <= size; at += 8, word += LANE_STEP)
        memcpy(frame + at, &word, 8);
    memcpy(frame + at, &word, size - at);
}

/* Takes the head of a frame, and tells whether all of the frame is as lane_fill makes it. */
static inline bool lane_check(const uint8_t *frame, size_t size, struct lane_head *head) {
    uint64_t wrong = 0;
    memset(head, 0, sizeof *head);
    if (size < 8)
        return false;
    memcpy(&head->number, frame, 4);
    memcpy(&head->incarnation, frame + 4, 2);
    head->output = frame[6];
    uint64_t word = lane_seed(*head, size);
    size_t at = 8;
    wrong |= (uint64_t)(frame[7] ^ (uint8_t)(word >> 56));
    for (; at + 8 <= size; at += 8, word += LANE_STEP) {
        uint64_t found;
        memcpy(&found, frame + at, 8);
        wrong |= found ^ word;
    }
    return wrong == 0 && memcmp(frame + at, &word, size - at) == 0;
}

static inline bool lane_same_head(struct lane_head one, struct lane_head other) {
    return one.number == other.number && one.incarnation == other.incarnation && one.output == other.output;
}

#endif
