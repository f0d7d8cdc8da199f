/*
 * Two nodes in one process, each used by a thread of its own: neither gets what is the other's, and one goes
 * on when the other ends, in whichever order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

#include <pthread.h>

enum { SENDS = 200 };

/* What a thread does with its node; `wrong` counts what it found. */
struct user {
    pthread_t thread;
    dora_node_t *node;
    const char *input;
    int32_t first;
    int wrong, sent;
    bool is_done; /* with all but the last read */
    dora_status_t last;
};

static bool is_next(struct user *user, int32_t number) {
    dora_event_t *event = NULL;
    const int32_t *values = NULL;
    size_t length = 0;
    const bool is = read_dora_event(user->node, DORA_FOREVER, &event) == DORA_OK &&
                    dora_event_input_id(event) && strcmp(dora_event_input_id(event), user->input) == 0 &&
                    dora_event_int32(event, &values, &length) == DORA_OK && length == 1 && *values == number;
    dora_event_free(event);
    return is;
}

/* Reads its three messages, sends, and waits in a read until the node is freed. */
static void *use(void *argument) {
    struct user *user = (struct user *)argument;
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    for (int32_t i = 0; i < 3; ++i)
        user->wrong += !is_next(user, user->first + i);
    for (int32_t i = 0; i < SENDS; ++i)
        user->sent += dora_node_send_values(user->node, "out", DORA_TYPE_INT32, &i, 1, NULL) == DORA_OK;
    __atomic_store_n(&user->is_done, true, __ATOMIC_RELEASE);
    user->last = read_dora_event(user->node, DORA_FOREVER, &event);
    user->wrong += event != NULL;
    return NULL;
}

static void start(struct user *user, dora_node_t *node, const char *input, int32_t first) {
    memset(user, 0, sizeof *user);
    user->node = node;
    user->input = input;
    user->first = first;
    if (!CHECK(pthread_create(&user->thread, NULL, use, user) == 0))
        exit(EXIT_FAILURE);
}

static void await_last_read(struct user *user) {
    while (!__atomic_load_n(&user->is_done, __ATOMIC_ACQUIRE))
        sleep_ms(10);
    sleep_ms(300); /* until it waits there */
}

static void end(struct user *user) {
    dora_node_free(user->node);
    CHECK(pthread_join(user->thread, NULL) == 0);
    CHECK(user->wrong == 0 && user->sent == SENDS);
    CHECK_STATUS(DORA_CLOSED, user->last);
}

static void in_either_order(int first_to_end) {
    struct user users[2];
    dora_node_t *left = must_play_on(MESSAGE("left", 1) MESSAGE("left", 2) MESSAGE("left", 3));
    dora_node_t *right = must_play_on(MESSAGE("right", 11) MESSAGE("right", 12) MESSAGE("right", 13));
    start(&users[0], left, "left", 1);
    start(&users[1], right, "right", 11);
    await_last_read(&users[0]);
    await_last_read(&users[1]);
    end(&users[first_to_end]);
    struct user *other = &users[1 - first_to_end];
    CHECK_STATUS(DORA_OK, dora_node_send_empty(other->node, "out", NULL));
    end(other);
}

/* An interrupt and an event loop are those of one node alone. */
static void attention_of_one(void) {
    int32_t descriptors[2] = {-1, -1};
    dora_event_t *event;
    dora_node_t *left = must_play_on(MESSAGE("left", 1));
    dora_node_t *right = must_play_on(MESSAGE("right", 1));
    CHECK_STATUS(DORA_OK, dora_node_event_fd(left, &descriptors[0]));
    CHECK_STATUS(DORA_OK, dora_node_event_fd(right, &descriptors[1]));
    CHECK(descriptors[0] != descriptors[1]);
    read_message(left, "left", 1);
    read_message(right, "right", 1);
    dora_node_interrupt(left);
    CHECK_STATUS(DORA_TIMEOUT, read_dora_event(right, 0, &event));
    CHECK_STATUS(DORA_INTERRUPTED, read_dora_event(left, 0, &event));
    dora_node_free(left);
    CHECK_STATUS(DORA_TIMEOUT, read_dora_event(right, 0, &event));
    dora_node_free(right);
}

int main(void) {
    in_either_order(0);
    in_either_order(1);
    attention_of_one();
    return check_result("two_nodes");
}
