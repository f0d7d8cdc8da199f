/*
 * A client of the service of the node "server". It has several requests under way, awaits their answers in
 * another order than they come in, and reads afterwards what came meanwhile. With DORA_TEST_ONE_BY_ONE it
 * awaits each answer before the next request, or gives it time to arrive.
 *
 *     request NUMBER ID             sent
 *     reply STATUS, reply-event …   awaited; see pattern.h
 *     again STATUS                  one that was there is awaited once more
 *     silent STATUS, silent_ms …    one that nobody answers, with a timeout
 *     zero STATUS, zero_ms …        the same, without a wait
 *     polls COUNT                   how often a reply was looked for without a wait until it was there
 *     event …                       read afterwards, the number of an event on "tick" being its time
 *     dropped INPUT TOTAL           in the end
 */
#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

enum { UNANSWERED = -1, LEFT = 2, BY_HAND = 5, POLLED };

static dora_node_t *node;
static char ids[POLLED + 1][DORA_ID_SIZE];

/* A request with an id of the caller's own. */
static void send_by_hand(int32_t number, const char *id) {
    dora_metadata_t *metadata = new_metadata();
    snprintf(ids[number], sizeof ids[number], "%s", id);
    expect_ok("id", dora_metadata_set_string(metadata, DORA_KEY_REQUEST_ID, id, DORA_NUL_TERMINATED));
    report("request %d %s", (int)number, id);
    send_number(node, "request", number, metadata);
    dora_metadata_free(metadata);
}

static void expect_timeout(const char *word, const char *word_ms, const char *id, int64_t timeout_ns) {
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    await_reply(node, word, id, "server", timeout_ns);
    report("%s %.1f", word_ms, ms_since(start));
}

static void poll_reply(const char *id) {
    dora_event_t *event;
    dora_status_t status;
    int polls = 0;
    do {
        sleep_ms(5);
        status = dora_node_read_reply(node, id, "server", 0, &event);
    } while (status == DORA_TIMEOUT && polls++ < 2000);
    report_status("polled", status);
    report_event("polled-event", event);
    report("polls %d", polls);
    dora_event_free(event);
}

static void report_read(const dora_event_t *event) {
    if (is_message(event, "tick"))
        report("event tick %lld - - 0", (long long)dora_event_timestamp_ns(event));
    else
        report_event("event", event);
}

/* Reads until the last of the data, the reply that was left and as many ticks as are kept have come. */
static void read_the_rest(int32_t last) {
    dora_event_t *event;
    bool has_data = false, has_reply = false;
    int ticks = 0;
    while (!(has_data && has_reply && ticks >= 10) && read_dora_event(node, seconds(10), &event) == DORA_OK) {
        report_read(event);
        has_data = has_data || (is_message(event, "data") && number_of(event) == last);
        has_reply = has_reply || is_message(event, "reply");
        ticks += is_message(event, "tick");
        dora_event_free(event);
    }
}

static void report_dropped(const char *input) {
    uint64_t total;
    expect_ok("dropped", dora_node_dropped(node, input, &total));
    report("dropped %s %llu", input, (unsigned long long)total);
}

static void await_answer(int32_t number) {
    if (number != LEFT)
        await_reply(node, "reply", ids[number], "server", seconds(10));
}

static void send_and_await_all(void) {
    bool one_by_one = getenv("DORA_TEST_ONE_BY_ONE") != NULL;
    for (int32_t number = 0; number <= BY_HAND; number++) {
        if (number == BY_HAND)
            send_by_hand(number, "编号-5");
        else
            send_request(node, number, ids[number]);
        if (one_by_one)
            await_answer(number);
        if (one_by_one && number == LEFT)
            sleep_ms(500);
    }
    for (int32_t number = 0; number <= BY_HAND && !one_by_one; number++)
        await_answer(number);
}

int main(void) {
    char silent[DORA_ID_SIZE];
    node = init_node();
    send_and_await_all();
    await_reply(node, "again", ids[0], "server", 0);

    send_request(node, UNANSWERED, silent);
    expect_timeout("silent", "silent_ms", silent, milliseconds(300));
    expect_timeout("zero", "zero_ms", silent, 0);
    report("unchanged %s", dora_last_error());
    send_request(node, POLLED, ids[POLLED]);
    poll_reply(ids[POLLED]);

    read_the_rest((int32_t)setting("DORA_TEST_COUNT", 0) - 1);
    report_dropped("reply");
    report_dropped("data");
    report_dropped("tick");
    free_node(node);
    return 0;
}
