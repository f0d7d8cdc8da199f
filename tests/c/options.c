/*
 * What options can be and cannot be: each setter with right and wrong values, and what dora_node_init_with
 * makes of values that are wrong only together or only then. Environment: DORA_TEST_WITH_INPUTS=options.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scripted.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static dora_node_options_t *options;
static char script[4096]; /* DORA_TEST_WITH_INPUTS, which is only set when the defaults are looked at */

/* ---- Values that a setter can judge ---- */

static void flags_and_ports(void) {
    const int32_t flags[] = {0, 1, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
        CHECK_STATUS(DORA_OK, dora_node_options_set_interactive(options, flags[i]));
        CHECK_STATUS(DORA_OK, dora_node_options_set_keep_last_values(options, flags[i]));
        CHECK_STATUS(DORA_OK, dora_node_options_set_fast_lane(options, flags[i]));
    }
    CHECK_STATUS(DORA_OK, dora_node_options_set_daemon_port(options, UINT16_MAX));
    CHECK_STATUS(DORA_OK, dora_node_options_set_daemon_port(options, 1));
    CHECK_STATUS(DORA_OK, dora_node_options_set_daemon_port(options, 0));
}

static void timeouts(void) {
    const int64_t good[] = {1, INT64_MAX, INT64_MIN, DORA_FOREVER};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        CHECK_STATUS(DORA_OK, dora_node_options_set_init_timeout_ns(options, good[i]));
        CHECK_STATUS(DORA_OK, dora_node_options_set_send_timeout_ns(options, good[i]));
    }
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_options_set_init_timeout_ns(options, 0));
    CHECK(error_names("timeout_ns"));
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_options_set_send_timeout_ns(options, 0));
    CHECK(error_names("timeout_ns"));
}

static void sizes(void) {
    const uint64_t beyond[] = {UINT64_MAX, (uint64_t)INT64_MAX + 1};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_options_set_pool_size(options, beyond[i]));
        CHECK(error_names("bytes"));
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_options_set_zero_copy_threshold(options, beyond[i]));
        CHECK(error_names("bytes"));
    }
    CHECK_STATUS(DORA_OK, dora_node_options_set_pool_size(options, 1));
    CHECK_STATUS(DORA_OK, dora_node_options_set_pool_size(options, 0));
}

static void node_ids(void) {
    const char *const bad[] = {"", " ", "a b", "a/b", "a\n", "gr\xC3\xBC\xC3\x9F"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_ID, dora_node_options_set_node_id(options, bad[i]));
        CHECK(error_names("node_id"));
    }
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_options_set_node_id(options, "a\xFF"));
    CHECK(error_names("node_id"));
    CHECK_STATUS(DORA_OK, dora_node_options_set_node_id(options, "a-Z_0.9"));
    CHECK_STATUS(DORA_OK, dora_node_options_set_node_id(options, NULL));
}

static void paths(void) {
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_options_set_test_inputs(options, "\xFF.json"));
    CHECK(error_names("path"));
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_options_set_test_outputs(options, "a\xC3"));
    CHECK(error_names("path"));
}

/* ---- Scripts ---- */

static void scripts(void) {
    const char *const bad[] = {"",
                               "{",
                               "[]",
                               "{}",
                               "\"text\"",
                               "{\"id\":\"n\"}",
                               "{\"events\":[]}",
                               "{\"id\":\"a b\",\"events\":[]}",
                               "{\"id\":\"n\",\"events\":[]} more",
                               "{\"id\":\"n\",\"events\":[{\"time_offset_secs\":0,\"type\":\"Tea\"}]}",
                               "{\"id\":\"n\",\"events\":[{\"type\":\"Stop\"}]}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        const size_t lengths[] = {strlen(bad[i]), DORA_NUL_TERMINATED};
        for (size_t k = 0; k < 2; ++k) {
            CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                         dora_node_options_set_test_inputs_json(options, bad[i], lengths[k]));
            CHECK(error_names("json"));
        }
    }
    const char *const good = "{\"id\":\"n\",\"events\":[]}";
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs_json(options, good, DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs_json(options, good, strlen(good)));
    /* A length needs no NUL, and takes one for a part of the text. */
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs_json(options, "{\"id\":\"n\",\"events\":[]}x",
                                                                 strlen(good)));
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                 dora_node_options_set_test_inputs_json(options, good, strlen(good) + 1));
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                 dora_node_options_set_test_inputs_json(options, good, SIZE_MAX - 1));
    CHECK(error_names("length"));

    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_options_set_test_inputs_json(options, "{\xFF}", 3));
    CHECK(error_names("json"));
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8,
                 dora_node_options_set_test_inputs_json(options, "{\xFF}", DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs(options, NULL));
}

/* ---- Values that dora_node_init_with refuses ---- */

static void refused(dora_status_t status, const char *part) {
    dora_node_t *node = GARBAGE_POINTER(dora_node_t *);
    CHECK_STATUS(status, dora_node_init_with(options, &node));
    CHECK(node == NULL);
    if (!CHECK(strstr(dora_last_error(), part) != NULL))
        fprintf(stderr, "    no \"%s\" in: %s\n", part, dora_last_error());
}

