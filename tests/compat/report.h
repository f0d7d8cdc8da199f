/*
 * What the programs of this directory share that is no part of dora's interface: a line for the driver, in
 * the file that DORA_TEST_REPORT names, and a short sleep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_COMPAT_REPORT_H
#define DORA_TESTS_COMPAT_REPORT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((format(printf, 1, 2))) static inline void report(const char *format, ...) {
    const char *path = getenv("DORA_TEST_REPORT");
    FILE *file = fopen(path ? path : "/dev/stderr", "a");
    va_list arguments;
    if (!file)
        abort();
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
    fclose(file);
}

static inline void sleep_ms(long ms) {
    struct timespec time;
    time.tv_sec = 0;
    time.tv_nsec = ms * 1000000;
    nanosleep(&time, NULL);
}

#endif
