/*
 * Sends loans, one for each argument TYPE:LENGTH[:SHORTER], and waits for an answer to each. Value i of
 * message n is i * 7 + n, as its type takes it. With DORA_TEST_HOLD it first holds that many loans of the
 * first argument at once. dora's direct way may lose a message on a busy machine: another loan is sent in its
 * place then, twice at most, and reported as "again ARGUMENT".
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdint.h>

#define FILL(type, unsigned_type)                                                                            \
    for (size_t i = 0; i < length; i++)                                                                      \
    ((type *)data)[i] = (type)(unsigned_type)(i * 7 + number)

static void fill(dora_loan_t *loan, size_t number) {
    void *data = dora_loan_data(loan);
    size_t length = dora_loan_length(loan);
    switch (dora_loan_type(loan)) {
    case DORA_TYPE_INT8:
    case DORA_TYPE_UINT8:
        FILL(uint8_t, uint8_t);
        break;
    case DORA_TYPE_INT16:
    case DORA_TYPE_UINT16:
    case DORA_TYPE_FLOAT16: /* its bits */
        FILL(uint16_t, uint16_t);
        break;
    case DORA_TYPE_INT32:
    case DORA_TYPE_UINT32:
        FILL(uint32_t, uint32_t);
        break;
    case DORA_TYPE_INT64:
    case DORA_TYPE_UINT64:
        FILL(uint64_t, uint64_t);
        break;
    case DORA_TYPE_FLOAT32:
        FILL(float, uint16_t);
        break;
    default:
        FILL(double, uint32_t);
    }
}

static const char *memory_name(const dora_loan_t *loan) {
    switch (dora_loan_memory(loan)) {
    case DORA_MEMORY_HEAP:
        return "heap";
    case DORA_MEMORY_SHARED:
        return "shared";
    default:
        return "unknown";
    }
}

static dora_loan_t *lend(dora_node_t *node, const char *argument) {
    char *end;
    dora_loan_t *loan;
    int32_t type = (int32_t)strtol(argument, &end, 10);
    size_t length = strtoul(end + 1, &end, 10);
    expect_ok("loan", dora_node_loan(node, "out", type, length, &loan));
    report("loan %zu %s", dora_loan_size(loan), memory_name(loan));
    if ((uintptr_t)dora_loan_data(loan) % 64 != 0)
        report("unaligned");
    return loan;
}

static void send_loan(dora_node_t *node, dora_loan_t *loan, const char *argument, size_t number) {
    const char *shorter = strchr(strchr(argument, ':') + 1, ':');
    fill(loan, number);
    if (shorter)
        expect_ok("shorten", dora_loan_set_length(loan, strtoul(shorter + 1, NULL, 10)));
    expect_ok("send", dora_node_send_loan(node, &loan, NULL));
    if (loan)
        report("left");
}

static void send_and_wait(dora_node_t *node, dora_loan_t *loan, const char *argument, size_t number) {
    enum { TRIES = 3 };
    send_loan(node, loan, argument, number);
    for (int tries = 1; !await_input(node, 10000) && tries < TRIES; tries++) {
        report("again %s", argument);
        send_loan(node, lend(node, argument), argument, number);
    }
}

int main(int argc, char **argv) {
    enum { HELD_AT_MOST = 16 };
    dora_node_t *node = init_node();
    dora_loan_t *held[HELD_AT_MOST];
    long hold = setting("DORA_TEST_HOLD", 0);
    for (long i = 0; i < hold && i < HELD_AT_MOST && argc > 1; i++)
        held[i] = lend(node, argv[1]);
    for (long i = 0; i < hold && i < HELD_AT_MOST && argc > 1; i++)
        send_and_wait(node, held[i], argv[1], (size_t)i);
    for (int i = 1; i < argc && hold == 0; i++)
        send_and_wait(node, lend(node, argv[i]), argv[i], (size_t)i - 1);
    free_node(node);
    return 0;
}
