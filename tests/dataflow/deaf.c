/* A node that ignores its stop: it reads on until nothing comes, a thousand times more, and sends. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static void report_event(const dora_event_t *event) {
    const char *kind = dora_event_kind_name(dora_event_kind(event));
    const int32_t *number;
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        expect_ok("number", dora_event_int32(event, &number, NULL));
        report("event %s %d", kind, (int)*number);
        break;
    case DORA_EVENT_STOP:
        report("event %s %d", kind, (int)dora_event_stop_cause(event));
        break;
    default:
        report("event %s %s", kind, dora_event_input_id(event) ? dora_event_input_id(event) : "");
    }
}

static dora_status_t read_and_report(dora_node_t *node) {
    dora_event_t *event;
    dora_status_t status = read_dora_event(node, DORA_FOREVER, &event);
    if (status == DORA_OK)
        report_event(event);
    dora_event_free(event);
    return status;
}

int main(void) {
    const int64_t timeouts[] = {DORA_FOREVER, 0, INT64_C(1000000000), INT64_MAX};
    dora_node_t *node = init_node();
    expect_ok("first", read_and_report(node));
    report("first");
    /* What arrives meanwhile is queued inside dora, in front of the stop. */
    wait_for_driver();
    while (read_and_report(node) == DORA_OK)
        ;

    int closed = 0;
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < 1000; i++) {
        dora_event_t *event;
        closed += read_dora_event(node, timeouts[i % 4], &event) == DORA_CLOSED && !event;
    }
    report("closed %d", closed);
    report("closed_ms %.1f", ms_since(start));
    report_status("send", dora_node_send_text(node, "out", "after the stop", DORA_NUL_TERMINATED, NULL));
    report_status("send", dora_node_send_empty(node, "out", NULL));
    free_node(node);
    return 0;
}
