/*
 * The client of the action of the node "server". It has three goals at once, which are to succeed, to be
 * aborted, and to go on until it takes them back; their numbers are 0 to 2.
 *
 *     goal NUMBER ID                  sent
 *     result STATUS, result-event …   awaited; see pattern.h
 *     event …                         read: the feedback, up to the number DORA_TEST_COUNT
 *     canceled ID                     sent when the first feedback of the third goal was read
 */
#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

enum { SUCCEEDS, IS_ABORTED, IS_CANCELED, GOALS };

static dora_node_t *node;
static char ids[GOALS][DORA_ID_SIZE];

static void send_goal(int32_t number) {
    dora_metadata_t *metadata = new_metadata();
    expect_ok("start", dora_metadata_start_goal(metadata, ids[number], sizeof ids[number]));
    report("goal %d %s", (int)number, ids[number]);
    send_number(node, "goal", number, metadata);
    dora_metadata_free(metadata);
}

static void cancel(int32_t number) {
    dora_metadata_t *metadata = new_metadata();
    expect_ok("id", dora_metadata_set_string(metadata, DORA_KEY_GOAL_ID, ids[number], DORA_NUL_TERMINATED));
    expect_ok("cancel", dora_node_send_empty(node, "cancel", metadata));
    report("canceled %s", ids[number]);
    dora_metadata_free(metadata);
}

/* Reads until a message about a goal came, with that number if it is not negative. */
static void read_feedback(int32_t goal, int32_t number) {
    dora_event_t *event;
    bool is_it = false;
    while (!is_it && read_dora_event(node, seconds(10), &event) == DORA_OK) {
        report_event("event", event);
        is_it = is_message(event, "answer") && (number < 0 || number_of(event) == number) &&
                strcmp(or_dash(dora_metadata_goal_id(dora_event_metadata(event))), ids[goal]) == 0;
        dora_event_free(event);
    }
}

int main(void) {
    node = init_node();
    for (int32_t number = 0; number < GOALS; number++)
        send_goal(number);
    await_reply(node, "result", ids[SUCCEEDS], "server", seconds(10));
    /* The other result came before, and was kept. */
    await_reply(node, "result", ids[IS_ABORTED], "server", 0);
    read_feedback(IS_CANCELED, -1);
    cancel(IS_CANCELED);
    await_reply(node, "result", ids[IS_CANCELED], "server", seconds(10));
    /* That one has a status which is none. */
    read_feedback(SUCCEEDS, (int32_t)setting("DORA_TEST_COUNT", 0));
    free_node(node);
    return 0;
}
