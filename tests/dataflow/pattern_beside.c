/*
 * Awaits two replies on a thread, the second in vain, while the node sends, receives and ends on another.
 *
 *     reply STATUS          of each wait, in turn; reply-event …, see pattern.h
 *     read STATUS SENTENCE  a read beside the wait
 *     wait STATUS SENTENCE  another wait beside it
 *     request 0 ID          sent beside it
 */
#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

#include <pthread.h>

static dora_node_t *node;

static void *await(void *ids) {
    const char(*id)[DORA_ID_SIZE] = ids;
    for (int i = 0; i < 2; i++) {
        dora_event_t *event;
        dora_status_t status;
        do /* the other thread may be in a read of its own */
            status = dora_node_read_reply(node, id[i], NULL, DORA_FOREVER, &event);
        while (status == DORA_ERROR_BUSY);
        report_status("reply", status);
        if (event)
            report_event("reply-event", event);
        dora_event_free(event);
    }
    return NULL;
}

/* Nothing comes but replies, so a read gives nothing until a wait is under way. */
static void read_beside(void) {
    dora_event_t *event;
    dora_status_t status;
    for (int i = 0; (status = read_dora_event(node, 0, &event)) == DORA_TIMEOUT && i < 2000; i++)
        sleep_ms(5);
    report_status("read", status);
    dora_event_free(event);
}

int main(void) {
    char ids[2][DORA_ID_SIZE] = {"自选", "never"};
    pthread_t thread;
    dora_metadata_t *metadata = new_metadata();
    node = init_node();
    pthread_create(&thread, NULL, await, ids);
    read_beside();
    await_reply(node, "wait", "other", NULL, DORA_FOREVER);
    expect_ok("id", dora_metadata_set_string(metadata, DORA_KEY_REQUEST_ID, ids[0], DORA_NUL_TERMINATED));
    report("request 0 %s", ids[0]);
    send_number(node, "request", 0, metadata);
    dora_metadata_free(metadata);
    wait_for_driver();
    free_node(node);
    pthread_join(thread, NULL);
    report("end");
    return 0;
}
