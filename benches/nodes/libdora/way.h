/* What the nodes of libdora share: which way their messages go, and by which call. */
#ifndef BENCH_WAY_H
#define BENCH_WAY_H

#include "../bench.h"
#include <dora/dora.h>

/*
 * Ends the program where an output is not on the fast lane and DORA_FAST_LANE asks for it, or the other way
 * round: what it takes would be told under a wrong name. To be asked at the end too, since an output can
 * leave the lane in the midst of a run.
 */
static inline void bench_check_way(dora_node_t *node, const char *output) {
    const bool wants_lane = getenv("DORA_FAST_LANE") != NULL;
    int32_t way;
    if (dora_node_output_transport(node, output, &way) != DORA_OK)
        bench_fail(dora_last_error());
    if ((way == DORA_TRANSPORT_LANE) == wants_lane)
        return;
    fprintf(stderr,
            "bench: output '%s' has transport %d, and this side is to be measured %s the fast lane (%d)\n",
            output, (int)way, wants_lane ? "on" : "off", DORA_TRANSPORT_LANE);
    exit(1);
}

/* Sends bytes: copied, or, in a program that is compiled with BENCH_LOANS, written where they are sent from.
 */
static inline dora_status_t bench_send(dora_node_t *node, const char *output, const void *bytes,
                                       size_t size) {
#ifdef BENCH_LOANS
    dora_loan_t *loan;
    dora_status_t status = dora_node_loan(node, output, DORA_TYPE_UINT8, size, &loan);
    if (status != DORA_OK)
        return status;
    memcpy(dora_loan_data(loan), bytes, size);
    return dora_node_send_loan(node, &loan, NULL);
#else
    return dora_node_send_bytes(node, output, bytes, size, NULL);
#endif
}

#endif
