/* A sink: reports each input as "input ID FORMAT LENGTH", and its text if it is one. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const char *text = "";
        if (dora_event_data_type(event) == DORA_TYPE_TEXT)
            expect_ok("text", dora_event_text(event, 0, &text, NULL));
        if (dora_event_kind(event) == DORA_EVENT_INPUT)
            report("input %s %s %zu %s", dora_event_input_id(event), dora_event_data_format(event),
                   dora_event_length(event), text);
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
