/* Asks its terminal for inputs where DORA_TEST_ASKS says so, and reports what it reads. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

int main(void) {
    dora_node_options_t *options;
    dora_node_t *node;
    dora_event_t *event;
    char text[256];
    expect_ok("options", dora_node_options_new(&options));
    expect_ok("interactive",
              dora_node_options_set_interactive(options, (int32_t)setting("DORA_TEST_ASKS", 0)));
    report_status("init", dora_node_init_with(options, &node));
    dora_node_options_free(options);
    while (node && read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        dora_event_format(event, text, sizeof text);
        report("event %s", text);
        dora_event_free(event);
    }
    dora_node_free(node);
    report("end");
    return 0;
}
