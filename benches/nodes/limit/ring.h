/*
 * What nothing can beat on this machine: a ring of messages in shared memory, and a futex to wait at. One
 * source, some sinks that all read each message where it lies. No checks, no types, no discovery, no daemon.
 */
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include "../bench.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RING_SLOTS = 2, RING_SINKS = 16, RING_ALIGNMENT = 64 };

typedef struct {
    /* How many messages were written; sinks wait for it to change. */
    _Atomic uint32_t written;
    _Atomic uint32_t waiting_sinks;
    /* How many messages each sink is done with; the source waits for `freed` to change. */
    _Atomic uint32_t read[RING_SINKS];
    _Atomic uint32_t freed;
    _Atomic uint32_t source_waits;
    _Atomic uint32_t sinks;
    _Atomic uint32_t is_closed;
} ring_head_t;

typedef struct {
    ring_head_t *head;
    unsigned char *slots;
    size_t size, slot_size;
} ring_t;

static inline void ring_wait(_Atomic uint32_t *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static inline void ring_wake(_Atomic uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Maps the ring that BENCH_RING names, with all its pages; whoever comes first makes it. */
static inline ring_t ring_open(size_t size) {
    const char *name = getenv("BENCH_RING");
    ring_t ring = {0};
    ring.size = size;
    ring.slot_size = (size + RING_ALIGNMENT - 1) / RING_ALIGNMENT * RING_ALIGNMENT;
    size_t head = (sizeof(ring_head_t) + RING_ALIGNMENT - 1) / RING_ALIGNMENT * RING_ALIGNMENT;
    size_t total = head + RING_SLOTS * ring.slot_size;
    int file = name ? shm_open(name, O_CREAT | O_RDWR, 0600) : -1;
    if (file < 0 || ftruncate(file, (off_t)total) != 0)
        bench_fail("no shared memory");
    void *memory = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        bench_fail("no memory to map");
    ring.head = (ring_head_t *)memory;
    ring.slots = (unsigned char *)memory + head;
    return ring;
}

static inline unsigned char *ring_slot(const ring_t *ring, uint32_t number) {
    return ring->slots + number % RING_SLOTS * ring->slot_size;
}

#endif
