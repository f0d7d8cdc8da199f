/*
 * Obeys commands and settings that come from everywhere, in bytes and otherwise, and goes on when there is no
 * event. It ends at its stop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#ifdef __cplusplus
extern "C" {
#endif
#include "node_api.h"
#include "operator_types.h"
#ifdef __cplusplus
}
#endif

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "points.h"
#include "report.h"

static void say(void *dora_context, const char *level, const char *message) {
    if (dora_log(dora_context, level, strlen(level), message, strlen(message)) != 0)
        report("log failed");
}

static void handle_input(void *dora_context, const char *id, const char *data, size_t data_len) {
    if (strcmp(id, "cmd") == 0) {
        const command_t *command = (const command_t *)data;
        int result;
        report("cmd %u %u %g %d", (unsigned)command->sequence, (unsigned)command->cloud,
               (double)command->distance, command->brake);
        if (command->sequence == 0)
            say(dora_context, "warn", "first command");
        result = dora_send_output(dora_context, "odom", 4, data, data_len);
        result += dora_send_output(dora_context, "debug_odom", 10, data, data_len);
        if (result != 0)
            report("odom failed");
    } else if (strcmp(id, "speed") == 0) {
        const float *values = (const float *)data;
        size_t count = data_len / sizeof *values;
        report("speed %u %g %g", (unsigned)count, (double)values[0], (double)values[count - 1]);
    } else {
        report("%s %d %u", id, data != NULL, (unsigned)data_len);
    }
}

int main() {
    void *ctx = init_dora_context_from_env();
    if (!ctx) {
        fprintf(stderr, "Failed to init dora context\n");
        return 1;
    }
    while (1) {
        int ev_type;
        void *event = dora_next_event(ctx);
        if (!event)
            continue;
        ev_type = read_dora_event_type((void *)event);
        if (ev_type == DoraEventType_Stop) {
            report("stop");
            free_dora_event(event);
            break;
        }
        if (ev_type == DoraEventType_Input) {
            char *id_ptr = NULL, *data_ptr = NULL;
            size_t id_len = 0, data_len = 0;
            read_dora_input_id(event, &id_ptr, &id_len);
            read_dora_input_data(event, &data_ptr, &data_len);
            handle_input(ctx, id_ptr, data_ptr, data_len);
        }
        free_dora_event(event);
    }
    free_dora_context(ctx);
    return 0;
}
