/*
 * A node under a fast timer. With DORA_TEST_MODE:
 *     drain   reads until the end
 *     leave   ends by itself after fifty events
 *     race    is freed while another thread waits in a read
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>

static dora_node_t *node;

/* Reads until the end, or that many events, and sends one message for each. */
static dora_status_t read_events(long most) {
    dora_event_t *event;
    dora_status_t status = DORA_OK;
    while (most-- > 0 && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        dora_status_t sent =
            dora_node_send_text(node, "out", "tick", DORA_NUL_TERMINATED, dora_event_metadata(event));
        if (sent != DORA_OK && sent != DORA_ERROR_DISCONNECTED)
            report_status("send", sent);
        dora_event_free(event);
    }
    return status;
}

static void *read_on_a_thread(void *unused) {
    (void)unused;
    report_status("thread", read_events(1000000));
    return NULL;
}

int main(void) {
    pthread_t thread;
    node = init_node();
    if (is_setting("DORA_TEST_MODE", "race")) {
        pthread_create(&thread, NULL, read_on_a_thread, NULL);
        sleep_ms(200);
        free_node(node);
        pthread_join(thread, NULL);
    } else {
        report_status("read", read_events(is_setting("DORA_TEST_MODE", "leave") ? 50 : 1000000));
        free_node(node);
    }
    report("end");
    return 0;
}
