/*
 * The header for programs that were written against dora's own: what each function gives, what it says on
 * stderr, and how often. Environment: DORA_TEST_WITH_INPUTS=compat.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include <dora/compat/node_api.h>
#include <unistd.h>

static void *context;
static FILE *said;
static int own_stderr;

/* What was said on stderr since the last call, or since it was caught. */
static const char *heard(void) {
    static char text[4096];
    const long end = lseek(fileno(said), 0, SEEK_CUR);
    static long begin;
    const size_t size = end - begin < (long)sizeof text ? (size_t)(end - begin) : sizeof text - 1;
    fseek(said, begin, SEEK_SET);
    text[fread(text, 1, size, said)] = '\0';
    begin = lseek(fileno(said), end, SEEK_SET);
    return text;
}

/* Catches stderr, but for what this test itself says. */
#define SILENTLY(code) (dup2(fileno(said), STDERR_FILENO), (void)(code), dup2(own_stderr, STDERR_FILENO))
#define CHECK_SILENT(code) (SILENTLY(code), CHECK_TEXT("", heard()))

static void check_said(const char *begin, const char *part) {
    const char *text = heard();
    const char *end = strchr(text, '\n');
    if (!CHECK(strncmp(text, begin, strlen(begin)) == 0 && strstr(text, part) && end && !end[1]))
        fprintf(stderr, "    stderr: %s\n", text);
}

static void *next(enum DoraEventType type) {
    void *event = NULL;
    CHECK_SILENT(event = dora_next_event(context));
    CHECK(event != NULL);
    CHECK_SILENT(CHECK(read_dora_event_type(event) == type));
    return event;
}

/* Reads an input and frees it: its id, and its data or NULL. Twice, since reading changes nothing. */
static void input(const char *wanted_id, const void *wanted, size_t wanted_size, const char *complaint) {
    void *event = next(DoraEventType_Input);
    for (int round = 0; round < 2; ++round) {
        char *id = GARBAGE_POINTER(char *), *data = GARBAGE_POINTER(char *);
        size_t id_size = GARBAGE_SIZE, size = GARBAGE_SIZE;
        CHECK_SILENT(read_dora_input_id(event, &id, &id_size));
        CHECK_TEXT(wanted_id, id);
        CHECK(id_size == strlen(wanted_id));
        SILENTLY(read_dora_input_data(event, &data, &size));
        if (complaint && round == 0)
            check_said("read_dora_input_data: ", complaint);
        else
            CHECK_TEXT("", heard());
        CHECK(size == wanted_size && (wanted ? data && memcmp(data, wanted, size) == 0 : !data));
    }
    CHECK(read_dora_input_timestamp(event) == dora_event_timestamp_ntp64((dora_event_t *)event));
    CHECK(read_dora_input_timestamp(event) >> 32 != 0);
    free_dora_event(event);
}

static void no_input(enum DoraEventType type) {
    void *event = next(type);
    char *id = GARBAGE_POINTER(char *), *data = GARBAGE_POINTER(char *);
    size_t id_size = GARBAGE_SIZE, size = GARBAGE_SIZE;
    CHECK_SILENT(read_dora_input_id(event, &id, &id_size));
    CHECK_SILENT(read_dora_input_data(event, &data, &size));
    CHECK(!id && !id_size && !data && !size && read_dora_input_timestamp(event) == 0);
    free_dora_event(event);
}

static int send_it(const char *id, const char *data, size_t size) {
    return dora_send_output(context, id, strlen(id), data, size);
}

static void sends(void) {
    CHECK_SILENT(CHECK(dora_send_output(context, "out-and-more", 3, "a\0b", 3) == 0));
    CHECK_SILENT(CHECK(dora_send_output(context, "out", sizeof "out", "x", 1) == 0)); /* up to the NUL */
    CHECK_SILENT(CHECK(send_it("out", NULL, 0) == 0));
    SILENTLY(CHECK(send_it("cmd vel", "x", 1) == -1));
    check_said("dora_send_output: DORA_ERROR_INVALID_ID: ", "cmd vel");
    CHECK_SILENT(CHECK(send_it("not this one", "x", 1) == -1)); /* the same kind of failure */
    SILENTLY(CHECK(send_it("out", NULL, 1) == -1));
    check_said("dora_send_output: DORA_ERROR_NULL_POINTER: ", "`data`");
    CHECK_SILENT(CHECK(dora_send_output(context, NULL, 3, "x", 1) == -1));
    CHECK_SILENT(CHECK(dora_send_output(NULL, "out", 3, "x", 1) == -1));
}

