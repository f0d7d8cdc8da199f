/*
 * Sends what is too large: reports "size STATUS SENTENCE" for each size in its arguments, and sends a small
 * text behind each, which must arrive. "find" in front of two sizes searches between them, to within eight
 * bytes, for where messages begin to be refused.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static dora_status_t send_zeros(dora_node_t *node, size_t size) {
    /* Untouched memory costs nothing before it is read. */
    void *zeros = calloc(1, size);
    if (!zeros)
        abort();
    dora_status_t status = dora_node_send_bytes(node, "out", zeros, size, NULL);
    free(zeros);
    return status;
}

static void send_and_report(dora_node_t *node, size_t size) {
    char text[32];
    snprintf(text, sizeof text, "%zu", size);
    report_status(text, send_zeros(node, size));
    report_status("small", dora_node_send_text(node, "out", text, DORA_NUL_TERMINATED, NULL));
}

static size_t find_limit(dora_node_t *node, size_t accepted, size_t refused) {
    while (refused - accepted > 8) {
        size_t middle = accepted + (refused - accepted) / 2;
        dora_status_t status = send_zeros(node, middle);
        if (status == DORA_OK) {
            accepted = middle;
            continue;
        }
        refused = middle;
        report_status("refused", status);
        report_status("small", dora_node_send_text(node, "out", "small", DORA_NUL_TERMINATED, NULL));
    }
    return accepted;
}

int main(int argc, char **argv) {
    dora_node_t *node = init_node();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "find") != 0) {
            send_and_report(node, strtoul(argv[i], NULL, 10));
        } else if (i + 2 < argc) {
            report("limit %zu",
                   find_limit(node, strtoul(argv[i + 1], NULL, 10), strtoul(argv[i + 2], NULL, 10)));
            i += 2;
        }
    }
    free_node(node);
    return 0;
}
