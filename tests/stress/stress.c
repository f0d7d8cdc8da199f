/*
 * Threads do with a node what they may, all at once: one reads, another tries to, some send, lend memory and
 * fill it, use and free events and loans that others got, ask, interrupt. Then the node is freed at a random
 * moment, and what is left of it used and freed behind that. And so on, with the next node.
 *
 *     stress [SECONDS [SEED]]
 *
 * Without arguments it runs for two seconds. The seed of a run is printed, and makes its choices again,
 * though not its timing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../c/scripted.h"
#include "shared.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>

/* ---- What the threads share ---- */

struct round {
    dora_node_t *node;
    struct tray events, loans;
    struct flag stop, reader_ended;
    pthread_t reader;
};

struct worker {
    pthread_t thread;
    struct round *round;
    uint64_t random;
    int64_t done;
    /* The first thing that was not as it had to be. */
    char wrong[256];
};

static uint32_t choose(struct worker *worker, uint32_t below) {
    worker->random ^= worker->random << 13;
    worker->random ^= worker->random >> 7;
    worker->random ^= worker->random << 17;
    return (uint32_t)(worker->random >> 32) % below;
}

static bool goes_on(struct worker *worker) { return !flag_is_up(&worker->round->stop); }

static void expect(struct worker *worker, bool holds, const char *what, dora_status_t status) {
    ++worker->done;
    if (!holds && *worker->wrong == '\0')
        snprintf(worker->wrong, sizeof worker->wrong, "%s: %s: %s", what, dora_status_name(status),
                 status < 0 ? dora_last_error() : "");
}

/* ---- Reading ---- */

/* Takes what a receive call gave, and hands it on. */
static void hand_on(struct worker *worker, dora_event_t *event) {
    if (event && !tray_put(&worker->round->events, event))
        dora_event_free(event);
}

static dora_status_t receive(struct worker *worker, int64_t timeout_ns, int32_t *last) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    const bool awaits_reply = choose(worker, 8) == 0;
    const dora_status_t status =
        awaits_reply ? dora_node_read_reply(worker->round->node, "none", NULL, timeout_ns, &event)
                     : read_dora_event(worker->round->node, timeout_ns, &event);
    expect(worker, (status == DORA_OK) == (event != NULL), "an event without a status", status);
    expect(worker, !awaits_reply || status != DORA_OK, "a reply that nobody sent", status);
    expect(worker, status >= DORA_OK || status == DORA_ERROR_BUSY, "a receive call", status);
    const int32_t number = number_of(event);
    if (number > 0) {
        /* What found its queue full is left out, and nothing overtakes. */
        expect(worker, number > *last, "an input out of order", status);
        *last = number;
    }
    hand_on(worker, event);
    return status;
}

static void *read_events(void *argument) {
    struct worker *worker = (struct worker *)argument;
    const int64_t timeouts[] = {0, 1, 100000, 5000000, INT64_MAX, DORA_FOREVER};
    int32_t last = 0;
    while (goes_on(worker) && receive(worker, timeouts[choose(worker, 6)], &last) != DORA_CLOSED)
        ;
    flag_raise(&worker->round->reader_ended);
    return NULL;
}

static void *read_too(void *argument) {
    struct worker *worker = (struct worker *)argument;
    int32_t last = 0;
    while (goes_on(worker)) {
        receive(worker, choose(worker, 2), &last);
        rest(choose(worker, 500));
    }
    return NULL;
}

static void *use_events(void *argument) {
    struct worker *worker = (struct worker *)argument;
    while (goes_on(worker)) {
        dora_event_t *event = (dora_event_t *)tray_take(&worker->round->events);
        if (event)
            use_event(event, choose(worker, 2) == 0);
        else
            rest(100);
        ++worker->done;
    }
    return NULL;
}

/* ---- Sending ---- */

static void check_send(struct worker *worker, const char *what, dora_status_t status) {
    /* Under a send timeout it may be too short, and an interrupt ends it too. */
    expect(worker, status == DORA_OK || status == DORA_TIMEOUT || status == DORA_INTERRUPTED, what, status);
}

