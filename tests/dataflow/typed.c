/*
 * Sends on what it receives without Arrow: numbers and booleans as one message, texts and byte strings as one
 * message an element, any other fixed-width type as its bytes. Where numbers have nulls, a message of
 * booleans goes ahead on "valid". The status of a failed read is sent as text.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdbool.h>
#include <stdint.h>

static dora_node_t *node;

static bool bit(const uint8_t *bits, size_t index) { return bits[index / 8] >> index % 8 & 1; }

static void *allocate(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

/* Sends `length` bits as booleans; no bits means that all are true. */
static dora_status_t send_bits(const char *output, const uint8_t *bits, size_t offset, size_t length) {
    uint8_t *values = allocate(length);
    for (size_t i = 0; i < length; i++)
        values[i] = !bits || bit(bits, offset + i) ? 0xff : 0; /* every byte that is not 0 is true */
    dora_status_t status = dora_node_send_values(node, output, DORA_TYPE_BOOL, values, length, NULL);
    free(values);
    return status;
}

static dora_status_t send_numbers(const dora_event_t *event, int32_t type) {
    const void *values;
    const uint8_t *validity;
    size_t offset, length;
    dora_status_t status = dora_event_values(event, type, &values, &length);
    if (status == DORA_ERROR_HAS_NULLS) {
        status = dora_event_values_nullable(event, type, &values, &validity, &offset, &length);
        if (status == DORA_OK)
            status = send_bits("valid", validity, offset, length);
    }
    return status == DORA_OK ? dora_node_send_values(node, "out", type, values, length, NULL) : status;
}

static dora_status_t send_booleans(const dora_event_t *event) {
    const uint8_t *bits;
    size_t offset, length;
    dora_status_t status = dora_event_bits(event, &bits, &offset, &length);
    return status == DORA_OK ? send_bits("out", bits, offset, length) : status;
}

static dora_status_t send_element(const dora_event_t *event, int32_t type, size_t index) {
    const char *text;
    const uint8_t *bytes;
    size_t length;
    dora_status_t status;
    if (type == DORA_TYPE_TEXT) {
        status = dora_event_text(event, index, &text, &length);
        return status == DORA_OK ? dora_node_send_text(node, "out", text, length, NULL) : status;
    }
    status = dora_event_bytes(event, index, &bytes, &length);
    return status == DORA_OK ? dora_node_send_bytes(node, "out", bytes, length, NULL) : status;
}

static dora_status_t send_raw(const dora_event_t *event) {
    const void *bytes;
    size_t size;
    dora_status_t status = dora_event_raw(event, &bytes, &size);
    return status == DORA_OK ? dora_node_send_bytes(node, "out", bytes, size, NULL) : status;
}

static void send_status(dora_status_t status) {
    if (status != DORA_OK)
        expect_ok("send",
                  dora_node_send_text(node, "out", dora_status_name(status), DORA_NUL_TERMINATED, NULL));
}

static void answer(const dora_event_t *event) {
    int32_t type = dora_event_data_type(event);
    switch (type) {
    case DORA_TYPE_NULL:
        send_status(dora_node_send_empty(node, "out", NULL));
        break;
    case DORA_TYPE_BOOL:
        send_status(send_booleans(event));
        break;
    case DORA_TYPE_TEXT:
    case DORA_TYPE_BINARY:
        for (size_t i = 0; i < dora_event_length(event); i++)
            send_status(send_element(event, type, i));
        break;
    case DORA_TYPE_OTHER:
        send_status(send_raw(event));
        break;
    default:
        send_status(send_numbers(event, type));
    }
}

int main(void) {
    dora_event_t *event;
    node = init_node();
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_ERROR)
            report("error %s", dora_event_message(event));
        if (dora_event_kind(event) == DORA_EVENT_INPUT)
            answer(event);
        dora_event_free(event);
    }
    free_node(node);
    return 0;
}
