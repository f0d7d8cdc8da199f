/*
 * NULL for every pointer of the functions of a node, and of all others that have no test null_pointers_*.c of
 * their own; see null_pointers.h. Environment: DORA_TEST_WITH_INPUTS=null_pointers.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "null_pointers.h"

static dora_node_t *node;
static dora_metadata_t *own;
static dora_stream_t *stream;

static void diagnostics_set(void) { CHECK_STATUS(DORA_OK, dora_diagnostics_set(DORA_LOG_ERROR, NULL, NULL)); }

/* ---- Node ---- */

static void node_init(void) { REFUSED("node", dora_node_init(NULL)); }

/* NULL for the options means those of dora_node_init; a node by it is in options.c. */
static void node_init_with(void) {
    dora_node_options_t *options = GARBAGE_POINTER(dora_node_options_t *);
    CHECK_STATUS(DORA_OK, dora_node_options_new(&options));
    REFUSED("node", dora_node_init_with(options, NULL));
    REFUSED("node", dora_node_init_with(NULL, NULL));
    dora_node_options_free(options);
}

static void node_free(void) { dora_node_free(NULL); }
static void node_id(void) { CHECK(dora_node_id(NULL) == NULL); }
static void node_dataflow_id(void) { CHECK(dora_node_dataflow_id(NULL) == NULL); }

static void node_config_json(void) { CHECK(dora_node_config_json(NULL) == NULL); }
static void node_descriptor_json(void) { CHECK(dora_node_descriptor_json(NULL) == NULL); }
static void node_input_count(void) { CHECK(dora_node_input_count(NULL) == 0); }
static void node_input_id(void) { CHECK(dora_node_input_id(NULL, 0) == NULL); }
static void node_input_source(void) { CHECK(dora_node_input_source(NULL, 0) == NULL); }
static void node_output_count(void) { CHECK(dora_node_output_count(NULL) == 0); }
static void node_output_id(void) { CHECK(dora_node_output_id(NULL, 0) == NULL); }
static void node_restart_count(void) { CHECK(dora_node_restart_count(NULL) == 0); }
static void node_zero_copy_threshold(void) { CHECK(dora_node_zero_copy_threshold(NULL) == 0); }
static void node_pool_size(void) { CHECK(dora_node_pool_size(NULL) == 0); }
static void node_once(void) {
    CHECK(!dora_node_once(NULL, "subject"));
    CHECK(!dora_node_once(node, NULL));
    CHECK(!dora_node_once(NULL, NULL));
    CHECK(dora_node_once(node, "subject"));
}

static void node_now_ns(void) { CHECK(dora_node_now_ns(NULL) == DORA_TIME_ABSENT); }
static void node_close_outputs(void) { REFUSED("node", dora_node_close_outputs(NULL)); }

