/*
 * How dora's threads are to run: what the setters refuse, and what turns out when a node begins.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

#include <sched.h>
#include <unistd.h>

/* CPU_SETSIZE, which only GNU's headers give. */
enum { CPUS_AT_MOST = 1024 };

static bool error_has(const char *part) {
    if (strstr(dora_last_error(), part))
        return true;
    fprintf(stderr, "    the error lacks \"%s\": %s\n", part, dora_last_error());
    return false;
}

static void policies(void) {
    dora_node_options_t *options = must_make_options();
    CHECK_STATUS(DORA_OK, dora_node_options_set_thread_policy(options, SCHED_OTHER, 0));
    CHECK_STATUS(DORA_OK, dora_node_options_set_thread_policy(options, SCHED_FIFO, 1));
    CHECK_STATUS(DORA_OK, dora_node_options_set_thread_policy(options, SCHED_RR, 99));
    const int32_t none[] = {-1, 77, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_options_set_thread_policy(options, none[i], 0));
        CHECK(error_names("policy") && error_has("SCHED_OTHER"));
    }
    const int32_t too_low[] = {0, -1, INT32_MIN}, too_high[] = {100, INT32_MAX};
    for (size_t i = 0; i < sizeof too_low / sizeof *too_low; ++i)
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_options_set_thread_policy(options, SCHED_FIFO, too_low[i]));
    for (size_t i = 0; i < sizeof too_high / sizeof *too_high; ++i)
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_options_set_thread_policy(options, SCHED_RR, too_high[i]));
    CHECK(error_names("priority") && error_has("1 to 99"));
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_options_set_thread_policy(options, SCHED_OTHER, 1));
    CHECK(error_names("priority") && error_has("0 to 0"));
    dora_node_options_free(options);
}

static void processors(void) {
    dora_node_options_t *options = must_make_options();
    const int32_t wrong[] = {-1, CPUS_AT_MOST, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_options_set_thread_cpus(options, &wrong[i], 1));
        CHECK(error_names("cpus") && error_has("0 to 1023"));
    }
    dora_node_options_free(options);
}

/* A processor that is none is refused when the node begins, and is forgotten with the next choice. */
static void not_there(void) {
    dora_node_options_t *options = must_make_options();
    dora_node_t *node = GARBAGE_POINTER(dora_node_t *);
    const int32_t last = CPUS_AT_MOST - 1;
    set_script(options, MESSAGE("in", 1), 0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_thread_cpus(options, &last, 1));
    CHECK_STATUS(DORA_ERROR_INIT, dora_node_init_with(options, &node));
    CHECK(node == NULL && error_has("1023") && error_has("allowed to this process"));

    CHECK_STATUS(DORA_OK, dora_node_options_set_thread_cpus(options, NULL, 0));
    node = must_init_with(options);
    read_message(node, "in", 1);
    dora_node_free(node);
    dora_node_options_free(options);
}

int main(void) {
    policies();
    processors();
    if (sysconf(_SC_NPROCESSORS_CONF) < CPUS_AT_MOST)
        not_there();
    return check_result("options_threads");
}
