/* libdora in C: writes bytes where they are sent from. */
#include "way.h"

int main(void) {
    dora_node_t *node;
    dora_loan_t *loan;
    dora_status_t status = dora_node_init(&node);
    if (status == DORA_OK)
        bench_check_way(node, "data");
    bench_source_t source = bench_source_begin();
    while (status == DORA_OK && bench_source_next(&source)) {
        int64_t begin = bench_now();
        status = dora_node_loan(node, "data", DORA_TYPE_UINT8, source.size, &loan);
        if (status == DORA_OK) {
            bench_source_fill(&source, dora_loan_data(loan), begin);
            status = dora_node_send_loan(node, &loan, NULL);
        }
    }
    if (status == DORA_OK) {
        bench_check_way(node, "data");
        bench_source_end(&source);
    } else {
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    }
    dora_node_free(node);
    return status != DORA_OK;
}
