/*
 * Watches a flight: reads samples through the Arrow C Data Interface with no Arrow library, keeps how far,
 * how fast and how high the drone flew, and sends that on.
 *
 * What one sees when it runs: nothing while the drone flies, and at the end a line for each figure,
 *
 *     samples=16702
 *     duration_s=83.505
 *     path_length_m=75.891
 *     top_speed_m_s=2.183
 *     peak_height_m=2.183
 *     lost=0
 *     disordered=0
 *
 * The exit status is a failure when a sample was lost, came twice or came out of order.
 *
 *   input  sample   one row of the struct that flight-replay sends; `struct sample` has what is used of it
 *   input  total    one uint64: how many samples were sent, so that losing the last ones shows too
 *   output state    for each sample STATE_LENGTH float64 values, in the order of `send_state`
 */
#include <dora/dora.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_LENGTH = 9 };

struct sample {
    uint64_t sequence;  /* 0, 1, 2 … */
    int64_t time_ns;    /* Unix time */
    double position[3]; /* metres, z is up */
    double velocity[3]; /* metres per second */
};

struct flight {
    uint64_t samples, lost, disordered;
    uint64_t next_sequence; /* what comes next when nothing is lost */
    uint64_t total;         /* what the sender says it sent … */
    bool total_known;       /* … once it has said so */
    bool stopped_by_hand;   /* then it may not have come to say so */
    int64_t first_time_ns, last_time_ns;
    double last_position[3];
    double speed, path_length, top_speed, peak_height;
};

/*
 * Reading Arrow. A column is a schema, which tells the type, and an array with the values. What was received
 * may be of any type, so everything is checked before it is used: then a wrong message is an error text,
 * never a crash.
 */
struct column {
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
};

static bool is_type(struct column column, const char *format, int64_t buffers, int64_t children) {
    return strcmp(column.schema->format, format) == 0 && column.array->n_buffers == buffers &&
           column.schema->n_children == children && column.array->n_children == children;
}

/* Element `index` of a column, counted with the column's offset; -1 when it is outside, or null. */
static int64_t element(struct column column, int64_t index) {
    const struct ArrowArray *array = column.array;
    const uint8_t *validity = array->n_buffers > 0 ? array->buffers[0] : NULL;
    if (index < 0 || index >= array->length)
        return -1;
    index += array->offset;
    /* One bit for each element, the lowest first; no bitmap means that nothing is null. */
    if (array->null_count != 0 && validity != NULL && (validity[index / 8] >> (index % 8) & 1) == 0)
        return -1;
    return index;
}

/* Copies an element of a column of numbers: no cast, so the values need not be aligned. */
static bool read_number(struct column column, int64_t index, const char *format, void *out, size_t size) {
    const unsigned char *values;
    if (!is_type(column, format, 2, 0) || (index = element(column, index)) < 0)
        return false;
    if ((values = column.array->buffers[1]) == NULL)
        return false;
    memcpy(out, values + (size_t)index * size, size);
    return true;
}

/* Copies an element of a column of three float64 ("+w:3": lists of the fixed size 3). */
static bool read_vector(struct column column, int64_t index, double out[3]) {
    struct column items;
    if (!is_type(column, "+w:3", 1, 1) || (index = element(column, index)) < 0)
        return false;
    items.schema = column.schema->children[0];
    items.array = column.array->children[0];
    for (int i = 0; i < 3; ++i)
        if (!read_number(items, index * 3 + i, "g", &out[i], sizeof out[i]))
            return false;
    return true;
}

/* The field of a struct column by its name, since fields may come in any order. */
static bool find_field(struct column parent, const char *name, struct column *out) {
    for (int64_t i = 0; i < parent.schema->n_children; ++i) {
        out->schema = parent.schema->children[i];
        out->array = parent.array->children[i];
        if (out->schema->name != NULL && strcmp(out->schema->name, name) == 0)
            return true;
    }
    return false;
}

static bool read_sample(struct column row, struct sample *out) {
    struct column sequence, time, position, velocity;
    int64_t index;
    if (!is_type(row, "+s", 1, row.schema->n_children) || row.array->length != 1 ||
        (index = element(row, 0)) < 0)
        return false;
    /* A struct's offset counts in its fields too. */
    return find_field(row, "sequence", &sequence) &&
           read_number(sequence, index, "L", &out->sequence, sizeof out->sequence) &&
           find_field(row, "time_ns", &time) &&
           read_number(time, index, "l", &out->time_ns, sizeof out->time_ns) &&
           find_field(row, "position", &position) && read_vector(position, index, out->position) &&
           find_field(row, "velocity", &velocity) && read_vector(velocity, index, out->velocity);
}

