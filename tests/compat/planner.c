/*
 * Looks at clouds on one thread, and commands the chassis from another: the main thread waits in
 * dora_next_event most of the time, while the other sends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#ifdef __cplusplus
extern "C" {
#endif
#include "node_api.h"
#ifdef __cplusplus
}
#endif

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "points.h"
#include "report.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static command_t command;
static int has_cloud, is_running = 1, failed;

static void *send_commands(void *dora_context) {
    char out_id[] = "cmd";
    int running = 1;
    while (running) {
        command_t copy;
        int ready;
        pthread_mutex_lock(&mutex);
        ready = has_cloud;
        running = is_running;
        copy = command;
        command.sequence += ready ? 1u : 0u;
        pthread_mutex_unlock(&mutex);
        if (ready &&
            dora_send_output(dora_context, out_id, sizeof out_id - 1, (const char *)&copy, sizeof copy) != 0)
            failed++;
        sleep_ms(10);
    }
    return NULL;
}

static void onPointCloudRecvd(const char *data, size_t data_len) {
    const cloud_header_t *header = (const cloud_header_t *)data;
    const point_t *points = (const point_t *)(data + 16);
    size_t i, count = (data_len - 16) / sizeof *points;
    float nearest = 1e9f;
    for (i = 0; i < count; i++)
        nearest = points[i].x < nearest ? points[i].x : nearest;
    pthread_mutex_lock(&mutex);
    command.cloud = header->sequence;
    command.distance = nearest;
    command.brake = nearest < 10 ? 1 : 0;
    has_cloud = 1;
    pthread_mutex_unlock(&mutex);
}

int main() {
    pthread_t id_1;
    void *dora_context = init_dora_context_from_env();
    if (!dora_context)
        return -1;
    if (pthread_create(&id_1, NULL, send_commands, dora_context) != 0) {
        fprintf(stderr, "create thread fail!\n");
        return -1;
    }
    for (;;) {
        char *data, *data_id;
        size_t data_len, data_id_len;
        void *event = dora_next_event(dora_context);
        if (event == NULL)
            break;
        if (read_dora_event_type(event) != DoraEventType_Input) {
            free_dora_event(event);
            continue;
        }
        read_dora_input_data(event, &data, &data_len);
        read_dora_input_id(event, &data_id, &data_id_len);
        if (strncmp("pointcloud", data_id, 10) == 0)
            onPointCloudRecvd(data, data_len);
        free_dora_event(event);
    }
    /* The other thread sends for a while behind the end. */
    sleep_ms(100);
    pthread_mutex_lock(&mutex);
    is_running = 0;
    pthread_mutex_unlock(&mutex);
    pthread_join(id_1, NULL);
    report("sent %u failed %d", (unsigned)command.sequence, failed);
    free_dora_context(dora_context);
    return 0;
}
