/*
 * The driver of a motor at the end of a serial line: one `poll` over dora's events and the line.
 *
 * What one sees when it runs: nothing as long as all is well, and a line for what is not. When the dataflow
 * ends, and when something fails, it brings the motor to rest.
 *
 *   input  speed    one float64: how fast to turn, radians per second
 *   output state    two float64 for each report of the motor: its position in radians and its speed
 *
 *   MOTOR_DEVICE    the serial line, 115200 baud. The motor is told "V <speed>" and reports
 *                   "S <position> <speed>" at its own pace, each with a newline
 */
#define _DEFAULT_SOURCE /* cfmakeraw */
#include <dora/dora.h>

#include "lines.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>

enum { SILENCE_MS = 2000, REST_MS = 1000 }; /* how long the motor may say nothing, or not be told to rest */

struct motor {
    dora_node_t *node;
    int line;
    struct lines reports;
    int64_t heard_ms;      /* when the motor last said something */
    char out[LINE_SIZE];   /* what is being written … */
    size_t length, sent;   /* … how long it is, and how much of it has gone out */
    double speed;          /* how fast the motor is to turn … */
    bool has_speed_to_say; /* … and whether it is still to be told */
    bool closed;           /* nothing will come from dora any more */
};

static bool failed(const char *action, dora_status_t status) {
    fprintf(stderr, "motor: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return false;
}

static bool system_failed(const char *action) {
    fprintf(stderr, "motor: %s: %s\n", action, strerror(errno));
    return false;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Telling the motor: a line that has begun is finished, and the next one tells what is wanted by then. */

static bool has_to_write(const struct motor *motor) {
    return motor->sent < motor->length || motor->has_speed_to_say;
}

static bool write_some(struct motor *motor) {
    if (motor->sent == motor->length) {
        motor->length = (size_t)snprintf(motor->out, sizeof motor->out, "V %.9g\n", motor->speed);
        motor->sent = 0;
        motor->has_speed_to_say = false;
    }
    const ssize_t count = write(motor->line, motor->out + motor->sent, motor->length - motor->sent);
    if (count > 0)
        motor->sent += (size_t)count;
    return count > 0 || errno == EAGAIN || errno == EINTR || system_failed("writing to the motor");
}

static void want_speed(struct motor *motor, double speed) {
    motor->speed = speed;
    motor->has_speed_to_say = true;
}

/* What the motor reports. */

static bool on_report(struct motor *motor, const char *line) {
    double state[2];
    char rest;
    if (sscanf(line, "S %lf %lf %c", &state[0], &state[1], &rest) != 2) {
        fprintf(stderr, "motor: what the motor says is passed over: '%s'\n", line);
        return true;
    }
    dora_status_t status = dora_node_send_values(motor->node, "state", DORA_TYPE_FLOAT64, state, 2, NULL);
    return status == DORA_OK || failed("sending the state", status);
}

static bool on_line(struct motor *motor) {
    char line[LINE_SIZE];
    bool good = true;
    if (!take_in(&motor->reports, motor->line)) {
        fprintf(stderr, "motor: the line is dead\n");
        return false;
    }
    motor->heard_ms = now_ms();
    while (good && next_line(&motor->reports, line))
        good = on_report(motor, line);
    return good;
}

/* What comes from dora. */

static bool on_event(struct motor *motor, const dora_event_t *event) {
    const double *values;
    size_t length;
    dora_status_t status;
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        status = dora_event_float64(event, &values, &length);
        if (status != DORA_OK)
            return failed("reading a speed", status);
        if (length == 1 && isfinite(values[0]))
            want_speed(motor, values[0]);
        return true;
    case DORA_EVENT_ERROR:
        fprintf(stderr, "motor: %s\n", dora_event_message(event));
        return false;
    default: /* a stop needs nothing: the reads that follow are closed */
        return true;
    }
}

/* The rule of dora's descriptor: when it is readable, read until nothing is left. */
static bool on_dora(struct motor *motor) {
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

/* The loop. */

static bool drive(struct motor *motor) {
    struct pollfd watched[2] = {{-1, POLLIN, 0}, {motor->line, POLLIN, 0}};
    dora_status_t status = dora_node_event_fd(motor->node, &watched[0].fd);
    bool good = status == DORA_OK || failed("getting dora's descriptor", status);
    motor->heard_ms = now_ms();
    while (good && !motor->closed) {
        const int64_t left_ms = motor->heard_ms + SILENCE_MS - now_ms();
        watched[1].events = has_to_write(motor) ? POLLIN | POLLOUT : POLLIN;
        if (poll(watched, 2, left_ms > 0 ? (int)left_ms : 0) < 0) {
            good = errno == EINTR || system_failed("waiting");
            continue;
        }
        if (watched[1].revents & ~POLLOUT) { /* also when it is dead, which the read then tells */
            good = on_line(motor);
        } else if (left_ms <= 0) {
            fprintf(stderr, "motor: the motor is silent\n");
            good = false;
        }
        if (good && watched[1].revents & POLLOUT)
            good = write_some(motor);
        if (good && watched[0].revents)
            good = on_dora(motor);
    }
    return good;
}

/* Tells the motor to rest, whatever ended the loop. */
static bool rest(struct motor *motor) {
    struct pollfd watched = {motor->line, POLLOUT, 0};
    want_speed(motor, 0);
    while (has_to_write(motor))
        if (poll(&watched, 1, REST_MS) <= 0 || !write_some(motor)) {
            fprintf(stderr, "motor: the motor may not be at rest\n");
            return false;
        }
    return tcdrain(motor->line) == 0 || system_failed("writing to the motor");
}

static bool open_line(struct motor *motor) {
    const char *device = getenv("MOTOR_DEVICE");
    struct termios settings;
    if (device == NULL) {
        fprintf(stderr, "motor: MOTOR_DEVICE is not set; the dataflow's env sets it\n");
        return false;
    }
    motor->line = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (motor->line < 0 || tcgetattr(motor->line, &settings) != 0)
        return system_failed(device);
    cfmakeraw(&settings);
    settings.c_cflag &= ~(tcflag_t)(CRTSCTS | CSTOPB); /* nothing that holds a stop up; one stop bit */
    settings.c_cflag |= CLOCAL | CREAD;                /* no modem behind it, and it also reads */
    /* What was received before may have been at another speed, and may begin in the middle of a line. */
    motor->reports.skips = true;
    return (cfsetspeed(&settings, B115200) == 0 && tcsetattr(motor->line, TCSANOW, &settings) == 0 &&
            tcflush(motor->line, TCIOFLUSH) == 0) ||
           system_failed(device);
}

int main(void) {
    struct motor motor = {.line = -1};
    bool good = false;
    dora_status_t status = dora_node_init(&motor.node);
    if (status != DORA_OK)
        failed("joining the dataflow", status);
    else if (open_line(&motor)) {
        good = drive(&motor);
        good = rest(&motor) && good;
    }
    if (motor.line >= 0)
        close(motor.line);
    dora_node_free(motor.node);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
