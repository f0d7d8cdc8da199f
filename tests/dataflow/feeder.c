/*
 * A source: sends DORA_TEST_COUNT numbers on "out", a millisecond apart since dora's direct way drops what
 * comes too fast. Then it stays until it is stopped, or ends with DORA_TEST_ENDS.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    long count = setting("DORA_TEST_COUNT", 0);
    report_ways(node);
    for (int32_t number = 0; number < count; number++) {
        expect_ok("send", dora_node_send_values(node, "out", DORA_TYPE_INT32, &number, 1, NULL));
        sleep_ms(1);
    }
    report("sent %ld", count);
    while (!getenv("DORA_TEST_ENDS") && read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        report("event %s", dora_event_kind_name(dora_event_kind(event)));
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
