/*
 * Closes outputs when the daemon is gone, which is when there is the file of DORA_TEST_GO: nothing but
 * closing tells the library so. Reports "STEP STATUS SENTENCE" for every call, and "pending" at first and in
 * the end.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static void report_pending(dora_node_t *node) {
    bool pending;
    expect_ok("pending", dora_node_pending(node, &pending));
    report("pending %d", pending);
}

int main(void) {
    dora_node_t *node = init_node();
    report_pending(node);
    report("ready");
    wait_for_driver();
    for (int i = 0; i < 3; i++)
        report_status("close", dora_node_close_output(node, "first"));
    report_status("send", dora_node_send_empty(node, "first", NULL));
    report_status("send", dora_node_send_empty(node, "second", NULL));
    report_status("close", dora_node_close_output(node, "second"));
    for (int i = 0; i < 2; i++)
        report_status("close", dora_node_close_outputs(node));
    report_pending(node);
    free_node(node);
    return 0;
}
