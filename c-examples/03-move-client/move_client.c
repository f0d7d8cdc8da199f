/*
 * The client of an action: moves an axis, shows where it is meanwhile, and calls a second move off half way.
 *
 * What one sees when it runs: a line for each feedback, and how each goal ends,
 *
 *     to 0.500 m
 *     at 0.003 m
 *     …
 *     succeeded at 0.500 m
 *     to 0.000 m
 *     at 0.497 m
 *     …
 *     half way: calling it off
 *     canceled at 0.175 m
 *
 *   input  feedback   one float64: where the axis is
 *   input  result     the same at the end of a goal
 *   output goal       one float64: where to move to
 *   output cancel     no data, but the id of the goal
 */
#include <dora/dora.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS INT64_C(1000000000)
#define PATIENCE_NS (10 * SECONDS) /* how long the axis may be silent */

/* The id of the node that moves the axis. When it is restarted, it knows nothing of its goal any more. */
#define SERVER "axis"

struct client {
    dora_node_t *node;
    dora_metadata_t *metadata; /* nothing but the id of the goal under way, so it also calls that off */
    char goal[DORA_ID_SIZE];
    double position; /* what the axis told last */
};

enum progress { MOVING, OVER, STOPPED, FAILED };

static enum progress complain(const char *sentence) {
    fprintf(stderr, "move-client: %s\n", sentence);
    return FAILED;
}

static enum progress failed(const char *action, dora_status_t status) {
    fprintf(stderr, "move-client: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return FAILED;
}

static enum progress on_result(const dora_event_t *result, double position) {
    const dora_metadata_t *metadata = dora_event_metadata(result);
    const char *error;
    switch (dora_metadata_goal_status(metadata)) {
    case DORA_GOAL_SUCCEEDED:
        printf("succeeded at %.3f m\n", position);
        return OVER;
    case DORA_GOAL_CANCELED:
        printf("canceled at %.3f m\n", position);
        return OVER;
    default:
        if (dora_metadata_get_string(metadata, "error", &error, NULL) != DORA_OK)
            error = "the axis gave the goal up";
        return complain(error);
    }
}

/* Feedback or a result, which begin alike. */
static enum progress on_answer(struct client *client, const dora_event_t *event) {
    const char *goal = dora_metadata_goal_id(dora_event_metadata(event));
    const double *values;
    size_t length;
    dora_status_t status;
    if (goal == NULL || strcmp(goal, client->goal) != 0)
        return MOVING; /* late feedback of a goal that is over */
    if ((status = dora_event_float64(event, &values, &length)) != DORA_OK)
        return failed("reading a position", status);
    if (length != 1)
        return complain("a position is not one number");
    client->position = values[0];
    if (strcmp(dora_event_input_id(event), "result") == 0)
        return on_result(event, client->position);
    printf("at %.3f m\n", client->position);
    return MOVING;
}

static enum progress on_event(struct client *client, const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        return on_answer(client, event);
    case DORA_EVENT_INPUT_CLOSED:
        return strcmp(dora_event_input_id(event), "result") != 0 ? MOVING : complain("the axis has ended");
    case DORA_EVENT_NODE_RESTARTED:
        return strcmp(dora_event_node_id(event), SERVER) != 0 ? MOVING : complain("the axis was restarted");
    case DORA_EVENT_STOP:
        return STOPPED;
    case DORA_EVENT_ERROR:
        return complain(dora_event_message(event));
    default:
        return MOVING;
    }
}

static enum progress read_next(struct client *client) {
    dora_event_t *event;
    dora_status_t status = read_dora_event(client->node, PATIENCE_NS, &event);
    if (status == DORA_CLOSED)
        return STOPPED;
    if (status == DORA_TIMEOUT)
        return complain("the axis is silent");
    if (status != DORA_OK)
        return failed("reading an event", status);
    enum progress progress = on_event(client, event);
    dora_event_free(event);
    return progress;
}

static enum progress call_off(struct client *client) {
    dora_event_t *result;
    printf("half way: calling it off\n");
    dora_status_t status = dora_node_send_empty(client->node, "cancel", client->metadata);
    if (status != DORA_OK)
        return failed("calling a goal off", status);
    /* Feedback is of no interest any more; what is left of it is passed over during the next move. */
    status = dora_node_read_reply(client->node, client->goal, SERVER, PATIENCE_NS, &result);
    if (status == DORA_CLOSED)
        return STOPPED;
    if (status == DORA_TIMEOUT)
        return complain("the axis does not say how the goal ended");
    if (status != DORA_OK)
        return failed("awaiting the result", status);
    enum progress progress = on_answer(client, result);
    dora_event_free(result);
    return progress;
}

static enum progress move(struct client *client, double target, bool to_be_called_off) {
    const double half_way = fabs(target - client->position) / 2;
    enum progress progress = MOVING;
    dora_status_t status = dora_metadata_start_goal(client->metadata, client->goal, sizeof client->goal);
    if (status == DORA_OK)
        status = dora_node_send_values(client->node, "goal", DORA_TYPE_FLOAT64, &target, 1, client->metadata);
    if (status != DORA_OK)
        return failed("sending a goal", status);
    printf("to %.3f m\n", target);
    while (progress == MOVING) {
        progress = read_next(client);
        if (progress == MOVING && to_be_called_off && fabs(target - client->position) <= half_way)
            progress = call_off(client);
    }
    return progress;
}

int main(void) {
    struct client client = {0};
    enum progress progress = FAILED;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* each line at once, though stdout is a pipe to dora */
    dora_status_t status = dora_node_init(&client.node);
    if (status == DORA_OK)
        status = dora_metadata_new(&client.metadata);
    if (status != DORA_OK)
        failed("joining the dataflow", status);
    else if ((progress = move(&client, 0.5, false)) == OVER)
        progress = move(&client, 0.0, true);
    dora_metadata_free(client.metadata);
    dora_node_free(client.node); /* which closes the outputs: an axis that still moves brakes */
    return progress == FAILED ? EXIT_FAILURE : EXIT_SUCCESS;
}
