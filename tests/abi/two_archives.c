/*
 * A program with libdora and another Rust library; see two_archives.sh.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dora/dora.h>

#include <stdio.h>

uint32_t second_sum(uint32_t count);

int main(void) {
    printf("libdora %s, and a sum of %u\n", dora_version_string(), (unsigned)second_sum(5));
    return second_sum(5) == 10 ? 0 : 1;
}
