/* Starts as a node and reports how that went: the status, what the handle became, and the sentence behind it.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

int main(void) {
    static char place;
    /* Anything that is not NULL: a failure must overwrite it. */
    dora_node_t *node = (dora_node_t *)(void *)&place;
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    dora_status_t status = dora_node_init(&node);
    report("init_ms %.0f", ms_since(start));
    report("status %s", dora_status_name(status));
    report("node %s", node ? "set" : "NULL");
    report("sentence %s", status < 0 ? dora_last_error() : "");
    dora_node_free(node);
    return 0;
}
