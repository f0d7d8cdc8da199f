/*
 * Records what the chassis does. It neither ends at its stop nor when there is no event, but when there has
 * been none for a thousand times; and it sends behind both.
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

#include <stdio.h>
#include <string.h>

#include "points.h"
#include "report.h"

static unsigned long long last_time;
static unsigned last_sequence, kinds[DoraEventType_Unknown + 1], disorder, ends;

static void record(void *event) {
    char *id, *data;
    size_t id_len, data_len;
    command_t command;
    unsigned long long timestamp = read_dora_input_timestamp(event);
    read_dora_input_id(event, &id, &id_len);
    read_dora_input_data(event, &data, &data_len);
    if (id_len != 4 || memcmp(id, "odom", id_len + 1) != 0 || data_len != sizeof command) {
        report("wrong %s %u", id, (unsigned)data_len);
        return;
    }
    memcpy(&command, data, data_len);
    if (timestamp <= last_time || (last_time != 0 && command.sequence != last_sequence + 1))
        disorder++;
    last_time = timestamp;
    last_sequence = command.sequence;
    report("odom %u", last_sequence);
}

int main() {
    int result;
    void *dora_context = init_dora_context_from_env();
    if (dora_context == NULL)
        return -1;
    while (ends < 1000) {
        void *event = dora_next_event(dora_context);
        DoraEventType ty;
        if (event == NULL) {
            ends++;
            continue;
        }
        ty = read_dora_event_type(event);
        kinds[ty]++;
        switch (ty) {
        case DoraEventType_Input:
            record(event);
            break;
        case DoraEventType_Stop:
            result = dora_send_output(dora_context, "summary", 7, "stopped", 7);
            report("behind the stop %d", result);
            break;
        case DoraEventType_InputClosed:
        case DoraEventType_Error:
        case DoraEventType_Unknown:
            break;
        }
        free_dora_event(event);
    }
    result = dora_send_output(dora_context, "summary", 7, "ended", 5);
    report("behind the end %d", result);
    report("disorder %u", disorder);
    report("kinds %u %u", kinds[DoraEventType_Stop], kinds[DoraEventType_Error]);
    report("ends %u", ends);
    free_dora_context(dora_context);
    return 0;
}
