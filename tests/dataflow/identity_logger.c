/* Logs with targets and fields: a line of each level, and one with a field of each kind. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

static dora_metadata_t *fields_of_each_kind(void) {
    const int64_t integers[] = {-1, 0, INT64_MAX};
    const double floats[] = {-0.5, 1e300};
    const char *const strings[] = {"a", "", "two words"};
    dora_metadata_t *fields;
    expect_ok("new", dora_metadata_new(&fields));
    expect_ok("set", dora_metadata_set_bool(fields, "bool", 1));
    expect_ok("set", dora_metadata_set_integer(fields, "integer", INT64_MIN));
    expect_ok("set", dora_metadata_set_float(fields, "float", -1.25));
    expect_ok("set", dora_metadata_set_timestamp_ns(fields, "timestamp", INT64_C(1700000000123456789)));
    expect_ok("set", dora_metadata_set_string(fields, "string", "Grüße, \"quoted\"\n", DORA_NUL_TERMINATED));
    expect_ok("set", dora_metadata_set_string(fields, "nothing", "", 0));
    expect_ok("set", dora_metadata_set_integers(fields, "integers", integers, 3));
    expect_ok("set", dora_metadata_set_floats(fields, "floats", floats, 2));
    expect_ok("set", dora_metadata_set_strings(fields, "strings", strings, NULL, 3));
    return fields;
}

static dora_metadata_t *large_fields(size_t size) {
    dora_metadata_t *fields;
    char *text = malloc(size);
    if (!text)
        abort();
    memset(text, 'x', size);
    expect_ok("new", dora_metadata_new(&fields));
    expect_ok("set", dora_metadata_set_string(fields, "large", text, size));
    free(text);
    return fields;
}

int main(void) {
    const int32_t levels[] = {DORA_LOG_ERROR, DORA_LOG_WARN, DORA_LOG_INFO, DORA_LOG_DEBUG, DORA_LOG_TRACE};
    dora_node_t *node = init_node();
    dora_metadata_t *each = fields_of_each_kind(), *fitting = large_fields(50000),
                    *large = large_fields(70000);
    dora_metadata_t *none;
    expect_ok("new", dora_metadata_new(&none));
    for (int i = 0; i < 5; i++) {
        char message[32];
        snprintf(message, sizeof message, "with level %d", i + 1);
        expect_ok("log", dora_node_log_with(node, levels[i], "levels", message, NULL));
    }
    expect_ok("log", dora_node_log_with(node, DORA_LOG_INFO, "part::of.it", "with fields", each));
    expect_ok("log", dora_node_log_with(node, DORA_LOG_INFO, NULL, "with no target", each));
    expect_ok("log", dora_node_log_with(node, DORA_LOG_INFO, NULL, "with nothing", NULL));
    expect_ok("log", dora_node_log_with(node, DORA_LOG_INFO, "", "with no text in it", none));
    expect_ok("log", dora_node_log_with(node, DORA_LOG_INFO, NULL, "with two\nlines", NULL));
    expect_ok("log", dora_node_log_with(node, DORA_LOG_INFO, NULL, "with fitting fields", fitting));
    expect_ok("log", dora_node_log_with(node, DORA_LOG_INFO, "large", "with large fields", large));
    report_status("level", dora_node_log_with(node, 0, NULL, "with no such level", NULL));
    report_status("message", dora_node_log_with(node, DORA_LOG_INFO, NULL, NULL, each));
    dora_metadata_free(each);
    dora_metadata_free(fitting);
    dora_metadata_free(large);
    dora_metadata_free(none);
    free_node(node);
    return 0;
}