static void *send_messages(void *argument) {
    struct worker *worker = (struct worker *)argument;
    dora_node_t *node = worker->round->node;
    float values[64] = {0};
    while (goes_on(worker)) {
        dora_metadata_t *metadata = NULL;
        check_send(worker, "metadata", dora_metadata_new(&metadata));
        check_send(worker, "set", dora_metadata_set_integer(metadata, "number", worker->done));
        switch (choose(worker, 4)) {
        case 0:
            check_send(worker, "empty", dora_node_send_empty(node, "out", metadata));
            break;
        case 1:
            check_send(worker, "values",
                       dora_node_send_values(node, "out", DORA_TYPE_FLOAT32, values, 64, metadata));
            break;
        case 2:
            check_send(worker, "bytes", dora_node_send_bytes(node, "other", values, sizeof values, metadata));
            break;
        default:
            check_send(worker, "text", dora_node_send_text(node, "other", "text", 4, NULL));
        }
        dora_metadata_free(metadata);
    }
    return NULL;
}

static void *lend(void *argument) {
    struct worker *worker = (struct worker *)argument;
    while (goes_on(worker)) {
        dora_loan_t *loan = GARBAGE_POINTER(dora_loan_t *);
        const size_t length = choose(worker, 5000);
        check_send(worker, "loan",
                   dora_node_loan(worker->round->node, "out", DORA_TYPE_INT64, length, &loan));
        if (!tray_put(&worker->round->loans, loan)) {
            dora_loan_free(loan);
            rest(100);
        }
    }
    return NULL;
}

static void *fill(void *argument) {
    struct worker *worker = (struct worker *)argument;
    while (goes_on(worker)) {
        dora_loan_t *loan = (dora_loan_t *)tray_take(&worker->round->loans);
        if (!loan) {
            rest(100);
            continue;
        }
        fill_loan(loan);
        if (choose(worker, 4) > 0)
            check_send(worker, "send loan", dora_node_send_loan(worker->round->node, &loan, NULL));
        dora_loan_free(loan);
    }
    return NULL;
}

/* ---- Asking and interrupting ---- */

static void *ask(void *argument) {
    struct worker *worker = (struct worker *)argument;
    dora_node_t *node = worker->round->node;
    while (goes_on(worker)) {
        bool pending;
        uint64_t lost;
        int32_t state, fd;
        dora_event_t *event = NULL;
        struct pollfd watched = {-1, POLLIN, 0};
        dora_status_t status = dora_node_pending(node, &pending);
        expect(worker, status == DORA_OK, "pending", status);
        status = dora_node_dropped(node, choose(worker, 2) ? "in" : NULL, &lost);
        expect(worker, status == DORA_OK, "dropped", status);
        status = dora_node_input_state(node, "in", &state);
        expect(worker, status == DORA_OK && state == DORA_INPUT_OPEN, "state", status);
        status = dora_node_last_value(node, "in", &event);
        expect(worker,
               status == DORA_OK || status == DORA_ERROR_NOT_FOUND || status == DORA_ERROR_UNSUPPORTED,
               "last value", status);
        hand_on(worker, event);
        expect(worker, dora_node_now_ns(node) > 0 && dora_node_id(node) != NULL, "time and id", DORA_OK);
        if (choose(worker, 16) == 0) {
            status = dora_node_event_fd(node, &fd);
            expect(worker, status == DORA_OK, "fd", status);
            watched.fd = fd;
            expect(worker, poll(&watched, 1, 0) >= 0 && (watched.revents & ~POLLIN) == 0, "poll", status);
        }
        rest(choose(worker, 200));
    }
    return NULL;
}

static pthread_key_t own_node;

static void interrupt_own(int number) {
    (void)number;
    dora_node_interrupt((const dora_node_t *)pthread_getspecific(own_node));
}

static void disturb(int number) { (void)number; }

static void *interrupt(void *argument) {
    struct worker *worker = (struct worker *)argument;
    pthread_setspecific(own_node, worker->round->node);
    while (goes_on(worker)) {
        switch (choose(worker, 3)) {
        case 0:
            dora_node_interrupt(worker->round->node);
            break;
        case 1:
            raise(SIGUSR1);
            break;
        default:
            /* A thread that has ended stays until it is joined. */
            pthread_kill(worker->round->reader, SIGUSR2);
        }
        ++worker->done;
        rest(choose(worker, 3000));
    }
    return NULL;
}

/* ---- Rounds ---- */

static void *(*const bodies[])(void *) = {read_events, read_too, use_events, send_messages, send_messages,
                                          lend,        fill,     ask,        interrupt};
enum { WORKERS = sizeof bodies / sizeof *bodies };

