/*
 * A control loop: the controller sends a setpoint at each period and waits for the state that the plant
 * answers with. A sample is when a setpoint was begun and when its state could be read.
 */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include "bench.h"

#define BENCH_LOOP_BYTES 64

typedef struct {
    int64_t interval_ns, due_ns, begin_ns;
    /* Cycles that are not counted, and then those that are. */
    uint64_t warm_up, count, number;
    /* Cycles whose time had come before the one in front of them was done. */
    uint64_t late;
    int64_t *samples;
} bench_loop_t;

static inline bench_loop_t bench_loop_begin(void) {
    bench_loop_t loop;
    memset(&loop, 0, sizeof loop);
    loop.interval_ns = bench_setting("BENCH_INTERVAL_NS", 3000000);
    loop.warm_up = (uint64_t)bench_setting("BENCH_WARM_UP_CYCLES", 200);
    loop.count = (uint64_t)bench_setting("BENCH_CYCLES", 1000);
    loop.samples = (int64_t *)bench_allocate(loop.count * 2 * sizeof(int64_t));
    return loop;
}

/* Waits for the next period and fills the setpoint; false when all cycles are done. */
static inline bool bench_loop_next(bench_loop_t *loop, void *setpoint) {
    if (loop->number == loop->warm_up + loop->count)
        return false;
    int64_t now = bench_now();
    if (loop->due_ns == 0)
        loop->due_ns = now;
    if (now > loop->due_ns + loop->interval_ns) {
        loop->late++;
        loop->due_ns = now;
    }
    struct timespec due = {(time_t)(loop->due_ns / 1000000000), (long)(loop->due_ns % 1000000000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    loop->due_ns += loop->interval_ns;
    loop->begin_ns = bench_now();
    memset(setpoint, (int)(loop->number & 0xff), BENCH_LOOP_BYTES);
    memcpy(setpoint, &loop->begin_ns, sizeof loop->begin_ns);
    return true;
}

/* Takes the state; false when it answers another setpoint. */
static inline bool bench_loop_answered(bench_loop_t *loop, const void *state, size_t size) {
    int64_t now = bench_now(), begun;
    if (size != BENCH_LOOP_BYTES)
        return false;
    memcpy(&begun, state, sizeof begun);
    if (begun != loop->begin_ns)
        return false;
    if (loop->number >= loop->warm_up) {
        int64_t *sample = loop->samples + 2 * (loop->number - loop->warm_up);
        sample[0] = begun;
        sample[1] = now;
    }
    loop->number++;
    return true;
}

static inline void bench_loop_end(bench_loop_t *loop) {
    FILE *report = bench_open_report();
    fprintf(report, "late %llu\n", (unsigned long long)loop->late);
    fclose(report);
    const char *path = getenv("BENCH_SAMPLES_FILE");
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (file) {
        fwrite(loop->samples, 2 * sizeof(int64_t), loop->count, file);
        fclose(file);
    }
    free(loop->samples);
}

#endif
