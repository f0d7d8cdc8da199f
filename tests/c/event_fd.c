/*
 * The descriptor for event loops: what it is, when it is readable for poll, select and epoll, and that the
 * one rule, to read until there is nothing, gets everything in level- and edge-triggered loops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int must_watch(dora_node_t *node) {
    int fd = -2;
    if (!CHECK_STATUS(DORA_OK, dora_node_event_fd(node, &fd)) || !CHECK(fd >= 0))
        exit(EXIT_FAILURE);
    return fd;
}

static int must_make_epoll(int fd, uint32_t events) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events;
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!CHECK(epoll >= 0) || !CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0))
        exit(EXIT_FAILURE);
    return epoll;
}

/* Waits up to that long for what an epoll watches. */
static bool is_told(int epoll, int timeout_ms) {
    struct epoll_event event;
    return epoll_wait(epoll, &event, 1, timeout_ms) == 1 && event.events == EPOLLIN;
}

/* ---- When it is readable ---- */

static bool by_poll(int fd, int timeout_ms) {
    struct pollfd watched = {fd, POLLIN, 0};
    return poll(&watched, 1, timeout_ms) == 1 && watched.revents == POLLIN;
}

static bool by_select(int fd) {
    fd_set watched;
    struct timeval none = {0, 0};
    FD_ZERO(&watched);
    FD_SET(fd, &watched);
    return select(fd + 1, &watched, NULL, NULL, &none) == 1 && FD_ISSET(fd, &watched);
}

static bool by_epoll(int fd, uint32_t trigger) {
    const int epoll = must_make_epoll(fd, EPOLLIN | trigger);
    const bool told = is_told(epoll, 0);
    close(epoll);
    return told;
}

/* All ways to ask agree, and asking changes nothing. */
static bool readable(int fd) {
    const bool is_readable = by_poll(fd, 0);
    CHECK(by_select(fd) == is_readable);
    CHECK(by_epoll(fd, 0) == is_readable);
    CHECK(by_epoll(fd, EPOLLET) == is_readable);
    CHECK(by_poll(fd, 0) == is_readable);
    return is_readable;
}

static void times_out(dora_node_t *node, int64_t timeout_ns) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(DORA_TIMEOUT, read_dora_event(node, timeout_ns, &event));
    CHECK(event == NULL);
}

static void no_reply(dora_node_t *node, int64_t timeout_ns, dora_status_t status) {
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    CHECK_STATUS(status, dora_node_read_reply(node, "none", NULL, timeout_ns, &event));
    CHECK(event == NULL);
}

/* ---- What it is ---- */

static void descriptor(void) {
    dora_node_t *node = must_play_on(""), *other = must_play_on("");
    const int fd = must_watch(node);
    CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CHECK(must_watch(node) == fd);
    times_out(node, 0);
    CHECK(must_watch(node) == fd && must_watch(other) != fd);
    dora_node_interrupt(other);
    CHECK(!readable(fd) && readable(must_watch(other)));
    dora_node_free(other);
    CHECK(must_watch(node) == fd && !readable(fd));
    dora_node_free(node);
}

/* ---- Each state ---- */

static void events_wait(void) {
    dora_node_t *node = must_play_on(MESSAGE("in", 1) MESSAGE("in", 2) PAUSE MESSAGE("in", 3));
    wait_until_pending(node);
    const int fd = must_watch(node);
    CHECK(readable(fd));
    read_message(node, "in", 1);
    CHECK(readable(fd));
    read_message(node, "in", 2);
    times_out(node, 0);
    CHECK(!readable(fd));

    CHECK(by_poll(fd, 60000)); /* the third */
    CHECK(readable(fd));
    read_message(node, "in", 3);
    times_out(node, 1);
    CHECK(!readable(fd));
    dora_node_free(node);
}

/* It begins readable, also where there is nothing; the first read that finds nothing ends that. */
static void at_first(void) {
    dora_node_t *node = must_play_on("");
    times_out(node, 0);
    const int fd = must_watch(node);
    CHECK(readable(fd));
    times_out(node, 20 * 1000000);
    CHECK(!readable(fd));
    must_watch(node);
    CHECK(!readable(fd));
    dora_node_free(node);

    node = must_play_on("");
    const int of_reply = must_watch(node);
    no_reply(node, 0, DORA_TIMEOUT);
    CHECK(!readable(of_reply));
    dora_node_free(node);
}

static void interrupted(void) {
    dora_node_t *node = must_play_on("");
    const int fd = must_watch(node);
    times_out(node, 0);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k <= i; ++k)
            dora_node_interrupt(node);
        CHECK(readable(fd));
        dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
        CHECK_STATUS(DORA_INTERRUPTED, read_dora_event(node, 0, &event));
        CHECK(event == NULL);
        times_out(node, 0);
        CHECK(!readable(fd));
    }
    dora_node_free(node);
}

/* What a wait for a reply came across is there for the reads. */
static void kept(void) {
    dora_node_t *node = must_play_on(MESSAGE("in", 1) PAUSE MESSAGE("in", 2));
    const int fd = must_watch(node);
    no_reply(node, 100 * 1000000, DORA_TIMEOUT);
    CHECK(readable(fd));
    no_reply(node, 0, DORA_TIMEOUT);
    CHECK(readable(fd));
    read_message(node, "in", 1);
    times_out(node, 0);
    CHECK(!readable(fd));

    no_reply(node, INT64_C(2000000000), DORA_TIMEOUT); /* the second comes while it waits */
    CHECK(readable(fd));
    read_message(node, "in", 2);
    times_out(node, 0);
    CHECK(!readable(fd));
    dora_node_free(node);
}

