/*
 * A node that reports what it is: "config JSON", "descriptor JSON", "inputs COUNT", "input ID SOURCE" of
 * each, "outputs COUNT", "output ID" of each, "threshold BYTES" and "run RESTART_COUNT". With DORA_TEST_FAILS
 * its first run ends in failure.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static void report_inputs(const dora_node_t *node) {
    size_t count = dora_node_input_count(node);
    report("inputs %zu", count);
    for (size_t i = 0; i < count; i++)
        report("input %s %s", dora_node_input_id(node, i), dora_node_input_source(node, i));
    if (dora_node_input_id(node, count) || dora_node_input_source(node, count) ||
        dora_node_input_id(node, SIZE_MAX) || dora_node_input_source(node, SIZE_MAX))
        report("wrong: there is an input beyond the last");
}

static void report_outputs(const dora_node_t *node) {
    size_t count = dora_node_output_count(node);
    report("outputs %zu", count);
    for (size_t i = 0; i < count; i++)
        report("output %s", dora_node_output_id(node, i));
    if (dora_node_output_id(node, count) || dora_node_output_id(node, SIZE_MAX))
        report("wrong: there is an output beyond the last");
}

int main(void) {
    dora_node_t *node = init_node();
    uint32_t restarts = dora_node_restart_count(node);
    report("config %s", dora_node_config_json(node));
    report("descriptor %s", dora_node_descriptor_json(node));
    report_inputs(node);
    report_outputs(node);
    report("threshold %llu", (unsigned long long)dora_node_zero_copy_threshold(node));
    report("run %u", (unsigned)restarts);
    free_node(node);
    return getenv("DORA_TEST_FAILS") && restarts == 0;
}
