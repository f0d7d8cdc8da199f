/* A checksum that finds what is missing, doubled, moved or changed, and that numpy computes fast too. */
#ifndef DORA_TEST_CHECKSUM_H
#define DORA_TEST_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The sum of each 64-bit word times its odd weight, modulo 2^64; `size` is a multiple of eight. */
static inline uint64_t checksum(const uint8_t *bytes, size_t size) {
    uint64_t sum = 0;
    for (size_t i = 0; i < size / 8; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, 8);
        sum += word * (2 * i + 1);
    }
    return sum;
}

/*
 * A message: its number and the checksum of what follows, eight bytes each, then bytes that look random.
 * `state` makes messages differ.
 */
static inline void fill_message(uint8_t *message, size_t size, uint64_t number, uint64_t *state) {
    for (size_t i = 16; i < size; i += 8) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(message + i, state, 8);
    }
    uint64_t sum = checksum(message + 16, size - 16);
    memcpy(message, &number, 8);
    memcpy(message + 8, &sum, 8);
}

#endif
