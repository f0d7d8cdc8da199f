/*
 * A driver that runs until its stop: with each tick a cloud of 100 points, of which cloud K has the nearest
 * at a distance of 1 + K m.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#ifdef __cplusplus
extern "C" {
#endif
#include "node_api.h"
#include "operator_api.h"
#include "operator_types.h"
#ifdef __cplusplus
}
#endif

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "points.h"
#include "report.h"

#define POINTS 100

static size_t measure(char *buffer, uint32_t sequence) {
    cloud_header_t *header = (cloud_header_t *)buffer;
    point_t *points = (point_t *)(buffer + sizeof *header);
    int i;
    memset(header, 0, sizeof *header);
    header->sequence = sequence;
    header->microseconds = 1000u * sequence;
    for (i = 0; i < POINTS; i++) {
        points[i].x = (float)(1 + sequence + (unsigned)i);
        points[i].y = 0;
        points[i].z = -1;
        points[i].intensity = i % 2 == 0 ? 0.75f : 0.25f;
    }
    return sizeof *header + POINTS * sizeof *points;
}

int main() {
    static char buffer[sizeof(cloud_header_t) + POINTS * sizeof(point_t)];
    uint32_t sequence = 0;
    void *dora_context = init_dora_context_from_env();
    if (dora_context == NULL) {
        fprintf(stderr, "failed to init dora context\n");
        return -1;
    }
    printf("[c node] dora context initialized\n");

    while (1) {
        void *event = dora_next_event(dora_context);
        enum DoraEventType ty;
        if (event == NULL) {
            printf("[c node] ERROR: unexpected end of event\n");
            break;
        }
        ty = read_dora_event_type(event);
        if (ty == DoraEventType_Input) {
            char *id, *data;
            size_t id_len, data_len;
            read_dora_input_id(event, &id, &id_len);
            read_dora_input_data(event, &data, &data_len);
            assert(data == NULL && data_len == 0);
            if (strcmp(id, "tick") == 0) {
                char out_id[] = "pointcloud";
                size_t size = measure(buffer, sequence);
                int result = dora_send_output(dora_context, &out_id[0], strlen(out_id), buffer, size);
                if (result != 0) {
                    fprintf(stderr, "failed to send output\n");
                    return 1;
                }
                sequence++;
            }
        } else if (ty == DoraEventType_Stop) {
            printf("[c node] received stop event\n");
            free_dora_event(event);
            break;
        } else {
            printf("[c node] received unexpected event: %d\n", ty);
        }
        free_dora_event(event);
    }

    report("sent %u", (unsigned)sequence);
    free_dora_context(dora_context);
    return 0;
}
