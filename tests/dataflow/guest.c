/*
 * What the library leaves alone, and what it keeps in order. The caller runs with settings that are unusual:
 * neither they nor its signals may reach the threads of dora, and none of them may change. Reports:
 *
 *     changed WHAT WHEN      what init, the calls or free changed
 *     thread …               each thread that init started, as tasks.h tells it
 *     started CALL …         each that a later call started
 *     left …                 each that is there behind the end of the node
 *     frame KIB              the shared memory in which a message lay that came
 *     signal WAY NUMBER      a signal of this process, and by which way it came: "sigwait" or "signalfd"
 *     handled COUNT          signals that came to a handler
 *     inheritable COUNT      descriptors that init opened and that exec would not close
 *
 * It may be refused threads as the options ask for them; then it goes on without those options.
 */
#define _GNU_SOURCE
#include "options_settings.h"
#include "resources.h"
#include "tasks.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#define SIGNALS 65

/* ---- What must not change ---- */

struct state {
    struct sigaction actions[SIGNALS];
    sigset_t mask;
    stack_t stack;
    mode_t umask;
    int policy, priority, nice, slack;
    cpu_set_t cpus;
};

static void remember(struct state *state) {
    struct sched_param priority;
    memset(state, 0, sizeof *state);
    for (int number = 1; number < SIGNALS; number++)
        sigaction(number, NULL, &state->actions[number]);
    pthread_sigmask(SIG_SETMASK, NULL, &state->mask);
    sigaltstack(NULL, &state->stack);
    umask(state->umask = umask(0));
    state->policy = sched_getscheduler(0);
    sched_getparam(0, &priority);
    state->priority = priority.sched_priority;
    state->nice = getpriority(PRIO_PROCESS, 0);
    state->slack = prctl(PR_GET_TIMERSLACK);
    sched_getaffinity(0, sizeof state->cpus, &state->cpus);
}

static bool is_same_action(const struct sigaction *a, const struct sigaction *b) {
    bool is_same = a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags;
    for (int number = 1; number < SIGNALS; number++)
        is_same &= sigismember(&a->sa_mask, number) == sigismember(&b->sa_mask, number);
    return is_same;
}

static void compare(const struct state *before, const char *when) {
    static struct state after;
    remember(&after);
    for (int number = 1; number < SIGNALS; number++) {
        if (!is_same_action(&before->actions[number], &after.actions[number]))
            report("changed disposition of signal %d %s", number, when);
        if (sigismember(&before->mask, number) != sigismember(&after.mask, number))
            report("changed mask of signal %d %s", number, when);
    }
    if (before->stack.ss_sp != after.stack.ss_sp || before->stack.ss_flags != after.stack.ss_flags)
        report("changed alternate stack %s", when);
    if (before->umask != after.umask)
        report("changed umask %s", when);
    if (before->policy != after.policy || before->priority != after.priority)
        report("changed policy %s", when);
    if (before->nice != after.nice || before->slack != after.slack)
        report("changed nice value or timer slack %s", when);
    if (!CPU_EQUAL(&before->cpus, &after.cpus))
        report("changed cpus %s", when);
}

static int count_inheritable(void) {
    struct rlimit limit;
    int count = 0;
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int descriptor = 0; descriptor < 4096 && (rlim_t)descriptor < limit.rlim_cur; descriptor++) {
        int flags = fcntl(descriptor, F_GETFD);
        count += flags != -1 && !(flags & FD_CLOEXEC);
    }
    return count;
}

/* ---- The caller ---- */

static volatile sig_atomic_t handled;

static void on_signal(int number) {
    (void)number;
    handled++;
}

static void be_bound_to_one_cpu(void) {
    cpu_set_t cpus, one;
    sched_getaffinity(0, sizeof cpus, &cpus);
    report("cpus %d", CPU_COUNT(&cpus));
    CPU_ZERO(&one);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &cpus))
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* A real-time policy where it is allowed, else another that threads inherit too. */
static void be_unusual(void) {
    struct sched_param priority = {.sched_priority = 2};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigset_t all;
    for (int number = 1; number < SIGNALS; number++)
        if (number % 3 == 1)
            sigaction(number, &action, NULL); /* refused for those that cannot be handled */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    umask(027);
    be_bound_to_one_cpu();
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
        priority.sched_priority = 0;
        sched_setscheduler(0, SCHED_BATCH, &priority);
    }
    report("policy %d", sched_getscheduler(0));
}

/* ---- Its signals ---- */

static const int sent_signals[] = {SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGCHLD, SIGTERM};
enum { SENT_SIGNALS = sizeof sent_signals / sizeof *sent_signals };

static void *wait_for_signals(void *unused) {
    sigset_t all;
    int number = 0;
    (void)unused;
    sigfillset(&all);
    while (number != SIGTERM && sigwait(&all, &number) == 0)
        report("signal sigwait %d", number);
    return NULL;
}

