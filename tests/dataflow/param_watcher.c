/*
 * Reports each parameter that is set, "set KEY JSON", or deleted, "deleted KEY", and events that are neither,
 * its input "tick" excepted, as "event KIND". It ends when there is the file of DORA_TEST_DONE.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static void report_event(const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        break;
    case DORA_EVENT_PARAM_UPDATE:
        report("set %s %s", dora_event_key(event), dora_event_value_json(event));
        break;
    case DORA_EVENT_PARAM_DELETED:
        report("deleted %s", dora_event_key(event));
        if (dora_event_value_json(event))
            report("wrong: what was deleted has the value %s", dora_event_value_json(event));
        break;
    default:
        report("event %s", dora_event_kind_name(dora_event_kind(event)));
    }
}

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    const char *done = getenv("DORA_TEST_DONE");
    report("ready");
    while ((!done || access(done, F_OK) != 0) && read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        report_event(event);
        dora_event_free(event);
    }
    free_node(node);
    report("end");
    return 0;
}
