/* The limit: waits at a futex, and reads from shared memory. */
#include "ring.h"

int main(void) {
    bench_sink_t sink = bench_sink_begin();
    ring_t ring = ring_open((size_t)bench_setting("BENCH_SIZE", 64));
    ring_head_t *head = ring.head;
    uint32_t index = atomic_fetch_add(&head->sinks, 1);
    for (uint32_t number = 0;; number++) {
        uint32_t written;
        while ((written = atomic_load(&head->written)) == number) {
            atomic_fetch_add(&head->waiting_sinks, 1);
            ring_wait(&head->written, number);
            atomic_fetch_sub(&head->waiting_sinks, 1);
        }
        if (written == number + 1 && atomic_load(&head->is_closed))
            break;
        bench_sink_event(&sink);
        bench_sink_message(&sink, ring_slot(&ring, number), ring.size);
        atomic_store(&head->read[index], number + 1);
        atomic_fetch_add(&head->freed, 1);
        if (atomic_load(&head->source_waits))
            ring_wake(&head->freed);
    }
    bench_sink_end(&sink);
    return 0;
}
