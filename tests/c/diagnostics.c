/*
 * What the library says of its own work, to a callback: what it says at which level, to whom and to whom no
 * more, also while several threads fail at once, and that nobody waits for a callback that is slow. What
 * RUST_LOG makes of it is in diagnostics_environment.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diagnostics_failures.h"

#include <pthread.h>
#include <sched.h>

/* Callbacks run on a thread of the library; what they find out is behind this lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t get(const int64_t *value) {
    pthread_mutex_lock(&lock);
    const int64_t copy = *value;
    pthread_mutex_unlock(&lock);
    return copy;
}

/* Whether the value gets there before the patience of a loaded machine ends. */
static bool reaches(const int64_t *value, int64_t wanted) {
    const double began = seconds();
    while (get(value) < wanted && seconds() - began < 30)
        sleep_ms(1);
    return get(value) >= wanted;
}

static void set(int32_t max_level, dora_diagnostics_fn_t callback, void *user) {
    CHECK_STATUS(DORA_OK, dora_diagnostics_set(max_level, callback, user));
}

/* ---- A callback that notes what this library itself says ---- */

struct heard {
    int32_t level;
    char message[1024];
};

struct notes {
    struct heard heard[64];
    int64_t count;
};

static void note(int32_t level, const char *target, const char *message, void *user) {
    struct notes *notes = (struct notes *)user;
    if (strcmp(target, "dora") != 0)
        return;
    pthread_mutex_lock(&lock);
    if (notes->count < 64) {
        struct heard *heard = &notes->heard[notes->count++];
        heard->level = level;
        snprintf(heard->message, sizeof heard->message, "%s", message);
    }
    pthread_mutex_unlock(&lock);
}

static struct notes *listen(int32_t max_level) {
    static struct notes notes;
    set(DORA_LOG_ERROR, NULL, NULL);
    memset(&notes, 0, sizeof notes);
    set(max_level, note, &notes);
    return &notes;
}

/* They hold one that is not above `level` and has `part` in it; messages come in order, so none is behind it
 * that was said before. */
static bool holds(struct notes *notes, int32_t level, const char *part) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int64_t i = 0; i < notes->count; ++i)
        found = found || (notes->heard[i].level <= level && strstr(notes->heard[i].message, part));
    pthread_mutex_unlock(&lock);
    return found;
}

static bool comes(struct notes *notes, int32_t level, const char *part) {
    const double began = seconds();
    while (!holds(notes, level, part) && seconds() - began < 30)
        sleep_ms(1);
    return holds(notes, level, part);
}

/* ---- What is said ---- */

static void unasked(void) {
    fail("unasked");
    fail_init("unasked");
    struct notes *notes = listen(DORA_LOG_DEBUG);
    fail("asked");
    CHECK(comes(notes, DORA_LOG_DEBUG, "asked"));
    CHECK(get(&notes->count) == 1 && !holds(notes, DORA_LOG_TRACE, "unasked"));
}

