/*
 * What is to be said once: each subject is new once for a node, and once for each of its inputs.
 * Environment: DORA_TEST_WITH_INPUTS=once.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <pthread.h>

static dora_node_t *node;

static void of_a_node(void) {
    char subject[] = "one";
    CHECK(dora_node_once(node, subject));
    subject[0] = 'O'; /* it was copied */
    CHECK(!dora_node_once(node, "one"));
    CHECK(dora_node_once(node, subject));
    CHECK(dora_node_once(node, ""));
    CHECK(!dora_node_once(node, ""));
    CHECK(!dora_node_once(node, "\xFF")); /* no UTF-8 */
}

static void of_inputs(void) {
    dora_event_t *first = must_read(node);
    dora_event_t *other = must_read(node);
    dora_event_t *again = must_read(node);
    dora_event_t *closed = must_read(node);
    CHECK_TEXT("a", dora_event_input_id(first));
    CHECK_TEXT("b", dora_event_input_id(other));
    CHECK_TEXT("a", dora_event_input_id(again));
    CHECK(dora_event_kind(closed) == DORA_EVENT_INPUT_CLOSED);
    CHECK(dora_event_once(first, "one")); /* the node's own subjects are others */
    CHECK(!dora_event_once(first, "one"));
    CHECK(!dora_event_once(again, "one"));
    CHECK(dora_event_once(again, "two"));
    CHECK(!dora_event_once(first, "two"));
    CHECK(dora_event_once(other, "one"));
    CHECK(!dora_event_once(closed, "three"));
    CHECK(!dora_event_once(first, "\xFF"));
    dora_event_free(closed);
    dora_event_free(other);
    dora_event_free(first);
    dora_node_free(node);
    CHECK(!dora_event_once(again, "one")); /* an event outlives its node */
    CHECK(dora_event_once(again, "three"));
    dora_event_free(again);
}

enum { THREADS = 4, SUBJECTS = 200 };

static void *ask(void *count) {
    for (int i = 0; i < SUBJECTS; ++i) {
        char subject[16];
        snprintf(subject, sizeof subject, "%d", i);
        *(int *)count += dora_node_once(node, subject);
    }
    return NULL;
}

static void of_many_threads(void) {
    pthread_t threads[THREADS];
    int counts[THREADS] = {0}, total = 0;
    for (int i = 0; i < THREADS; ++i)
        CHECK(pthread_create(&threads[i], NULL, ask, &counts[i]) == 0);
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        total += counts[i];
    }
    CHECK(total == SUBJECTS);
}

int main(void) {
    node = must_init();
    of_a_node();
    of_many_threads();
    of_inputs();
    return check_result("once");
}
