/* Starts and ends a node fifty times in one process, each time at another moment; an event outlives each. */
#define _POSIX_C_SOURCE 200809L
#include "resources.h"
#include "support.h"

static void start_and_end(int round) {
    dora_node_t *node = init_node();
    dora_event_t *event = NULL;
    for (int i = 0; i <= round % 7; i++) {
        dora_event_free(event);
        expect_ok("read", read_dora_event(node, DORA_FOREVER, &event));
        expect_ok("send", dora_node_send_text(node, "out", "tick", DORA_NUL_TERMINATED, NULL));
    }
    free_node(node);
    const char *input = dora_event_input_id(event);
    if (!input || strcmp(input, "tick") != 0)
        report("wrong in round %d: the event is %s", round, dora_event_kind_name(dora_event_kind(event)));
    dora_event_free(event);
}

int main(void) {
    report("begin");
    for (int round = 0; round < 50; round++) {
        start_and_end(round);
        if (round == 9)
            report_resources();
    }
    report_resources();
    report("end");
    return 0;
}
