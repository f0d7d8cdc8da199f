/*
 * Receives chunks on "in" and reports each as "chunk NUMBER SESSION SEGMENT SEQ FIN FLUSH OWN", with a dash
 * for what is not there; answers each on "answer". With DORA_TEST_GO it reads nothing until there is that
 * file. With DORA_TEST_WAITED it has a wait for a reply meanwhile that nobody answers, until there is that
 * file. In the end it reports "dropped TOTAL".
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdbool.h>

static dora_node_t *node;

static void add(char *line, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(char *line, size_t size, const char *format, ...) {
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, size - length, format, arguments);
    va_end(arguments);
}

static void add_text(char *line, size_t size, const dora_metadata_t *metadata, const char *key) {
    const char *text;
    add(line, size, " %s", dora_metadata_get_string(metadata, key, &text, NULL) == DORA_OK ? text : "-");
}

static void add_integer(char *line, size_t size, const dora_metadata_t *metadata, const char *key) {
    int64_t value;
    if (dora_metadata_get_integer(metadata, key, &value) == DORA_OK)
        add(line, size, " %lld", (long long)value);
    else
        add(line, size, " -");
}

static void add_bool(char *line, size_t size, const dora_metadata_t *metadata, const char *key) {
    bool value;
    bool is_there = dora_metadata_get_bool(metadata, key, &value) == DORA_OK;
    add(line, size, " %s", !is_there ? "-" : value ? "true" : "false");
}

static void report_chunk(const dora_event_t *event) {
    char line[256] = "";
    const dora_metadata_t *metadata = dora_event_metadata(event);
    const int32_t *number;
    expect_ok("number", dora_event_int32(event, &number, NULL));
    add_text(line, sizeof line, metadata, DORA_KEY_SESSION_ID);
    add_integer(line, sizeof line, metadata, DORA_KEY_SEGMENT_ID);
    add_integer(line, sizeof line, metadata, DORA_KEY_SEQ);
    add_bool(line, sizeof line, metadata, DORA_KEY_FIN);
    add_bool(line, sizeof line, metadata, DORA_KEY_FLUSH);
    add_text(line, sizeof line, metadata, "own");
    report("chunk %d%s", (int)*number, line);
}

/* Awaits a reply in vain: what comes is kept. */
static void wait_meanwhile(const char *until) {
    dora_event_t *event;
    dora_status_t status = DORA_TIMEOUT;
    while (status == DORA_TIMEOUT && access(until, F_OK) != 0)
        status = dora_node_read_reply(node, "never", NULL, INT64_C(20000000), &event);
    report_status("waited", status);
}

int main(void) {
    dora_event_t *event;
    uint64_t total;
    node = init_node();
    if (getenv("DORA_TEST_WAITED"))
        wait_meanwhile(getenv("DORA_TEST_WAITED"));
    wait_for_driver();
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK) {
        if (dora_event_kind(event) == DORA_EVENT_INPUT) {
            report_chunk(event);
            expect_ok("answer", dora_node_send_empty(node, "answer", NULL));
        }
        dora_event_free(event);
    }
    expect_ok("dropped", dora_node_dropped(node, "in", &total));
    report("dropped %llu", (unsigned long long)total);
    free_node(node);
    return 0;
}
