/*
 * Gets stuck in sends, because the driver freezes the daemon, and lets go at the send timeout of its options.
 * It sends numbered frames until one times out, tries everything else that needs the sending half, and waits
 * for the daemon to go on, which the driver tells by the file of DORA_TEST_DONE. Then everything works again.
 * Reports:
 *
 *     frame STATUS MS        each frame
 *     accepted COUNT         frames that were taken before one timed out
 *     stuck CALL STATUS MS   each call in the freeze
 *     read STATUS            a read beside them
 *     again CALL STATUS      each call after it
 *
 * With DORA_TEST_LEAVES it ends in the freeze.
 */
#define _POSIX_C_SOURCE 200809L
#include "checksum.h"
#include "options_settings.h"

static dora_status_t send_frame(dora_node_t *node) {
    static uint8_t frame[1 << 18];
    static uint64_t number, state = 1;
    fill_message(frame, sizeof frame, number++, &state);
    return dora_node_send_bytes(node, "out", frame, sizeof frame, NULL);
}

static dora_status_t send_on_spare(dora_node_t *node) {
    return dora_node_send_text(node, "spare", "spare", DORA_NUL_TERMINATED, NULL);
}

static dora_status_t log_line(dora_node_t *node) { return dora_node_log(node, DORA_LOG_INFO, "stuck"); }

static dora_status_t close_spare(dora_node_t *node) { return dora_node_close_output(node, "spare"); }

static dora_status_t close_all(dora_node_t *node) { return dora_node_close_outputs(node); }

static dora_status_t store(dora_node_t *node) {
    return dora_node_extension_store(node, "test", "key", "value", 5);
}

static dora_status_t load(dora_node_t *node) {
    dora_bytes_t *bytes;
    dora_status_t status = dora_node_extension_load(node, "test", "key", 0, &bytes);
    dora_bytes_free(bytes);
    return status;
}

static const struct {
    const char *name;
    dora_status_t (*call)(dora_node_t *);
} calls[] = {
    {"send", send_frame}, {"spare", send_on_spare}, {"log", log_line},     {"store", store},
    {"load", load},       {"close", close_spare},   {"closes", close_all},
};

static dora_status_t report_call(const char *what, dora_status_t (*call)(dora_node_t *), dora_node_t *node) {
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    dora_status_t status = call(node);
    report("%s %s %.0f %s", what, dora_status_name(status), ms_since(start),
           status < 0 ? dora_last_error() : "");
    return status;
}

static void report_calls(const char *when, dora_node_t *node) {
    char what[32];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        snprintf(what, sizeof what, "%s %s", when, calls[i].name);
        report_call(what, calls[i].call, node);
    }
}

static void send_until_stuck(dora_node_t *node) {
    int accepted = 0;
    while (report_call("frame", send_frame, node) == DORA_OK)
        accepted++;
    report("accepted %d", accepted);
}

static void read_beside(dora_node_t *node) {
    dora_event_t *event;
    dora_status_t status = read_dora_event(node, INT64_C(200000000), &event);
    report_status("read", status);
    dora_event_free(event);
}

int main(void) {
    dora_node_t *node = begin_with_settings();
    const char *done = getenv("DORA_TEST_DONE");
    expect_ok("send", send_on_spare(node));
    report("ready");
    wait_for_driver();
    send_until_stuck(node);
    report_calls("stuck", node);
    read_beside(node);
    report("waiting");
    if (!getenv("DORA_TEST_LEAVES")) {
        while (done && access(done, F_OK) != 0)
            sleep_ms(5);
        report_calls("again", node);
    }
    free_node(node);
    report("end");
    return 0;
}
