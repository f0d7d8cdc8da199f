/* How a node of the lane begins; what its process is to others, for tests that nothing of it changes; and the
 * trace that outlives a kill. */
#ifndef DORA_TEST_LANE_PROCESS_H
#define DORA_TEST_LANE_PROCESS_H

#include "lane_frame.h"
#include "support.h"

#include <fcntl.h>
#include <inttypes.h>

/* Begins the node, with the option that DORA_TEST_LANE_OPTION sets, if any, and otherwise as the environment
 * says. */
static inline dora_node_t *init_lane_node(void) {
    dora_node_options_t *options;
    dora_node_t *node;
    expect_ok("options", dora_node_options_new(&options));
    if (getenv("DORA_TEST_LANE_OPTION"))
        expect_ok("option",
                  dora_node_options_set_fast_lane(options, (int32_t)setting("DORA_TEST_LANE_OPTION", 0)));
    expect_ok("init", dora_node_init_with(options, &node));
    dora_node_options_free(options);
    return node;
}

/* Reports "process WHEN UMASK CAUGHT IGNORED BLOCKED", of the signals the masks that the kernel tells. */
static inline void report_process(const char *when) {
    char line[256], found[4][32] = {"-", "-", "-", "-"};
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        sscanf(line, "Umask: %31s", found[0]);
        sscanf(line, "SigCgt: %31s", found[1]);
        sscanf(line, "SigIgn: %31s", found[2]);
        sscanf(line, "SigBlk: %31s", found[3]);
    }
    if (status)
        fclose(status);
    report("process %s %s %s %s %s", when, found[0], found[1], found[2], found[3]);
}

/*
 * Adds a record of sixteen bytes to the file that DORA_TEST_TRACE names, if any: the first eight bytes of a
 * message, the restarts of this node, and how many messages it knows to be lost. A single write: a kill comes
 * before it or behind it.
 */
static inline void trace(struct lane_head head, uint32_t run, uint64_t lost) {
    static int file = -1;
    uint8_t record[16] = {0};
    const char *path = getenv("DORA_TEST_TRACE");
    if (!path)
        return;
    if (file < 0)
        file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    uint16_t run_16 = (uint16_t)run;
    uint64_t lost_48 = lost;
    memcpy(record, &head.number, 4);
    memcpy(record + 4, &head.incarnation, 2);
    record[6] = head.output;
    memcpy(record + 8, &run_16, 2);
    memcpy(record + 10, &lost_48, 6); /* the lower bytes, on the machines that these tests run on */
    if (file < 0 || write(file, record, sizeof record) != (ssize_t)sizeof record)
        abort();
}

/* Whether this run is one of the first DORA_TEST_FAILURES, and has come to message DORA_TEST_FAILS_AT. */
static inline bool fails_now(dora_node_t *node, uint64_t messages) {
    return (long)dora_node_restart_count(node) < setting("DORA_TEST_FAILURES", 0) &&
           messages == (uint64_t)setting("DORA_TEST_FAILS_AT", 0);
}

/* Fails as DORA_TEST_FAILS says: "orderly" frees the node, anything else does not. */
static inline void fail(dora_node_t *node) {
    report("fails");
    if (!is_setting("DORA_TEST_FAILS", "orderly"))
        _exit(4);
    free_node(node);
    exit(3);
}

#endif
