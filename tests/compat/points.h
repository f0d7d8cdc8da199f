/*
 * How the LiDAR nodes of the field lay a point cloud out in bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_COMPAT_POINTS_H
#define DORA_TESTS_COMPAT_POINTS_H

#include <stdint.h>

typedef struct {
    uint32_t sequence;
    uint32_t padding;
    uint64_t microseconds;
} cloud_header_t;

typedef struct {
    float x, y, z, intensity;
} point_t;

typedef struct {
    uint32_t sequence;
    uint32_t cloud;
    float distance;
    uint8_t brake;
    uint8_t padding[3];
} command_t;

#endif
