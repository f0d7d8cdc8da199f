/*
 * A program that asks to be its node a second time: it is refused with a sentence, and the first goes on.
 * Reports "second STATUS SENTENCE", and "ticks N" for what the first reads after that.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

int main(void) {
    dora_node_t *node = init_node(), *second;
    dora_event_t *event;
    dora_status_t status = dora_node_init(&second);
    report("second %s %s", dora_status_name(status), dora_last_error());
    int ticks = 0;
    while (ticks < 20 && read_dora_event(node, 5000000000, &event) == DORA_OK) {
        ticks += dora_event_kind(event) == DORA_EVENT_INPUT;
        dora_event_free(event);
    }
    report("ticks %d", ticks);
    dora_node_free(second);
    free_node(node);
    report("end");
    return 0;
}
