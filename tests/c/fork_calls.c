/*
 * In a child of a process that has had a node, every call is refused, and its outputs are cleared. The lines
 * below stand in the order of the header, one for each function that returns a status.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "forked.h"

static struct {
    dora_node_options_t *options;
    dora_node_t *node;
    dora_event_t *event;
    dora_metadata_t *metadata;
    dora_stream_t *stream;
    dora_loan_t *loan;
} made;

static bool is_refused(dora_status_t status) {
    return status == DORA_ERROR_UNSUPPORTED && strstr(dora_last_error(), "forked off one that is a node") &&
           strstr(dora_last_error(), "exec");
}

#define REFUSED(call) CHECK(is_refused(call))

/* Outputs, which are garbage before each call. */
static struct {
    void *object;
    const void *values;
    const uint8_t *bytes;
    const char *text;
    size_t size, offset;
    uint64_t total;
    int64_t integer;
    double number;
    int32_t word;
    bool truth;
} out;

/* A call that gives an object, which is none. */
#define REFUSED_OBJECT(type, call)                                                                           \
    do {                                                                                                     \
        type *object = GARBAGE_POINTER(type *);                                                              \
        REFUSED(call);                                                                                       \
        CHECK(object == NULL);                                                                               \
    } while (0)

static void options_and_node(void) {
    const int32_t cpu = 0;
    REFUSED(dora_diagnostics_set(DORA_LOG_INFO, NULL, NULL));
    REFUSED_OBJECT(dora_node_options_t, dora_node_options_new(&object));
    REFUSED(dora_node_options_set_node_id(made.options, "id"));
    REFUSED(dora_node_options_set_daemon_port(made.options, 1));
    REFUSED(dora_node_options_set_interactive(made.options, 0));
    REFUSED(dora_node_options_set_init_timeout_ns(made.options, 1));
    REFUSED(dora_node_options_set_send_timeout_ns(made.options, 1));
    REFUSED(dora_node_options_set_pool_size(made.options, 1));
    REFUSED(dora_node_options_set_zero_copy_threshold(made.options, 1));
    REFUSED(dora_node_options_set_keep_last_values(made.options, 1));
    REFUSED(dora_node_options_set_fast_lane(made.options, 1));
    REFUSED(dora_node_options_set_test_inputs(made.options, "path"));
    REFUSED(dora_node_options_set_test_inputs_json(made.options, "{}", 2));
    REFUSED(dora_node_options_set_test_outputs(made.options, "path"));
    REFUSED(dora_node_options_set_thread_policy(made.options, 0, 0));
    REFUSED(dora_node_options_set_thread_cpus(made.options, &cpu, 1));
    REFUSED_OBJECT(dora_node_t, dora_node_init(&object));
    REFUSED_OBJECT(dora_node_t, dora_node_init_with(made.options, &object));
    REFUSED(dora_node_output_transport(made.node, "out", &out.word));
    REFUSED(dora_node_close_output(made.node, "out"));
    REFUSED(dora_node_close_outputs(made.node));
    REFUSED(dora_node_log(made.node, DORA_LOG_INFO, "line"));
    REFUSED(dora_node_log_with(made.node, DORA_LOG_INFO, "target", "line", made.metadata));
}

static void receiving(void) {
    REFUSED_OBJECT(dora_event_t, read_dora_event(made.node, 0, &object));
    REFUSED_OBJECT(dora_event_t, read_dora_event(made.node, DORA_FOREVER, &object));
    REFUSED_OBJECT(dora_event_t, dora_node_read_reply(made.node, "id", NULL, DORA_FOREVER, &object));
    REFUSED(dora_node_event_fd(made.node, &out.word));
    CHECK(out.word == -1);
    REFUSED(dora_node_pending(made.node, &out.truth));
    REFUSED(dora_node_dropped(made.node, NULL, &out.total));
    REFUSED(dora_node_input_state(made.node, "in", &out.word));
    REFUSED_OBJECT(dora_event_t, dora_node_last_value(made.node, "in", &object));
}

