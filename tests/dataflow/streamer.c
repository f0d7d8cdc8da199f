/* A source: sends a frame of 100,000 bytes on "out", in the form of checksum.h, each 5 ms until it is
 * stopped. */
#define _POSIX_C_SOURCE 200809L
#include "checksum.h"
#include "support.h"

int main(void) {
    static uint8_t frame[100000];
    uint64_t number = 0, state = 1;
    dora_event_t *event;
    dora_status_t status;
    dora_node_t *node = init_node();
    report_ways(node);
    while ((status = read_dora_event(node, INT64_C(5000000), &event)) == DORA_TIMEOUT || status == DORA_OK) {
        dora_event_free(event);
        fill_message(frame, sizeof frame, number++, &state);
        expect_ok("send", dora_node_send_bytes(node, "out", frame, sizeof frame, NULL));
    }
    free_node(node);
    return 0;
}
