/*
 * A gateway to an operator outside of the dataflow: one epoll loop over dora's events, a TCP socket and a
 * timer.
 *
 * What one sees when it runs: where it listens,
 *
 *     gateway: listening on port 7070
 *
 * An operator, here `nc 127.0.0.1 7070`, gets the pose of the vehicle and a heartbeat, and gives commands:
 *
 *     alive 41
 *     pose 0.000 0.000 0.000
 *     drive 0.5 0.2                              the operator: metres and radians per second
 *     pose 0.025 0.000 0.010
 *     …
 *
 * A command counts for two seconds and is to be repeated, so that the vehicle does not go on without its
 * operator. It stops at once when the operator hangs up, or does not take what it is told. One drives at a
 * time.
 *
 *   input  pose        three float64: x, y and heading
 *   output command     two float64: metres per second ahead, radians per second to the left
 *   output heartbeat   one uint64 each 200 ms: how many such times have passed
 *
 *   GATEWAY_PORT       where to listen, on this machine only; 0: on a port that is free
 */
#define _GNU_SOURCE /* accept4 */
#include <dora/dora.h>

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define BEAT_NS 200000000L

enum { LINE_SIZE = 128, BEATS_OF_COMMAND = 10 };

struct gateway;

/* What the loop watches: a descriptor, and what to do when it is readable, which is false for a failure. */
struct source {
    int fd;
    bool (*on_readable)(struct gateway *gateway);
};

struct gateway {
    dora_node_t *node;
    int epoll;
    struct source dora, timer, listener, client;
    char sent[LINE_SIZE];      /* what the client has sent … */
    size_t length;             /* … which is no whole line yet */
    bool moves;                /* as the last command says */
    uint64_t beats, last_beat; /* how many have passed, and with which one the command ends */
    bool closed;               /* nothing will come from dora any more */
};

static bool failed(const char *action, dora_status_t status) {
    fprintf(stderr, "gateway: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return false;
}

static bool system_failed(const char *action) {
    fprintf(stderr, "gateway: %s: %s\n", action, strerror(errno));
    return false;
}

static bool watch(struct gateway *gateway, struct source *source) {
    struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = source};
    return epoll_ctl(gateway->epoll, EPOLL_CTL_ADD, source->fd, &wanted) == 0 || system_failed("watching");
}

/* The vehicle. */

static bool send_command(struct gateway *gateway, double speed, double turn) {
    const double command[] = {speed, turn};
    gateway->moves = speed != 0 || turn != 0;
    gateway->last_beat = gateway->beats + BEATS_OF_COMMAND;
    dora_status_t status =
        dora_node_send_values(gateway->node, "command", DORA_TYPE_FLOAT64, command, 2, NULL);
    return status == DORA_OK || failed("sending a command", status);
}

static bool stop_vehicle(struct gateway *gateway) { return !gateway->moves || send_command(gateway, 0, 0); }

/* The client, which is the operator's program. */

static bool part_from_client(struct gateway *gateway) {
    close(gateway->client.fd); /* which also takes it out of the loop */
    gateway->client.fd = -1;
    gateway->length = 0;
    return stop_vehicle(gateway);
}

/* Tells the client a line, if there is one. The loop never waits for it: what is told piles up in the socket,
 * and once that is full, nobody listens. */
