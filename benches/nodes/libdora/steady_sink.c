/* libdora in C: counts what reading a message costs. */
#include "steady.h"

int main(void) {
    dora_node_t *node;
    dora_event_t *event;
    const uint8_t *bytes;
    size_t size;
    dora_status_t status = dora_node_init(&node);
    steady_t steady = steady_begin();
    bool goes_on = true;
    while (status == DORA_OK && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        bool is_message = dora_event_kind(event) == DORA_EVENT_INPUT;
        if (is_message)
            status = dora_event_uint8(event, &bytes, &size);
        dora_event_free(event);
        if (is_message && goes_on)
            goes_on = steady_next(&steady);
    }
    if (status < 0)
        fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    else if (goes_on)
        bench_fail("too few messages arrived to count what one costs");
    else
        steady_end(&steady);
    dora_node_free(node);
    return status < 0;
}
