/*
 * What fork leaves whole: the parent's node, whatever its child does; the child, which may end or call exec
 * as it likes; and a child that was forked before the first node, which can be a node itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "forked.h"

#include <poll.h>
#include <pthread.h>

enum { FORKS = 20, ENDED = 11 };

/* ---- Before the first node ---- */

static void is_a_node_itself(void) {
    dora_node_t *node = must_play(MESSAGE("in", 5));
    read_message(node, "in", 5);
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "out", NULL));
    dora_node_free(node);
}

static void before_the_first_node(void) {
    in_child(is_a_node_itself);
    is_a_node_itself();
}

/* ---- The child's calls, and the parent's node ---- */

static dora_node_t *node;
static dora_event_t *event;
static dora_loan_t *loan;

static bool is_readable(int descriptor) {
    struct pollfd descriptors = {descriptor, POLLIN, 0};
    return poll(&descriptors, 1, 0) == 1;
}

static void cannot_read(void) {
    dora_event_t *none = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, read_dora_event(node, DORA_FOREVER, &none));
}

static void frees_and_interrupts(void) {
    cannot_read();
    in_child(cannot_read); /* a child of the child is no better off */
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_send_loan(node, &loan, NULL));
    dora_event_free(event);
    dora_node_interrupt(node);
    dora_node_free(node);
}

static void the_parent_goes_on(void) {
    int32_t descriptor = -1;
    dora_event_t *none = GARBAGE_POINTER(dora_event_t *);
    node = must_play_on(MESSAGE("in", 1) MESSAGE("in", 2));
    event = must_read(node);
    CHECK_STATUS(DORA_OK, dora_node_loan(node, "out", DORA_TYPE_UINT8, 10, &loan));
    read_message(node, "in", 2);
    CHECK_STATUS(DORA_OK, dora_node_event_fd(node, &descriptor));
    CHECK_STATUS(DORA_TIMEOUT, read_dora_event(node, 0, &none));
    CHECK(!is_readable(descriptor));

    in_child(frees_and_interrupts);

    CHECK(!is_readable(descriptor));
    CHECK_STATUS(DORA_TIMEOUT, read_dora_event(node, 0, &none));
    is_message(event, "in", 1);
    dora_event_free(event);
    CHECK_STATUS(DORA_OK, dora_node_send_loan(node, &loan, NULL));
    dora_node_interrupt(node);
    CHECK(is_readable(descriptor));
    CHECK_STATUS(DORA_INTERRUPTED, read_dora_event(node, DORA_FOREVER, &none));
    dora_node_free(node);
}

/* ---- The end of the child ---- */

static int told[2]; /* a pipe, which the exit handler below writes to */

static void tell(void) {
    if (write(told[1], "x", 1) != 1)
        fprintf(stderr, "nobody can be told that the process ends\n");
}

/* Forks a child that ends by exit, and by nothing else, with its handlers. */
static void child_that_exits(void) {
    char byte;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        exit(ENDED);
    CHECK(child > 0 && end_of(child) == ENDED);
    CHECK(read(told[0], &byte, 1) == 1);
}

static void the_child_ends_as_it_likes(void) {
    node = must_play_on(MESSAGE("in", 1));
    event = must_read(node);
    child_that_exits();
    is_message(event, "in", 1);
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "out", NULL));
    dora_event_free(event);
    dora_node_free(node);
}

/* ---- Forks on one thread while others are in calls ---- */

static bool is_over;
static dora_status_t read_status;

static void *read_for_ever(void *unused) {
    (void)unused;
    read_status = read_dora_event(node, DORA_FOREVER, &event);
    return NULL;
}

static void *send_all_the_time(void *failed) {
    while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE))
        if (dora_node_send_text(node, "out", "text", DORA_NUL_TERMINATED, NULL) != DORA_OK)
            ++*(int *)failed;
    return NULL;
}

/* Whatever a thread held that is not there in the child, the child waits for none of it. */
static void *fork_many(void *unused) {
    (void)unused;
    for (int i = 0; i < FORKS; ++i) {
        in_child(cannot_read);
        child_that_exits();
    }
    return NULL;
}

static void beside_threads(void) {
    pthread_t reader, senders[2], forker;
    int failed[2] = {0, 0};
    node = must_play_on(MESSAGE("in", 1));
    read_message(node, "in", 1);
    CHECK(pthread_create(&reader, NULL, read_for_ever, NULL) == 0);
    for (int i = 0; i < 2; ++i)
        CHECK(pthread_create(&senders[i], NULL, send_all_the_time, &failed[i]) == 0);

    CHECK(pthread_create(&forker, NULL, fork_many, NULL) == 0);
    CHECK(pthread_join(forker, NULL) == 0);

    __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; ++i)
        CHECK(pthread_join(senders[i], NULL) == 0 && failed[i] == 0);
    dora_node_free(node);
    CHECK(pthread_join(reader, NULL) == 0 && read_status == DORA_CLOSED && event == NULL);
}

int main(void) {
    if (!CHECK(pipe(told) == 0 && atexit(tell) == 0))
        return EXIT_FAILURE;
    before_the_first_node();
    the_parent_goes_on();
    the_child_ends_as_it_likes();
    beside_threads();
    return check_result("fork");
}