/* Each failure is told once, by its name and its message; successes are not. */
static void each_failure(void) {
    struct notes *notes = listen(DORA_LOG_DEBUG);
    char wanted[5][1024];
    int64_t failures = 0;
    dora_metadata_t *metadata = NULL;
    bool value;
#define FAILS(status, call)                                                                                  \
    (CHECK_STATUS(status, call),                                                                             \
     snprintf(wanted[failures++], sizeof *wanted, "%s: %s", #status, dora_last_error()))

    FAILS(DORA_ERROR_NULL_POINTER, dora_metadata_new(NULL));
    CHECK_STATUS(DORA_OK, dora_metadata_new(&metadata));
    FAILS(DORA_ERROR_NOT_FOUND, dora_metadata_get_bool(metadata, "key", &value));
    FAILS(DORA_ERROR_INVALID_UTF8, dora_metadata_set_bool(metadata, "\xFF", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(metadata, "key", 1));
    FAILS(DORA_ERROR_WRONG_TYPE, dora_metadata_get_bool(metadata, "key", &value));
    FAILS(DORA_ERROR_INVALID_ARGUMENT, dora_metadata_set_goal_status(metadata, 77));
    dora_metadata_free(metadata);
#undef FAILS

    CHECK(reaches(&notes->count, failures));
    fail("last");
    CHECK(comes(notes, DORA_LOG_DEBUG, "last"));
    CHECK(get(&notes->count) == failures + 1);
    for (int64_t i = 0; i < failures; ++i) {
        CHECK(notes->heard[i].level == DORA_LOG_DEBUG);
        CHECK_TEXT(wanted[i], notes->heard[i].message);
    }
}

/* Each level has what is not above it: a node that cannot be set up is an error, a failing call debug. */
static void levels(void) {
    for (int32_t level = DORA_LOG_ERROR; level <= DORA_LOG_TRACE; ++level) {
        struct notes *notes = listen(level);
        fail("plain-call");
        fail_init("first-node");
        fail_init("last-node");
        CHECK(comes(notes, DORA_LOG_ERROR, "last-node"));
        CHECK(holds(notes, DORA_LOG_ERROR, "first-node"));
        CHECK(!holds(notes, DORA_LOG_ERROR, "plain-call"));
        CHECK(holds(notes, DORA_LOG_TRACE, "plain-call") == (level >= DORA_LOG_DEBUG));
        CHECK(holds(notes, DORA_LOG_TRACE, "DORA_ERROR_INIT: ") == (level >= DORA_LOG_DEBUG));
        for (int64_t i = 0; i < get(&notes->count); ++i)
            CHECK(notes->heard[i].level >= DORA_LOG_ERROR && notes->heard[i].level <= level);
    }
}

static void no_levels(void) {
    struct notes *notes = listen(DORA_LOG_DEBUG);
    const int32_t none[] = {0, -1, DORA_LOG_TRACE + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_diagnostics_set(none[i], note, NULL));
        CHECK(error_names("max_level"));
    }
    fail("still here");
    CHECK(comes(notes, DORA_LOG_DEBUG, "still here"));
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i)
        CHECK_STATUS(DORA_OK, dora_diagnostics_set(none[i], NULL, NULL)); /* there it is not looked at */
}

static void off(void) {
    struct notes *notes = listen(DORA_LOG_TRACE);
    fail("on");
    CHECK(comes(notes, DORA_LOG_DEBUG, "on"));
    set(DORA_LOG_TRACE, NULL, NULL);
    const int64_t count = get(&notes->count);
    fail("off");
    fail_init("off");
    static struct notes later;
    set(DORA_LOG_TRACE, note, &later);
    fail("on again");
    CHECK(comes(&later, DORA_LOG_DEBUG, "on again"));
    CHECK(!holds(&later, DORA_LOG_TRACE, "off"));
    CHECK(get(&notes->count) == count);
}

/* ---- A callback that sets another ---- */

struct setter {
    dora_diagnostics_fn_t other;
    int64_t calls;
    dora_status_t status;
};

/* Its own failure is not told to it, which would have no end. */
static void set_another(int32_t level, const char *target, const char *message, void *user) {
    struct setter *setter = (struct setter *)user;
    (void)level, (void)target, (void)message;
    setter->status = dora_diagnostics_set(DORA_LOG_TRACE, setter->other, user);
    pthread_mutex_lock(&lock);
    ++setter->calls;
    pthread_mutex_unlock(&lock);
}

static void from_callback(dora_diagnostics_fn_t other) {
    static struct setter setter;
    set(DORA_LOG_ERROR, NULL, NULL);
    memset(&setter, 0, sizeof setter);
    setter.other = other;
    set(DORA_LOG_DEBUG, set_another, &setter);
    fail("first");
    CHECK(reaches(&setter.calls, 1));
    fail("second");
    CHECK(reaches(&setter.calls, 2)); /* it is still the one */
    set(DORA_LOG_ERROR, NULL, NULL);
    CHECK(setter.status == DORA_ERROR_UNSUPPORTED && setter.calls == 2);
}

/* ---- Callbacks that replace each other while several threads fail ---- */

struct turn {
    bool its_own;
    int64_t calls, out_of_turn;
};

static void take_turn(int32_t level, const char *target, const char *message, void *user) {
    struct turn *turn = (struct turn *)user;
    (void)level, (void)target, (void)message;
    pthread_mutex_lock(&lock);
    turn->out_of_turn += !turn->its_own;
    ++turn->calls;
    pthread_mutex_unlock(&lock);
    sched_yield(); /* a good moment to be replaced */
    pthread_mutex_lock(&lock);
    turn->out_of_turn += !turn->its_own;
    pthread_mutex_unlock(&lock);
}

static int64_t hammering = 1;

static void *hammer(void *argument) {
    while (get(&hammering)) {
        for (int i = 0; i < 10; ++i)
            fail_quietly();
        sleep_ms(1); /* valgrind runs one thread at a time, and is in no hurry to change it */
    }
    return argument;
}

static void replaced(void) {
    enum { THREADS = 4, ROUNDS = 50 };
    static struct turn turns[2];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
        if (!CHECK(pthread_create(&threads[i], NULL, hammer, NULL) == 0))
            exit(EXIT_FAILURE);
    for (int round = 0; round < ROUNDS; ++round) {
        struct turn *next = &turns[round % 2], *before = &turns[(round + 1) % 2];
        pthread_mutex_lock(&lock);
        next->its_own = true;
        pthread_mutex_unlock(&lock);
        set(DORA_LOG_DEBUG, take_turn, next);
        pthread_mutex_lock(&lock);
        before->its_own = false;
        const int64_t calls = next->calls;
        pthread_mutex_unlock(&lock);
        CHECK(reaches(&next->calls, calls + 1));
    }
    set(DORA_LOG_DEBUG, NULL, NULL);
    pthread_mutex_lock(&lock);
    turns[0].its_own = turns[1].its_own = false;
    hammering = 0;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; ++i)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(get(&turns[0].out_of_turn) == 0 && get(&turns[1].out_of_turn) == 0);
}

