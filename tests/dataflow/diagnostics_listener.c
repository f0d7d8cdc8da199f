/*
 * Listens to what dora says while this node loses messages: it reads nothing until the driver says so, and
 * its queue is short. Then it reads what is left until it is stopped.
 *
 *     init STATUS
 *     ready                    the node reads nothing yet
 *     first                    it has read a message
 *     received COUNT, lost COUNT
 *     said LEVEL TARGET TEXT   each message, in the order in which they came
 *     wrong: ...               a message on a thread of the program, or without its pointer
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>

#define MESSAGES 64

struct said {
    int32_t level;
    char target[64], text[512];
};

struct listener {
    pthread_t program;
    pthread_mutex_t lock;
    struct said said[MESSAGES];
    size_t count, on_program_thread;
};

static void listen(int32_t level, const char *target, const char *message, void *user) {
    struct listener *listener = user;
    pthread_mutex_lock(&listener->lock);
    listener->on_program_thread += pthread_equal(pthread_self(), listener->program) != 0;
    if (listener->count < MESSAGES) {
        struct said *said = &listener->said[listener->count++];
        said->level = level;
        snprintf(said->target, sizeof said->target, "%s", target);
        snprintf(said->text, sizeof said->text, "%s", message);
    }
    pthread_mutex_unlock(&listener->lock);
}

static long read_until_stopped(dora_node_t *node) {
    dora_event_t *event;
    long received = 0;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_INPUT && received++ == 0)
            report("first");
        dora_event_free(event);
    }
    return received;
}

int main(void) {
    static struct listener listener = {.lock = PTHREAD_MUTEX_INITIALIZER};
    dora_node_t *node;
    uint64_t lost;
    listener.program = pthread_self();
    expect_ok("listen",
              dora_diagnostics_set((int32_t)setting("DORA_TEST_LEVEL", DORA_LOG_WARN), listen, &listener));
    report_status("init", dora_node_init(&node));
    report("ready");
    wait_for_driver();
    long received = read_until_stopped(node);
    expect_ok("lost", dora_node_dropped(node, "in", &lost));
    report("received %ld", received);
    report("lost %llu", (unsigned long long)lost);
    free_node(node);
    /* No message comes any more when this returns. */
    expect_ok("silence", dora_diagnostics_set(0, NULL, NULL));
    for (size_t i = 0; i < listener.count; i++)
        report("said %d %s %s", (int)listener.said[i].level, listener.said[i].target, listener.said[i].text);
    if (listener.on_program_thread)
        report("wrong: %zu messages on the thread of the program", listener.on_program_thread);
    report("end");
    return 0;
}
