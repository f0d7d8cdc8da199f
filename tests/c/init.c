/*
 * Programs that dora did not start, or that it started with nonsense: a status and a sentence that tells what
 * to do, as often as one tries, and no harm to the nodes that do start, of which one process may have
 * several. Environment: DORA_TEST_WITH_INPUTS=init.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

static void refused(const char *part) {
    dora_node_t *node = GARBAGE_POINTER(dora_node_t *);
    CHECK_STATUS(DORA_ERROR_INIT, dora_node_init(&node));
    CHECK(node == NULL);
    if (!CHECK(strstr(dora_last_error(), part) != NULL))
        fprintf(stderr, "    no \"%s\" in: %s\n", part, dora_last_error());
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL))
        exit(EXIT_FAILURE);
    CHECK(fputs(text, file) >= 0);
    CHECK(fclose(file) == 0);
}

static void numbers_and_stop(dora_node_t *node) {
    const int32_t *values = NULL;
    size_t length = 0;
    dora_event_t *event = must_read(node);
    CHECK_TEXT("numbers", dora_event_input_id(event));
    CHECK_STATUS(DORA_OK, dora_event_int32(event, &values, &length));
    CHECK(length == 3 && values && values[2] == 3);
    dora_event_free(event);
    event = must_read(node);
    CHECK(dora_event_kind(event) == DORA_EVENT_STOP);
    dora_event_free(event);
}

int main(void) {
    char inputs[4096], outputs[4096], other[4096 + 16];
    const char *script = getenv("DORA_TEST_WITH_INPUTS"), *results = getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    if (!CHECK(script && results))
        return EXIT_FAILURE;
    snprintf(inputs, sizeof inputs, "%s", script);
    snprintf(outputs, sizeof outputs, "%s", results);
    snprintf(other, sizeof other, "%s.other", outputs);

    unsetenv("DORA_TEST_WITH_INPUTS");
    refused("dora run");
    refused("DORA_TEST_WITH_INPUTS");
    setenv("DORA_TEST_WITH_INPUTS", "/no/such/file.json", 1);
    refused("/no/such/file.json");
    setenv("DORA_TEST_WITH_INPUTS", "", 1);
    refused("");
    setenv("DORA_TEST_WITH_INPUTS", "\xFF", 1);
    refused("DORA_TEST_WITH_INPUTS");
    setenv("DORA_TEST_WITH_INPUTS", other, 1);
    const char *const scripts[] = {"",
                                   "{",
                                   "[]",
                                   "{\"id\":\"n\"}",
                                   "{\"id\":\"a b\",\"events\":[]}",
                                   "\xFF",
                                   "{\"id\":\"n\",\"events\":[{\"time_offset_secs\":-1,\"type\":\"Stop\"}]}",
                                   "{\"id\":\"n\",\"events\":[{\"time_offset_secs\":0,\"type\":\"Tea\"}]}"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; ++i) {
        write_file(other, scripts[i]);
        refused("");
        CHECK(*dora_last_error() != '\0');
    }
    setenv("DORA_TEST_WITH_INPUTS", inputs, 1);
    setenv("DORA_TEST_WRITE_OUTPUTS_TO", "/no/such/folder/outputs.jsonl", 1);
    refused("/no/such/folder/outputs.jsonl");
    setenv("DORA_TEST_WRITE_OUTPUTS_TO", outputs, 1);
    const char *const configs[] = {"", "x", "{}", "{", "\xFF", "node_id: a b"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; ++i) {
        setenv("DORA_NODE_CONFIG", configs[i], 1);
        refused("DORA_NODE_CONFIG");
    }
    unsetenv("DORA_NODE_CONFIG");

    /* Two at a time, each with its own events and outputs; then one more, as if nothing had been. */
    dora_node_t *first = must_init();
    setenv("DORA_TEST_WRITE_OUTPUTS_TO", other, 1);
    dora_node_t *second = must_init();
    CHECK(first != second);
    CHECK(strcmp(dora_node_dataflow_id(first), dora_node_dataflow_id(second)) != 0);
    numbers_and_stop(second);
    numbers_and_stop(first);
    CHECK_STATUS(DORA_OK, dora_node_send_text(second, "out", "second", DORA_NUL_TERMINATED, NULL));
    CHECK_STATUS(DORA_OK, dora_node_send_text(first, "out", "first", DORA_NUL_TERMINATED, NULL));
    dora_node_free(first);
    CHECK_STATUS(DORA_OK, dora_node_send_text(second, "out", "alone", DORA_NUL_TERMINATED, NULL));
    dora_node_free(second);
    CHECK_OUTPUTS("{\"id\":\"out\",\"data\":[\"second\"],\"data_type\":\"Utf8\"}\n"
                  "{\"id\":\"out\",\"data\":[\"alone\"],\"data_type\":\"Utf8\"}\n");
    setenv("DORA_TEST_WRITE_OUTPUTS_TO", outputs, 1);
    CHECK_OUTPUTS("{\"id\":\"out\",\"data\":[\"first\"],\"data_type\":\"Utf8\"}\n");
    /* A threshold that switches shared memory off costs no memory. */
    setenv("DORA_ZERO_COPY_THRESHOLD", "18446744073709551615", 1);
    for (int i = 0; i < 10; ++i) {
        dora_node_t *node = must_init();
        if (i % 2)
            numbers_and_stop(node);
        dora_node_free(node);
    }
    return check_result("init");
}
