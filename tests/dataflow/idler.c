/* Waits for an input that does not come, DORA_TEST_WAIT_MS long, and reports what the wait took. */
#define _GNU_SOURCE
#include "support.h"

#include <sys/resource.h>

int main(void) {
    dora_node_t *node = init_node();
    dora_event_t *event;
    struct rusage before, after;
    int64_t wait_ns = setting("DORA_TEST_WAIT_MS", -1) * INT64_C(1000000);
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    int64_t process = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    getrusage(RUSAGE_THREAD, &before);
    int64_t thread = clock_ns(CLOCK_THREAD_CPUTIME_ID);

    dora_status_t status = read_dora_event(node, wait_ns < 0 ? DORA_FOREVER : wait_ns, &event);

    thread = clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread;
    getrusage(RUSAGE_THREAD, &after);
    process = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - process;
    report("waited_ms %.1f", ms_since(start));
    report_status("status", status);
    report("kind %s", dora_event_kind_name(dora_event_kind(event)));
    report("thread_ms %.3f", (double)thread / 1e6);
    report("process_ms %.3f", (double)process / 1e6);
    report("switches %ld", after.ru_nvcsw - before.ru_nvcsw);
    dora_event_free(event);
    free_node(node);
    return 0;
}
