/*
 * NULL for every pointer of the functions of options; see null_pointers.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "null_pointers.h"

static dora_node_options_t *options;

static void options_new(void) { REFUSED("out", dora_node_options_new(NULL)); }
static void options_free(void) { dora_node_options_free(NULL); }

/* A function that sets refuses to do without options; the arguments behind them follow. */
#define SETS(function, ...) REFUSED("options", function(NULL, __VA_ARGS__))

static void set_daemon_port(void) { SETS(dora_node_options_set_daemon_port, 1); }
static void set_fast_lane(void) { SETS(dora_node_options_set_fast_lane, 1); }
static void set_init_timeout_ns(void) { SETS(dora_node_options_set_init_timeout_ns, 1); }
static void set_interactive(void) { SETS(dora_node_options_set_interactive, 0); }
static void set_keep_last_values(void) { SETS(dora_node_options_set_keep_last_values, 1); }
static void set_pool_size(void) { SETS(dora_node_options_set_pool_size, 1); }
static void set_send_timeout_ns(void) { SETS(dora_node_options_set_send_timeout_ns, 1); }
static void set_thread_policy(void) { SETS(dora_node_options_set_thread_policy, 0, 0); }
static void set_zero_copy_threshold(void) { SETS(dora_node_options_set_zero_copy_threshold, 1); }

/* One that sets a text takes it back for NULL. */
#define TAKES_BACK(function)                                                                                 \
    do {                                                                                                     \
        SETS(function, "text");                                                                              \
        CHECK_STATUS(DORA_ERROR_NULL_POINTER, function(NULL, NULL));                                         \
        CHECK_STATUS(DORA_OK, function(options, NULL));                                                      \
    } while (0)

static void set_node_id(void) { TAKES_BACK(dora_node_options_set_node_id); }
static void set_test_inputs(void) { TAKES_BACK(dora_node_options_set_test_inputs); }
static void set_test_outputs(void) { TAKES_BACK(dora_node_options_set_test_outputs); }

static void set_thread_cpus(void) {
    SETS(dora_node_options_set_thread_cpus, NULL, 0);
    REFUSED("cpus", dora_node_options_set_thread_cpus(options, NULL, 1));
    CHECK_STATUS(DORA_OK, dora_node_options_set_thread_cpus(options, NULL, 0));
}

static void set_test_inputs_json(void) {
    SETS(dora_node_options_set_test_inputs_json, "{}", 2);
    REFUSED("json", dora_node_options_set_test_inputs_json(options, NULL, 0));
    REFUSED("json", dora_node_options_set_test_inputs_json(options, NULL, 1));
    REFUSED("json", dora_node_options_set_test_inputs_json(options, NULL, DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_options_set_test_inputs_json(NULL, NULL, 1));
}

static const struct null_check table[] = {
    {"dora_node_options_free", options_free},
    {"dora_node_options_new", options_new},
    {"dora_node_options_set_daemon_port", set_daemon_port},
    {"dora_node_options_set_fast_lane", set_fast_lane},
    {"dora_node_options_set_init_timeout_ns", set_init_timeout_ns},
    {"dora_node_options_set_interactive", set_interactive},
    {"dora_node_options_set_keep_last_values", set_keep_last_values},
    {"dora_node_options_set_node_id", set_node_id},
    {"dora_node_options_set_pool_size", set_pool_size},
    {"dora_node_options_set_send_timeout_ns", set_send_timeout_ns},
    {"dora_node_options_set_test_inputs", set_test_inputs},
    {"dora_node_options_set_test_inputs_json", set_test_inputs_json},
    {"dora_node_options_set_test_outputs", set_test_outputs},
    {"dora_node_options_set_thread_cpus", set_thread_cpus},
    {"dora_node_options_set_thread_policy", set_thread_policy},
    {"dora_node_options_set_zero_copy_threshold", set_zero_copy_threshold},
};

int main(void) {
    const size_t functions = sizeof table / sizeof *table;
    is_complete(table, functions, "dora_node_options_");
    CHECK_STATUS(DORA_OK, dora_node_options_new(&options));
    call_each(table, functions);

    dora_node_options_free(options);
    return check_result("null_pointers_options");
}
