/*
 * Sends chunks on "out" whose data is their number, from 0: a segment of three, one that a flush interrupts,
 * the segment of the flush, and then another stream of a single chunk. One object makes the metadata of all,
 * with a parameter of its own beside. With DORA_TEST_ANSWERED it sends one at a time, and goes on when there
 * is a message on "answer". Else it waits DORA_TEST_GAP_MS behind each.
 * With DORA_TEST_GO it waits for that file in front of the flush.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static dora_node_t *node;
static dora_metadata_t *metadata;

static void await_answer(void) {
    dora_event_t *event = NULL;
    do {
        dora_event_free(event);
        expect_ok("answer", read_dora_event(node, DORA_FOREVER, &event));
    } while (dora_event_kind(event) != DORA_EVENT_INPUT);
    dora_event_free(event);
}

static void send_chunk(dora_status_t status) {
    static int32_t number;
    expect_ok("chunk", status);
    expect_ok("send", dora_node_send_values(node, "out", DORA_TYPE_INT32, &number, 1, metadata));
    number++;
    if (getenv("DORA_TEST_ANSWERED"))
        await_answer();
    else
        sleep_ms(setting("DORA_TEST_GAP_MS", 0));
}

static dora_stream_t *new_stream(const char *session_id) {
    dora_stream_t *stream;
    expect_ok("stream", dora_stream_new(session_id, &stream));
    return stream;
}

int main(void) {
    node = init_node();
    expect_ok("metadata", dora_metadata_new(&metadata));
    expect_ok("own", dora_metadata_set_string(metadata, "own", "值", DORA_NUL_TERMINATED));
    dora_stream_t *named = new_stream("会话 1"), *unnamed = new_stream(NULL);
    send_chunk(dora_stream_chunk(named, 0, metadata));
    send_chunk(dora_stream_chunk(named, 0, metadata));
    send_chunk(dora_stream_chunk(named, 2, metadata)); /* every value but 0 is true */
    expect_ok("segment", dora_stream_next_segment(named));
    send_chunk(dora_stream_chunk(named, 0, metadata));
    report("interrupted");
    wait_for_driver();
    send_chunk(dora_stream_flush(named, metadata));
    send_chunk(dora_stream_chunk(named, 0, metadata));
    send_chunk(dora_stream_chunk(named, 1, metadata));
    send_chunk(dora_stream_chunk(unnamed, 1, metadata));
    report("sent");
    while (getenv("DORA_TEST_STAYS") && access(getenv("DORA_TEST_STAYS"), F_OK) != 0)
        sleep_ms(5);
    dora_stream_free(named);
    dora_stream_free(unnamed);
    dora_metadata_free(metadata);
    free_node(node);
    return 0;
}
