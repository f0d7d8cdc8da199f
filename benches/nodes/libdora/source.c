/* libdora in C: sends bytes that it has in memory of its own. */
#include "way.h"

int main(void) {
    dora_node_t *node;
    dora_status_t status = dora_node_init(&node);
    if (status == DORA_OK)
        bench_check_way(node, "data");
    bench_source_t source = bench_source_begin();
    void *message = bench_allocate(source.size);
    while (status == DORA_OK && bench_source_next(&source)) {
        bench_source_fill(&source, message, bench_now());
        status = dora_node_send_bytes(node, "data", message, source.size, NULL);
    }
    if (status == DORA_OK) {
        bench_check_way(node, "data");
        bench_source_end(&source);
    } else {
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    }
    free(message);
    dora_node_free(node);
    return status != DORA_OK;
}
