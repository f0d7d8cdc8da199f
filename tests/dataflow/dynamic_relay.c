/*
 * A node that is what its surroundings make of it: the dynamic node that DORA_TEST_NODE_ID names, the one
 * that dora started it as, or one that runs alone on a script. DORA_TEST_DAEMON_PORT says where the daemon
 * is, where there is a choice. It passes texts on, on "out", until it is stopped, or DORA_TEST_COUNT of them,
 * and reports:
 *
 *     init STATUS SENTENCE        how it began
 *     node NULL                   the handle, when that failed
 *     self ID DATAFLOW            who it is
 *     input ID SOURCE             of each input
 *     output ID TRANSPORT         of each output
 *     event KIND ABOUT TEXT       of each event
 *     send STATUS SENTENCE        of each send that failed
 *     end STATUS                  how the reads ended
 */
#define _POSIX_C_SOURCE 200809L
#include "options_settings.h"

static void report_self(dora_node_t *node) {
    report("self %s %s", dora_node_id(node), dora_node_dataflow_id(node));
    for (size_t i = 0; i < dora_node_input_count(node); i++)
        report("input %s %s", dora_node_input_id(node, i), dora_node_input_source(node, i));
    for (size_t i = 0; i < dora_node_output_count(node); i++) {
        int32_t transport;
        const char *output = dora_node_output_id(node, i);
        expect_ok("transport", dora_node_output_transport(node, output, &transport));
        report("output %s %d", output, (int)transport);
    }
}

/* Reports what came in, and passes a text on: one that is killed reported all that it sent. Gives whether it
 * was a text. */
static int handle(dora_node_t *node, const dora_event_t *event) {
    const char *text = dora_event_message(event), *about = dora_event_input_id(event);
    const bool is_text = dora_event_data_type(event) == DORA_TYPE_TEXT;
    if (is_text)
        expect_ok("text", dora_event_text(event, 0, &text, NULL));
    report("event %s %s %s", dora_event_kind_name(dora_event_kind(event)), about ? about : "-",
           text ? text : "-");
    if (is_text) {
        dora_status_t status =
            dora_node_send_text(node, "out", text, DORA_NUL_TERMINATED, dora_event_metadata(event));
        if (status != DORA_OK)
            report_status("send", status);
    }
    return is_text;
}

int main(void) {
    dora_node_t *node = begin_with_settings();
    dora_event_t *event;
    dora_status_t status = DORA_OK;
    long left = setting("DORA_TEST_COUNT", -1);
    if (!node)
        return 0;
    report_self(node);
    while (left != 0 && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        left -= handle(node, event);
        dora_event_free(event);
    }
    report_status("end", status);
    free_node(node);
    return 0;
}
