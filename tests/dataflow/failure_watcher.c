/*
 * Reports each event but a tick: "event KIND" and what it carries, "FIELD=VALUE" each. It ends when it is
 * stopped, or when there is the file of DORA_TEST_DONE, for which its input "tick" is there. At first and
 * behind each event it reports the last value of its input "in", "last STATUS VALUE", which it keeps with
 * DORA_TEST_KEEPS.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <inttypes.h>

/* The number of a message, its time, and the bits of each of its floats. */
static const char *describe(const dora_event_t *event, char *text, size_t size) {
    const double *values;
    size_t count, length;
    int64_t number = -1;
    if (dora_event_float64(event, &values, &count) != DORA_OK)
        return "-";
    expect_ok("number", dora_metadata_get_integer(dora_event_metadata(event), "number", &number));
    length = (size_t)snprintf(text, size, "%" PRId64 "@%" PRId64, number, dora_event_timestamp_ns(event));
    for (size_t i = 0; i < count && length < size; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        length += (size_t)snprintf(text + length, size - length, ":%016" PRIx64, bits);
    }
    return text;
}

static void append(char *line, size_t size, const char *name, const char *value) {
    size_t length = strlen(line);
    if (value)
        snprintf(line + length, size - length, "|%s=%s", name, value);
    /* A report has a line for each event, and what dora says of a failure may have many. */
    for (char *at = line + length; *at; at++)
        if (*at == '\n')
            *at = ' ';
}

static void report_event(const dora_event_t *event) {
    char line[4096] = "", value[256];
    append(line, sizeof line, "input", dora_event_input_id(event));
    append(line, sizeof line, "node", dora_event_node_id(event));
    append(line, sizeof line, "message", dora_event_message(event));
    for (size_t i = 0; i < dora_event_affected_count(event); i++)
        append(line, sizeof line, "affected", dora_event_affected_input(event, i));
    if (dora_event_kind(event) == DORA_EVENT_STOP)
        append(line, sizeof line, "cause",
               dora_event_stop_cause(event) == DORA_STOP_MANUAL ? "manual" : "other");
    if (dora_event_kind(event) == DORA_EVENT_INPUT)
        append(line, sizeof line, "value", describe(event, value, sizeof value));
    report("event %s%s", dora_event_kind_name(dora_event_kind(event)), line);
}

static void report_last(dora_node_t *node) {
    char value[256] = "-";
    dora_event_t *event;
    dora_status_t status = dora_node_last_value(node, "in", &event);
    report("last %s %s", dora_status_name(status), event ? describe(event, value, sizeof value) : "-");
    dora_event_free(event);
}

static dora_node_t *begin(void) {
    dora_node_options_t *options;
    dora_node_t *node;
    expect_ok("options", dora_node_options_new(&options));
    expect_ok("keep", dora_node_options_set_keep_last_values(options, getenv("DORA_TEST_KEEPS") != NULL));
    expect_ok("init", dora_node_init_with(options, &node));
    dora_node_options_free(options);
    return node;
}

int main(void) {
    dora_node_t *node = begin();
    dora_event_t *event;
    const char *done = getenv("DORA_TEST_DONE");
    report_last(node);
    report("ready");
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        const char *input = dora_event_input_id(event);
        int tick = dora_event_kind(event) == DORA_EVENT_INPUT && strcmp(input, "tick") == 0;
        if (!tick) {
            report_event(event);
            report_last(node);
        }
        dora_event_free(event);
        if (tick && done && access(done, F_OK) == 0)
            break;
    }
    free_node(node);
    report("end");
    return 0;
}
