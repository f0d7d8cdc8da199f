/*
 * The action of the node "server", as pattern_peer.py has it. It takes three goals, gives DORA_TEST_COUNT
 * numbers of feedback to each in turn, and then has the second aborted, the first succeed, and the third be
 * canceled when that is asked for. One object makes the metadata of all that it sends. With DORA_TEST_MORE,
 * the first goal gets further feedback behind the result of the second: 99.
 *
 *     goal NUMBER ID     a goal
 *     canceled ID        what was asked to be canceled
 */
#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

enum { SUCCEEDS, IS_ABORTED, IS_CANCELED, GOALS };

static dora_node_t *node;
static dora_metadata_t *metadata;
static dora_event_t *goals[GOALS];

static void give_feedback(int goal, int32_t number) {
    expect_ok("feedback", dora_metadata_answer(metadata, goals[goal]));
    send_number(node, "answer", number, metadata);
}

static void end_goal(int goal, int32_t status) {
    expect_ok("answer", dora_metadata_answer(metadata, goals[goal]));
    expect_ok("status", dora_metadata_set_goal_status(metadata, status));
    send_number(node, "answer", 100 + goal, metadata);
}

/* The next message on an input, or the end of the program. */
static dora_event_t *expect_message(const char *input) {
    dora_event_t *event;
    while (read_dora_event(node, seconds(10), &event) == DORA_OK) {
        if (is_message(event, input))
            return event;
        dora_event_free(event);
    }
    report("wrong: no message on %s", input);
    exit(1);
}

int main(void) {
    node = init_node();
    metadata = new_metadata();
    for (int goal = 0; goal < GOALS; goal++) {
        goals[goal] = expect_message("goal");
        report("goal %d %s", (int)number_of(goals[goal]),
               or_dash(dora_metadata_goal_id(dora_event_metadata(goals[goal]))));
    }
    for (int32_t number = 0; number < setting("DORA_TEST_COUNT", 0); number++)
        for (int goal = 0; goal < GOALS; goal++)
            give_feedback(goal, number);
    end_goal(IS_ABORTED, DORA_GOAL_ABORTED);
    if (getenv("DORA_TEST_MORE"))
        give_feedback(SUCCEEDS, 99);
    end_goal(SUCCEEDS, DORA_GOAL_SUCCEEDED);
    dora_event_t *order = expect_message("cancel");
    report("canceled %s", or_dash(dora_metadata_goal_id(dora_event_metadata(order))));
    end_goal(IS_CANCELED, DORA_GOAL_CANCELED);

    dora_event_free(order);
    for (int goal = 0; goal < GOALS; goal++)
        dora_event_free(goals[goal]);
    dora_metadata_free(metadata);
    free_node(node);
    return 0;
}
