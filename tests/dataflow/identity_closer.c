/*
 * Closes its outputs while it lives. It sends the name of the step on each of "first", "second" and "third"
 * and closes "first"; when the driver has made the file of DORA_TEST_GO, it closes the others. It ends when
 * there is the file of DORA_TEST_DONE. Reports "STEP OUTPUT STATUS" for every call.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static const char *const outputs[] = {"first", "second", "third"};

static void report_step(const char *step, const char *output, dora_status_t status) {
    char what[64];
    snprintf(what, sizeof what, "%s %s", step, output);
    report_status(what, status);
}

static void send_on_each(dora_node_t *node, const char *step) {
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        report_step(step, outputs[i], dora_node_send_text(node, outputs[i], step, DORA_NUL_TERMINATED, NULL));
}

/* Sends on a closed output in the forms that send_on_each leaves out. */
static void send_every_form(dora_node_t *node, const char *output) {
    const float number = 1.5F;
    report_step("empty", output, dora_node_send_empty(node, output, NULL));
    report_step("bytes", output, dora_node_send_bytes(node, output, "abc", 3, NULL));
    report_step("values", output, dora_node_send_values(node, output, DORA_TYPE_FLOAT32, &number, 1, NULL));
}

int main(void) {
    dora_node_t *node = init_node();
    const char *done = getenv("DORA_TEST_DONE");
    send_on_each(node, "open");
    report_step("close", "wrong", dora_node_close_output(node, "wrong"));
    report_step("close", "two-words", dora_node_close_output(node, "two words"));
    report_step("close", "null", dora_node_close_output(node, NULL));
    report_step("close", "first", dora_node_close_output(node, "first"));
    report_step("close", "first", dora_node_close_output(node, "first"));
    send_on_each(node, "one-closed");
    send_every_form(node, "first");
    report("outputs %zu", dora_node_output_count(node));

    wait_for_driver();
    report_step("close", "all", dora_node_close_outputs(node));
    report_step("close", "all", dora_node_close_outputs(node));
    report_step("close", "second", dora_node_close_output(node, "second"));
    send_on_each(node, "all-closed");
    report("outputs %zu", dora_node_output_count(node));
    report("closed");
    while (done && access(done, F_OK) != 0)
        sleep_ms(5);
    free_node(node);
    return 0;
}
