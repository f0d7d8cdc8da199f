/*
 * Sends on what it receives through the Arrow C Data Interface, on the output that is named like the input:
 *     whole  with its metadata, as it came
 *     late   after its event was freed, and so without metadata
 *     slice  without its first element
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

/* Skips the first element, as every consumer of the interface may. */
static void slice(struct ArrowArray *array) {
    array->offset++;
    array->length--;
    array->null_count = -1;
}

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    report_ways(node);
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        char output[16];
        if (dora_event_kind(event) == DORA_EVENT_ERROR)
            report("error %s", dora_event_message(event));
        if (dora_event_kind(event) != DORA_EVENT_INPUT) {
            dora_event_free(event);
            continue;
        }
        snprintf(output, sizeof output, "%s", dora_event_input_id(event));
        expect_ok("arrow", dora_event_arrow(event, &schema, &array));
        if (strcmp(output, "late") == 0) {
            dora_event_free(event);
            event = NULL;
        } else if (strcmp(output, "slice") == 0) {
            slice(&array);
        }
        dora_status_t status =
            dora_node_send_arrow(node, output, &schema, &array, dora_event_metadata(event));
        /* A message that was not sent must not leave the peer waiting. */
        if (status != DORA_OK)
            expect_ok("send",
                      dora_node_send_text(node, output, dora_last_error(), DORA_NUL_TERMINATED, NULL));
        if (schema.release || array.release)
            report("unreleased");
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
