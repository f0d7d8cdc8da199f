/*
 * What the library leaves alone: signals, the caller's scheduling, umask. The caller runs with settings that
 * are unusual; neither they nor its signal mask may reach the threads of dora. Reports "changed WHAT" for
 * what init and free changed, and "thread NAME BLOCKED POLICY PRIORITY CPUS" for each thread that they
 * started.
 */
#define _GNU_SOURCE
#include "support.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#define SIGNALS 65

struct state {
    struct sigaction actions[SIGNALS];
    sigset_t mask;
    stack_t stack;
    mode_t umask;
    int policy;
    cpu_set_t cpus;
};

static void on_signal(int number) { (void)number; }

static void remember(struct state *state) {
    memset(state, 0, sizeof *state);
    for (int number = 1; number < SIGNALS; number++)
        sigaction(number, NULL, &state->actions[number]);
    pthread_sigmask(SIG_SETMASK, NULL, &state->mask);
    sigaltstack(NULL, &state->stack);
    umask(state->umask = umask(0));
    state->policy = sched_getscheduler(0);
    sched_getaffinity(0, sizeof state->cpus, &state->cpus);
}

static void compare(const struct state *before, const struct state *after, const char *when) {
    for (int number = 1; number < SIGNALS; number++) {
        const struct sigaction *a = &before->actions[number], *b = &after->actions[number];
        if (a->sa_handler != b->sa_handler || a->sa_flags != b->sa_flags)
            report("changed disposition of signal %d %s", number, when);
        if (sigismember(&before->mask, number) != sigismember(&after->mask, number))
            report("changed mask of signal %d %s", number, when);
    }
    if (before->stack.ss_sp != after->stack.ss_sp || before->stack.ss_flags != after->stack.ss_flags)
        report("changed alternate stack %s", when);
    if (before->umask != after->umask)
        report("changed umask %s", when);
    if (before->policy != after->policy)
        report("changed policy %s", when);
    if (!CPU_EQUAL(&before->cpus, &after->cpus))
        report("changed cpus %s", when);
}

/* A real-time policy where it is allowed, else another that threads inherit too. */
static void be_unusual(void) {
    struct sched_param priority = {.sched_priority = 2};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigset_t blocked;
    cpu_set_t cpus, one;
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    umask(027);
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
        priority.sched_priority = 0;
        sched_setscheduler(0, SCHED_BATCH, &priority);
    }
    sched_getaffinity(0, sizeof cpus, &cpus);
    report("cpus %d", CPU_COUNT(&cpus));
    CPU_ZERO(&one);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &cpus))
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void report_thread(const char *id) {
    char path[64], line[256], name[64] = "", blocked[64] = "";
    struct sched_param priority = {0};
    cpu_set_t cpus;
    pid_t thread = (pid_t)strtol(id, NULL, 10);
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
    FILE *file = thread == getpid() ? NULL : fopen(path, "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        sscanf(line, "Name: %63s", name);
        sscanf(line, "SigBlk: %63s", blocked);
    }
    fclose(file);
    CPU_ZERO(&cpus);
    sched_getaffinity(thread, sizeof cpus, &cpus);
    sched_getparam(thread, &priority);
    report("thread %s %s %d %d %d", name, blocked, sched_getscheduler(thread), priority.sched_priority,
           CPU_COUNT(&cpus));
}

static void report_threads(void) {
    DIR *directory = opendir("/proc/self/task");
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            report_thread(entry->d_name);
    if (directory)
        closedir(directory);
}

int main(void) {
    static struct state before, during, after;
    static const char large[100000];
    dora_event_t *event;
    be_unusual();
    remember(&before);
    int signal_of_parent = -1;
    prctl(PR_GET_PDEATHSIG, &signal_of_parent);
    report("armed %d", signal_of_parent);
    dora_node_t *node = init_node();
    prctl(PR_GET_PDEATHSIG, &signal_of_parent);
    report("parent %d", signal_of_parent);
    remember(&during);
    compare(&before, &during, "by init");
    /* What dora starts lazily is started by these. */
    for (int i = 0; i < 20; i++) {
        expect_ok("read", read_dora_event(node, DORA_FOREVER, &event));
        dora_event_free(event);
        expect_ok("send", dora_node_send_bytes(node, "out", large, i % 2 ? 10 : sizeof large, NULL));
    }
    report_threads();
    report("policy %d", sched_getscheduler(0));
    free_node(node);
    remember(&after);
    compare(&before, &after, "by free");
    report("end");
    return 0;
}
