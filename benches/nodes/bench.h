/*
 * What the nodes in C and C++ share: the plan, the pace, the stamp in a message, and the report. bench.rs and
 * bench.py beside the nodes in Rust and Python do the same, step by step.
 *
 * A run is a warm-up and a window. A source sends at a steady interval, or as fast as it can with interval 0,
 * for both and a little longer, so that the window ends while messages still come. A sink takes times from
 * its first message on.
 */
#ifndef BENCH_H
#define BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_TAIL_NS INT64_C(50000000)

static inline int64_t bench_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t bench_now(void) { return bench_clock(CLOCK_MONOTONIC); }

/* User and system time of all threads, as getrusage has it, but to the nanosecond. */
static inline int64_t bench_cpu(void) { return bench_clock(CLOCK_PROCESS_CPUTIME_ID); }

static inline int64_t bench_setting(const char *name, int64_t otherwise) {
    const char *value = getenv(name);
    return value ? strtoll(value, NULL, 10) : otherwise;
}

static inline void bench_fail(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static inline void *bench_allocate(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory)
        bench_fail("out of memory");
    return memory;
}

/* The report, a file of lines "KEY VALUE", with what the kernel says of the process's memory. */
static inline FILE *bench_open_report(void) {
    const char *path = getenv("BENCH_REPORT");
    FILE *report = path ? fopen(path, "w") : stderr;
    if (!report)
        bench_fail("BENCH_REPORT cannot be written");
    fprintf(report, "exec_ns %lld\n", (long long)bench_setting("BENCH_EXEC_NS", 0));
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmRSS", 5) == 0 || strncmp(line, "Rss", 3) == 0)
            fputs(line, report);
    if (status)
        fclose(status);
    return report;
}

/* ---- A source ---- */

typedef struct {
    size_t size;
    int64_t interval_ns, warm_up_ns, window_ns;
    /* When the first message was due, and the next one is; 0 before the first. */
    int64_t begin_ns, due_ns;
    uint64_t number;
    /* Messages that were due before the one in front of them was sent. */
    uint64_t late;
    /* At both ends of the window. */
    int64_t cpu_ns[2], time_ns[2];
    uint64_t sent[2];
    int mark;
} bench_source_t;

static inline bench_source_t bench_source_begin(void) {
    bench_source_t source;
    memset(&source, 0, sizeof source);
    source.size = (size_t)bench_setting("BENCH_SIZE", 64);
    source.interval_ns = bench_setting("BENCH_INTERVAL_NS", 1000000);
    source.warm_up_ns = bench_setting("BENCH_WARM_UP_NS", 500000000);
    source.window_ns = bench_setting("BENCH_WINDOW_NS", 1000000000);
    return source;
}

static inline void bench_source_mark(bench_source_t *source, int64_t now) {
    source->cpu_ns[source->mark] = bench_cpu();
    source->time_ns[source->mark] = now;
    source->sent[source->mark] = source->number;
    source->mark++;
}

/* Waits until a message is due; false when there is none any more. */
static inline bool bench_source_next(bench_source_t *source) {
    int64_t now = bench_now();
    if (source->begin_ns == 0)
        source->begin_ns = source->due_ns = now;
    else
        source->number++;
    if (source->interval_ns > 0) {
        if (now < source->due_ns) {
            struct timespec due = {(time_t)(source->due_ns / 1000000000),
                                   (long)(source->due_ns % 1000000000)};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        } else if (source->number > 0) {
            source->late++;
            source->due_ns = now;
        }
        source->due_ns += source->interval_ns;
    }
    int64_t elapsed = now - source->begin_ns;
    if (source->mark == 0 && elapsed >= source->warm_up_ns)
        bench_source_mark(source, now);
    if (source->mark == 1 && elapsed >= source->warm_up_ns + source->window_ns)
        bench_source_mark(source, now);
    return elapsed < source->warm_up_ns + source->window_ns + BENCH_TAIL_NS;
}

/* Writes a message: a pattern that changes, and in front of it when it began. */
static inline void bench_source_fill(const bench_source_t *source, void *message, int64_t begin) {
    memset(message, (int)(source->number & 0xff), source->size);
    memcpy(message, &begin, sizeof begin);
}

