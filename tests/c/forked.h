/*
 * Children of fork: what they find wrong, and how they ended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_FORKED_H
#define DORA_TESTS_FORKED_H

#include "scripted.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a child ended: its exit code, less than 0 for a signal. One that hangs is killed. */
static inline int end_of(pid_t child) {
    const double began = seconds();
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (seconds() - began > 10)
            kill(child, SIGKILL);
        sleep_ms(1);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Ends a child as most children end, by exec. What of the parent it has lost sight of is so no leak. */
static inline void leave(bool failed) {
    fflush(NULL);
    execl("/bin/sh", "sh", "-c", failed ? "exit 1" : "exit 0", (char *)NULL);
    _exit(127);
}

/* Has a child do something, the checks of which count as one here. */
static inline void in_child(void (*body)(void)) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        check_failed = 0;
        body();
        leave(check_failed > 0);
    }
    CHECK(child > 0 && end_of(child) == 0);
}

#endif /* DORA_TESTS_FORKED_H */
