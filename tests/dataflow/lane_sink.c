/*
 * Takes messages in the form of lane_frame.h. Its environment says how:
 *
 *     DORA_TEST_SLEEP_MS    sleep before the first read
 *     DORA_TEST_GO          wait for this file before the first read
 *     DORA_TEST_WAIT        "read" waits in the read, which is the default; "timeout" in short ones;
 *                           "interrupt" in reads that another thread interrupts all the time; "poll" at the
 *                           event fd; "edge" there with an edge-triggered epoll
 *     DORA_TEST_READ_US     sleep behind each message
 *     DORA_TEST_HOLD        keep so many of the last messages, 64 at most, and look at them again when they
 * go DORA_TEST_HOLDS       what of them: "event", which is the default, or "arrow" DORA_TEST_RELEASE     keep
 * them behind dora_node_free until there is this file DORA_TEST_UNTIL       end after so many messages
 *     DORA_TEST_FAILS_AT    end in failure behind so many messages; see lane_process.h
 *     DORA_TEST_TELL_EVERY  report "progress COUNT" each so many messages
 *
 * It reports "run RESTARTS", "from INPUT INCARNATION NUMBER" for the first message of each run of a sender,
 * "wrong: …" for what must not be, "event KIND" for other events, and in the end "result" with a line of
 * JSON: of each input what lane_book.h counts, beside what the node does.
 */
#define _GNU_SOURCE
#include "lane_book.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>

enum { HELD_AT_MOST = 64, PATIENCE_MS = 120000, READS_BEHIND_THE_END = 10 };

static dora_node_t *node;
static struct {
    uint64_t messages, stops, before_stop, interrupts, wakes, vain, held, held_damaged, not_closed;
} counts;

/* ---- What is kept ---- */

static struct held {
    dora_event_t *event;
    struct ArrowSchema schema;
    struct ArrowArray array;
    const uint8_t *frame;
    size_t size;
    struct lane_head head;
} held[HELD_AT_MOST];

static void look_at(const struct held *kept) {
    struct lane_head head;
    if (!kept->frame)
        return;
    bool is_whole = lane_check(kept->frame, kept->size, &head);
    if (is_whole && lane_same_head(head, kept->head))
        return;
    counts.held_damaged++;
    report("wrong: a message that is kept, number %u of run %u, became %s number %u of run %u",
           (unsigned)kept->head.number, (unsigned)kept->head.incarnation, is_whole ? "whole" : "damaged",
           (unsigned)head.number, (unsigned)head.incarnation);
}

static void let_go(struct held *kept) {
    look_at(kept);
    dora_event_free(kept->event);
    if (kept->array.release)
        kept->array.release(&kept->array);
    if (kept->schema.release)
        kept->schema.release(&kept->schema);
    memset(kept, 0, sizeof *kept);
}

/* Takes the event over, and lets another go that was kept so far. */
static void keep(dora_event_t *event, const uint8_t *frame, size_t size, struct lane_head head) {
    const long limit = setting("DORA_TEST_HOLD", 0);
    if (limit == 0) {
        dora_event_free(event);
        return;
    }
    struct held *kept = &held[counts.held++ % (uint64_t)(limit < HELD_AT_MOST ? limit : HELD_AT_MOST)];
    let_go(kept);
    kept->frame = frame, kept->size = size, kept->head = head;
    if (!is_setting("DORA_TEST_HOLDS", "arrow")) {
        kept->event = event;
        return;
    }
    expect_ok("arrow", dora_event_arrow(event, &kept->schema, &kept->array));
    kept->frame = (const uint8_t *)kept->array.buffers[1] + kept->array.offset;
    dora_event_free(event);
}

static void look_at_all(void) {
    for (size_t i = 0; i < HELD_AT_MOST; i++)
        look_at(&held[i]);
}

/* ---- The ways to wait ---- */

static atomic_bool is_over;

static void *interrupt_all_the_time(void *unused) {
    while (!atomic_load(&is_over)) {
        dora_node_interrupt(node);
        sleep_ms(1);
    }
    return unused;
}

static void wait_at_fd(void) {
    static int epoll = -1;
    const bool by_edge = is_setting("DORA_TEST_WAIT", "edge");
    struct pollfd watched = {-1, POLLIN, 0};
    struct epoll_event told;
    expect_ok("fd", dora_node_event_fd(node, &watched.fd));
    if (by_edge && epoll < 0) {
        memset(&told, 0, sizeof told);
        told.events = EPOLLIN | (uint32_t)EPOLLET;
        epoll = epoll_create1(EPOLL_CLOEXEC);
        if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, watched.fd, &told) != 0)
            abort();
    }
    int woken = by_edge ? epoll_wait(epoll, &told, 1, PATIENCE_MS) : poll(&watched, 1, PATIENCE_MS);
    if (woken == 1)
        counts.wakes++;
    else
        report("wrong: the event fd was silent for %d ms", PATIENCE_MS);
}

