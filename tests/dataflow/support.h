/*
 * What the nodes of these tests share: lines for the driver, clocks, and the end on a failure.
 * The including file defines _GNU_SOURCE or _POSIX_C_SOURCE first, for the clocks.
 */
#ifndef DORA_TEST_SUPPORT_H
#define DORA_TEST_SUPPORT_H

#include <dora/dora.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Writes a line to the file that DORA_TEST_REPORT names. It is on disk when the call returns: a node's stdout
 * is a pipe to the daemon, and breaks with it. */
__attribute__((format(printf, 1, 2))) static inline void report(const char *format, ...) {
    static FILE *file;
    const char *path = getenv("DORA_TEST_REPORT");
    if (!file)
        file = fopen(path ? path : "/dev/stderr", "a");
    if (!file)
        abort();
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
    fflush(file);
}

/* Reports "WHAT STATUS", and the sentence behind a failure. */
static inline void report_status(const char *what, dora_status_t status) {
    if (status < 0)
        report("%s %s %s", what, dora_status_name(status), dora_last_error());
    else
        report("%s %s", what, dora_status_name(status));
}

/* Ends the program when a call failed that these tests rely on. */
static inline void expect_ok(const char *what, dora_status_t status) {
    if (status == DORA_OK)
        return;
    report_status(what, status);
    fprintf(stderr, "%s: %s: %s\n", what, dora_status_name(status), dora_last_error());
    exit(1);
}

static inline dora_node_t *init_node(void) {
    dora_node_t *node;
    expect_ok("init", dora_node_init(&node));
    return node;
}

static inline int64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline double ms_since(int64_t start_ns) {
    return (double)(clock_ns(CLOCK_MONOTONIC) - start_ns) / 1e6;
}

/* Reports the way of each output in a line: "ways OUTPUT:TRANSPORT …". */
static inline void report_ways(dora_node_t *node) {
    char text[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < dora_node_output_count(node) && length < sizeof text; i++) {
        const char *output = dora_node_output_id(node, i);
        int32_t transport;
        expect_ok("transport", dora_node_output_transport(node, output, &transport));
        length += (size_t)snprintf(text + length, sizeof text - length, " %s:%d", output, (int)transport);
    }
    report("ways%s", text);
}

/* Ends a node and reports how long that took. */
static inline void free_node(dora_node_t *node) {
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    dora_node_free(node);
    report("free_ms %.0f", ms_since(start));
}

static inline void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Waits for an input, that long behind each other event, and tells whether it came. */
static inline bool await_input(dora_node_t *node, int64_t timeout_ms) {
    dora_event_t *event;
    dora_status_t status;
    int32_t kind;
    do {
        status = read_dora_event(node, timeout_ms * 1000000, &event);
        if (status == DORA_TIMEOUT)
            return false;
        expect_ok("read", status);
        kind = dora_event_kind(event);
        dora_event_free(event);
    } while (kind != DORA_EVENT_INPUT);
    return true;
}

/* A setting from the node's environment. */
static inline long setting(const char *name, long otherwise) {
    const char *value = getenv(name);
    return value ? strtol(value, NULL, 10) : otherwise;
}

static inline int is_setting(const char *name, const char *expected) {
    const char *value = getenv(name);
    return value && strcmp(value, expected) == 0;
}

/* Waits until the driver makes the file that DORA_TEST_GO names. */
static inline void wait_for_driver(void) {
    const char *path = getenv("DORA_TEST_GO");
    while (path && access(path, F_OK) != 0)
        sleep_ms(5);
}

#endif
