/*
 * Fails when there is the file of DORA_TEST_GO, in its first DORA_TEST_FAILURES runs, as DORA_TEST_FAILS
 * says: orderly  frees the node and returns 3 crash    ends with 4 and does not free it signal   aborts In
 * later runs it lives until it is stopped. It reports "run RESTART_COUNT" and its events.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static int fail(dora_node_t *node) {
    if (is_setting("DORA_TEST_FAILS", "crash"))
        _exit(4);
    if (is_setting("DORA_TEST_FAILS", "signal"))
        abort();
    free_node(node);
    return 3;
}

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    report("run %u", (unsigned)dora_node_restart_count(node));
    if (dora_node_restart_count(node) < setting("DORA_TEST_FAILURES", 0)) {
        wait_for_driver();
        return fail(node);
    }
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) != DORA_EVENT_INPUT)
            report("event %s %d", dora_event_kind_name(dora_event_kind(event)),
                   (int)dora_event_stop_cause(event));
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
