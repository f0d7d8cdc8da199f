/*
 * Interrupts: before and during a read and a wait for a reply, from a signal handler and from other threads,
 * beside events that wait, and against a send that waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>

static const int64_t timeouts[] = {0, 1, 20 * 1000000, INT64_MAX, DORA_FOREVER, INT64_MIN};
enum { TIMEOUTS = sizeof timeouts / sizeof *timeouts };

/* ---- Reads of both kinds ---- */

static dora_status_t read_once(dora_node_t *node, bool awaits_reply, int64_t timeout_ns) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    const dora_status_t status = awaits_reply ? dora_node_read_reply(node, "none", NULL, timeout_ns, &event)
                                              : read_dora_event(node, timeout_ns, &event);
    if (status == DORA_OK)
        dora_event_free(event);
    return status == DORA_OK || event == NULL ? status : DORA_ERROR_INTERNAL;
}

/* ---- Before a read ---- */

static void before(bool awaits_reply) {
    dora_node_t *node = must_play_on("");
    for (size_t i = 0; i < TIMEOUTS; ++i) {
        /* Several are one. */
        for (size_t k = 0; k <= i; ++k)
            dora_node_interrupt(node);
        CHECK_STATUS(DORA_INTERRUPTED, read_once(node, awaits_reply, timeouts[i]));
        CHECK_STATUS(DORA_TIMEOUT, read_once(node, awaits_reply, 0));
        CHECK_STATUS(DORA_TIMEOUT, read_once(node, !awaits_reply, 1));
    }
    /* The next receive call of either kind is the one. */
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, !awaits_reply, 0));
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, awaits_reply, 0));
    CHECK_TEXT("", dora_last_error());
    dora_node_free(node);
}

/* An interrupt goes before what waits, and leaves it where it is. */
static void beside_events(void) {
    dora_node_t *node = must_play(MESSAGE("in", 1) MESSAGE("in", 2));
    wait_until_pending(node);
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, false, DORA_FOREVER));
    bool pending = false;
    CHECK_STATUS(DORA_OK, dora_node_pending(node, &pending));
    CHECK(pending);
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, true, DORA_FOREVER));
    read_message(node, "in", 1);

    /* What a wait for a reply has kept is there too. */
    CHECK_STATUS(DORA_CLOSED, read_once(node, true, DORA_FOREVER));
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, true, 0));
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, false, 0));
    read_message(node, "in", 2);

    /* It goes before the end, which is then still the end. */
    CHECK_STATUS(DORA_CLOSED, read_once(node, false, DORA_FOREVER));
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, false, DORA_FOREVER));
    CHECK_STATUS(DORA_CLOSED, read_once(node, false, DORA_FOREVER));
    dora_node_free(node);
}

static void of_another_node(void) {
    dora_node_t *node = must_play_on(""), *other = must_play_on("");
    dora_node_interrupt(other);
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, false, 20 * 1000000));
    CHECK_STATUS(DORA_INTERRUPTED, read_once(other, false, DORA_FOREVER));
    dora_node_free(other);
    dora_node_free(node);
}

/* ---- During a read, from another thread ---- */

struct caller {
    pthread_t thread;
    dora_node_t *node;
    pthread_t target; /* of a signal */
    double called;
    sem_t ended;
    int rounds;
};

static void start(struct caller *caller, dora_node_t *node, void *(*body)(void *)) {
    memset(caller, 0, sizeof *caller);
    caller->node = node;
    caller->target = pthread_self();
    if (!CHECK(sem_init(&caller->ended, 0, 0) == 0) ||
        !CHECK(pthread_create(&caller->thread, NULL, body, caller) == 0))
        exit(EXIT_FAILURE);
}

static void join(struct caller *caller) {
    CHECK(pthread_join(caller->thread, NULL) == 0);
    CHECK(sem_destroy(&caller->ended) == 0);
}

static void *interrupt_later(void *argument) {
    struct caller *caller = (struct caller *)argument;
    sleep_ms(100); /* until the other waits; if it does not yet, the interrupt lasts until it does */
    caller->called = seconds();
    dora_node_interrupt(caller->node);
    return NULL;
}

