/*
 * What the threads of the stress program share beside the node, all of it behind POSIX locks, which tools
 * know: trays from thread to thread, flags, and what is done with an event and a loan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_TESTS_SHARED_H
#define DORA_TESTS_SHARED_H

#include <dora/dora.h>

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <valgrind/helgrind.h>

enum { TRAY_SIZE = 16 };

/* What lies in it belongs to whom takes it out; the last in is the first out. */
struct tray {
    pthread_mutex_t mutex;
    void *things[TRAY_SIZE];
    size_t count;
};

static inline void tray_init(struct tray *tray) {
    pthread_mutex_init(&tray->mutex, NULL);
    tray->count = 0;
}

static inline void tray_destroy(struct tray *tray) { pthread_mutex_destroy(&tray->mutex); }

/* False when it is full. */
static inline bool tray_put(struct tray *tray, void *thing) {
    pthread_mutex_lock(&tray->mutex);
    const bool fits = tray->count < TRAY_SIZE;
    if (fits)
        tray->things[tray->count++] = thing;
    pthread_mutex_unlock(&tray->mutex);
    return fits;
}

/* NULL when it is empty. */
static inline void *tray_take(struct tray *tray) {
    pthread_mutex_lock(&tray->mutex);
    void *thing = tray->count > 0 ? tray->things[--tray->count] : NULL;
    pthread_mutex_unlock(&tray->mutex);
    return thing;
}

struct flag {
    pthread_mutex_t mutex;
    bool is_up;
};

static inline void flag_init(struct flag *flag) {
    pthread_mutex_init(&flag->mutex, NULL);
    flag->is_up = false;
}

static inline void flag_destroy(struct flag *flag) { pthread_mutex_destroy(&flag->mutex); }

static inline void flag_raise(struct flag *flag) {
    pthread_mutex_lock(&flag->mutex);
    flag->is_up = true;
    pthread_mutex_unlock(&flag->mutex);
}

static inline bool flag_is_up(struct flag *flag) {
    pthread_mutex_lock(&flag->mutex);
    const bool is_up = flag->is_up;
    pthread_mutex_unlock(&flag->mutex);
    return is_up;
}

static inline void rest(uint32_t microseconds) {
    const struct timespec time = {0, (long)microseconds * 1000};
    nanosleep(&time, NULL);
}

/* The number that a message carries, 0 for what is no message. */
static inline int32_t number_of(const dora_event_t *event) {
    const int32_t *values;
    size_t length;
    if (dora_event_kind(event) != DORA_EVENT_INPUT || dora_event_int32(event, &values, &length) != DORA_OK ||
        length != 1)
        return 0;
    /* A thread of dora wrote it, and handed it over behind locks that helgrind and drd do not know. */
    VALGRIND_HG_CLEAN_MEMORY(values, sizeof *values);
    return *values;
}

/* Uses an event in the ways there are, and frees it; its data may outlive it. */
static inline void use_event(dora_event_t *event, bool keeps_data) {
    char text[128];
    struct ArrowSchema schema;
    struct ArrowArray array;
    dora_event_format(event, text, sizeof text);
    if (dora_event_kind(event) == DORA_EVENT_INPUT && number_of(event) == 0)
        abort(); /* no message has that */
    keeps_data = dora_event_arrow(event, &schema, &array) == DORA_OK && keeps_data;
    if (!keeps_data && schema.release) {
        array.release(&array);
        schema.release(&schema);
    }
    dora_event_free(event);
    if (keeps_data) {
        array.release(&array);
        schema.release(&schema);
    }
}

static inline void fill_loan(dora_loan_t *loan) {
    if (dora_loan_size(loan) > 0)
        memset(dora_loan_data(loan), 0x5A, dora_loan_size(loan));
}

#endif /* DORA_TESTS_SHARED_H */