/* ---- A callback that is slow: closed until the failures are over ---- */

struct gate {
    bool open;
    int64_t accounted, lost;
};

static void pass(int32_t level, const char *target, const char *message, void *user) {
    struct gate *gate = (struct gate *)user;
    if (strcmp(target, "dora") != 0)
        return;
    for (bool open = false; !open; sleep_ms(open ? 0 : 1)) {
        pthread_mutex_lock(&lock);
        open = gate->open;
        pthread_mutex_unlock(&lock);
    }
    /* What is lost is told with its number, above the level of failures. */
    const int64_t lost = level < DORA_LOG_DEBUG ? (int64_t)strtol(message, NULL, 10) : 0;
    pthread_mutex_lock(&lock);
    gate->lost += lost;
    gate->accounted += level < DORA_LOG_DEBUG ? lost : 1;
    pthread_mutex_unlock(&lock);
}

static void slow(void) {
    enum { FAILURES = 5000 };
    static struct gate gate;
    set(DORA_LOG_DEBUG, pass, &gate);
    for (int i = 0; i < FAILURES; ++i)
        fail_quietly();
    /* Who got here waited for nobody. */
    CHECK(get(&gate.accounted) == 0);
    pthread_mutex_lock(&lock);
    gate.open = true;
    pthread_mutex_unlock(&lock);
    CHECK(reaches(&gate.accounted, FAILURES));
    set(DORA_LOG_DEBUG, NULL, NULL);
    CHECK(gate.accounted == FAILURES);
    CHECK(gate.lost > 0 && gate.lost < FAILURES);
}

int main(void) {
    unsetenv("RUST_LOG");
    unasked();
    each_failure();
    levels();
    no_levels();
    off();
    from_callback(take_turn);
    from_callback(NULL);
    replaced();
    slow();
    return check_result("diagnostics");
}
