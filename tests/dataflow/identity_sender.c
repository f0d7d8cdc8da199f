/*
 * A sender that the driver leads. It sends DORA_TEST_COUNT texts on "out", "RUN-NUMBER" each, and waits for
 * the file of DORA_TEST_GO; then it sends one each 20 ms until there is the file of DORA_TEST_DONE, and ends.
 * With DORA_TEST_FAILS, its first run ends in failure instead after the wait: "orderly" frees the node,
 * "crash" does not.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static void send_next(dora_node_t *node) {
    static int number;
    char text[32];
    snprintf(text, sizeof text, "%u-%d", (unsigned)dora_node_restart_count(node), number++);
    expect_ok("send", dora_node_send_text(node, "out", text, DORA_NUL_TERMINATED, NULL));
}

int main(void) {
    dora_node_t *node = init_node();
    const char *done = getenv("DORA_TEST_DONE");
    report("run %u", (unsigned)dora_node_restart_count(node));
    for (long i = 0; i < setting("DORA_TEST_COUNT", 1); i++)
        send_next(node);
    report("sent");
    wait_for_driver();
    if (dora_node_restart_count(node) == 0 && is_setting("DORA_TEST_FAILS", "crash"))
        _exit(1);
    if (dora_node_restart_count(node) == 0 && is_setting("DORA_TEST_FAILS", "orderly")) {
        free_node(node);
        return 1;
    }
    while (done && access(done, F_OK) != 0) {
        send_next(node);
        sleep_ms(20);
    }
    free_node(node);
    return 0;
}
