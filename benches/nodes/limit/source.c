/* The limit: writes into shared memory, and wakes who waits there. */
#include "ring.h"

/* Whether the slot of a message is free: no sink is more than the ring behind. */
static bool has_room(const ring_head_t *head, uint32_t sinks, uint32_t number) {
    for (uint32_t i = 0; i < sinks; i++)
        if (number - atomic_load(&head->read[i]) >= RING_SLOTS)
            return false;
    return true;
}

static void await_room(ring_head_t *head, uint32_t sinks, uint32_t number) {
    while (!has_room(head, sinks, number)) {
        uint32_t freed = atomic_load(&head->freed);
        atomic_store(&head->source_waits, 1);
        if (!has_room(head, sinks, number))
            ring_wait(&head->freed, freed);
        atomic_store(&head->source_waits, 0);
    }
}

int main(void) {
    bench_source_t source = bench_source_begin();
    ring_t ring = ring_open(source.size);
    ring_head_t *head = ring.head;
    uint32_t sinks = (uint32_t)bench_setting("BENCH_SINKS", 1);
    while (atomic_load(&head->sinks) < sinks)
        usleep(1000);
    for (uint32_t number = 0; bench_source_next(&source); number++) {
        int64_t begin = bench_now();
        await_room(head, sinks, number);
        bench_source_fill(&source, ring_slot(&ring, number), begin);
        atomic_store(&head->written, number + 1);
        if (atomic_load(&head->waiting_sinks) > 0)
            ring_wake(&head->written);
    }
    bench_source_end(&source);
    atomic_store(&head->is_closed, 1);
    atomic_fetch_add(&head->written, 1);
    ring_wake(&head->written);
    return 0;
}
