/* Reports the metadata of each input, "saw INPUT KEY KIND VALUE…", and answers. */
#define _POSIX_C_SOURCE 200809L
#include "metadata.h"

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    report_ways(node);
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_ERROR)
            report("wrong event: %s", dora_event_message(event));
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            report_metadata("saw", dora_event_input_id(event), dora_event_metadata(event));
            expect_ok("answer", dora_node_send_bytes(node, "answer", "ok", 2, NULL));
        }
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
