/*
 * Something to filter: a square wave with noise, a value at each tick.
 *
 *   input  tick    when to send
 *   output value   one float64
 */
#include <dora/dora.h>

#include <stdio.h>
#include <stdlib.h>

enum { TICKS_PER_LEVEL = 100 };

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    unsigned long ticks = 0;
    dora_status_t status = dora_node_init(&node);
    while (status == DORA_OK && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            const double level = ticks++ / TICKS_PER_LEVEL % 2 == 0 ? 1 : -1;
            const double value = level + 0.4 * rand() / RAND_MAX - 0.2;
            status = dora_node_send_values(node, "value", DORA_TYPE_FLOAT64, &value, 1, NULL);
        } else if (dora_event_kind(event) == DORA_EVENT_ERROR) {
            fprintf(stderr, "wave: %s\n", dora_event_message(event));
        }
        dora_event_free(event);
    }
    if (status < 0)
        fprintf(stderr, "wave: %s: %s\n", dora_status_name(status), dora_last_error());
    dora_node_free(node);
    return status < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
