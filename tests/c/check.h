/*
 * The few lines that the C tests need of a test framework; to be included first. They are for one thread:
 * what other threads find out is checked after they were joined.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_CHECK_H
#define DORA_TESTS_CHECK_H

#define _POSIX_C_SOURCE 200809L

#include <dora/dora.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int check_done;
static int check_failed;

/* Garbage for outputs, so that one left alone is told from one that was cleared. */
static uint64_t check_garbage = 0xDEADBEEFDEADBEEF;
#define GARBAGE_SIZE ((size_t)0xDEADBEEF)
#define GARBAGE_POINTER(type) ((type)(void *)&check_garbage)

static inline bool check_that(bool holds, const char *what, const char *file, int line) {
    ++check_done;
    if (holds)
        return true;
    ++check_failed;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    return false;
}

static inline bool check_status(dora_status_t wanted, dora_status_t got, const char *what, const char *file,
                                int line) {
    if (!check_that(got == wanted, what, file, line))
        fprintf(stderr, "    gave %s (%d) instead of %s: %s\n", dora_status_name(got), (int)got,
                dora_status_name(wanted), got < 0 ? dora_last_error() : "");
    return got == wanted;
}

static inline bool check_text(const char *wanted, const char *got, const char *what, const char *file,
                              int line) {
    bool equal = got && strcmp(wanted, got) == 0;
    if (!check_that(equal, what, file, line))
        fprintf(stderr, "    gave %s%s%s instead of \"%s\"\n", got ? "\"" : "", got ? got : "NULL",
                got ? "\"" : "", wanted);
    return equal;
}

/* Whether the last error names `argument`, as it does in grave accents; says so when it does not. */
static inline bool error_names(const char *argument) {
    const size_t length = strlen(argument);
    for (const char *at = strchr(dora_last_error(), '`'); at; at = strchr(at + 1, '`'))
        if (strncmp(at + 1, argument, length) == 0 && at[1 + length] == '`')
            return true;
    fprintf(stderr, "    the error does not name `%s`: %s\n", argument, dora_last_error());
    return false;
}

/* What takes no time is over in so many seconds, also on a machine that stands still for some of them. What
 * took longer has waited for something. */
#define SOON 4.0

/* Seconds of a clock that nobody sets. */
static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void sleep_ms(long ms) {
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* What the node wrote, terminated; the caller frees it. It is complete once the node was freed. */
static inline char *read_outputs(void) {
    const char *path = getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    FILE *file = path ? fopen(path, "rb") : NULL;
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size >= 0 ? (char *)malloc((size_t)size + 1) : NULL;
    if (!text || fseek(file, 0, SEEK_SET) != 0 || fread(text, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "cannot read DORA_TEST_WRITE_OUTPUTS_TO=%s\n", path ? path : "");
        exit(EXIT_FAILURE);
    }
    fclose(file);
    text[size] = '\0';
    return text;
}

/* Whether the node wrote these lines and no others; shows the first that differs. */
static inline bool check_outputs(const char *wanted, const char *file, int line) {
    char *outputs = read_outputs();
    const char *got = outputs;
    const bool equal = check_that(strcmp(wanted, got) == 0, "the outputs are the expected ones", file, line);
    while (!equal && strcspn(wanted, "\n") == strcspn(got, "\n") &&
           strncmp(wanted, got, strcspn(got, "\n") + 1) == 0) {
        wanted += strcspn(wanted, "\n") + 1;
        got += strcspn(got, "\n") + 1;
    }
    if (!equal)
        fprintf(stderr, "    gave   %.*s\n    wanted %.*s\n", (int)strcspn(got, "\n"), got,
                (int)strcspn(wanted, "\n"), wanted);
    free(outputs);
    return equal;
}

/* What main returns: a failure also when nothing was checked. */
static inline int check_result(const char *name) {
    printf("%s: %d checks, %d failed\n", name, check_done, check_failed);
    return check_done > 0 && check_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define CHECK(condition) check_that((condition) ? true : false, #condition, __FILE__, __LINE__)
#define CHECK_STATUS(wanted, call) check_status(wanted, call, #call, __FILE__, __LINE__)
#define CHECK_TEXT(wanted, text) check_text(wanted, text, #text, __FILE__, __LINE__)
#define CHECK_OUTPUTS(wanted) check_outputs(wanted, __FILE__, __LINE__)

/* The node and its events are what a test stands on: without them it ends. */
static inline dora_node_t *must_init(void) {
    dora_node_t *node = GARBAGE_POINTER(dora_node_t *);
    if (!CHECK_STATUS(DORA_OK, dora_node_init(&node)))
        exit(EXIT_FAILURE);
    return node;
}

static inline dora_event_t *must_read(dora_node_t *node) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    if (!CHECK_STATUS(DORA_OK, read_dora_event(node, DORA_FOREVER, &event)) || !CHECK(event != NULL))
        exit(EXIT_FAILURE);
    return event;
}

#endif /* DORA_TESTS_CHECK_H */
