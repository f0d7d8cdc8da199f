/*
 * Keeps the bright points of a cloud. It does not end at its stop, but when no event comes any more.
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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"
#include "report.h"

static Vec_uint8_t point_data;

static void keep_bright_points(const char *data, size_t data_len) {
    size_t point_num = (data_len - 16) / 16, i;
    const point_t *points = (const point_t *)(data + 16);
    point_t *points_out;
    point_data.ptr = (uint8_t *)malloc(data_len);
    point_data.cap = data_len;
    memcpy(point_data.ptr, data, 16);
    point_data.len = 16;
    points_out = (point_t *)(void *)(point_data.ptr + 16);
    for (i = 0; i < point_num; i++) {
        if (points[i].intensity > 0.5f) {
            *points_out++ = points[i];
            point_data.len += sizeof *points;
        }
    }
}

int run(void *dora_context) {
    int i;
    for (i = 0;; i++) {
        enum DoraEventType ty;
        void *event = dora_next_event(dora_context);
        if (event == NULL) {
            printf("[c node] end of event\n");
            return 0;
        }
        ty = read_dora_event_type(event);
        if (ty == DoraEventType_Input) {
            char *data;
            size_t data_len;
            char out_id[] = "pointcloud";
            int resultend;
            read_dora_input_data(event, &data, &data_len);
            keep_bright_points(data, data_len);
            resultend = dora_send_output(dora_context, out_id, strlen(out_id), (char *)point_data.ptr,
                                         point_data.len);
            report("cloud %u %u", (unsigned)data_len, (unsigned)point_data.len);
            free(point_data.ptr);
            if (resultend != 0) {
                fprintf(stderr, "failed to send output\n");
                return 1;
            }
        } else if (ty == DoraEventType_Stop) {
            printf("[c node] received stop event\n");
            report("stop");
        } else {
            printf("[c node] received unexpected event: %d\n", ty);
        }
        free_dora_event(event);
    }
}

int main() {
    void *dora_context = init_dora_context_from_env();
    int ret = run(dora_context);
    free_dora_context(dora_context);
    report("end %d", ret);
    return ret;
}
