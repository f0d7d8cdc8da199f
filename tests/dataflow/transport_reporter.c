/*
 * Reports which way each output takes: "way OUTPUT STATUS TRANSPORT SENTENCE", for those in its arguments. On
 * each that it has it sends its name, closes it, and asks again: "closed OUTPUT STATUS TRANSPORT".
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static void report_way(const char *what, dora_node_t *node, const char *output) {
    int32_t transport = 77;
    dora_status_t status = dora_node_output_transport(node, output, &transport);
    report("%s %s %s %d %s", what, output, dora_status_name(status), (int)transport,
           status < 0 ? dora_last_error() : "");
}

int main(int argc, char **argv) {
    dora_node_t *node = init_node();
    for (int i = 1; i < argc; i++)
        report_way("way", node, argv[i]);
    for (size_t i = 0; i < dora_node_output_count(node); i++) {
        const char *output = dora_node_output_id(node, i);
        expect_ok("send", dora_node_send_text(node, output, output, DORA_NUL_TERMINATED, NULL));
        expect_ok("close", dora_node_close_output(node, output));
        report_way("closed", node, output);
    }
    free_node(node);
    return 0;
}
