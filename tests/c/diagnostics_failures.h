/*
 * Failures for the tests of diagnostics, each with a mark in its message by which it is known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_DIAGNOSTICS_FAILURES_H
#define DORA_TESTS_DIAGNOSTICS_FAILURES_H

#include "check.h"

/* A call that fails on its argument. */
static inline void fail(const char *mark) {
    char id[64];
    dora_node_options_t *options = NULL;
    snprintf(id, sizeof id, "no id: %s", mark);
    CHECK_STATUS(DORA_OK, dora_node_options_new(&options));
    CHECK_STATUS(DORA_ERROR_INVALID_ID, dora_node_options_set_node_id(options, id));
    CHECK(strstr(dora_last_error(), mark) != NULL);
    dora_node_options_free(options);
}

/* A call that fails, for threads, which must not check. */
static inline void fail_quietly(void) {
    if (dora_metadata_new(NULL) == DORA_OK)
        abort();
}

/* A node that cannot be set up. */
static inline void fail_init(const char *mark) {
    char path[64];
    dora_node_t *node = NULL;
    dora_node_options_t *options = NULL;
    snprintf(path, sizeof path, "/no/such/%s.json", mark);
    CHECK_STATUS(DORA_OK, dora_node_options_new(&options));
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs(options, path));
    CHECK_STATUS(DORA_ERROR_INIT, dora_node_init_with(options, &node));
    CHECK(strstr(dora_last_error(), mark) != NULL);
    dora_node_options_free(options);
}

#endif /* DORA_TESTS_DIAGNOSTICS_FAILURES_H */
