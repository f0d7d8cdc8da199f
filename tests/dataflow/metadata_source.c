/*
 * Builds metadata of every kind, and sends it in each form of sending on the output that is named like the
 * form, DORA_TEST_ROUNDS times, when the driver has made the file of DORA_TEST_GO. Ahead goes a megabyte of
 * text on "megabyte", and at the end nothing on "bare". Each message is answered before the next: dora's
 * direct way drops what comes too fast.
 */
#define _POSIX_C_SOURCE 200809L
#include "metadata.h"

#include <float.h>
#include <math.h>

static dora_node_t *node;

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void set_simple(dora_metadata_t *metadata) {
    static const char zeros[] = "a\0b\0";
    expect_ok("bool", dora_metadata_set_bool(metadata, "true", 256)); /* every value but 0 is true */
    expect_ok("bool", dora_metadata_set_bool(metadata, "false", 0));
    expect_ok("integer", dora_metadata_set_integer(metadata, "least", INT64_MIN));
    expect_ok("integer", dora_metadata_set_integer(metadata, "greatest", INT64_MAX));
    expect_ok("float", dora_metadata_set_float(metadata, "nan", from_bits(UINT64_C(0xfff8000000000123))));
    expect_ok("float", dora_metadata_set_float(metadata, "infinity", HUGE_VAL));
    expect_ok("float", dora_metadata_set_float(metadata, "-infinity", -HUGE_VAL));
    expect_ok("float", dora_metadata_set_float(metadata, "-0", -0.0));
    expect_ok("float", dora_metadata_set_float(metadata, "smallest", from_bits(1)));
    expect_ok("float", dora_metadata_set_float(metadata, "whole", 3));
    expect_ok("string", dora_metadata_set_string(metadata, "", NULL, 0));
    expect_ok("string", dora_metadata_set_string(metadata, "键", "值 🚁", DORA_NUL_TERMINATED));
    expect_ok("string", dora_metadata_set_string(metadata, "zeros", zeros, sizeof zeros - 1));
    expect_ok("timestamp", dora_metadata_set_timestamp_ns(metadata, "epoch", 0));
    expect_ok("timestamp", dora_metadata_set_timestamp_ns(metadata, "before", -1));
    expect_ok("timestamp", dora_metadata_set_timestamp_ns(metadata, "first", INT64_MIN));
    expect_ok("timestamp", dora_metadata_set_timestamp_ns(metadata, "last", INT64_MAX));
    expect_ok("timestamp", dora_metadata_set_timestamp_ns(metadata, "1931", INT64_C(-1225479232109876543)));
}

static void set_megabyte(dora_metadata_t *metadata) {
    size_t size = 1 << 20;
    char *text = malloc(size);
    if (!text)
        abort();
    for (size_t i = 0; i < size; i += 2)
        memcpy(text + i, "ü", 2);
    expect_ok("megabyte", dora_metadata_set_string(metadata, "megabyte", text, size));
    memset(text, 'x', size); /* it was copied */
    free(text);
}

static void set_lists(dora_metadata_t *metadata) {
    static const int64_t integers[] = {INT64_MIN, -1, 0, INT64_MAX};
    const double floats[] = {from_bits(UINT64_C(0x7ff8000000000000)), -HUGE_VAL, -0.0, DBL_MAX, 1};
    static const char *const texts[] = {"", "x\0y", "飞机", "cut here"};
    static const size_t lengths[] = {0, 3, DORA_NUL_TERMINATED, 3};
    expect_ok("integers", dora_metadata_set_integers(metadata, "integers", integers, 4));
    expect_ok("integers", dora_metadata_set_integers(metadata, "no integers", NULL, 0));
    expect_ok("floats", dora_metadata_set_floats(metadata, "floats", floats, 5));
    expect_ok("floats", dora_metadata_set_floats(metadata, "no floats", NULL, 0));
    expect_ok("strings", dora_metadata_set_strings(metadata, "strings", texts, lengths, 4));
    expect_ok("strings", dora_metadata_set_strings(metadata, "terminated", texts, NULL, 4));
    expect_ok("strings", dora_metadata_set_strings(metadata, "no strings", NULL, NULL, 0));
}

/* What must leave no trace. */
static void set_in_vain(dora_metadata_t *metadata) {
    expect_ok("replaced", dora_metadata_set_string(metadata, "least", "replaced", DORA_NUL_TERMINATED));
    expect_ok("removed", dora_metadata_set_bool(metadata, "removed", true));
    expect_ok("remove", dora_metadata_remove(metadata, "removed"));
    report_status("_framing", dora_metadata_set_string(metadata, "_framing", "x", 1));
    report_status("_schema_hash", dora_metadata_set_integer(metadata, "_schema_hash", 1));
    report_status("_wire_size", dora_metadata_set_integer(metadata, "_wire_size", 1));
    report_status("__dora_startup_marker", dora_metadata_set_bool(metadata, "__dora_startup_marker", true));
    report_status("__dora_new", dora_metadata_set_float(metadata, "__dora_new", 1));
    report_status("utf8", dora_metadata_set_string(metadata, "bad", "\xff", 1));
    report_status("removed", dora_metadata_remove(metadata, "removed"));
}

/* Waits for the answer to what was sent. */
static dora_event_t *expect_answer(const char *form, dora_status_t status) {
    dora_event_t *event = NULL;
    int32_t kind;
    expect_ok(form, status);
    do {
        dora_event_free(event);
        expect_ok("read", read_dora_event(node, DORA_FOREVER, &event));
        kind = dora_event_kind(event);
        if (kind == DORA_EVENT_ERROR || kind == DORA_EVENT_STOP)
            report("wrong event: %s", dora_event_kind_name(kind));
    } while (kind != DORA_EVENT_INPUT);
    return event;
}

static void deliver(const char *form, dora_status_t status) { dora_event_free(expect_answer(form, status)); }

/* Sends an array that it got from the answer to a message before. */
static void send_arrow(dora_event_t *answer, const dora_metadata_t *metadata) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    expect_ok("export", dora_event_arrow(answer, &schema, &array));
    dora_event_free(answer);
    deliver("arrow", dora_node_send_arrow(node, "arrow", &schema, &array, metadata));
}

static void send_every_form(const dora_metadata_t *metadata) {
    const float number = 1.5F;
    deliver("empty", dora_node_send_empty(node, "empty", metadata));
    deliver("bytes", dora_node_send_bytes(node, "bytes", "abc", 3, metadata));
    deliver("values", dora_node_send_values(node, "values", DORA_TYPE_FLOAT32, &number, 1, metadata));
    send_arrow(expect_answer("text", dora_node_send_text(node, "text", "abc", 3, metadata)), metadata);
}

int main(void) {
    dora_metadata_t *metadata;
    node = init_node();
    expect_ok("new", dora_metadata_new(&metadata));
    report_ways(node);
    set_megabyte(metadata);
    deliver("megabyte", dora_node_send_empty(node, "megabyte", metadata));
    dora_metadata_clear(metadata);
    set_in_vain(metadata);
    set_simple(metadata);
    set_lists(metadata);
    report_metadata("made", "source", metadata);
    wait_for_driver();
    for (long round = setting("DORA_TEST_ROUNDS", 1); round > 0; round--)
        send_every_form(metadata);
    dora_metadata_clear(metadata);
    deliver("bare", dora_node_send_empty(node, "bare", metadata));
    deliver("bare", dora_node_send_empty(node, "bare", NULL));
    report("sent");
    dora_metadata_free(metadata);
    free_node(node);
    return 0;
}