static void during(bool awaits_reply, int64_t timeout_ns, bool watched) {
    dora_node_t *node = must_play_on("");
    struct caller caller;
    int fd;
    if (watched)
        CHECK_STATUS(DORA_OK, dora_node_event_fd(node, &fd));
    start(&caller, node, interrupt_later);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, awaits_reply, timeout_ns));
    const double ended = seconds();
    join(&caller);
    CHECK(ended >= caller.called && ended - caller.called < SOON);
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, awaits_reply, 0));
    dora_node_free(node);
}

/* Each of many interrupts ends one wait, whether it hits it at its begin, in the middle or at its end. */
enum { ROUNDS = 1000 };

static void *interrupt_in_turn(void *argument) {
    struct caller *caller = (struct caller *)argument;
    for (; caller->rounds < ROUNDS; ++caller->rounds) {
        if (caller->rounds % 3 == 0)
            sched_yield();
        dora_node_interrupt(caller->node);
        while (sem_wait(&caller->ended) != 0)
            ;
    }
    return NULL;
}

static void in_turn(bool watched) {
    dora_node_t *node = must_play_on("");
    struct caller caller;
    int interrupted = 0, fd;
    if (watched)
        CHECK_STATUS(DORA_OK, dora_node_event_fd(node, &fd));
    start(&caller, node, interrupt_in_turn);
    for (int i = 0; i < ROUNDS; ++i) {
        interrupted += read_once(node, i % 5 == 0, DORA_FOREVER) == DORA_INTERRUPTED;
        CHECK(sem_post(&caller.ended) == 0);
    }
    join(&caller);
    CHECK(interrupted == ROUNDS);
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, false, 0));
    dora_node_free(node);
}

/* ---- From a signal handler ---- */

static dora_node_t *volatile interrupted_node;
static volatile sig_atomic_t signals, errno_changes;

static void interrupt_by_signal(int number) {
    (void)number;
    const int before = errno;
    errno = 4242;
    dora_node_interrupt(interrupted_node);
    errno_changes += errno != 4242;
    errno = before;
    ++signals;
}

static void handle(int number, int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt_by_signal;
    action.sa_flags = flags;
    CHECK(sigaction(number, &action, NULL) == 0);
}

static void *signal_later(void *argument) {
    struct caller *caller = (struct caller *)argument;
    sleep_ms(100);
    caller->called = seconds();
    pthread_kill(caller->target, SIGUSR1);
    return NULL;
}

static void from_signal(int flags, bool watched) {
    dora_node_t *node = must_play_on("");
    struct caller caller;
    int fd;
    if (watched)
        CHECK_STATUS(DORA_OK, dora_node_event_fd(node, &fd));
    interrupted_node = node;
    signals = errno_changes = 0;
    handle(SIGUSR1, flags);

    CHECK(raise(SIGUSR1) == 0);
    CHECK(signals == 1);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, false, DORA_FOREVER));
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, false, 0));

    for (int awaits_reply = 0; awaits_reply < 2; ++awaits_reply) {
        start(&caller, node, signal_later);
        CHECK_STATUS(DORA_INTERRUPTED, read_once(node, awaits_reply != 0, DORA_FOREVER));
        const double ended = seconds();
        join(&caller);
        CHECK(ended >= caller.called && ended - caller.called < SOON);
        CHECK_STATUS(DORA_TIMEOUT, read_once(node, false, 0));
    }
    CHECK(signals == 3 && errno_changes == 0);

    /* A signal whose handler does nothing to the node does not end a read. */
    interrupted_node = NULL;
    start(&caller, node, signal_later);
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, false, 300 * 1000000));
    join(&caller);
    CHECK(signals == 4);
    dora_node_free(node);
}

