/*
 * Something to drive: a vehicle that turns on the spot or drives along arcs, simulated in steps of a tick.
 *
 *   input  tick      when to take a step
 *   input  command   two float64: metres per second ahead, radians per second to the left
 *   output pose      three float64 behind each step: x, y and heading; metres, radians
 */
#include <dora/dora.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_S 0.05 /* as in the dataflow */

struct vehicle {
    dora_node_t *node;
    double speed, turn;
    double pose[3];
};

static bool failed(const char *action, dora_status_t status) {
    fprintf(stderr, "vehicle: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return false;
}

static bool on_tick(struct vehicle *vehicle, const dora_event_t *event) {
    /* The chord of the arc lies half-way between the headings at its ends. */
    const double half = vehicle->turn * TICK_S / 2;
    const double chord = vehicle->speed * TICK_S * (half == 0 ? 1 : sin(half) / half);
    vehicle->pose[0] += chord * cos(vehicle->pose[2] + half);
    vehicle->pose[1] += chord * sin(vehicle->pose[2] + half);
    vehicle->pose[2] += 2 * half;
    dora_status_t status = dora_node_send_values(vehicle->node, "pose", DORA_TYPE_FLOAT64, vehicle->pose, 3,
                                                 dora_event_metadata(event));
    return status == DORA_OK || failed("sending the pose", status);
}

static bool on_command(struct vehicle *vehicle, const dora_event_t *event) {
    const double *values;
    size_t length;
    dora_status_t status = dora_event_float64(event, &values, &length);
    if (status != DORA_OK)
        return failed("reading a command", status);
    if (length == 2) {
        vehicle->speed = values[0];
        vehicle->turn = values[1];
    }
    return true;
}

static bool on_event(struct vehicle *vehicle, const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        return strcmp(dora_event_input_id(event), "tick") == 0 ? on_tick(vehicle, event)
                                                               : on_command(vehicle, event);
    case DORA_EVENT_ERROR:
        fprintf(stderr, "vehicle: %s\n", dora_event_message(event));
        return false;
    default:
        return true;
    }
}

int main(void) {
    struct vehicle vehicle = {0};
    dora_event_t *event;
    bool good = true;
    dora_status_t status = dora_node_init(&vehicle.node);
    if (status != DORA_OK) {
        failed("joining the dataflow", status);
        return EXIT_FAILURE;
    }
    while (good && (status = read_dora_event(vehicle.node, DORA_FOREVER, &event)) == DORA_OK) {
        good = on_event(&vehicle, event);
        dora_event_free(event);
    }
    if (status < 0)
        good = failed("reading an event", status);
    dora_node_free(vehicle.node);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