static void data(void) {
    const int32_t *values;
    struct ArrowSchema schema;
    struct ArrowArray array;
    REFUSED(dora_event_values(made.event, DORA_TYPE_INT32, &out.values, &out.size));
    CHECK(out.values == NULL && out.size == 0);
    REFUSED(dora_event_values_nullable(made.event, DORA_TYPE_INT32, &out.values, &out.bytes, &out.offset,
                                       &out.size));
    REFUSED(dora_event_bits(made.event, &out.bytes, &out.offset, &out.size));
    REFUSED(dora_event_text(made.event, 0, &out.text, &out.size));
    REFUSED(dora_event_bytes(made.event, 0, &out.bytes, &out.size));
    REFUSED(dora_event_raw(made.event, &out.values, &out.size));
    REFUSED(dora_event_int32(made.event, &values, &out.size));
    REFUSED(dora_event_arrow(made.event, &schema, &array));
    CHECK(schema.release == NULL && array.release == NULL);
}

static void metadata(void) {
    const int64_t integer = 1;
    const double number = 1;
    const char *const text = "text";
    const int64_t *integers;
    const double *numbers;
    REFUSED_OBJECT(dora_metadata_t, dora_metadata_new(&object));
    REFUSED_OBJECT(dora_metadata_t, dora_metadata_copy(made.metadata, &object));
    REFUSED(dora_metadata_get_bool(made.metadata, "key", &out.truth));
    REFUSED(dora_metadata_get_integer(made.metadata, "key", &out.integer));
    REFUSED(dora_metadata_get_float(made.metadata, "key", &out.number));
    REFUSED(dora_metadata_get_timestamp_ns(made.metadata, "key", &out.integer));
    REFUSED(dora_metadata_get_string(made.metadata, "key", &out.text, &out.size));
    REFUSED(dora_metadata_get_integers(made.metadata, "key", &integers, &out.size));
    REFUSED(dora_metadata_get_floats(made.metadata, "key", &numbers, &out.size));
    REFUSED(dora_metadata_get_strings_count(made.metadata, "key", &out.size));
    REFUSED(dora_metadata_get_strings_at(made.metadata, "key", 0, &out.text, &out.size));
    REFUSED(dora_metadata_set_bool(made.metadata, "key", 1));
    REFUSED(dora_metadata_set_integer(made.metadata, "key", 1));
    REFUSED(dora_metadata_set_float(made.metadata, "key", 1));
    REFUSED(dora_metadata_set_timestamp_ns(made.metadata, "key", 1));
    REFUSED(dora_metadata_set_string(made.metadata, "key", "value", DORA_NUL_TERMINATED));
    REFUSED(dora_metadata_set_integers(made.metadata, "key", &integer, 1));
    REFUSED(dora_metadata_set_floats(made.metadata, "key", &number, 1));
    REFUSED(dora_metadata_set_strings(made.metadata, "key", &text, NULL, 1));
    REFUSED(dora_metadata_merge(made.metadata, dora_event_metadata(made.event)));
    REFUSED(dora_metadata_remove(made.metadata, "key"));
}

static int released;
static void release_schema(struct ArrowSchema *schema) { schema->release = NULL, ++released; }
static void release_array(struct ArrowArray *array) { array->release = NULL, ++released; }

/* What a call takes is gone for the caller, and otherwise left as it is: it may be the parent's too. */
static void sending(void) {
    const int32_t number = 1;
    struct ArrowSchema schema;
    struct ArrowArray array;
    memset(&schema, 0, sizeof schema);
    memset(&array, 0, sizeof array);
    schema.format = "n";
    schema.release = release_schema;
    array.release = release_array;
    REFUSED(dora_node_send_empty(made.node, "out", NULL));
    REFUSED(dora_node_send_bytes(made.node, "out", "bytes", 5, made.metadata));
    REFUSED(dora_node_send_values(made.node, "out", DORA_TYPE_INT32, &number, 1, NULL));
    REFUSED(dora_node_send_text(made.node, "out", "text", DORA_NUL_TERMINATED, NULL));
    REFUSED(dora_node_send_arrow(made.node, "out", &schema, &array, NULL));
    CHECK(schema.release == NULL && array.release == NULL && released == 0);
    REFUSED_OBJECT(dora_loan_t, dora_node_loan(made.node, "out", DORA_TYPE_UINT8, 10, &object));
    REFUSED(dora_loan_set_length(made.loan, 1));
    dora_loan_t *loan = made.loan;
    REFUSED(dora_node_send_loan(made.node, &loan, NULL));
    CHECK(loan == NULL);
}

