/* Counts ten ticks of a timer, sends on each count, and leaves. */
#include <dora/dora.h>

#include <stdio.h>

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    int64_t count = 0;
    dora_status_t status = dora_node_init(&node);
    while (status == DORA_OK && count < 10) {
        status = read_dora_event(node, DORA_FOREVER, &event);
        if (status == DORA_OK && dora_event_kind(event) == DORA_EVENT_INPUT) {
            ++count;
            status = dora_node_send_values(node, "count", DORA_TYPE_INT64, &count, 1, NULL);
        }
        dora_event_free(event);
    }
    if (status < DORA_OK)
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    dora_node_free(node);
    return status == DORA_OK ? 0 : 1;
}
