/*
 * Logs between lines that it prints. With DORA_TEST_MODE:
 *     turns    in turn with them, at every level
 *     threads  while another thread prints
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>

static dora_node_t *node;

static void take_turns(void) {
    const int32_t levels[] = {DORA_LOG_ERROR, DORA_LOG_WARN, DORA_LOG_INFO, DORA_LOG_DEBUG, DORA_LOG_TRACE};
    for (int i = 0; i < 200; i++) {
        char message[64];
        snprintf(message, sizeof message, "logged %d: \"quoted\" Grüße", i);
        printf("printed %d\n", i);
        expect_ok("log", dora_node_log(node, levels[i % 5], message));
    }
    printf("printed 200\n");
    expect_ok("log", dora_node_log(node, DORA_LOG_INFO, "logged 200: two\nlines"));
    report_status("level", dora_node_log(node, 6, "no such level"));
}

static void *print_many(void *unused) {
    (void)unused;
    for (int i = 0; i < 40000; i++)
        printf("printed %d, and long enough to cross the end of the buffer\n", i);
    return NULL;
}

static void log_beside_a_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, print_many, NULL);
    for (int i = 0; i < 10000; i++)
        expect_ok("log", dora_node_log(node, DORA_LOG_INFO, "logged"));
    pthread_join(thread, NULL);
}

int main(void) {
    node = init_node();
    if (is_setting("DORA_TEST_MODE", "threads"))
        log_beside_a_thread();
    else
        take_turns();
    free_node(node);
    return 0;
}
