/*
 * Does with extensions what the driver says, a line at a time in the file that DORA_TEST_ORDERS names, and
 * reports "done ANSWER" for each. An answer is a status, a value's size and checksum where one was got, and
 * the sentence of a failure.
 *
 *     store NAMESPACE KEY SIZE SEED
 *     load NAMESPACE KEY
 *     take NAMESPACE KEY
 *     drop NAMESPACE KEY
 *     dropped NAMESPACE
 *     request NAMESPACE
 *     fill NAMESPACE COUNT         stores that many keys, until one is refused
 *     end
 *     leave                        ends the program without a word to dora
 *
 * An @ stands for an empty text.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <inttypes.h>

static dora_node_t *node;

static const char *text_of(const char *word) { return strcmp(word, "@") == 0 ? "" : word; }

/* Adler-32, which Python has too. */
static uint32_t checksum_of(const uint8_t *bytes, size_t size) {
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + bytes[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

static void answer(dora_status_t status) {
    if (status < 0)
        report("done %s %s", dora_status_name(status), dora_last_error());
    else
        report("done %s", dora_status_name(status));
}

/* Takes the bytes. */
static void answer_bytes(dora_status_t status, dora_bytes_t *bytes) {
    size_t size = dora_bytes_size(bytes);
    if (status == DORA_OK)
        report("done DORA_OK %zu %" PRIu32, size, checksum_of(dora_bytes_data(bytes), size));
    else if (bytes)
        report("done wrong: %s, but there are %zu bytes", dora_status_name(status), size);
    else
        answer(status);
    dora_bytes_free(bytes);
}

static void store(const char *ns, const char *key, size_t size, unsigned long seed) {
    uint8_t *value = malloc(size + 1);
    if (!value)
        abort();
    for (size_t i = 0; i < size; i++)
        value[i] = (uint8_t)(i * 7 + seed);
    answer(dora_node_extension_store(node, ns, key, size ? value : NULL, size));
    free(value);
}

static void load(const char *ns, const char *key, int32_t remove) {
    dora_bytes_t *bytes = (dora_bytes_t *)node; /* what must be overwritten */
    dora_status_t status = dora_node_extension_load(node, ns, key, remove, &bytes);
    answer_bytes(status, bytes);
}

static void next_dropped(const char *ns) {
    dora_bytes_t *key;
    dora_status_t status = dora_extension_next_dropped(ns, &key);
    if (status == DORA_OK)
        report("done DORA_OK %.*s", (int)dora_bytes_size(key), (const char *)dora_bytes_data(key));
    else
        answer(status);
    dora_bytes_free(key);
}

static void request(const char *ns) {
    dora_bytes_t *bytes = (dora_bytes_t *)node;
    dora_status_t status = dora_node_extension_request(node, ns, "are you there?", 14, &bytes);
    answer_bytes(status, bytes);
}

static void fill(const char *ns, long count) {
    dora_status_t status = DORA_OK;
    char key[32];
    long stored = 0;
    while (status == DORA_OK && stored < count) {
        snprintf(key, sizeof key, "key-%ld", stored);
        status = dora_node_extension_store(node, ns, key, NULL, 0);
        stored += status == DORA_OK;
    }
    report("stored %ld", stored);
    answer(status);
}

/* Does what one line says, and returns whether there will be more. */
static int obey(char *line) {
    char *words[5] = {NULL};
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < 5; word = strtok(NULL, " \n"))
        words[count++] = word;
    const char *order = words[0], *ns = text_of(words[1] ? words[1] : ""),
               *key = text_of(words[2] ? words[2] : "");
    if (strcmp(order, "store") == 0)
        store(ns, key, strtoul(words[3], NULL, 10), strtoul(words[4], NULL, 10));
    else if (strcmp(order, "load") == 0 || strcmp(order, "take") == 0)
        load(ns, key, strcmp(order, "take") == 0 ? 256 : 0); /* every value but 0 is true */
    else if (strcmp(order, "drop") == 0)
        answer(dora_node_extension_drop(node, ns, key));
    else if (strcmp(order, "dropped") == 0)
        next_dropped(ns);
    else if (strcmp(order, "request") == 0)
        request(ns);
    else if (strcmp(order, "fill") == 0)
        fill(ns, strtol(key, NULL, 10));
    else if (strcmp(order, "leave") == 0)
        _exit(0);
    return strcmp(order, "end") != 0;
}

int main(void) {
    char line[256];
    FILE *orders = fopen(getenv("DORA_TEST_ORDERS"), "r");
    node = init_node();
    if (!orders)
        abort();
    report("ready");
    for (;;) {
        long place = ftell(orders);
        if (fgets(line, sizeof line, orders) && strchr(line, '\n')) {
            if (!obey(line))
                break;
            continue;
        }
        /* The line is not there yet, or not the whole of it. */
        fseek(orders, place, SEEK_SET);
        sleep_ms(2);
    }
    fclose(orders);
    free_node(node);
    report("done DORA_OK");
    return 0;
}
