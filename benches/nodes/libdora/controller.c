/* libdora in C: the controller of a control loop. */
#include "../loop.h"
#include "way.h"

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    const uint8_t *state;
    size_t size;
    uint8_t setpoint[BENCH_LOOP_BYTES];
    dora_status_t status = dora_node_init(&node);
    if (status == DORA_OK)
        bench_check_way(node, "setpoint");
    bench_loop_t loop = bench_loop_begin();
    while (status == DORA_OK && bench_loop_next(&loop, setpoint)) {
        bool is_answered = false;
        status = bench_send(node, "setpoint", setpoint, sizeof setpoint);
        while (status == DORA_OK && !is_answered &&
               (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
            if (dora_event_kind(event) == DORA_EVENT_INPUT &&
                (status = dora_event_uint8(event, &state, &size)) == DORA_OK)
                is_answered = bench_loop_answered(&loop, state, size);
            dora_event_free(event);
        }
    }
    if (status == DORA_OK) {
        bench_check_way(node, "setpoint");
        bench_loop_end(&loop);
    } else {
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    }
    dora_node_free(node);
    return status != DORA_OK;
}
