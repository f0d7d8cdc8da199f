/*
 * The clock of the dataflow: close to that of the machine, never behind a message that was read, and never
 * going back, whichever threads ask and in whatever order. Environment: DORA_TEST_WITH_INPUTS=clock.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <pthread.h>

enum { THREADS = 2, CALLS = 100000 };

static const int64_t second_ns = 1000000000;

static int64_t machine_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * second_ns + now.tv_nsec;
}

/* ---- Threads that ask in turns ---- */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int64_t latest; /* what any of them was told last */

struct asker {
    pthread_t thread;
    dora_node_t *node;
    int calls, went_back;
};

/* Half the calls are made in turns, so that those of all threads have an order, and half at will. */
static void *ask(void *argument) {
    struct asker *asker = (struct asker *)argument;
    int64_t own = INT64_MIN;
    for (int i = 0; i < CALLS; ++i) {
        if (i % 2) {
            pthread_mutex_lock(&turn);
            const int64_t now = dora_node_now_ns(asker->node);
            asker->went_back += now < latest || now < own;
            latest = own = now;
            pthread_mutex_unlock(&turn);
        } else {
            const int64_t now = dora_node_now_ns(asker->node);
            asker->went_back += now < own;
            own = now;
        }
        ++asker->calls;
    }
    return NULL;
}

int main(void) {
    CHECK(dora_node_now_ns(NULL) == DORA_TIME_ABSENT);
    dora_node_t *node = must_init();
    struct asker askers[THREADS];
    latest = INT64_MIN;
    for (int i = 0; i < THREADS; ++i) {
        memset(&askers[i], 0, sizeof askers[i]);
        askers[i].node = node;
        if (!CHECK(pthread_create(&askers[i].thread, NULL, ask, &askers[i]) == 0))
            return EXIT_FAILURE;
    }

    /* Meanwhile messages are read, which are in the past by then. */
    int messages = 0;
    int64_t before = dora_node_now_ns(node);
    dora_event_t *event;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const int64_t machine = machine_ns(), now = dora_node_now_ns(node), after = machine_ns();
        CHECK(now >= machine - second_ns && now <= after + second_ns);
        CHECK(now >= before);
        before = now;
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            ++messages;
            CHECK(now >= dora_event_timestamp_ns(event));
        }
        dora_event_free(event);
    }
    CHECK(messages == 4);

    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_join(askers[i].thread, NULL) == 0);
        CHECK(askers[i].calls == CALLS && askers[i].went_back == 0);
    }
    CHECK(dora_node_now_ns(node) >= latest);
    dora_node_free(node);
    return check_result("clock");
}
