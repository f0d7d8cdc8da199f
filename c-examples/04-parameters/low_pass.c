/*
 * A low-pass filter of the first order, with a cutoff that is changed while it runs.
 *
 * What one sees when it runs: a line in the log for each change. After
 *
 *     dora param set low-pass cutoff_hz 5
 *     dora param set low-pass cutoff_hz '"fast"'
 *     dora param delete low-pass cutoff_hz
 *
 * these are
 *
 *     cutoff_hz = 5
 *     cutoff_hz stays 5: "fast" is no positive number
 *     cutoff_hz = 1
 *
 *   input  value       one float64, at whatever times
 *   output filtered    one float64 for each, with the metadata that came with the value
 *
 *   cutoff_hz          the parameter: a number above 0
 */
#include <dora/dora.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUTOFF "cutoff_hz"
#define DEFAULT_CUTOFF_HZ 1.0
#define TWO_PI 6.283185307179586

struct filter {
    dora_node_t *node;
    double cutoff_hz;
    double value;
    int64_t time_ns; /* when the last value was sent; DORA_TIME_ABSENT before the first */
};

static bool failed(const char *action, dora_status_t status) {
    fprintf(stderr, "low-pass: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return false;
}

static bool note(struct filter *filter, int32_t level, const char *line) {
    dora_status_t status = dora_node_log(filter->node, level, line);
    return status == DORA_OK || failed("writing to the log", status);
}

static bool on_value(struct filter *filter, const dora_event_t *event) {
    const double *values;
    size_t length;
    const int64_t time_ns = dora_event_timestamp_ns(event);
    /* What is not finite would stay in the filter for ever. */
    if (dora_event_float64(event, &values, &length) != DORA_OK || length != 1 || !isfinite(values[0]))
        return note(filter, DORA_LOG_WARN, "what is not one finite float64 is passed over");

    if (filter->time_ns == DORA_TIME_ABSENT) {
        filter->value = values[0];
    } else if (time_ns > filter->time_ns) {
        /* The share of the way to the new value. It follows from the time in between, so it is right also
         * where values come at no steady pace or some are lost. */
        const double seconds = (double)(time_ns - filter->time_ns) / 1e9;
        filter->value -= expm1(-TWO_PI * filter->cutoff_hz * seconds) * (values[0] - filter->value);
    }
    filter->time_ns = time_ns;
    dora_status_t status = dora_node_send_values(filter->node, "filtered", DORA_TYPE_FLOAT64, &filter->value,
                                                 1, dora_event_metadata(event));
    return status == DORA_OK || failed("sending a value", status);
}

/* A parameter comes as JSON, whatever somebody typed: a number is the whole text, or it is none. */
static bool read_cutoff(const char *json, double *cutoff_hz) {
    char *end;
    *cutoff_hz = strtod(json, &end);
    return end != json && *end == '\0' && isfinite(*cutoff_hz) && *cutoff_hz > 0;
}

static bool on_parameter(struct filter *filter, const char *key, const char *json) {
    char line[160];
    double cutoff_hz = DEFAULT_CUTOFF_HZ;
    if (strcmp(key, CUTOFF) != 0) {
        snprintf(line, sizeof line, "there is no parameter %s, but " CUTOFF, key);
        return note(filter, DORA_LOG_WARN, line);
    }
    if (json != NULL && !read_cutoff(json, &cutoff_hz)) {
        snprintf(line, sizeof line, CUTOFF " stays %g: %s is no positive number", filter->cutoff_hz, json);
        return note(filter, DORA_LOG_WARN, line);
    }
    filter->cutoff_hz = cutoff_hz;
    snprintf(line, sizeof line, CUTOFF " = %g", cutoff_hz);
    return note(filter, DORA_LOG_INFO, line);
}

static bool on_event(struct filter *filter, const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        return on_value(filter, event);
    case DORA_EVENT_PARAM_UPDATE:
        return on_parameter(filter, dora_event_key(event), dora_event_value_json(event));
    case DORA_EVENT_PARAM_DELETED:
        return on_parameter(filter, dora_event_key(event), NULL); /* back to the default */
    case DORA_EVENT_ERROR:
        fprintf(stderr, "low-pass: %s\n", dora_event_message(event));
        return false;
    default:
        return true;
    }
}

int main(void) {
    struct filter filter = {NULL, DEFAULT_CUTOFF_HZ, 0, DORA_TIME_ABSENT};
    dora_event_t *event;
    bool good = true;
    dora_status_t status = dora_node_init(&filter.node);
    if (status != DORA_OK) {
        failed("joining the dataflow", status);
        return EXIT_FAILURE;
    }
    while (good && (status = read_dora_event(filter.node, DORA_FOREVER, &event)) == DORA_OK) {
        good = on_event(&filter, event);
        dora_event_free(event);
    }
    if (status < 0)
        good = failed("reading an event", status);
    dora_node_free(filter.node);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