static inline void bench_source_end(const bench_source_t *source) {
    FILE *report = bench_open_report();
    fprintf(report, "sent %llu\nlate %llu\nwindow_ns %lld\ncpu_ns %lld\n",
            (unsigned long long)(source->sent[1] - source->sent[0]), (unsigned long long)source->late,
            (long long)(source->time_ns[1] - source->time_ns[0]),
            (long long)(source->cpu_ns[1] - source->cpu_ns[0]));
    fclose(report);
}

/* ---- A sink ---- */

typedef struct {
    int64_t warm_up_ns, window_ns;
    bool wants_one_event;
    /* When the first event came, whatever it was, and when the first message was begun. */
    int64_t first_event_ns, begin_ns;
    uint64_t received, torn;
    /* The start of the window, its end, and what the processor spent until then. */
    int64_t time_ns[2], cpu_ns[2];
    int mark;
    /* Pairs of when a message was begun and when it could be read. */
    int64_t *samples;
    uint64_t capacity;
} bench_sink_t;

static inline bench_sink_t bench_sink_begin(void) {
    bench_sink_t sink;
    memset(&sink, 0, sizeof sink);
    sink.warm_up_ns = bench_setting("BENCH_WARM_UP_NS", 500000000);
    sink.window_ns = bench_setting("BENCH_WINDOW_NS", 1000000000);
    sink.wants_one_event = bench_setting("BENCH_ONE_EVENT", 0) != 0;
    sink.capacity = (uint64_t)bench_setting("BENCH_SAMPLES", 0);
    sink.samples = (int64_t *)bench_allocate(sink.capacity * 2 * sizeof(int64_t));
    return sink;
}

/* Notes an event; false when it was all that the run is about. */
static inline bool bench_sink_event(bench_sink_t *sink) {
    if (sink->first_event_ns == 0)
        sink->first_event_ns = bench_now();
    return !sink->wants_one_event;
}

static inline void bench_sink_mark(bench_sink_t *sink, int64_t now) {
    sink->cpu_ns[sink->mark] = bench_cpu();
    sink->time_ns[sink->mark] = now;
    sink->mark++;
}

/* Takes a message that can be read. */
static inline void bench_sink_message(bench_sink_t *sink, const void *message, size_t size) {
    if (size < sizeof(int64_t))
        return;
    int64_t begun;
    memcpy(&begun, message, sizeof begun);
    int64_t now = bench_now();
    if (sink->begin_ns == 0)
        sink->begin_ns = begun;
    int64_t elapsed = now - sink->begin_ns;
    if (sink->mark == 0 && elapsed >= sink->warm_up_ns)
        bench_sink_mark(sink, now);
    if (sink->mark == 1 && elapsed >= sink->warm_up_ns + sink->window_ns)
        bench_sink_mark(sink, now);
    if (sink->mark == 1) {
        const unsigned char *bytes = (const unsigned char *)message;
        sink->torn += size > sizeof begun && bytes[sizeof begun] != bytes[size - 1];
        if (sink->received < sink->capacity) {
            sink->samples[2 * sink->received] = begun;
            sink->samples[2 * sink->received + 1] = now;
        }
        sink->received++;
    }
}

static inline void bench_sink_end(bench_sink_t *sink) {
    while (sink->mark < 2)
        bench_sink_mark(sink, bench_now());
    FILE *report = bench_open_report();
    fprintf(report, "first_event_ns %lld\nreceived %llu\ntorn %llu\nwindow_ns %lld\ncpu_ns %lld\n",
            (long long)sink->first_event_ns, (unsigned long long)sink->received,
            (unsigned long long)sink->torn, (long long)(sink->time_ns[1] - sink->time_ns[0]),
            (long long)(sink->cpu_ns[1] - sink->cpu_ns[0]));
    fclose(report);
    const char *path = getenv("BENCH_SAMPLES_FILE");
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (file) {
        uint64_t kept = sink->received < sink->capacity ? sink->received : sink->capacity;
        fwrite(sink->samples, 2 * sizeof(int64_t), kept, file);
        fclose(file);
    }
    free(sink->samples);
}

#endif