static int log_it(const char *level, const char *message) {
    return dora_log(context, level, strlen(level), message, strlen(message));
}

static void logs(void) {
    static const char *const levels[][2] = {
        {"error", "error"}, {"WARN", "warn"},  {"warning", "warn"}, {"info", "info"}, {"Debug", "debug"},
        {"trace", "trace"}, {"fatal", "info"}, {"warnin", "info"},  {"", "info"},     {"errors", "info"}};
    char path[4096], line[1024], wanted[64];
    const char *outputs = getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    snprintf(path, sizeof path, "%s.stdout", outputs ? outputs : "compat");
    const int own_stdout = dup(STDOUT_FILENO);
    if (!CHECK(freopen(path, "w", stdout) != NULL))
        return;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i)
        CHECK_SILENT(CHECK(log_it(levels[i][0], "level") == 0));
    CHECK_SILENT(CHECK(dora_log(context, "info and more", 4, "cut off here", 3) == 0));
    CHECK(dora_log(context, NULL, 4, "text", 4) == -1);
    SILENTLY(CHECK(log_it("info", "\xFF") == -1));
    check_said("dora_log: DORA_ERROR_INVALID_UTF8: ", "`message`");
    fflush(stdout);
    dup2(own_stdout, STDOUT_FILENO);
    close(own_stdout);

    FILE *log = fopen(path, "r");
    if (!CHECK(log != NULL))
        return;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i) {
        CHECK(fgets(line, sizeof line, log) != NULL);
        snprintf(wanted, sizeof wanted, "\"level\":\"%s\"", levels[i][1]);
        if (!CHECK(strstr(line, wanted) && strstr(line, "\"message\":\"level\"")))
            fprintf(stderr, "    level \"%s\": %s", levels[i][0], line);
    }
    CHECK(fgets(line, sizeof line, log) && strstr(line, "\"message\":\"cut\""));
    CHECK(fgets(line, sizeof line, log) == NULL);
    fclose(log);
}

int main(void) {
    said = tmpfile();
    own_stderr = dup(STDERR_FILENO);
    if (!CHECK(said != NULL && own_stderr >= 0))
        return EXIT_FAILURE;
    CHECK_SILENT(context = init_dora_context_from_env());
    if (!CHECK(context != NULL))
        return EXIT_FAILURE;
    sends();
    logs();
    dora_node_interrupt((dora_node_t *)context); /* no event is lost, and no end is made up */
    const float floats[] = {1.5F, -2};
    const int32_t integers[] = {2, 3};
    input("bytes", "\1\0\377", 3, NULL);
    input("bytes", NULL, 0, NULL);
    input("tick", NULL, 0, NULL);
    input("floats", floats, sizeof floats, NULL);
    input("text", NULL, 0, "`text`");
    input("text", NULL, 0, NULL);
    input("gaps", NULL, 0, "`gaps`");
    input("bits", NULL, 0, "`bits`");
    input("gaps", integers, sizeof integers, NULL);
    input("gaps", NULL, 0, NULL);
    no_input(DoraEventType_InputClosed);
    no_input(DoraEventType_Stop);
    for (int i = 0; i < 1000; ++i)
        CHECK_SILENT(CHECK(dora_next_event(context) == NULL));
    CHECK_SILENT(CHECK(send_it("late", "x", 1) == 0));
    CHECK_SILENT(free_dora_context(context));

    /* Nothing of NULL is undefined, as long as there is a place for what is read. */
    CHECK_SILENT(CHECK(dora_next_event(NULL) == NULL));
    CHECK_SILENT(CHECK(read_dora_event_type(NULL) == DoraEventType_Unknown));
    CHECK_SILENT(free_dora_event(NULL));
    CHECK_SILENT(free_dora_context(NULL));

    unsetenv("DORA_TEST_WITH_INPUTS");
    SILENTLY(context = init_dora_context_from_env());
    check_said("init_dora_context_from_env: DORA_ERROR_INIT: ", "dora");
    CHECK(context == NULL);
    return check_result("compat");
}
