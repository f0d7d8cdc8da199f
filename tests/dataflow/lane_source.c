/*
 * Sends messages in the form of lane_frame.h, each on all of the outputs in its arguments, or on all that it
 * has. Its environment says what else:
 *
 *     DORA_TEST_COUNT          how many; -1: until it is stopped, or there is the file of DORA_TEST_DONE
 *     DORA_TEST_SIZES          their bytes, in turns, as "8,4096", or "8-8388608" for any between
 *     DORA_TEST_INTERVAL_US    the pause between them
 *     DORA_TEST_WAY            "copy", which is the default, "loan", or "both" in turns
 *     DORA_TEST_TICKS          wait for an input before the first
 *     DORA_TEST_GO             wait for this file before the first
 *     DORA_TEST_CORRELATED_AT  this one is a request
 *     DORA_TEST_FAILS_AT       end in failure before this one; see lane_process.h
 *     DORA_TEST_SLEEP_MS       sleep behind the last
 *     DORA_TEST_STAYS          wait behind the last, until it is stopped, or there is the file of
 * DORA_TEST_DONE DORA_TEST_LEAVES         return without dora_node_free DORA_TEST_MAY_FAIL       go on when a
 * message is refused
 *
 * It reports "run RESTARTS", "ways …" as soon as it is a node and "last_ways …" behind the last message,
 * "sent COUNT SHARED", SHARED of them from loans in shared memory, "stopped", and "end". In the next messages
 * the number goes on behind one that was refused, which is reported as "refused NUMBER SIZE STATUS SENTENCE".
 */
#define _GNU_SOURCE
#include "lane_process.h"

static dora_node_t *node;
static uint64_t random_state = 88172645463325252;
static uint64_t sent, shared;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* The size of a message: small ones are as frequent as large ones. */
static size_t size_between(size_t least, size_t most) {
    size_t size = least;
    while (size < most && next_random() % 8 != 0)
        size = 2 * size + next_random() % 7;
    return size < most ? size : most;
}

static size_t next_size(void) {
    static const char *at;
    const char *sizes = getenv("DORA_TEST_SIZES");
    char *end;
    if (!at || !*at)
        at = sizes && *sizes ? sizes : "64";
    size_t size = strtoul(at, &end, 10);
    if (*end == '-')
        size = size_between(size, strtoul(end + 1, &end, 10));
    at = *end == ',' ? end + 1 : end;
    return size < 8 ? 8 : size;
}

static dora_status_t send_copy(const char *output, struct lane_head head, size_t size,
                               const dora_metadata_t *metadata) {
    uint8_t *frame = malloc(size);
    if (!frame)
        abort();
    lane_fill(frame, size, head);
    dora_status_t status = dora_node_send_values(node, output, DORA_TYPE_UINT8, frame, size, metadata);
    /* What was sent is a copy, which this must not reach. */
    memset(frame, 0xdd, size);
    free(frame);
    return status;
}

static dora_status_t send_loan(const char *output, struct lane_head head, size_t size,
                               const dora_metadata_t *metadata) {
    dora_loan_t *loan;
    dora_status_t status = dora_node_loan(node, output, DORA_TYPE_UINT8, size, &loan);
    if (status != DORA_OK)
        return status;
    shared += dora_loan_memory(loan) == DORA_MEMORY_SHARED;
    lane_fill(dora_loan_data(loan), size, head);
    return dora_node_send_loan(node, &loan, metadata);
}

static void send_on(const char *output, uint8_t index, uint32_t number, const dora_metadata_t *metadata) {
    struct lane_head head = {number, (uint16_t)dora_node_restart_count(node),
                             (uint8_t)(index + setting("DORA_TEST_TAG", 0))};
    size_t size = next_size();
    bool by_loan = is_setting("DORA_TEST_WAY", "loan") || (is_setting("DORA_TEST_WAY", "both") && number % 2);
    dora_status_t status = (by_loan ? send_loan : send_copy)(output, head, size, metadata);
    if (status == DORA_OK)
        trace(head, dora_node_restart_count(node), 0);
    else
        report("refused %u %zu %s %s", (unsigned)number, size, dora_status_name(status), dora_last_error());
    if (status != DORA_OK && !getenv("DORA_TEST_MAY_FAIL"))
        expect_ok("send", status);
    sent += status == DORA_OK;
}

static void send_message(char **outputs, uint32_t number) {
    dora_metadata_t *metadata = NULL;
    if (number == (uint32_t)setting("DORA_TEST_CORRELATED_AT", -1)) {
        char id[DORA_ID_SIZE];
        expect_ok("metadata", dora_metadata_new(&metadata));
        expect_ok("request", dora_metadata_start_request(metadata, id, sizeof id));
    }
    if (*outputs)
        for (size_t i = 0; outputs[i]; i++)
            send_on(outputs[i], (uint8_t)i, number, metadata);
    else
        for (size_t i = 0; i < dora_node_output_count(node); i++)
            send_on(dora_node_output_id(node, i), (uint8_t)i, number, metadata);
    dora_metadata_free(metadata);
}

/* Reads what there is; false when the node is to end. */
static bool goes_on(void) {
    const char *done = getenv("DORA_TEST_DONE");
    static bool stopped;
    dora_event_t *event;
    dora_status_t status;
    while (!stopped && (status = read_dora_event(node, 0, &event)) != DORA_TIMEOUT) {
        stopped = status != DORA_OK || dora_event_kind(event) == DORA_EVENT_STOP;
        if (stopped)
            report("stopped");
        dora_event_free(event);
    }
    return !stopped && !(done && access(done, F_OK) == 0);
}

static void pause_us(long us) {
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    if (us > 0)
        nanosleep(&time, NULL);
}

static void send_all(char **outputs) {
    const long count = setting("DORA_TEST_COUNT", 100), interval = setting("DORA_TEST_INTERVAL_US", 0);
    for (uint32_t number = 0; count < 0 ? goes_on() : number < (uint32_t)count; number++) {
        if (fails_now(node, number))
            fail(node);
        send_message(outputs, number);
        if (number == 0)
            report("first");
        pause_us(interval);
    }
}

static void report_last_ways(void) {
    for (size_t i = 0; i < dora_node_output_count(node); i++) {
        int32_t transport;
        expect_ok("transport", dora_node_output_transport(node, dora_node_output_id(node, i), &transport));
        report("last_ways %s:%d", dora_node_output_id(node, i), (int)transport);
    }
}

int main(int argc, char **argv) {
    (void)argc;
    report_process("before");
    node = init_lane_node();
    report("run %u", (unsigned)dora_node_restart_count(node));
    report("dataflow %s", dora_node_dataflow_id(node));
    report_ways(node);
    report_process("init");
    if (getenv("DORA_TEST_TICKS"))
        await_input(node, 60000);
    wait_for_driver();
    send_all(argv + 1);
    report_last_ways();
    report("sent %" PRIu64 " %" PRIu64, sent, shared);
    while (getenv("DORA_TEST_STAYS") && goes_on())
        sleep_ms(5);
    sleep_ms(setting("DORA_TEST_SLEEP_MS", 0));
    report_process("sent");
    if (getenv("DORA_TEST_LEAVES"))
        return 0;
    free_node(node);
    report_process("freed");
    report("end");
    return 0;
}
