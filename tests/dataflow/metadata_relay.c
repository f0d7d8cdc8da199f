/*
 * Reports the metadata of each input, and sends an empty message on the output that is named like the input:
 *     copy    with a copy, after the event was freed
 *     edited  with a copy in which parameters were changed, added, removed and merged; "made" tells which,
 *             and "kept" of those of the event, which must be as they were
 *     others  with the event's metadata
 */
#define _POSIX_C_SOURCE 200809L
#include "metadata.h"

/* EDITED in metadata_values.py is what comes of it. */
static void edit(dora_metadata_t *metadata) {
    static const int64_t pair[] = {INT64_MIN, INT64_MAX};
    dora_metadata_t *other;
    expect_ok("change", dora_metadata_set_float(metadata, "integer", 0.5)); /* another kind, too */
    expect_ok("add", dora_metadata_set_string(metadata, "新", "ново", DORA_NUL_TERMINATED));
    expect_ok("remove", dora_metadata_remove(metadata, "键"));
    report_status("again", dora_metadata_remove(metadata, "键"));
    report_status("framing", dora_metadata_set_bool(metadata, "_framing", true));
    expect_ok("new", dora_metadata_new(&other));
    expect_ok("merged, in place", dora_metadata_set_bool(other, "text", false));
    expect_ok("merged, added", dora_metadata_set_integers(other, "merged", pair, 2));
    expect_ok("merge", dora_metadata_merge(metadata, other));
    expect_ok("merge with itself", dora_metadata_merge(metadata, metadata));
    expect_ok("change what was merged", dora_metadata_set_integers(other, "merged", pair, 1));
    dora_metadata_free(other);
}

/* Sends on what came; the event is NULL when it was freed already. */
static void relay(dora_node_t *node, dora_event_t **event) {
    dora_metadata_t *metadata = NULL;
    char output[16];
    snprintf(output, sizeof output, "%s", dora_event_input_id(*event));
    report_metadata("saw", output, dora_event_metadata(*event));
    if (strcmp(output, "copy") != 0 && strcmp(output, "edited") != 0) {
        expect_ok("send", dora_node_send_empty(node, output, dora_event_metadata(*event)));
        return;
    }
    expect_ok("copy", dora_metadata_copy(dora_event_metadata(*event), &metadata));
    if (strcmp(output, "edited") == 0) {
        edit(metadata);
        report_metadata("made", output, metadata);
        report_metadata("kept", output, dora_event_metadata(*event));
    }
    dora_event_free(*event);
    *event = NULL;
    expect_ok("send", dora_node_send_empty(node, output, metadata));
    dora_metadata_free(metadata);
}

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_ERROR)
            report("wrong event: %s", dora_event_message(event));
        if (dora_event_kind(event) == DORA_EVENT_INPUT)
            relay(node, &event);
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