static void patterns(void) {
    char id[DORA_ID_SIZE];
    REFUSED(dora_metadata_start_request(made.metadata, id, sizeof id));
    REFUSED(dora_metadata_start_goal(made.metadata, id, sizeof id));
    REFUSED(dora_metadata_answer(made.metadata, made.event));
    REFUSED(dora_metadata_set_goal_status(made.metadata, DORA_GOAL_SUCCEEDED));
    REFUSED_OBJECT(dora_stream_t, dora_stream_new(NULL, &object));
    REFUSED(dora_stream_chunk(made.stream, 0, made.metadata));
    REFUSED(dora_stream_flush(made.stream, made.metadata));
    REFUSED(dora_stream_next_segment(made.stream));
    REFUSED(dora_node_extension_store(made.node, "ns", "key", "value", 5));
    REFUSED(dora_node_extension_drop(made.node, "ns", "key"));
    REFUSED_OBJECT(dora_bytes_t, dora_node_extension_load(made.node, "ns", "key", 0, &object));
    REFUSED_OBJECT(dora_bytes_t, dora_node_extension_request(made.node, "ns", "request", 7, &object));
    REFUSED_OBJECT(dora_bytes_t, dora_extension_next_dropped("ns", &object));
}

/* What cannot fail gives what it documents for NULL, or does nothing. */
static void answers(void) {
    CHECK(dora_event_kind(made.event) == DORA_EVENT_UNKNOWN && dora_event_input_id(made.event) == NULL);
    CHECK(dora_node_id(made.node) == NULL && dora_node_input_count(made.node) == 0);
    CHECK(dora_loan_data(made.loan) == NULL && dora_metadata_count(made.metadata) == 0);
    CHECK_TEXT("DORA_ERROR_UNSUPPORTED", dora_status_name(DORA_ERROR_UNSUPPORTED));
    dora_metadata_clear(made.metadata);
    dora_node_interrupt(made.node);
    dora_loan_free(made.loan);
    dora_stream_free(made.stream);
    dora_metadata_free(made.metadata);
    dora_event_free(made.event);
    dora_node_options_free(made.options);
    dora_node_free(made.node);
}

static void begins_again(void) { REFUSED_OBJECT(dora_node_t, dora_node_init(&object)); }

static void every_call(void) {
    options_and_node();
    receiving();
    data();
    metadata();
    sending();
    patterns();
    answers();
}

int main(void) {
    made.options = must_make_options();
    set_script(made.options, MESSAGE("in", 1), 0);
    made.node = must_init_with(made.options);
    made.event = must_read(made.node);
    CHECK_STATUS(DORA_OK, dora_metadata_new(&made.metadata));
    CHECK_STATUS(DORA_OK, dora_stream_new(NULL, &made.stream));
    CHECK_STATUS(DORA_OK, dora_node_loan(made.node, "out", DORA_TYPE_UINT8, 10, &made.loan));

    memset(&out, 0xA5, sizeof out);
    in_child(every_call);

    is_message(made.event, "in", 1);
    CHECK_STATUS(DORA_OK, dora_metadata_set_bool(made.metadata, "key", 1));
    CHECK_STATUS(DORA_OK, dora_node_send_loan(made.node, &made.loan, made.metadata));
    dora_stream_free(made.stream);
    dora_metadata_free(made.metadata);
    dora_event_free(made.event);
    dora_node_free(made.node);
    dora_node_options_free(made.options);
    in_child(begins_again); /* some threads stay for the life of the process, and so does the rule */
    return check_result("fork_calls");
}
