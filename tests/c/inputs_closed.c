/*
 * A node whose senders have finished: each input closes, then the stop that says so, then reads are closed.
 * Environment: DORA_TEST_WITH_INPUTS=inputs_closed.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

int main(void) {
    dora_node_t *node = must_init();
    const char *const inputs[] = {"first", "second"};
    for (int i = 0; i < 2; ++i) {
        dora_event_t *closed = must_read(node);
        CHECK(dora_event_kind(closed) == DORA_EVENT_INPUT_CLOSED);
        CHECK_TEXT(inputs[i], dora_event_input_id(closed));
        dora_event_free(closed);
    }
    dora_event_t *stop = must_read(node);
    CHECK(dora_event_kind(stop) == DORA_EVENT_STOP);
    CHECK(dora_event_stop_cause(stop) == DORA_STOP_ALL_INPUTS_CLOSED);
    CHECK(dora_event_input_id(stop) == NULL);
    dora_event_free(stop);

    dora_event_t *none = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_CLOSED, read_dora_event(node, DORA_FOREVER, &none));
    CHECK(none == NULL);
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "out", NULL));
    dora_node_free(node);
    return check_result("inputs_closed");
}