static void closed(const char *script, bool watched_before) {
    dora_node_t *node = must_play(script);
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    const int early = watched_before ? must_watch(node) : -1;
    while (read_dora_event(node, DORA_FOREVER, &event) == DORA_OK)
        dora_event_free(event);
    const int fd = must_watch(node);
    CHECK(early == -1 || early == fd);
    for (int i = 0; i < 3; ++i) {
        CHECK(readable(fd));
        CHECK_STATUS(DORA_CLOSED, read_dora_event(node, 0, &event));
        no_reply(node, 0, DORA_CLOSED);
    }
    dora_node_interrupt(node);
    CHECK_STATUS(DORA_INTERRUPTED, read_dora_event(node, 0, &event));
    CHECK(readable(fd));
    dora_node_free(node);
}

/* ---- Beside a read on another thread ---- */

struct reader {
    pthread_t thread;
    dora_node_t *node;
    dora_status_t status;
    dora_event_t *event;
};

static void *read_for_ever(void *argument) {
    struct reader *reader = (struct reader *)argument;
    /* The other thread may be in a receive call when this one begins. */
    do {
        reader->event = GARBAGE_POINTER(dora_event_t *);
        reader->status = read_dora_event(reader->node, DORA_FOREVER, &reader->event);
    } while (reader->status == DORA_ERROR_BUSY);
    return NULL;
}

static void beside_read(void) {
    struct reader reader;
    memset(&reader, 0, sizeof reader);
    reader.node = must_play_on(PAUSE PAUSE MESSAGE("in", 1));
    dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
    if (!CHECK(pthread_create(&reader.thread, NULL, read_for_ever, &reader) == 0))
        exit(EXIT_FAILURE);
    dora_status_t status;
    while ((status = read_dora_event(reader.node, 0, &event)) == DORA_TIMEOUT)
        sleep_ms(1);
    CHECK_STATUS(DORA_ERROR_BUSY, status);

    /* Asking does not wait for it. */
    const int fd = must_watch(reader.node);
    CHECK_STATUS(DORA_ERROR_BUSY, read_dora_event(reader.node, 0, &event)); /* it still waits */
    no_reply(reader.node, 0, DORA_ERROR_BUSY);
    CHECK(pthread_join(reader.thread, NULL) == 0);
    if (CHECK_STATUS(DORA_OK, reader.status))
        is_message(reader.event, "in", 1);
    dora_event_free(reader.event);
    times_out(reader.node, 0);
    CHECK(!readable(fd));

    /* A read that waits is an empty look, and one that is refused is none. */
    if (!CHECK(pthread_create(&reader.thread, NULL, read_for_ever, &reader) == 0))
        exit(EXIT_FAILURE);
    while ((status = read_dora_event(reader.node, 0, &event)) == DORA_TIMEOUT)
        sleep_ms(1);
    CHECK_STATUS(DORA_ERROR_BUSY, status);
    CHECK(!readable(fd));
    dora_node_interrupt(reader.node);
    CHECK(pthread_join(reader.thread, NULL) == 0);
    CHECK(reader.status == DORA_INTERRUPTED && reader.event == NULL);
    CHECK(readable(fd)); /* until a read finds nothing */
    times_out(reader.node, 0);
    CHECK(!readable(fd));
    dora_node_free(reader.node);
}

/* ---- Loops ---- */

/* Messages that come together and apart, and the end. */
static const char loop_script[] = BROKEN BROKEN MESSAGE("in", 1) MESSAGE("in", 2) MESSAGE("in", 3)
    BROKEN MESSAGE("in", 4) BROKEN MESSAGE("in", 5) MESSAGE("in", 6) BROKEN BROKEN MESSAGE("in", 7);
enum { MESSAGES = 7 };

static void loop(uint32_t trigger) {
    dora_node_t *node = must_play(loop_script);
    const int epoll = must_make_epoll(must_watch(node), EPOLLIN | trigger);
    int wakes = 0;
    int32_t messages = 0;
    dora_status_t status = DORA_TIMEOUT;
    while (status == DORA_TIMEOUT && CHECK(is_told(epoll, 60000))) {
        dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
        while ((status = read_dora_event(node, 0, &event)) == DORA_OK) {
            is_message(event, "in", ++messages);
            dora_event_free(event);
        }
        ++wakes;
    }
    CHECK_STATUS(DORA_CLOSED, status);
    CHECK(messages == MESSAGES);
    /* It is told at first, and of the end; and again for a message that was read before its bringer had rung.
     */
    CHECK(wakes <= 2 + 2 * MESSAGES);
    close(epoll);
    dora_node_free(node);
}

/* A program that reads once each time is told until it has read all. */
static void one_read_each_time(void) {
    dora_node_t *node = must_play(loop_script);
    const int epoll = must_make_epoll(must_watch(node), EPOLLIN);
    int32_t messages = 0;
    dora_status_t status = DORA_TIMEOUT;
    while (status != DORA_CLOSED && CHECK(is_told(epoll, 60000))) {
        dora_event_t *event = GARBAGE_POINTER(dora_event_t *);
        status = read_dora_event(node, 0, &event);
        if (status == DORA_OK)
            is_message(event, "in", ++messages);
        dora_event_free(event);
    }
    CHECK(messages == MESSAGES);
    close(epoll);
    dora_node_free(node);
}

int main(void) {
    descriptor();
    events_wait();
    at_first();
    interrupted();
    kept();
    closed(MESSAGE("in", 1), true);
    closed(MESSAGE("in", 1), false);
    closed(MESSAGE("in", 1) STOP, true);
    closed(STOP, false);
    beside_read();
    loop(0);
    loop(EPOLLET);
    one_read_each_time();
    return check_result("event_fd");
}
