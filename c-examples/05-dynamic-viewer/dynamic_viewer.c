/*
 * A dynamic node: started by hand beside a dataflow that runs, it shows what its inputs bring.
 *
 *     dynamic-viewer [id]     which node of the dataflow to be, by default "viewer"
 *
 * What one sees when it runs: each second a line for each input, and at the end one for all of it,
 *
 *     filtered: 50 values from -0.912 to 0.973, mean 0.231
 *     value: 50 values from -1.198 to 1.195, mean 0.204
 *     …
 *     in all
 *     filtered: 1204 values from -0.998 to 1.003, mean 0.012
 *     value: 1204 values from -1.200 to 1.199, mean 0.013
 *
 *   every input   float64 values; of more than MAX_INPUTS inputs, the first are shown
 */
#include <dora/dora.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000000)

enum { MAX_INPUTS = 16 };

struct statistics {
    unsigned long count;
    double lowest, highest, sum;
};

struct viewer {
    dora_node_t *node;
    struct statistics lately[MAX_INPUTS], in_all[MAX_INPUTS];
};

static void add(struct statistics *statistics, double value) {
    if (statistics->count == 0 || value < statistics->lowest)
        statistics->lowest = value;
    if (statistics->count == 0 || value > statistics->highest)
        statistics->highest = value;
    statistics->sum += value;
    statistics->count += 1;
}

static size_t input_count(const struct viewer *viewer) {
    const size_t count = dora_node_input_count(viewer->node);
    return count < MAX_INPUTS ? count : MAX_INPUTS;
}

static void show(const struct viewer *viewer, const struct statistics *statistics) {
    for (size_t i = 0; i < input_count(viewer); ++i) {
        printf("%s: %lu values", dora_node_input_id(viewer->node, i), statistics[i].count);
        if (statistics[i].count > 0)
            printf(" from %.3f to %.3f, mean %.3f", statistics[i].lowest, statistics[i].highest,
                   statistics[i].sum / (double)statistics[i].count);
        printf("\n");
    }
}

static void on_input(struct viewer *viewer, const dora_event_t *event) {
    const double *values;
    size_t length;
    if (dora_event_float64(event, &values, &length) != DORA_OK) {
        fprintf(stderr, "dynamic-viewer: %s: %s\n", dora_event_input_id(event), dora_last_error());
        return;
    }
    for (size_t i = 0; i < input_count(viewer); ++i)
        if (strcmp(dora_node_input_id(viewer->node, i), dora_event_input_id(event)) == 0)
            for (size_t k = 0; k < length; ++k) {
                add(&viewer->lately[i], values[k]);
                add(&viewer->in_all[i], values[k]);
            }
}

/* Reads until the dataflow ends, and shows something each second also when nothing comes. */
static dora_status_t view(struct viewer *viewer) {
    dora_event_t *event;
    dora_status_t status;
    int64_t due_ns = dora_node_now_ns(viewer->node) + SECOND;
    do {
        const int64_t left_ns = due_ns - dora_node_now_ns(viewer->node);
        status = read_dora_event(viewer->node, left_ns > 0 ? left_ns : 0, &event);
        if (dora_event_kind(event) == DORA_EVENT_INPUT)
            on_input(viewer, event);
        else if (dora_event_kind(event) == DORA_EVENT_ERROR)
            fprintf(stderr, "dynamic-viewer: %s\n", dora_event_message(event));
        dora_event_free(event);
        if (left_ns <= 0) {
            show(viewer, viewer->lately);
            memset(viewer->lately, 0, sizeof viewer->lately);
            due_ns += SECOND;
        }
    } while (status == DORA_OK || status == DORA_TIMEOUT);
    return status;
}

static dora_status_t join(const char *id, dora_node_t **node) {
    dora_node_options_t *options;
    dora_status_t status = dora_node_options_new(&options);
    if (status == DORA_OK)
        status = dora_node_options_set_node_id(options, id);
    if (status == DORA_OK)
        status = dora_node_options_set_init_timeout_ns(options, 5 * SECOND);
    if (status == DORA_OK)
        status = dora_node_init_with(options, node);
    dora_node_options_free(options);
    return status;
}

int main(int argc, char **argv) {
    static struct viewer viewer;
    const char *id = argc > 1 ? argv[1] : "viewer";
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* each line at once, also into a pipe */
    dora_status_t status = join(id, &viewer.node);
    if (status == DORA_OK) {
        status = view(&viewer);
        printf("in all\n");
        show(&viewer, viewer.in_all);
    } else if (status == DORA_TIMEOUT) {
        fprintf(stderr, "dynamic-viewer: the dataflow did not get ready in 5 s\n");
    }
    if (status < 0)
        fprintf(stderr, "dynamic-viewer: %s: %s\n", dora_status_name(status), dora_last_error());
    dora_node_free(viewer.node);
    return status == DORA_CLOSED ? EXIT_SUCCESS : EXIT_FAILURE;
}
