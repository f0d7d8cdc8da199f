/*
 * Two dynamic nodes in one process, "left" and "right": each passes texts on, on "out", until it is stopped,
 * on a thread of its own. Reports "self ID DATAFLOW", and for each of them "passed ID COUNT" and "end ID
 * STATUS". With DORA_TEST_AGAIN a third is begun with the id of the first while they live: "again STATUS
 * SENTENCE". With DORA_TEST_LEAVES=ID one of them ends when it has passed ten texts on, before the other.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <limits.h>
#include <pthread.h>

static dora_status_t begin(const char *id, dora_node_t **node) {
    dora_node_options_t *options;
    expect_ok("options", dora_node_options_new(&options));
    expect_ok("id", dora_node_options_set_node_id(options, id));
    expect_ok("port",
              dora_node_options_set_daemon_port(options, (uint16_t)setting("DORA_TEST_DAEMON_PORT", 0)));
    dora_status_t status = dora_node_init_with(options, node);
    dora_node_options_free(options);
    return status;
}

static void *relay(void *argument) {
    dora_node_t *node = argument;
    dora_event_t *event;
    dora_status_t status;
    int passed = 0;
    int enough = is_setting("DORA_TEST_LEAVES", dora_node_id(node)) ? 10 : INT_MAX;
    while ((status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK && passed < enough) {
        const char *text;
        if (dora_event_data_type(event) == DORA_TYPE_TEXT) {
            expect_ok("text", dora_event_text(event, 0, &text, NULL));
            expect_ok("send", dora_node_send_text(node, "out", text, DORA_NUL_TERMINATED,
                                                  dora_event_metadata(event)));
            passed++;
        }
        dora_event_free(event);
    }
    report("passed %s %d", dora_node_id(node), passed);
    report("end %s %s", dora_node_id(node), dora_status_name(status));
    dora_event_free(event);
    free_node(node);
    return NULL;
}

int main(void) {
    dora_node_t *left, *right, *again;
    pthread_t thread;
    expect_ok("left", begin("left", &left));
    expect_ok("right", begin("right", &right));
    report("self %s %s", dora_node_id(left), dora_node_dataflow_id(left));
    report("self %s %s", dora_node_id(right), dora_node_dataflow_id(right));
    pthread_create(&thread, NULL, relay, left);
    if (getenv("DORA_TEST_AGAIN")) {
        report_status("again", begin("left", &again));
        dora_node_free(again);
    }
    relay(right);
    pthread_join(thread, NULL);
    return 0;
}