static bool tell(struct gateway *gateway, const char *line) {
    if (gateway->client.fd < 0)
        return true;
    const ssize_t sent = send(gateway->client.fd, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent == (ssize_t)strlen(line) || part_from_client(gateway);
}

static bool on_line(struct gateway *gateway, const char *line) {
    double speed, turn;
    char rest;
    if (sscanf(line, "drive %lf %lf %c", &speed, &turn, &rest) == 2 && isfinite(speed) && isfinite(turn))
        return send_command(gateway, speed, turn);
    return tell(gateway, "error: a command is 'drive', metres and radians per second\n");
}

/* Takes the next whole line out of what was sent. */
static bool next_line(struct gateway *gateway, char line[LINE_SIZE]) {
    const char *end = memchr(gateway->sent, '\n', gateway->length);
    if (end == NULL)
        return false;
    const size_t size = (size_t)(end + 1 - gateway->sent);
    memcpy(line, gateway->sent, size);
    line[size - 1] = '\0';
    gateway->length -= size;
    memmove(gateway->sent, gateway->sent + size, gateway->length);
    return true;
}

static bool on_client(struct gateway *gateway) {
    char line[LINE_SIZE];
    bool good = true;
    const size_t room = sizeof gateway->sent - gateway->length;
    const ssize_t count = recv(gateway->client.fd, gateway->sent + gateway->length, room, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (count <= 0)
        return part_from_client(gateway);
    gateway->length += (size_t)count;
    while (good && next_line(gateway, line))
        good = on_line(gateway, line);
    if (good && gateway->length == sizeof gateway->sent)
        good = part_from_client(gateway); /* no command is so long */
    return good;
}

static bool on_connection(struct gateway *gateway) {
    static const char taken[] = "error: another operator drives\n";
    const int fd = accept4(gateway->listener.fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) /* who called may have hung up again */
        return errno == EAGAIN || errno == ECONNABORTED || errno == EINTR || system_failed("accepting");
    if (gateway->client.fd >= 0) {
        (void)!send(fd, taken, sizeof taken - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
        close(fd);
        return true;
    }
    gateway->client.fd = fd;
    return watch(gateway, &gateway->client);
}

/* The timer: the heartbeat, and the end of a command that is not repeated. */

static bool on_timer(struct gateway *gateway) {
    char line[LINE_SIZE];
    uint64_t passed; /* more than one where the program was held up */
    if (read(gateway->timer.fd, &passed, sizeof passed) != sizeof passed)
        return errno == EAGAIN || errno == EINTR || system_failed("reading the timer");
    gateway->beats += passed;
    if (gateway->beats >= gateway->last_beat && !stop_vehicle(gateway))
        return false;
    dora_status_t status =
        dora_node_send_values(gateway->node, "heartbeat", DORA_TYPE_UINT64, &gateway->beats, 1, NULL);
    if (status != DORA_OK)
        return failed("sending the heartbeat", status);
    snprintf(line, sizeof line, "alive %" PRIu64 "\n", gateway->beats);
    return tell(gateway, line);
}

/* What comes from dora. */

static bool on_pose(struct gateway *gateway, const dora_event_t *event) {
    char line[LINE_SIZE];
    const double *pose;
    size_t length;
    dora_status_t status = dora_event_float64(event, &pose, &length);
    if (status != DORA_OK)
        return failed("reading a pose", status);
    if (length != 3)
        return true;
    snprintf(line, sizeof line, "pose %.9g %.9g %.9g\n", pose[0], pose[1], pose[2]);
    return tell(gateway, line);
}

static bool on_event(struct gateway *gateway, const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        return strcmp(dora_event_input_id(event), "pose") != 0 || on_pose(gateway, event);
    case DORA_EVENT_ERROR:
        fprintf(stderr, "gateway: %s\n", dora_event_message(event));
        return false;
    default: /* a stop needs nothing: the reads that follow are closed */
        return true;
    }
}

/* The rule of dora's descriptor: when it is readable, read until nothing is left. */
static bool on_dora(struct gateway *gateway) {
    dora_event_t *event;
    dora_status_t status;
    bool good = true;
    while (good && (status = read_dora_event(gateway->node, 0, &event)) == DORA_OK) {
        good = on_event(gateway, event);
        dora_event_free(event);
    }
    if (status < 0)
        good = failed("reading an event", status);
    gateway->closed = status == DORA_CLOSED;
    return good;
}

/* The loop. */

static bool serve(struct gateway *gateway) {
    bool good = true;
    while (good && !gateway->closed) {
        /* One at a time: a source that was closed meanwhile is not among what is told next. */
        struct epoll_event told;
        const int count = epoll_wait(gateway->epoll, &told, 1, -1);
        if (count == 1)
            good = ((struct source *)told.data.ptr)->on_readable(gateway);
        else if (count < 0 && errno != EINTR)
            good = system_failed("waiting");
    }
    return good;
}

static bool start_timer(struct gateway *gateway) {
    const struct itimerspec each = {{0, BEAT_NS}, {0, BEAT_NS}};
    gateway->timer.fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    return (gateway->timer.fd >= 0 && timerfd_settime(gateway->timer.fd, 0, &each, NULL) == 0) ||
           system_failed("starting the timer");
}

static bool read_port(in_port_t *port) {
    const char *text = getenv("GATEWAY_PORT");
    char *end = NULL;
    const unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;
    if (text == NULL || end == text || *end != '\0' || value > UINT16_MAX) {
        fprintf(stderr, "gateway: GATEWAY_PORT is no port; the dataflow's env sets it\n");
        return false;
    }
    *port = htons((uint16_t)value);
    return true;
}

static bool start_listening(struct gateway *gateway) {
    const int one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (!read_port(&address.sin_port))
        return false;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    gateway->listener.fd = fd;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 8) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        return system_failed("listening");
    printf("gateway: listening on port %u\n", (unsigned)ntohs(address.sin_port));
    return fflush(stdout) == 0 || system_failed("printing");
}

static bool set_up(struct gateway *gateway) {
    dora_status_t status = dora_node_init(&gateway->node);
    if (status != DORA_OK)
        return failed("joining the dataflow", status);
    status = dora_node_event_fd(gateway->node, &gateway->dora.fd);
    if (status != DORA_OK)
        return failed("getting dora's descriptor", status);
    gateway->epoll = epoll_create1(EPOLL_CLOEXEC);
    return (gateway->epoll >= 0 || system_failed("setting up epoll")) && start_timer(gateway) &&
           start_listening(gateway) && watch(gateway, &gateway->dora) && watch(gateway, &gateway->timer) &&
           watch(gateway, &gateway->listener);
}

static void close_if_open(int fd) {
    if (fd >= 0)
        close(fd);
}

int main(void) {
    struct gateway gateway = {
        .epoll = -1,
        .dora = {-1, on_dora},
        .timer = {-1, on_timer},
        .listener = {-1, on_connection},
        .client = {-1, on_client},
    };
    bool good = set_up(&gateway) && serve(&gateway);
    good = stop_vehicle(&gateway) && good; /* whatever ended the loop */
    close_if_open(gateway.client.fd);
    close_if_open(gateway.listener.fd);
    close_if_open(gateway.timer.fd);
    close_if_open(gateway.epoll); /* before the node, whose descriptor it watches */
    dora_node_free(gateway.node); /* dora's descriptor is the node's */
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
