/*
 * Sends messages of the sizes in its arguments, in turn, DORA_TEST_COUNT altogether, and waits for an answer
 * to each, so that no queue overflows. dora's direct way may lose a message on a busy machine all the same:
 * it is sent again then, twice at most, and reported as "again SIZE". With DORA_TEST_WARM_UP it rests behind
 * that many: zenoh then still adds connections.
 */
#define _POSIX_C_SOURCE 200809L
#include "checksum.h"
#include "resources.h"
#include "support.h"

enum { TRIES = 3 };

static void send_message(dora_node_t *node, size_t size, uint64_t number) {
    static uint64_t state = 1;
    uint8_t *message = malloc(size);
    if (!message)
        abort();
    fill_message(message, size, number, &state);
    int tries = 0;
    do {
        if (tries++ > 0)
            report("again %zu", size);
        expect_ok("send", dora_node_send_bytes(node, "out", message, size, NULL));
    } while (!await_input(node, 10000) && tries < TRIES);
    free(message);
}

int main(int argc, char **argv) {
    dora_node_t *node = init_node();
    long count = setting("DORA_TEST_COUNT", 0);
    report("begin");
    for (long i = 0; i < count && argc > 1; i++) {
        if (i == setting("DORA_TEST_WARM_UP", -1)) {
            sleep_ms(1500);
            report_resources();
        }
        send_message(node, strtoul(argv[1 + i % (argc - 1)], NULL, 10), (uint64_t)i);
    }
    report_resources();
    free_node(node);
    return 0;
}
