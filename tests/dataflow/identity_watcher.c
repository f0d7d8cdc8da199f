/*
 * Watches its inputs. It reads until it is stopped or there is the file of DORA_TEST_DONE, for which its
 * input "tick" is there, and reports each event but a tick as "event KIND WHAT TEXT STATES", STATES being the
 * state of each other input behind the event: "a:1,b:2". The states before the first event are "begin
 * STATES", those behind the last "end STATES". With DORA_TEST_GO it reads nothing until there is that file.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static int is_tick(const char *input) { return input && strcmp(input, "tick") == 0; }

/* The state of each input, "tick" excepted, in `text`. */
static const char *states(dora_node_t *node, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < dora_node_input_count(node); i++) {
        const char *input = dora_node_input_id(node, i);
        int32_t state;
        expect_ok("state", dora_node_input_state(node, input, &state));
        if (!is_tick(input) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s:%d", length ? "," : "", input,
                                       (int)state);
    }
    return text;
}

static void report_refusals(dora_node_t *node) {
    int32_t state = 77;
    uint64_t total = 77;
    report_status("unknown-state", dora_node_input_state(node, "wrong", &state));
    report_status("unknown-dropped", dora_node_dropped(node, "wrong", &total));
    if (state != DORA_INPUT_UNKNOWN || total != 0)
        report("wrong: a call that failed left %d and %llu", (int)state, (unsigned long long)total);
}

static void report_event(dora_node_t *node, const dora_event_t *event) {
    char text[256];
    const char *input = dora_event_input_id(event), *other = dora_event_node_id(event), *said = "-";
    if (dora_event_kind(event) == DORA_EVENT_INPUT && dora_event_data_type(event) == DORA_TYPE_TEXT)
        expect_ok("text", dora_event_text(event, 0, &said, NULL));
    report("event %s %s %s %s", dora_event_kind_name(dora_event_kind(event)),
           input   ? input
           : other ? other
                   : "-",
           said, states(node, text, sizeof text));
}

int main(void) {
    char text[256];
    dora_node_t *node = init_node();
    dora_event_t *event;
    const char *done = getenv("DORA_TEST_DONE");
    report_refusals(node);
    report("begin %s", states(node, text, sizeof text));
    wait_for_driver();
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        int tick = dora_event_kind(event) == DORA_EVENT_INPUT && is_tick(dora_event_input_id(event));
        if (!tick)
            report_event(node, event);
        dora_event_free(event);
        if (tick && done && access(done, F_OK) == 0)
            break;
    }
    report("end %s", states(node, text, sizeof text));
    free_node(node);
    return 0;
}