static dora_status_t next(dora_event_t **event) {
    const bool at_fd = is_setting("DORA_TEST_WAIT", "poll") || is_setting("DORA_TEST_WAIT", "edge");
    const int64_t timeout = at_fd ? 0 : is_setting("DORA_TEST_WAIT", "timeout") ? 5000000 : DORA_FOREVER;
    bool woken = false;
    dora_status_t status;
    while ((status = read_dora_event(node, timeout, event)) == DORA_TIMEOUT || status == DORA_INTERRUPTED) {
        counts.interrupts += status == DORA_INTERRUPTED;
        counts.vain += woken;
        if (at_fd && status == DORA_TIMEOUT)
            wait_at_fd();
        woken = at_fd;
    }
    return status;
}

/* ---- The events ---- */

static uint64_t lost(const char *input) {
    uint64_t total;
    expect_ok("dropped", dora_node_dropped(node, input, &total));
    return total;
}

/* Takes an event, which is kept or freed. */
static void handle_message(dora_event_t *event) {
    struct lane_book *book = lane_book_of(dora_event_input_id(event));
    const long tells = setting("DORA_TEST_TELL_EVERY", 0);
    const uint8_t *frame;
    struct lane_head head;
    size_t size;
    expect_ok("frame", dora_event_uint8(event, &frame, &size));
    if (lane_receive(book, frame, size, &head))
        trace(head, dora_node_restart_count(node), getenv("DORA_TEST_TRACE") ? lost(book->input) : 0);
    keep(event, frame, size, head);
    if (++counts.messages % (uint64_t)(tells ? tells : INT64_MAX) == 0)
        report("progress %" PRIu64, counts.messages);
}

static void handle(dora_event_t *event) {
    if (dora_event_data_type(event) == DORA_TYPE_UINT8) {
        handle_message(event);
        return;
    }
    const int32_t kind = dora_event_kind(event);
    report("event %s", dora_event_kind_name(kind));
    if (kind == DORA_EVENT_INPUT_CLOSED) {
        struct lane_book *book = lane_book_of(dora_event_input_id(event));
        book->is_closed = true;
        book->closed++;
    } else if (kind == DORA_EVENT_INPUT_RECOVERED) {
        lane_book_of(dora_event_input_id(event))->is_closed = false;
    } else if (kind == DORA_EVENT_STOP && counts.stops++ == 0) {
        counts.before_stop = counts.messages;
    }
    dora_event_free(event);
}

static void read_all(void) {
    const uint64_t until = (uint64_t)setting("DORA_TEST_UNTIL", INT64_MAX);
    const long pause_us = setting("DORA_TEST_READ_US", 0);
    dora_event_t *event;
    dora_status_t status = DORA_OK;
    while (counts.messages < until && (status = next(&event)) == DORA_OK) {
        handle(event);
        if (fails_now(node, counts.messages))
            fail(node);
        if (pause_us)
            usleep((useconds_t)pause_us);
    }
    if (status != DORA_OK)
        report_status("closed", status);
    for (int i = 0; i < READS_BEHIND_THE_END && status != DORA_OK; i++)
        while (read_dora_event(node, 0, &event) != DORA_CLOSED)
            if (counts.not_closed++ > 100)
                break;
}

static void wait_for_release(void) {
    const char *path = getenv("DORA_TEST_RELEASE");
    while (path && access(path, F_OK) != 0) {
        sleep_ms(5);
        look_at_all();
    }
}

int main(void) {
    static char books[4096];
    pthread_t interrupter;
    const bool is_interrupted = is_setting("DORA_TEST_WAIT", "interrupt");
    report_process("before");
    node = init_lane_node();
    report("run %u", (unsigned)dora_node_restart_count(node));
    report("dataflow %s", dora_node_dataflow_id(node));
    report_process("init");
    sleep_ms(setting("DORA_TEST_SLEEP_MS", 0));
    wait_for_driver();
    if (is_interrupted)
        pthread_create(&interrupter, NULL, interrupt_all_the_time, NULL);
    read_all();
    atomic_store(&is_over, true);
    if (is_interrupted)
        pthread_join(interrupter, NULL);
    lane_print_books(node, books, sizeof books);
    report_process("sent");
    look_at_all();
    free_node(node);
    report_process("freed");
    report("freed");
    look_at_all();
    wait_for_release();
    for (size_t i = 0; i < HELD_AT_MOST; i++)
        let_go(&held[i]);
    report("result {\"inputs\":%s,\"stops\":%" PRIu64 ",\"before_stop\":%" PRIu64 ",\"interrupts\":%" PRIu64
           ",\"wakes\":%" PRIu64 ",\"vain\":%" PRIu64 ",\"held\":%" PRIu64 ",\"held_damaged\":%" PRIu64
           ",\"not_closed\":%" PRIu64 ",\"messages\":%" PRIu64 "}",
           books, counts.stops, counts.before_stop, counts.interrupts, counts.wakes, counts.vain, counts.held,
           counts.held_damaged, counts.not_closed, counts.messages);
    return 0;
}
