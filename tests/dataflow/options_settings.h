/* A node whose options the driver chooses, through its environment. */
#ifndef DORA_TEST_OPTIONS_SETTINGS_H
#define DORA_TEST_OPTIONS_SETTINGS_H

#include "support.h"

/* The threads of dora: "POLICY PRIORITY", and "CPU CPU …". */
static inline void set_threads(dora_node_options_t *options) {
    const char *policy = getenv("DORA_TEST_THREAD_POLICY"), *cpus = getenv("DORA_TEST_THREAD_CPUS");
    int32_t numbers[64];
    size_t count = 0;
    char *end;
    if (policy) {
        long number = strtol(policy, &end, 10);
        report_status("thread_policy", dora_node_options_set_thread_policy(options, (int32_t)number,
                                                                           (int32_t)strtol(end, NULL, 10)));
    }
    for (; cpus && *cpus && count < sizeof numbers / sizeof *numbers; cpus = end)
        numbers[count++] = (int32_t)strtol(cpus, &end, 10);
    if (cpus)
        report_status("thread_cpus", dora_node_options_set_thread_cpus(options, numbers, count));
}

static inline dora_node_options_t *options_from_settings(void) {
    dora_node_options_t *options;
    expect_ok("options", dora_node_options_new(&options));
    if (getenv("DORA_TEST_INIT_TIMEOUT_MS"))
        expect_ok("init timeout", dora_node_options_set_init_timeout_ns(
                                      options, setting("DORA_TEST_INIT_TIMEOUT_MS", 0) * INT64_C(1000000)));
    if (getenv("DORA_TEST_SEND_TIMEOUT_MS"))
        expect_ok("send timeout", dora_node_options_set_send_timeout_ns(
                                      options, setting("DORA_TEST_SEND_TIMEOUT_MS", 0) * INT64_C(1000000)));
    if (getenv("DORA_TEST_POOL_SIZE"))
        expect_ok("pool size",
                  dora_node_options_set_pool_size(options, (uint64_t)setting("DORA_TEST_POOL_SIZE", 0)));
    if (getenv("DORA_TEST_THRESHOLD"))
        expect_ok("threshold", dora_node_options_set_zero_copy_threshold(
                                   options, (uint64_t)setting("DORA_TEST_THRESHOLD", 0)));
    if (getenv("DORA_TEST_NODE_ID"))
        expect_ok("id", dora_node_options_set_node_id(options, getenv("DORA_TEST_NODE_ID")));
    if (getenv("DORA_TEST_DAEMON_PORT"))
        expect_ok("port",
                  dora_node_options_set_daemon_port(options, (uint16_t)setting("DORA_TEST_DAEMON_PORT", 0)));
    set_threads(options);
    return options;
}

/* Begins the node, and reports "init STATUS SENTENCE", "init_ms TIME", "pool BYTES" and "threshold BYTES". */
static inline dora_node_t *begin_with_settings(void) {
    static char place;
    /* Anything that is not NULL: a failure must overwrite it. */
    dora_node_t *node = (dora_node_t *)(void *)&place;
    dora_node_options_t *options = options_from_settings();
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    report_status("init", dora_node_init_with(options, &node));
    report("init_ms %.0f", ms_since(start));
    report("node %s", node ? "set" : "NULL");
    report("pool %llu", (unsigned long long)dora_node_pool_size(node));
    report("threshold %llu", (unsigned long long)dora_node_zero_copy_threshold(node));
    dora_node_options_free(options);
    return node;
}

#endif
