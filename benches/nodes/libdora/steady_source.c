/* libdora in C: counts what sending a message costs. */
#include "steady.h"

/* Long enough for the sink to be done with a message before the next, beside a program that watches both. */
static const struct timespec PAUSE = {0, 2000000};

int main(void) {
    dora_node_t *node;
    size_t size = (size_t)bench_setting("BENCH_SIZE", 64);
    void *message = bench_allocate(size);
    dora_status_t status = dora_node_init(&node);
    if (status == DORA_OK)
        bench_check_way(node, "data");
    memset(message, 1, size);
    steady_t steady = steady_begin();
    bool goes_on = true;
    while (status == DORA_OK && goes_on) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &PAUSE, NULL);
        status = bench_send(node, "data", message, size);
        goes_on = steady_next(&steady);
    }
    if (status == DORA_OK) {
        bench_check_way(node, "data");
        steady_end(&steady);
    } else {
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    }
    dora_node_free(node);
    free(message);
    return status != DORA_OK;
}