static void node_close_output(void) {
    REFUSED("node", dora_node_close_output(NULL, "refused"));
    REFUSED("output", dora_node_close_output(node, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_close_output(NULL, NULL));
}

static void node_output_transport(void) {
    int32_t transport = INT32_MAX;
    REFUSED("node", dora_node_output_transport(NULL, "refused", &transport));
    CHECK(transport == DORA_TRANSPORT_UNKNOWN);
    transport = INT32_MAX;
    REFUSED("output", dora_node_output_transport(node, NULL, &transport));
    CHECK(transport == DORA_TRANSPORT_UNKNOWN);
    REFUSED("out", dora_node_output_transport(node, "refused", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_output_transport(NULL, NULL, NULL));
}

static void node_pending(void) {
    bool pending = true;
    REFUSED("node", dora_node_pending(NULL, &pending));
    CHECK(!pending);
    REFUSED("out", dora_node_pending(node, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_pending(NULL, NULL));
}

/* NULL for the input means the control events. */
static void node_dropped(void) {
    uint64_t total = GARBAGE_SIZE;
    REFUSED("node", dora_node_dropped(NULL, "numbers", &total));
    CHECK(total == 0);
    REFUSED("total", dora_node_dropped(node, "numbers", NULL));
    total = GARBAGE_SIZE;
    CHECK_STATUS(DORA_OK, dora_node_dropped(node, NULL, &total));
    CHECK(total == 0);
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_dropped(NULL, NULL, NULL));
}

static void node_event_fd(void) {
    int32_t fd = 7;
    REFUSED("node", dora_node_event_fd(NULL, &fd));
    CHECK(fd == -1);
    REFUSED("fd", dora_node_event_fd(node, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_event_fd(NULL, NULL));
}

static void node_interrupt(void) { dora_node_interrupt(NULL); }

static void node_input_state(void) {
    int32_t state = INT32_MAX;
    REFUSED("node", dora_node_input_state(NULL, "numbers", &state));
    CHECK(state == 0);
    state = INT32_MAX;
    REFUSED("input", dora_node_input_state(node, NULL, &state));
    CHECK(state == 0);
    REFUSED("out", dora_node_input_state(node, "numbers", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_input_state(NULL, NULL, NULL));
}

static void node_last_value(void) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    REFUSED("node", dora_node_last_value(NULL, "numbers", &event));
    CHECK(event == NULL);
    event = GARBAGE_POINTER(dora_event_t *);
    REFUSED("input", dora_node_last_value(node, NULL, &event));
    CHECK(event == NULL);
    REFUSED("event", dora_node_last_value(node, "numbers", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_last_value(NULL, NULL, NULL));
}

static void node_log_with(void) {
    REFUSED("node", dora_node_log_with(NULL, DORA_LOG_INFO, "target", "text", own));
    REFUSED("message", dora_node_log_with(node, DORA_LOG_INFO, "target", NULL, own));
    CHECK_STATUS(DORA_OK, dora_node_log_with(node, DORA_LOG_INFO, NULL, "text", own));
    CHECK_STATUS(DORA_OK, dora_node_log_with(node, DORA_LOG_INFO, "target", "text", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_log_with(NULL, DORA_LOG_INFO, NULL, NULL, NULL));
}

static void node_log(void) {
    REFUSED("node", dora_node_log(NULL, DORA_LOG_INFO, "text"));
    REFUSED("message", dora_node_log(node, DORA_LOG_INFO, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_log(NULL, DORA_LOG_INFO, NULL));
}

static void read_event(void) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    REFUSED("node", read_dora_event(NULL, DORA_FOREVER, &event));
    CHECK(event == NULL);
    /* It neither waits nor takes the event, which main reads next. */
    REFUSED("event", read_dora_event(node, DORA_FOREVER, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, read_dora_event(NULL, DORA_FOREVER, NULL));
}

/* NULL for the server means: whoever. */
static void node_read_reply(void) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    REFUSED("node", dora_node_read_reply(NULL, "id", "server", DORA_FOREVER, &event));
    CHECK(event == NULL);
    event = GARBAGE_POINTER(dora_event_t *);
    REFUSED("correlation_id", dora_node_read_reply(node, NULL, "server", DORA_FOREVER, &event));
    CHECK(event == NULL);
    REFUSED("event", dora_node_read_reply(node, "id", "server", DORA_FOREVER, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_read_reply(NULL, NULL, NULL, DORA_FOREVER, NULL));
    event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_CLOSED, dora_node_read_reply(node, "id", NULL, DORA_FOREVER, &event));
    CHECK(event == NULL);
}

/* ---- Extensions ---- */

static void extension_store(void) {
    REFUSED("node", dora_node_extension_store(NULL, "ns", "key", "x", 1));
    REFUSED("ns", dora_node_extension_store(node, NULL, "key", "x", 1));
    REFUSED("key", dora_node_extension_store(node, "ns", NULL, "x", 1));
    REFUSED("value", dora_node_extension_store(node, "ns", "key", NULL, 1));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_extension_store(NULL, NULL, NULL, NULL, 1));
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_extension_store(node, "ns", "key", NULL, 0));
}

static void extension_drop(void) {
    REFUSED("node", dora_node_extension_drop(NULL, "ns", "key"));
    REFUSED("ns", dora_node_extension_drop(node, NULL, "key"));
    REFUSED("key", dora_node_extension_drop(node, "ns", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_extension_drop(NULL, NULL, NULL));
}

/* A call with an output of bytes refuses the NULL that it got as `argument`, and clears the output. */
#define REFUSED_BYTES(argument, call)                                                                        \
    do {                                                                                                     \
        dora_bytes_t *out = GARBAGE_POINTER(dora_bytes_t *);                                                 \
        REFUSED(argument, call);                                                                             \
        CHECK(out == NULL);                                                                                  \
    } while (0)

static void extension_load(void) {
    REFUSED_BYTES("node", dora_node_extension_load(NULL, "ns", "key", 0, &out));
    REFUSED_BYTES("ns", dora_node_extension_load(node, NULL, "key", 0, &out));
    REFUSED_BYTES("key", dora_node_extension_load(node, "ns", NULL, 0, &out));
    REFUSED("out", dora_node_extension_load(node, "ns", "key", 0, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_extension_load(NULL, NULL, NULL, 0, NULL));
}

static void extension_request(void) {
    REFUSED_BYTES("node", dora_node_extension_request(NULL, "ns", "x", 1, &out));
    REFUSED_BYTES("ns", dora_node_extension_request(node, NULL, "x", 1, &out));
    REFUSED_BYTES("payload", dora_node_extension_request(node, "ns", NULL, 1, &out));
    REFUSED("out", dora_node_extension_request(node, "ns", "x", 1, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_extension_request(NULL, NULL, NULL, 1, NULL));
}

static void extension_next_dropped(void) {
    REFUSED_BYTES("ns", dora_extension_next_dropped(NULL, &out));
    REFUSED("key", dora_extension_next_dropped("ns", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_extension_next_dropped(NULL, NULL));
}

static void bytes_data(void) { CHECK(dora_bytes_data(NULL) == NULL); }
static void bytes_size(void) { CHECK(dora_bytes_size(NULL) == 0); }
static void bytes_free(void) { dora_bytes_free(NULL); }

/* ---- Streams ---- */

/* NULL for the session means: one of its own. */
static void stream_new(void) {
    dora_stream_t *other = GARBAGE_POINTER(dora_stream_t *);
    REFUSED("out", dora_stream_new("session", NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_stream_new(NULL, NULL));
    CHECK_STATUS(DORA_OK, dora_stream_new(NULL, &other));
    CHECK(other != NULL);
    dora_stream_free(other);
}

static void stream_chunk(void) {
    REFUSED("stream", dora_stream_chunk(NULL, 0, own));
    REFUSED("metadata", dora_stream_chunk(stream, 0, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_stream_chunk(NULL, 0, NULL));
}

static void stream_flush(void) {
    REFUSED("stream", dora_stream_flush(NULL, own));
    REFUSED("metadata", dora_stream_flush(stream, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_stream_flush(NULL, NULL));
}

static void stream_free(void) { dora_stream_free(NULL); }
static void stream_next_segment(void) { REFUSED("stream", dora_stream_next_segment(NULL)); }

/* ---- Sending ---- */

static void send_empty(void) {
    REFUSED("node", dora_node_send_empty(NULL, "refused", NULL));
    REFUSED("output", dora_node_send_empty(node, NULL, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_empty(NULL, NULL, NULL));
    CHECK_STATUS(DORA_OK, dora_node_send_empty(node, "empty", NULL));
}

static void node_loan(void) {
    dora_loan_t *loan = GARBAGE_POINTER(dora_loan_t *);
    REFUSED("node", dora_node_loan(NULL, "refused", DORA_TYPE_UINT8, 1, &loan));
    CHECK(loan == NULL);
    loan = GARBAGE_POINTER(dora_loan_t *);
    REFUSED("output", dora_node_loan(node, NULL, DORA_TYPE_UINT8, 1, &loan));
    CHECK(loan == NULL);
    REFUSED("out", dora_node_loan(node, "refused", DORA_TYPE_UINT8, 1, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_loan(NULL, NULL, DORA_TYPE_UINT8, 1, NULL));
}

static void send_loan(void) {
    dora_loan_t *loan = GARBAGE_POINTER(dora_loan_t *);
    CHECK_STATUS(DORA_OK, dora_node_loan(node, "refused", DORA_TYPE_UINT8, 1, &loan));
    REFUSED("node", dora_node_send_loan(NULL, &loan, own));
    CHECK(loan == NULL); /* it is gone in every case */
    REFUSED("*loan", dora_node_send_loan(node, &loan, own));
    REFUSED("loan", dora_node_send_loan(node, NULL, own));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_loan(NULL, NULL, NULL));
}

static void send_bytes(void) {
    REFUSED("node", dora_node_send_bytes(NULL, "refused", "x", 1, NULL));
    REFUSED("output", dora_node_send_bytes(node, NULL, "x", 1, NULL));
    REFUSED("data", dora_node_send_bytes(node, "refused", NULL, 1, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_bytes(NULL, NULL, NULL, 1, NULL));
    CHECK_STATUS(DORA_OK, dora_node_send_bytes(node, "bytes", NULL, 0, NULL));
}

static void send_values(void) {
    const double value = 1;
    REFUSED("node", dora_node_send_values(NULL, "refused", DORA_TYPE_FLOAT64, &value, 1, NULL));
    REFUSED("output", dora_node_send_values(node, NULL, DORA_TYPE_FLOAT64, &value, 1, NULL));
    for (int32_t type = DORA_TYPE_BOOL; type <= DORA_TYPE_FLOAT64; ++type) {
        REFUSED("values", dora_node_send_values(node, "refused", type, NULL, 1, NULL));
        CHECK_STATUS(DORA_OK, dora_node_send_values(node, "values", type, NULL, 0, NULL));
    }
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_values(NULL, NULL, DORA_TYPE_BOOL, NULL, 1, NULL));
}

static void send_text(void) {
    REFUSED("node", dora_node_send_text(NULL, "refused", "x", 1, NULL));
    REFUSED("output", dora_node_send_text(node, NULL, "x", 1, NULL));
    REFUSED("text", dora_node_send_text(node, "refused", NULL, 1, NULL));
    REFUSED("text", dora_node_send_text(node, "refused", NULL, DORA_NUL_TERMINATED, NULL));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_text(NULL, NULL, NULL, 1, NULL));
    CHECK_STATUS(DORA_OK, dora_node_send_text(node, "text", NULL, 0, NULL));
}

static void send_arrow(void) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    make_pair(&schema, &array);
    REFUSED("node", dora_node_send_arrow(NULL, "refused", &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL && released == 2);
    make_pair(&schema, &array);
    REFUSED("output", dora_node_send_arrow(node, NULL, &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL && released == 2);
    make_pair(&schema, &array);
    REFUSED("schema", dora_node_send_arrow(node, "refused", NULL, &array, NULL));
    CHECK(array.release == NULL && released == 1);
    make_pair(&schema, &array);
    REFUSED("array", dora_node_send_arrow(node, "refused", &schema, NULL, NULL));
    CHECK(schema.release == NULL && released == 1);
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_arrow(NULL, NULL, NULL, NULL, NULL));
    make_pair(&schema, &array);
    CHECK_STATUS(DORA_OK, dora_node_send_arrow(node, "arrow", &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL && released == 2);
}

static const struct null_check table[] = {
    {"dora_abi_version", no_pointers},
    {"dora_bytes_data", bytes_data},
    {"dora_bytes_free", bytes_free},
    {"dora_bytes_size", bytes_size},
    {"dora_diagnostics_set", diagnostics_set},
    {"dora_extension_next_dropped", extension_next_dropped},
    {"dora_last_error", no_pointers},
    {"dora_node_close_output", node_close_output},
    {"dora_node_close_outputs", node_close_outputs},
    {"dora_node_config_json", node_config_json},
    {"dora_node_dataflow_id", node_dataflow_id},
    {"dora_node_descriptor_json", node_descriptor_json},
    {"dora_node_dropped", node_dropped},
    {"dora_node_event_fd", node_event_fd},
    {"dora_node_extension_drop", extension_drop},
    {"dora_node_extension_load", extension_load},
    {"dora_node_extension_request", extension_request},
    {"dora_node_extension_store", extension_store},
    {"dora_node_free", node_free},
    {"dora_node_id", node_id},
    {"dora_node_init", node_init},
    {"dora_node_init_with", node_init_with},
    {"dora_node_input_count", node_input_count},
    {"dora_node_input_id", node_input_id},
    {"dora_node_input_source", node_input_source},
    {"dora_node_input_state", node_input_state},
    {"dora_node_interrupt", node_interrupt},
    {"dora_node_last_value", node_last_value},
    {"dora_node_loan", node_loan},
    {"dora_node_log", node_log},
    {"dora_node_log_with", node_log_with},
    {"dora_node_now_ns", node_now_ns},
    {"dora_node_once", node_once},
    {"dora_node_output_count", node_output_count},
    {"dora_node_output_id", node_output_id},
    {"dora_node_output_transport", node_output_transport},
    {"dora_node_pending", node_pending},
    {"dora_node_pool_size", node_pool_size},
    {"dora_node_read_reply", node_read_reply},
    {"dora_node_restart_count", node_restart_count},
    {"dora_node_send_arrow", send_arrow},
    {"dora_node_send_bytes", send_bytes},
    {"dora_node_send_empty", send_empty},
    {"dora_node_send_loan", send_loan},
    {"dora_node_send_text", send_text},
    {"dora_node_send_values", send_values},
    {"dora_node_zero_copy_threshold", node_zero_copy_threshold},
    {"dora_status_name", no_pointers},
    {"dora_stream_chunk", stream_chunk},
    {"dora_stream_flush", stream_flush},
    {"dora_stream_free", stream_free},
    {"dora_stream_new", stream_new},
    {"dora_stream_next_segment", stream_next_segment},
    {"dora_version_arrow", no_pointers},
    {"dora_version_dora", no_pointers},
    {"dora_version_number", no_pointers},
    {"dora_version_string", no_pointers},
    {"read_dora_event", read_event},
};

int main(void) {
    const size_t functions = sizeof table / sizeof *table;
    is_complete(table, functions, "");
    CHECK_TEXT("", dora_last_error());
    node = must_init();
    read_event();
    dora_event_t *numbers = must_read(node);
    CHECK_TEXT("numbers", dora_event_input_id(numbers));
    own = make_metadata();
    CHECK_STATUS(DORA_OK, dora_stream_new("session", &stream));
    call_each(table, functions);

    dora_stream_free(stream);
    dora_metadata_free(own);
    dora_event_free(numbers);
    dora_node_free(node);
    char *outputs = read_outputs();
    CHECK(strstr(outputs, "refused") == NULL);
    free(outputs);
    return check_result("null_pointers");
}
