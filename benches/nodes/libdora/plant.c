/* libdora in C: the plant of a control loop, which answers each setpoint. */
#include "way.h"

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    const uint8_t *setpoint;
    size_t size;
    dora_status_t status = dora_node_init(&node);
    if (status == DORA_OK)
        bench_check_way(node, "state");
    while (status == DORA_OK && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_INPUT &&
            (status = dora_event_uint8(event, &setpoint, &size)) == DORA_OK)
            status = bench_send(node, "state", setpoint, size);
        dora_event_free(event);
    }
    if (status >= 0)
        bench_check_way(node, "state");
    else
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    dora_node_free(node);
    return status < 0;
}
