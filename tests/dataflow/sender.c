/* Sends in every form on the output that DORA_TEST_OUTPUT names, reports each status, and then a text on
 * "right". */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

/* Sends on what came in: exporting it is the shortest way to the two structures. */
static dora_status_t send_arrow(dora_node_t *node, const char *output, const dora_event_t *event) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    expect_ok("arrow", dora_event_arrow(event, &schema, &array));
    dora_status_t status = dora_node_send_arrow(node, output, &schema, &array, NULL);
    if (schema.release || array.release)
        report("unreleased");
    return status;
}

static void send_every_form(dora_node_t *node, const char *output, const dora_event_t *event) {
    const float number = 1.5F;
    report_status("empty", dora_node_send_empty(node, output, NULL));
    report_status("bytes", dora_node_send_bytes(node, output, "abc", 3, NULL));
    report_status("values", dora_node_send_values(node, output, DORA_TYPE_FLOAT32, &number, 1, NULL));
    report_status("text", dora_node_send_text(node, output, "hello", DORA_NUL_TERMINATED, NULL));
    report_status("arrow", send_arrow(node, output, event));
}

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    int32_t kind;
    do {
        expect_ok("read", read_dora_event(node, DORA_FOREVER, &event));
        kind = dora_event_kind(event);
        if (kind == DORA_EVENT_INPUT)
            send_every_form(node, getenv("DORA_TEST_OUTPUT"), event);
        dora_event_free(event);
    } while (kind != DORA_EVENT_INPUT);
    report_status("good", dora_node_send_text(node, "right", "still usable", DORA_NUL_TERMINATED, NULL));
    free_node(node);
    return 0;
}
