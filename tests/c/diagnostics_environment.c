/*
 * What RUST_LOG makes of diagnostics: lines on stderr where no callback is set, a choice among the messages
 * where one is, and nothing where neither asks. It is looked at once, so each case is a process of its own:
 * this program again, with the name of the case.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diagnostics_failures.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- In the child ---- */

/* What comes last. A child gives it, and then lives until its parent has seen it. */
#define LAST "last-node"

static void print(int32_t level, const char *target, const char *message, void *user) {
    fprintf((FILE *)user, "to callback: %d %s %s\n", (int)level, target, message);
}

static void set(int32_t max_level, dora_diagnostics_fn_t callback) {
    CHECK_STATUS(DORA_OK, dora_diagnostics_set(max_level, callback, stderr));
}

static void failures(const char *mark) {
    fail_init(mark);
    fail(mark);
}

static int child(const char *scenario) {
    if (strcmp(scenario, "callback") == 0)
        set(DORA_LOG_TRACE, print);
    else if (strcmp(scenario, "callback-of-errors") == 0)
        set(DORA_LOG_ERROR, print);
    else if (strcmp(scenario, "off") == 0)
        set(DORA_LOG_TRACE, NULL);
    failures("first");
    if (strcmp(scenario, "off") == 0)
        set(DORA_LOG_TRACE, print);
    fail_init(LAST);
    while (getchar() != EOF) {
    }
    return check_failed > 0;
}

/* ---- In the parent ---- */

static const char *program;

/* Runs the child until it has said the last, or for a while where that is not to come; gives its stderr. */
static char *stderr_of(const char *scenario, const char *rust_log, bool silent) {
    static char text[1 << 16];
    int to_child[2], from_child[2], status = -1;
    if (!CHECK(pipe(to_child) == 0 && pipe(from_child) == 0))
        exit(EXIT_FAILURE);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(to_child[0], STDIN_FILENO);
        dup2(from_child[1], STDERR_FILENO);
        close(to_child[1]);
        if (rust_log ? setenv("RUST_LOG", rust_log, 1) == 0 : unsetenv("RUST_LOG") == 0)
            execl(program, program, scenario, (char *)NULL);
        _exit(127);
    }
    close(to_child[0]);
    close(from_child[1]);
    size_t size = 0;
    struct pollfd readable = {from_child[0], POLLIN, 0};
    text[0] = '\0';
    while (!strstr(text, LAST) && poll(&readable, 1, silent ? 500 : 30000) == 1) {
        const ssize_t count = read(from_child[0], text + size, sizeof text - 1 - size);
        if (count <= 0)
            break;
        size += (size_t)count;
        text[size] = '\0';
    }
    close(to_child[1]);
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
    close(from_child[0]); /* not before: the child may still write */
    return text;
}

/* Whether a line of the text has both parts in it. */
static bool has_line(const char *text, const char *one, const char *other) {
    char line[2048];
    while (*text) {
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (strstr(line, one) && strstr(line, other))
            return true;
        text += length + (text[length] == '\n');
    }
    return false;
}

static const struct {
    const char *scenario, *rust_log;
    /* What becomes of the node and of the call that fail first. */
    bool node_is_told, call_is_told, by_callback;
} cases[] = {
    {"nobody", "error", true, false, false},
    {"nobody", "info", true, false, false},
    {"nobody", "debug", true, true, false},
    {"nobody", "trace", true, true, false},
    {"nobody", "warn,dora=debug", true, true, false},
    {"nobody", "debug,dora=error", true, false, false},
    {"callback", NULL, true, true, true},
    {"callback", "error", true, false, true},
    {"callback", "dora=debug", true, true, true},
    {"callback-of-errors", "debug", true, false, true},
    {"off", NULL, false, false, true},
    {"off", "debug", false, false, true},
};

static const struct {
    const char *scenario, *rust_log;
} silent_cases[] = {
    {"nobody", NULL}, {"nobody", ""}, {"nobody", "off"}, {"nobody", "zenoh=debug"}, {"callback", "off"},
};

int main(int argc, char **argv) {
    if (argc > 1)
        return child(argv[1]);
    program = argv[0];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *text = stderr_of(cases[i].scenario, cases[i].rust_log, false);
        const char *error = cases[i].by_callback ? "to callback: 1 dora " : "ERROR";
        const char *debug = cases[i].by_callback ? "to callback: 4 dora " : "DEBUG";
        const bool told = CHECK(has_line(text, error, LAST)) &&
                          CHECK(has_line(text, error, "/no/such/first.json") == cases[i].node_is_told) &&
                          CHECK(has_line(text, debug, "DORA_ERROR_INVALID_ID: ") == cases[i].call_is_told) &&
                          CHECK((strstr(text, "to callback") != NULL) == cases[i].by_callback) &&
                          CHECK(!cases[i].by_callback || !has_line(text, "ERROR ", "dora: "));
        if (!told)
            fprintf(stderr, "    RUST_LOG=%s, %s:\n%s\n", cases[i].rust_log ? cases[i].rust_log : "(unset)",
                    cases[i].scenario, text);
    }
    for (size_t i = 0; i < sizeof silent_cases / sizeof *silent_cases; ++i)
        CHECK_TEXT("", stderr_of(silent_cases[i].scenario, silent_cases[i].rust_log, true));
    return check_result("diagnostics_environment");
}