static double length_of(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

static void add_sample(struct flight *flight, const struct sample *sample) {
    const double *here = sample->position, *there = flight->last_position, *velocity = sample->velocity;

    if (sample->sequence < flight->next_sequence) {
        flight->disordered += 1;
    } else {
        flight->lost += sample->sequence - flight->next_sequence;
        flight->next_sequence = sample->sequence + 1;
    }

    flight->speed = length_of(velocity[0], velocity[1], velocity[2]);
    if (flight->samples == 0) {
        flight->first_time_ns = sample->time_ns;
        flight->top_speed = flight->speed;
        flight->peak_height = here[2];
    } else {
        flight->path_length += length_of(here[0] - there[0], here[1] - there[1], here[2] - there[2]);
        flight->top_speed = fmax(flight->top_speed, flight->speed);
        flight->peak_height = fmax(flight->peak_height, here[2]);
    }
    flight->last_time_ns = sample->time_ns;
    memcpy(flight->last_position, here, sizeof flight->last_position);
    flight->samples += 1;
}

static double duration_s(const struct flight *flight) {
    return (double)(flight->last_time_ns - flight->first_time_ns) / 1e9;
}

static bool failed(const char *action, dora_status_t status) {
    fprintf(stderr, "flight-monitor: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return false;
}

static bool send_state(dora_node_t *node, const struct flight *flight, const dora_metadata_t *metadata) {
    const double state[STATE_LENGTH] = {
        (double)flight->samples,  duration_s(flight),       flight->last_position[0],
        flight->last_position[1], flight->last_position[2], flight->speed,
        flight->path_length,      flight->top_speed,        flight->peak_height,
    };
    dora_status_t status =
        dora_node_send_values(node, "state", DORA_TYPE_FLOAT64, state, STATE_LENGTH, metadata);
    return status == DORA_OK || failed("sending the state", status);
}

static bool on_sample(dora_node_t *node, const dora_event_t *event, struct flight *flight) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct sample sample;
    dora_status_t status = dora_event_arrow(event, &schema, &array);
    if (status != DORA_OK)
        return failed("reading a sample", status);

    struct column row = {&schema, &array};
    bool readable = read_sample(row, &sample);
    array.release(&array);
    schema.release(&schema);
    if (!readable) {
        fprintf(stderr, "flight-monitor: a sample is not the struct that flight-replay sends\n");
        return false;
    }
    add_sample(flight, &sample);
    return send_state(node, flight, dora_event_metadata(event));
}

static bool on_total(const dora_event_t *event, struct flight *flight) {
    const uint64_t *values;
    size_t length;
    dora_status_t status = dora_event_uint64(event, &values, &length);
    if (status != DORA_OK)
        return failed("reading the total", status);
    if (length == 1) {
        flight->total = values[0];
        flight->total_known = true;
    }
    return true;
}

static bool on_event(dora_node_t *node, const dora_event_t *event, struct flight *flight) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        if (strcmp(dora_event_input_id(event), "sample") == 0)
            return on_sample(node, event, flight);
        if (strcmp(dora_event_input_id(event), "total") == 0)
            return on_total(event, flight);
        return true;
    case DORA_EVENT_STOP:
        /* Nothing to do but to go on reading: what was queued still comes, then the end. */
        flight->stopped_by_hand = dora_event_stop_cause(event) == DORA_STOP_MANUAL;
        return true;
    case DORA_EVENT_ERROR:
        fprintf(stderr, "flight-monitor: %s\n", dora_event_message(event));
        return false;
    default:
        return true;
    }
}

static bool report(struct flight *flight) {
    if (flight->total_known && flight->total > flight->next_sequence)
        flight->lost += flight->total - flight->next_sequence;
    printf("samples=%" PRIu64 "\n", flight->samples);
    printf("duration_s=%.3f\n", duration_s(flight));
    printf("path_length_m=%.3f\n", flight->path_length);
    printf("top_speed_m_s=%.3f\n", flight->top_speed);
    printf("peak_height_m=%.3f\n", flight->peak_height);
    printf("lost=%" PRIu64 "\n", flight->lost);
    printf("disordered=%" PRIu64 "\n", flight->disordered);
    if (!flight->total_known && !flight->stopped_by_hand) {
        fprintf(stderr, "flight-monitor: the sender ended without saying how many samples it sent\n");
        return false;
    }
    return flight->lost == 0 && flight->disordered == 0;
}

int main(void) {
    struct flight flight = {0};
    dora_node_t *node;
    dora_event_t *event;
    bool good = true;
    dora_status_t status = dora_node_init(&node);
    if (status != DORA_OK) {
        failed("joining the dataflow", status);
        return EXIT_FAILURE;
    }
    while (good && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
        good = on_event(node, event, &flight);
        dora_event_free(event);
    }
    if (status < 0)
        good = failed("reading an event", status);
    dora_node_free(node);
    good = report(&flight) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