static void files(void) {
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, "outputs.jsonl"));
    refused(DORA_ERROR_INVALID_ARGUMENT, "options");
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, NULL));

    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs(options, "/no/such/file.json"));
    refused(DORA_ERROR_INIT, "/no/such/file.json");
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs(options, ""));
    refused(DORA_ERROR_INIT, "");
    set_script(options, STOP_AT("-1"), 0);
    refused(DORA_ERROR_INIT, "time_offset_secs");
    set_script(options, STOP, 0);
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, "/no/such/folder/outputs.jsonl"));
    refused(DORA_ERROR_INIT, "/no/such/folder/outputs.jsonl");
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, NULL));
}

/* ---- Daemons that are not there, or do not answer ---- */

/* A port that takes connections, since it listens, and says nothing on them. */
static int listen_mutely(uint16_t *port) {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!CHECK(listener >= 0 && bind(listener, (struct sockaddr *)&address, size) == 0 &&
               listen(listener, 4) == 0 && getsockname(listener, (struct sockaddr *)&address, &size) == 0))
        exit(EXIT_FAILURE);
    *port = ntohs(address.sin_port);
    return listener;
}

static void daemons(void) {
    uint16_t port;
    const int listener = listen_mutely(&port);
    CHECK_STATUS(DORA_OK, dora_node_options_set_node_id(options, "dynamic"));
    CHECK_STATUS(DORA_OK, dora_node_options_set_daemon_port(options, port));
    CHECK_STATUS(DORA_OK, dora_node_options_set_init_timeout_ns(options, 50 * 1000000));
    dora_node_t *node = GARBAGE_POINTER(dora_node_t *);
    const double began = seconds();
    CHECK_STATUS(DORA_TIMEOUT, dora_node_init_with(options, &node));
    CHECK(seconds() - began >= 0.05);
    CHECK(node == NULL);

    close(listener);
    CHECK_STATUS(DORA_OK, dora_node_options_set_init_timeout_ns(options, DORA_FOREVER));
    refused(DORA_ERROR_INIT, "dynamic");

    /* Without a name it is a node that dora starts, which dora did not. */
    CHECK_STATUS(DORA_OK, dora_node_options_set_node_id(options, NULL));
    refused(DORA_ERROR_INIT, "DORA_NODE_CONFIG");
    CHECK_STATUS(DORA_OK, dora_node_options_set_interactive(options, 1));
    refused(DORA_ERROR_INIT, "DORA_NODE_CONFIG"); /* stdin is no terminal */
}

/* More than any machine has, though not more than an address can tell. */
static void memory(void) {
    CHECK_STATUS(DORA_OK, dora_node_options_set_pool_size(options, UINT64_C(1) << 50));
    CHECK_STATUS(DORA_OK, dora_node_options_set_node_id(options, "dynamic"));
    dora_node_t *node = GARBAGE_POINTER(dora_node_t *);
    CHECK_STATUS(DORA_ERROR_OUT_OF_MEMORY, dora_node_init_with(options, &node));
    CHECK(node == NULL);
    CHECK(strstr(dora_last_error(), "/dev/shm") || strstr(dora_last_error(), "RLIMIT_MEMLOCK"));
}

/* ---- Nodes ---- */

/* Options at their defaults, and none, do what dora_node_init does. */
static void defaults(void) {
    CHECK(setenv("DORA_TEST_WITH_INPUTS", script, 1) == 0);
    dora_node_t *node = must_init_with(options);
    read_message(node, "scripted", 1);
    dora_node_free(node);
    node = must_init_with(NULL);
    read_message(node, "scripted", 1);
    dora_node_free(node);

    /* Outputs go with the inputs of the options, not with those of the environment. */
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_outputs(options, "outputs.jsonl"));
    refused(DORA_ERROR_INVALID_ARGUMENT, "options");
}

/* A node without a daemon sends by no memory, so it needs none. */
static void memory_of_none(void) {
    CHECK_STATUS(DORA_OK, dora_node_options_set_pool_size(options, UINT64_C(1) << 50));
    set_script(options, MESSAGE("in", 1), 0);
    dora_node_t *node = must_init_with(options);
    CHECK(dora_node_pool_size(node) == 0);
    dora_node_free(node);
}

int main(void) {
    const char *inputs = getenv("DORA_TEST_WITH_INPUTS");
    if (!CHECK(inputs != NULL) || !CHECK(freopen("/dev/null", "r", stdin) != NULL))
        return EXIT_FAILURE;
    snprintf(script, sizeof script, "%s", inputs);
    unsetenv("DORA_TEST_WITH_INPUTS");

    /* Each with options of its own; what the whole process has is looked at before its first node. */
    void (*const checks[])(void) = {flags_and_ports, timeouts, sizes,   node_ids,       paths,   scripts,
                                    files,           memory,   daemons, memory_of_none, defaults};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
        options = must_make_options();
        checks[i]();
        dora_node_options_free(options);
    }
    return check_result("options");
}