/* A timer's signals that hit a thread anywhere within its calls. */
static void from_storm(void) {
    dora_node_t *node = must_play_on("");
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    int fd, interrupted = 0, others = 0, last = 0;
    CHECK_STATUS(DORA_OK, dora_node_event_fd(node, &fd));
    interrupted_node = node;
    signals = errno_changes = 0;
    handle(SIGALRM, SA_RESTART);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    for (int i = 0; i < ROUNDS / 2; ++i) {
        const dora_status_t status = read_once(node, i % 4 == 0, timeouts[i % TIMEOUTS]);
        interrupted += status == DORA_INTERRUPTED;
        others += status != DORA_INTERRUPTED && status != DORA_TIMEOUT;
        others += dora_node_send_empty(node, "out", NULL) != DORA_OK;
    }
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    while (read_once(node, false, 0) == DORA_INTERRUPTED)
        ++last;
    /* One that no read has taken, and that of a signal on its way, which valgrind brings late. */
    CHECK(last <= 2);
    CHECK(others == 0 && errno_changes == 0);
    CHECK(interrupted > 0 && interrupted + last <= signals);
    dora_node_free(node);
}

/* ---- Against sends ---- */

/* One that goes through takes no notice. */
static void beside_send(void) {
    dora_node_options_t *options = must_make_options();
    set_script(options, "", 10);
    CHECK_STATUS(DORA_OK, dora_node_options_set_send_timeout_ns(options, INT64_MAX));
    dora_node_t *node = must_init_with(options);
    dora_node_options_free(options);
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "out", NULL));
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, false, 0));
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, false, 0));
    dora_node_free(node);
}

static void *read_until_interrupted(void *argument) {
    struct caller *caller = (struct caller *)argument;
    caller->rounds = read_once(caller->node, false, DORA_FOREVER) == DORA_INTERRUPTED;
    return NULL;
}

/* One that waits returns, and leaves the interrupt to a receive call. dora takes nothing while it waits for
 * the time of an event: see options_nodes.c. */
static void against_send(void) {
    dora_node_options_t *options = must_make_options();
    set_script(options, PAUSE PAUSE MESSAGE("in", 1) STOP_AT("60"), 0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_send_timeout_ns(options, INT64_MAX));
    dora_node_t *node = must_init_with(options);
    dora_node_options_free(options);
    read_message(node, "in", 1);
    sleep_ms(500); /* until dora has begun to wait */

    struct caller caller;
    start(&caller, node, interrupt_later);
    CHECK_STATUS(DORA_INTERRUPTED, dora_node_send_empty(node, "begun", NULL));
    double ended = seconds();
    join(&caller);
    CHECK(ended - caller.called >= 0.1 && ended - caller.called < SOON);

    /* It is still there for the next, which waits no longer than it has to. */
    const double began = seconds();
    CHECK_STATUS(DORA_INTERRUPTED, dora_node_send_text(node, "left-out", "x", 1, NULL));
    CHECK_STATUS(DORA_INTERRUPTED, dora_node_log(node, DORA_LOG_INFO, "left out"));
    CHECK(seconds() - began >= 0.2 && seconds() - began < SOON);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, false, DORA_FOREVER));
    CHECK_STATUS(DORA_TIMEOUT, read_once(node, false, 0));

    start(&caller, node, interrupt_later);
    CHECK_STATUS(DORA_INTERRUPTED, dora_node_send_empty(node, "left-out", NULL));
    ended = seconds();
    join(&caller);
    CHECK(ended - caller.called >= 0.1 && ended - caller.called < SOON);
    CHECK_STATUS(DORA_INTERRUPTED, read_once(node, true, DORA_FOREVER));

    /* A read that waits beside it takes the interrupt, and the send returns as well. */
    for (int i = 0; i < 5; ++i) {
        struct caller reader;
        start(&reader, node, read_until_interrupted);
        start(&caller, node, interrupt_later);
        CHECK_STATUS(DORA_INTERRUPTED, dora_node_send_empty(node, "left-out", NULL));
        CHECK(seconds() - caller.called < SOON);
        join(&caller);
        join(&reader);
        CHECK(reader.rounds == 1);
    }
    dora_node_free(node);
}

int main(void) {
    before(false);
    before(true);
    beside_events();
    of_another_node();
    during(false, DORA_FOREVER, false);
    during(false, INT64_MAX, true);
    during(true, DORA_FOREVER, true);
    during(true, INT64_MAX, false);
    in_turn(false);
    in_turn(true);
    from_signal(0, false);
    from_signal(SA_RESTART, true);
    from_storm();
    beside_send();
    against_send();
    return check_result("interrupt");
}
