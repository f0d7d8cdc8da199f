/*
 * What the nodes share that count what a message costs: some messages to warm up, and then those that count.
 * All of malloc and its like goes through here. The calls of the system are counted from outside, between two
 * calls of getppid, which nothing else makes.
 */
#ifndef BENCH_STEADY_H
#define BENCH_STEADY_H

#include "way.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

/* The functions of glibc behind those that these programs replace. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* Set on the thread that sends or reads. */
static _Thread_local bool steady_is_here;
static _Atomic uint64_t steady_here, steady_elsewhere;

static void steady_count(void) { atomic_fetch_add(steady_is_here ? &steady_here : &steady_elsewhere, 1); }

void *malloc(size_t size) {
    steady_count();
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    steady_count();
    return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
    steady_count();
    return __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) {
    steady_count();
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory || size == 0 ? 0 : ENOMEM;
}

typedef struct {
    uint64_t warm_up, count;
    /* Messages that are done with. */
    uint64_t number;
    uint64_t here, elsewhere;
} steady_t;

static steady_t steady_begin(void) {
    steady_t steady = {(uint64_t)bench_setting("BENCH_WARM_UP", 200),
                       (uint64_t)bench_setting("BENCH_COUNT", 1000), 0, 0, 0};
    steady_is_here = true;
    return steady;
}

/* Takes note that one message more is done with; false behind the last that counts. */
static bool steady_next(steady_t *steady) {
    steady->number++;
    if (steady->number == steady->warm_up) {
        getppid();
        steady->here = steady_here;
        steady->elsewhere = steady_elsewhere;
    }
    if (steady->number < steady->warm_up + steady->count)
        return true;
    steady->here = steady_here - steady->here;
    steady->elsewhere = steady_elsewhere - steady->elsewhere;
    getppid();
    return false;
}

static void steady_end(const steady_t *steady) {
    FILE *report = bench_open_report();
    fprintf(report, "messages %llu\nallocations %llu\nother_allocations %llu\n",
            (unsigned long long)steady->count, (unsigned long long)steady->here,
            (unsigned long long)steady->elsewhere);
    fclose(report);
}

#endif