static void send_signals_to_itself(pthread_t waiter) {
    struct signalfd_siginfo info;
    sigset_t all;
    for (int i = 0; i < SENT_SIGNALS; i++) {
        kill(getpid(), sent_signals[i]);
        sleep_ms(1);
    }
    pthread_join(waiter, NULL);
    sigfillset(&all);
    int descriptor = signalfd(-1, &all, SFD_CLOEXEC);
    for (int i = 0; i < SENT_SIGNALS; i++) {
        kill(getpid(), sent_signals[i]);
        if (read(descriptor, &info, sizeof info) == sizeof info)
            report("signal signalfd %u", info.ssi_signo);
    }
    close(descriptor);
    report("handled %d", (int)handled);
}

/* ---- Calls, none of which may start a thread ---- */

static struct tasks known;

static void now_after(const char *call) {
    char what[64];
    snprintf(what, sizeof what, "started %s", call);
    known = report_new_tasks(what, &known);
}

static void read_frame(dora_node_t *node) {
    dora_event_t *event;
    const uint8_t *frame = NULL;
    size_t size = 0;
    do {
        expect_ok("read", read_dora_event(node, DORA_FOREVER, &event));
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            expect_ok("frame", dora_event_uint8(event, &frame, &size));
            report("frame %zu", shared_memory_kib(frame));
        }
        dora_event_free(event);
    } while (!frame);
}

static void read_frames(dora_node_t *node) {
    for (long left = setting("DORA_TEST_COUNT", 0); left > 0; left--) {
        read_frame(node);
        now_after("read");
        if (dora_node_output_count(node) > 0)
            expect_ok("answer", dora_node_send_empty(node, "answer", NULL));
        now_after("send");
    }
}

static void send_frames(dora_node_t *node) {
    static const char large[100000];
    dora_loan_t *loan;
    expect_ok("send", dora_node_send_bytes(node, "out", large, sizeof large, NULL));
    now_after("large-send");
    expect_ok("loan", dora_node_loan(node, "out", DORA_TYPE_UINT8, sizeof large, &loan));
    memset(dora_loan_data(loan), 0, sizeof large);
    expect_ok("send", dora_node_send_loan(node, &loan, NULL));
    now_after("loan");
}

static void ask(dora_node_t *node) {
    dora_event_t *event;
    uint64_t total;
    int32_t word;
    bool pending;
    expect_ok("fd", dora_node_event_fd(node, &word));
    expect_ok("pending", dora_node_pending(node, &pending));
    expect_ok("dropped", dora_node_dropped(node, "in", &total));
    expect_ok("state", dora_node_input_state(node, "in", &word));
    (void)dora_node_now_ns(node);
    dora_node_interrupt(node);
    report_status("interrupted", read_dora_event(node, DORA_FOREVER, &event));
    report_status("reply", dora_node_read_reply(node, "nobody", NULL, 1000000, &event));
    dora_event_free(event);
    now_after("question");
}

static void speak(dora_node_t *node) {
    dora_bytes_t *bytes;
    expect_ok("log", dora_node_log(node, DORA_LOG_INFO, "a line"));
    now_after("log");
    expect_ok("store", dora_node_extension_store(node, "guest", "key", "value", 5));
    expect_ok("load", dora_node_extension_load(node, "guest", "key", 1, &bytes));
    dora_bytes_free(bytes);
    now_after("extension");
}

static void ignore(int32_t level, const char *target, const char *message, void *user) {
    (void)level, (void)target, (void)message, (void)user;
}

static void use(dora_node_t *node) {
    read_frames(node);
    ask(node);
    speak(node);
    if (dora_node_output_count(node) > 0) {
        send_frames(node);
        expect_ok("close", dora_node_close_output(node, "out"));
        now_after("close");
    }
    sleep_ms(300); /* what a call started may show itself late */
    now_after("late");
    expect_ok("diagnostics", dora_diagnostics_set(DORA_LOG_ERROR, ignore, NULL));
    now_after("diagnostics");
}

int main(void) {
    static struct state before;
    int signal_of_parent = -1;
    pthread_t waiter;
    be_unusual();
    pthread_create(&waiter, NULL, wait_for_signals, NULL);
    known = list_tasks();
    struct tasks own = known;
    remember(&before);
    prctl(PR_GET_PDEATHSIG, &signal_of_parent);
    report("armed %d", signal_of_parent);
    int inheritable = count_inheritable();

    dora_node_t *node = begin_with_settings();
    compare(&before, "by init");
    if (!node) {
        unsetenv("DORA_TEST_THREAD_POLICY");
        unsetenv("DORA_TEST_THREAD_CPUS");
        node = begin_with_settings();
    }
    prctl(PR_GET_PDEATHSIG, &signal_of_parent);
    report("parent %d", signal_of_parent);
    known = report_new_tasks("thread", &own);
    report_ways(node);

    use(node);
    compare(&before, "by calls");
    report("inheritable %d", count_inheritable() - inheritable);
    send_signals_to_itself(waiter);
    free_node(node);
    compare(&before, "by free");
    report_new_tasks("left", &own);
    report("end");
    return 0;
}
