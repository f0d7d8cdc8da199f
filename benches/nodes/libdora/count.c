/* libdora in C: reads the events of a script, each as a careful node would, and does nothing with them. */
#include <dora/dora.h>
#include <stdio.h>

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    struct ArrowSchema schema;
    struct ArrowArray array;
    int64_t elements = 0;
    dora_status_t status = dora_node_init(&node);
    while (status == DORA_OK && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_INPUT && dora_event_input_id(event) &&
            (status = dora_event_arrow(event, &schema, &array)) == DORA_OK) {
            elements += array.length;
            schema.release(&schema);
            array.release(&array);
        }
        dora_event_free(event);
    }
    if (status < 0)
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    printf("%lld\n", (long long)elements);
    dora_node_free(node);
    return status < 0;
}
