/*
 * Sends frames of the sizes in its arguments, each in the form of checksum.h, and waits for an answer to
 * each, for DORA_TEST_PATIENCE_MS at most. Reports "sent SIZE STATUS" and "answer SIZE STATUS".
 */
#define _POSIX_C_SOURCE 200809L
#include "checksum.h"
#include "options_settings.h"

static dora_status_t await_answer(dora_node_t *node) {
    dora_event_t *event;
    dora_status_t status;
    int32_t kind;
    do {
        status = read_dora_event(node, setting("DORA_TEST_PATIENCE_MS", 10000) * INT64_C(1000000), &event);
        kind = dora_event_kind(event);
        dora_event_free(event);
    } while (status == DORA_OK && kind != DORA_EVENT_INPUT);
    return status;
}

static void send_frame(dora_node_t *node, size_t size, uint64_t number) {
    static uint64_t state = 1;
    char what[64];
    uint8_t *frame = malloc(size);
    if (!frame)
        abort();
    fill_message(frame, size, number, &state);
    snprintf(what, sizeof what, "sent %zu", size);
    report_status(what, dora_node_send_bytes(node, "out", frame, size, NULL));
    free(frame);
    snprintf(what, sizeof what, "answer %zu", size);
    report_status(what, await_answer(node));
}

int main(int argc, char **argv) {
    dora_node_t *node = begin_with_settings();
    int32_t transport;
    if (!node)
        return 1;
    expect_ok("transport", dora_node_output_transport(node, "out", &transport));
    report("transport %d", (int)transport);
    for (int i = 1; i < argc; i++)
        send_frame(node, strtoul(argv[i], NULL, 10), (uint64_t)(i - 1));
    free_node(node);
    return 0;
}
