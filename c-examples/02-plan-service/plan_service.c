/*
 * A service: plans how a vehicle that steers drives to a goal, on the one arc that begins in its heading and
 * ends at the goal; straight ahead that is a line.
 *
 * What one sees when it runs: a line at the end,
 *
 *     plan-service: 7 requests, 1 refused
 *
 *   input  request      five float64: x, y and heading of the vehicle, x and y of the goal; metres, radians
 *   output trajectory   the reply: for each point three float64, x, y and heading; or none, with the reason
 *                       in the text parameter `error`
 */
#include <dora/dora.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACING 0.15  /* metres between two points, at most */
#define FARTHEST 50.0 /* metres to a goal */

/* A goal as far as it may be, at a right angle to the heading, takes half a circle: 525 points. */
enum { REQUEST_LENGTH = 5, MAX_POINTS = 600 };

struct plan {
    double points[MAX_POINTS][3];
    size_t length;
};

struct service {
    dora_node_t *node;
    dora_metadata_t *answer; /* one for all replies, cleared before each */
    unsigned long requests, refused;
};

static bool failed(const char *action, dora_status_t status) {
    fprintf(stderr, "plan-service: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return false;
}

/* Makes the plan, or tells why there is none. */
static const char *make_plan(const dora_event_t *request, struct plan *plan) {
    const double *values;
    size_t length;
    plan->length = 0;
    if (dora_event_float64(request, &values, &length) != DORA_OK || length != REQUEST_LENGTH)
        return "a request is five float64: x, y and heading of the vehicle, x and y of the goal";

    const double heading = values[2];
    const double dx = values[3] - values[0], dy = values[4] - values[1];
    const double distance = hypot(dx, dy);
    /* So written that a request with a NaN is refused too. */
    if (!(distance <= FARTHEST && isfinite(heading)))
        return "the goal is too far away, or a number is not finite";
    const double ahead = cos(heading) * dx + sin(heading) * dy;
    const double left = cos(heading) * dy - sin(heading) * dx;
    if (ahead < 0)
        return "the goal is behind the vehicle";

    /* On the arc the heading turns by twice the angle under which the goal is seen at the start, and each
     * point is seen under its share of that angle. */
    const double angle = atan2(left, ahead);
    const double arc = angle == 0 ? distance : distance * angle / sin(angle);
    const size_t steps = arc > SPACING ? (size_t)ceil(arc / SPACING) : 1;
    for (size_t i = 0; i <= steps; ++i) {
        const double share = (double)i / (double)steps;
        const double chord = angle == 0 ? distance * share : distance * sin(angle * share) / sin(angle);
        double *point = plan->points[plan->length++];
        point[0] = values[0] + chord * cos(heading + angle * share);
        point[1] = values[1] + chord * sin(heading + angle * share);
        point[2] = heading + 2 * angle * share;
    }
    return NULL;
}

/* Every request gets a reply, also one that is refused: its client waits for it. */
static bool on_request(struct service *service, const dora_event_t *request) {
    static struct plan plan;
    dora_metadata_clear(service->answer);
    dora_status_t status = dora_metadata_answer(service->answer, request);
    if (status == DORA_ERROR_NOT_FOUND) {
        fprintf(stderr, "plan-service: a message without the id of a request is passed over\n");
        return true;
    }
    const char *error = make_plan(request, &plan);
    if (status == DORA_OK && error != NULL)
        status = dora_metadata_set_string(service->answer, "error", error, DORA_NUL_TERMINATED);
    if (status == DORA_OK)
        status = dora_node_send_values(service->node, "trajectory", DORA_TYPE_FLOAT64, plan.points,
                                       3 * plan.length, service->answer);
    service->requests += 1;
    service->refused += error != NULL;
    return status == DORA_OK || failed("answering", status);
}

static bool on_event(struct service *service, const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        return strcmp(dora_event_input_id(event), "request") != 0 || on_request(service, event);
    case DORA_EVENT_ERROR:
        fprintf(stderr, "plan-service: %s\n", dora_event_message(event));
        return false;
    default: /* a stop needs nothing: what was queued is still answered, then the reads are closed */
        return true;
    }
}

static bool serve(struct service *service) {
    dora_event_t *event;
    dora_status_t status;
    bool good = true;
    while (good && (status = read_dora_event(service->node, DORA_FOREVER, &event)) == DORA_OK) {
        good = on_event(service, event);
        dora_event_free(event);
    }
    if (good && status < 0)
        good = failed("reading an event", status);
    printf("plan-service: %lu requests, %lu refused\n", service->requests, service->refused);
    return good;
}

int main(void) {
    struct service service = {0};
    bool good = false;
    dora_status_t status = dora_node_init(&service.node);
    if (status == DORA_OK)
        status = dora_metadata_new(&service.answer);
    if (status == DORA_OK)
        good = serve(&service);
    else
        failed("joining the dataflow", status);
    dora_metadata_free(service.answer);
    dora_node_free(service.node);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
