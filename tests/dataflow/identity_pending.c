/*
 * Asks whether anything is pending, and compares with what a read that does not wait gives then. Reports
 * "ready" before it expects a message, "enough" when it waits for its stop, and "wrong …".
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static bool is_pending(dora_node_t *node) {
    bool pending;
    expect_ok("pending", dora_node_pending(node, &pending));
    return pending;
}

/* Reads without waiting and gives the kind of the event, or the negative of the status without one. */
static int32_t read_now(dora_node_t *node) {
    dora_event_t *event;
    dora_status_t status = read_dora_event(node, 0, &event);
    int32_t kind = status == DORA_OK ? dora_event_kind(event) : -status;
    dora_event_free(event);
    return kind;
}

static void expect_nothing(dora_node_t *node) {
    for (int i = 0; i < 50; i++) {
        if (is_pending(node))
            report("wrong: before any message something is pending");
        if (read_now(node) != -DORA_TIMEOUT)
            report("wrong: before any message there is an event");
        sleep_ms(1);
    }
}

/* Only asks, since a read would move what arrived from one place in dora to another. */
static void await_first(dora_node_t *node) {
    for (int i = 0; i < 4000 && !is_pending(node); i++)
        sleep_ms(5);
    for (int i = 0; i < 3; i++)
        if (!is_pending(node))
            report("wrong: what was pending is not, though nothing was read");
    if (read_now(node) != DORA_EVENT_INPUT)
        report("wrong: what was pending is no message");
}

static void ask_while_messages_come(dora_node_t *node) {
    int yes = 0, no = 0;
    while (yes < 20 || no < 20) {
        bool pending = is_pending(node);
        int32_t kind = read_now(node);
        if (pending && kind != DORA_EVENT_INPUT)
            report("wrong: pending, and a read gives %d", (int)kind);
        yes += pending;
        no += !pending;
        sleep_ms(1);
    }
    report("asked %d %d", yes, no);
}

static void expect_end(dora_node_t *node) {
    dora_event_t *event;
    int32_t kind;
    do {
        expect_ok("read", read_dora_event(node, DORA_FOREVER, &event));
        kind = dora_event_kind(event);
        dora_event_free(event);
    } while (kind != DORA_EVENT_STOP);
    do {
        if (!is_pending(node))
            report("wrong: behind the stop nothing is pending");
        kind = read_now(node);
    } while (kind == DORA_EVENT_INPUT);
    if (kind != -DORA_CLOSED || read_now(node) != -DORA_CLOSED)
        report("wrong: behind the stop a read gives %d", (int)kind);
    if (!is_pending(node))
        report("wrong: when reads are closed nothing is pending");
}

int main(void) {
    dora_node_t *node = init_node();
    expect_nothing(node);
    report("ready");
    await_first(node);
    ask_while_messages_come(node);
    report("enough");
    expect_end(node);
    free_node(node);
    report("end");
    return 0;
}
