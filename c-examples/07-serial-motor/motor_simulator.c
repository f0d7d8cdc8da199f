/*
 * Plays a motor and the serial line to it: a pseudo terminal, of which the driver opens one end as its device
 * while the motor is at the other.
 *
 * What one sees when it runs: a line at the end,
 *
 *     motor-simulator: 1204 reports, at last told 0.000000
 *
 *   input  tick     when the motor takes a step of 20 ms and reports
 *
 *   SIMULATED_DEVICE    where to put the link to the driver's end
 */
#define _GNU_SOURCE /* pseudo terminals, cfmakeraw */
#include <dora/dora.h>

#include "lines.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>

enum { REST_MS = 2000 }; /* how long the motor waits for more when the dataflow has ended */

#define TICK_S 0.02 /* as in the dataflow */
#define DELAY_S 0.1 /* the motor comes to the speed that it is told by a share of 1 - 1/e in this time */

struct simulator {
    dora_node_t *node;
    int line;
    struct lines commands;
    double told, position, speed;
    unsigned long reports;
    bool closed; /* nothing will come from dora any more */
};

static bool failed(const char *action, dora_status_t status) {
    fprintf(stderr, "motor-simulator: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return false;
}

static bool system_failed(const char *action) {
    fprintf(stderr, "motor-simulator: %s: %s\n", action, strerror(errno));
    return false;
}

static void on_tick(struct simulator *motor) {
    char line[LINE_SIZE];
    const double share = -expm1(-TICK_S / DELAY_S), behind = motor->told - motor->speed;
    motor->position += motor->told * TICK_S - behind * DELAY_S * share;
    motor->speed += behind * share;
    const int length = snprintf(line, sizeof line, "S %.12g %.12g\n", motor->position, motor->speed);
    /* A motor does not wait: what nobody takes is lost, as on a real line. */
    if (write(motor->line, line, (size_t)length) == length)
        motor->reports += 1;
}

static bool on_event(struct simulator *motor, const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        on_tick(motor);
        return true;
    case DORA_EVENT_ERROR:
        fprintf(stderr, "motor-simulator: %s\n", dora_event_message(event));
        return false;
    default:
        return true;
    }
}

static bool on_dora(struct simulator *motor) {
    dora_event_t *event;
    dora_status_t status;
    bool good = true;
    while (good && (status = read_dora_event(motor->node, 0, &event)) == DORA_OK) {
        good = on_event(motor, event);
        dora_event_free(event);
    }
    if (status < 0)
        good = failed("reading an event", status);
    motor->closed = status == DORA_CLOSED;
    return good;
}

static void obey(struct simulator *motor) {
    char line[LINE_SIZE];
    while (next_line(&motor->commands, line))
        if (sscanf(line, "V %lf", &motor->told) != 1)
            fprintf(stderr, "motor-simulator: the motor does not know '%s'\n", line);
}

/* A motor does not end with the dataflow: it is there until the driver lets go of the line. */
static bool play(struct simulator *motor) {
    struct pollfd watched[2] = {{-1, POLLIN, 0}, {motor->line, POLLIN, 0}};
    dora_status_t status = dora_node_event_fd(motor->node, &watched[0].fd);
    if (status != DORA_OK)
        return failed("getting dora's descriptor", status);
    for (;;) {
        const int count = poll(watched, 2, motor->closed ? REST_MS : -1);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) /* nobody has the line at all */
            return count == 0 || system_failed("waiting");
        if (watched[1].revents && !take_in(&motor->commands, motor->line))
            return true;
        obey(motor);
        if (watched[0].revents && !on_dora(motor))
            return false;
        if (motor->closed)
            watched[0].fd = -1; /* it stays readable for ever; `poll` passes over what is below 0 */
    }
}

/* Makes the pseudo terminal, with a link of a name that the driver knows to its end. */
static bool open_line(struct simulator *motor, const char *device) {
    struct termios settings;
    motor->line = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (motor->line < 0 || grantpt(motor->line) != 0 || unlockpt(motor->line) != 0 ||
        tcgetattr(motor->line, &settings) != 0)
        return system_failed("making a pseudo terminal");
    cfmakeraw(&settings); /* or it would send back what it is sent */
    if (tcsetattr(motor->line, TCSANOW, &settings) != 0)
        return system_failed("making a pseudo terminal");
    unlink(device); /* what an earlier run left */
    return symlink(ptsname(motor->line), device) == 0 || system_failed(device);
}

int main(void) {
    struct simulator motor = {.line = -1};
    const char *device = getenv("SIMULATED_DEVICE");
    if (device == NULL) {
        fprintf(stderr, "motor-simulator: SIMULATED_DEVICE is not set; the dataflow's env sets it\n");
        return EXIT_FAILURE;
    }
    /* First the line: dora starts no node before all have joined, so the driver finds it. */
    bool good = open_line(&motor, device);
    dora_status_t status = good ? dora_node_init(&motor.node) : DORA_OK;
    if (status != DORA_OK)
        good = failed("joining the dataflow", status);
    if (good) {
        good = play(&motor);
        printf("motor-simulator: %lu reports, at last told %.6f\n", motor.reports, motor.told);
    }
    unlink(device);
    if (motor.line >= 0)
        close(motor.line);
    dora_node_free(motor.node);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
