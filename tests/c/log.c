/*
 * Lines in the log of the dataflow: they come after what C has printed before, and before what it prints
 * next, though stdout is a file and so has a buffer. Environment: DORA_TEST_WITH_INPUTS=log.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

/* Where `part` is in `text`, once and only once. */
static const char *only(const char *text, const char *part) {
    const char *at = strstr(text, part);
    if (!CHECK(at != NULL && strstr(at + 1, part) == NULL))
        fprintf(stderr, "    not once in the log: %s\n", part);
    return at;
}

static char *read_file(const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    if (CHECK(file != NULL)) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

int main(void) {
    char path[4096];
    const char *outputs = getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    snprintf(path, sizeof path, "%s.stdout", outputs ? outputs : "log");
    if (!CHECK(freopen(path, "w", stdout) != NULL))
        return EXIT_FAILURE;

    dora_node_t *node = must_init();
    const char *const messages[] = {"of-error", "of-warn", "of-info", "of-debug", "of-trace"};
    for (int32_t level = DORA_LOG_ERROR; level <= DORA_LOG_TRACE; ++level) {
        printf("before-%d\n", (int)level);
        CHECK_STATUS(DORA_OK, dora_node_log(node, level, messages[level - DORA_LOG_ERROR]));
        printf("after-%d\n", (int)level);
    }
    CHECK_STATUS(DORA_OK, dora_node_log(node, DORA_LOG_INFO, ""));
    CHECK_STATUS(DORA_OK, dora_node_log(node, DORA_LOG_INFO, "first-line\nsecond-line gr\xC3\xBC\xC3\x9F"));

    const int32_t no_levels[] = {0, -1, DORA_LOG_TRACE + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof no_levels / sizeof *no_levels; ++i) {
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_log(node, no_levels[i], "refused"));
        CHECK(error_names("level"));
    }
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_log(node, DORA_LOG_INFO, "refused \xFF"));
    CHECK(error_names("message"));
    dora_node_free(node);
    fflush(stdout);

    const char *log = read_file(path);
    const char *last = log;
    for (int32_t level = DORA_LOG_ERROR; level <= DORA_LOG_TRACE; ++level) {
        char before[32], after[32];
        snprintf(before, sizeof before, "before-%d\n", (int)level);
        snprintf(after, sizeof after, "after-%d\n", (int)level);
        const char *at[] = {last, only(log, before), only(log, messages[level - DORA_LOG_ERROR]),
                            only(log, after)};
        CHECK(at[0] <= at[1] && at[1] < at[2] && at[2] < at[3]);
        last = at[3];
    }
    only(log, "first-line");
    only(log, "second-line gr\xC3\xBC\xC3\x9F");
    CHECK(strstr(log, "refused") == NULL);
    return check_result("log");
}