/* A node with messages, apart and together, behind which its reads wait or are closed. */
static dora_node_t *must_begin(struct worker *chance) {
    char script[1 << 13] = "";
    size_t size = 0;
    dora_node_options_t *options = must_make_options();
    const uint32_t messages = choose(chance, 40);
    for (uint32_t i = 1; i <= messages; ++i) {
        size += (size_t)snprintf(
            script + size, sizeof script - size,
            EVENT_AT("0", "Input") ",\"id\":\"in\",\"data_type\":\"Int32\",\"data\":[%u]},", (unsigned)i);
        if (choose(chance, 20) == 0)
            size += (size_t)snprintf(script + size, sizeof script - size, "%s", BROKEN);
    }
    set_script(options, size == 0 ? BROKEN : script, choose(chance, 4) == 0 ? 0 : 5);
    if (choose(chance, 2))
        CHECK_STATUS(DORA_OK, dora_node_options_set_send_timeout_ns(options, 1 + choose(chance, 50000000)));
    CHECK_STATUS(DORA_OK, dora_node_options_set_keep_last_values(options, (int32_t)choose(chance, 2)));
    dora_node_t *node = must_init_with(options);
    dora_node_options_free(options);
    if (choose(chance, 2)) {
        int32_t fd;
        CHECK_STATUS(DORA_OK, dora_node_event_fd(node, &fd));
    }
    return node;
}

/* Waits until the reader is in its last call, or behind it: no call may begin behind the free. */
static void await_last_read(struct round *round) {
    dora_event_t *event;
    while (!flag_is_up(&round->reader_ended) && read_dora_event(round->node, 0, &event) != DORA_ERROR_BUSY) {
        dora_event_free(event);
        rest(100);
    }
}

static void join(struct worker *worker) {
    CHECK(pthread_join(worker->thread, NULL) == 0);
    if (!CHECK(*worker->wrong == '\0'))
        fprintf(stderr, "    %s\n", worker->wrong);
}

static int64_t run_round(struct worker *chance) {
    struct round round;
    struct worker workers[WORKERS];
    int64_t done = 0;
    memset(&round, 0, sizeof round);
    memset(workers, 0, sizeof workers);
    tray_init(&round.events), tray_init(&round.loans);
    flag_init(&round.stop), flag_init(&round.reader_ended);
    round.node = must_begin(chance);
    for (int i = 0; i < WORKERS; ++i) {
        workers[i].round = &round;
        workers[i].random = ((uint64_t)choose(chance, UINT32_MAX) << 32) + 1;
        if (!CHECK(pthread_create(&workers[i].thread, NULL, bodies[i], &workers[i]) == 0))
            exit(EXIT_FAILURE);
        if (i == 0)
            round.reader = workers[i].thread;
    }
    rest(choose(chance, 100000));
    flag_raise(&round.stop);
    for (int i = 1; i < WORKERS; ++i)
        join(&workers[i]);
    await_last_read(&round);
    const double began = seconds();
    dora_node_free(round.node);
    CHECK(seconds() - began < 2 + 4); /* on a machine that is busy with this */
    join(&workers[0]);
    for (int i = 0; i < WORKERS; ++i)
        done += workers[i].done;

    for (dora_event_t *event; (event = (dora_event_t *)tray_take(&round.events)) != NULL;)
        use_event(event, true);
    for (dora_loan_t *loan; (loan = (dora_loan_t *)tray_take(&round.loans)) != NULL;) {
        fill_loan(loan);
        dora_loan_free(loan);
    }
    tray_destroy(&round.events), tray_destroy(&round.loans);
    flag_destroy(&round.stop), flag_destroy(&round.reader_ended);
    return done;
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    CHECK(sigaction(number, &action, NULL) == 0);
}

int main(int argc, char **argv) {
    const double limit = argc > 1 ? strtod(argv[1], NULL) : 2;
    const unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (unsigned long long)time(NULL);
    const double began = seconds();
    struct worker chance;
    long rounds = 0;
    long long done = 0;
    memset(&chance, 0, sizeof chance);
    chance.random = seed * 2654435761 + 1;
    CHECK(pthread_key_create(&own_node, NULL) == 0);
    handle(SIGUSR1, interrupt_own);
    handle(SIGUSR2, disturb);
    printf("stress: seed %llu\n", seed);
    do {
        done += run_round(&chance);
        ++rounds;
    } while (seconds() - began < limit);
    printf("stress: %ld nodes, %lld calls and more in %.1f s\n", rounds, done, seconds() - began);
    return check_result("stress");
}
