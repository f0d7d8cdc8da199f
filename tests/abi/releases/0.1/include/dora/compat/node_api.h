/*
 * node_api.h: the C interface of dora 1.1.0, for programs that were written against it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Such a program compiles unchanged: as C99 or later, as C++11 or later, and with this header inside its own
 * extern "C". Link dora::compat, by which the name "node_api.h" leads here; or include
 * <dora/compat/node_api.h> and link dora::dora. Everything is an inline function over dora.h. For new
 * programs there is dora.h itself; docs/migrate-from-dora-c.md shows the way function by function.
 *
 * What dora left undefined is defined here:
 *
 * - Sends, logs and one dora_next_event may run on different threads at the same time.
 * - Ids end with a NUL, so that strcmp may be used on them.
 * - Behind the end, dora_next_event returns NULL for ever, at once. Sends still work behind a stop.
 * - What fails says why on stderr: init each time, everything else once for each node and kind of failure.
 * - NULL as the context or the event is answered, in silence.
 * - Data that is not bytes is given as the bytes of its values where all have the same size and none is null.
 *   Otherwise it is NULL as with dora, and stderr says why, once for each input.
 *
 * A context is a dora_node_t and an event a dora_event_t: cast them, and every function of dora.h may be used
 * beside these.
 */
#ifndef DORA_COMPAT_NODE_API_H
#define DORA_COMPAT_NODE_API_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../dora.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an event is. Kinds that came after these are DoraEventType_Unknown: skip it. */
enum DoraEventType {
    DoraEventType_Stop,
    DoraEventType_Input,
    DoraEventType_InputClosed,
    DoraEventType_Error,
    DoraEventType_Unknown
};
typedef enum DoraEventType DoraEventType;

/* dora's header has each name as a macro too, which programs may ask for. */
#define DoraEventType_Stop DoraEventType_Stop
#define DoraEventType_Input DoraEventType_Input
#define DoraEventType_InputClosed DoraEventType_InputClosed
#define DoraEventType_Error DoraEventType_Error
#define DoraEventType_Unknown DoraEventType_Unknown
#define init_dora_context_from_env init_dora_context_from_env
#define free_dora_context free_dora_context
#define dora_next_event dora_next_event
#define free_dora_event free_dora_event
#define read_dora_event_type read_dora_event_type
#define read_dora_input_id read_dora_input_id
#define read_dora_input_data read_dora_input_data
#define read_dora_input_timestamp read_dora_input_timestamp
#define dora_send_output dora_send_output
#define dora_log dora_log

/* A terminated copy for free(); NULL for NULL and without memory. */
static inline char *dora_compat_copy(const char *text, size_t length) {
    char *copy = text ? (char *)malloc(length + 1) : NULL;
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Says why a function failed, unless the node has said so of another failure of that kind. */
static inline void dora_compat_tell(const dora_node_t *node, const char *function, dora_status_t status) {
    const char *name = dora_status_name(status);
    if (status < DORA_OK && dora_node_once(node, name))
        fprintf(stderr, "%s: %s: %s\n", function, name, dora_last_error());
}

/* dora takes these in capitals too, and everything else for "info". */
static inline int32_t dora_compat_level(const char *text, size_t length) {
    static const struct {
        const char *name;
        int32_t level;
    } levels[] = {{"error", DORA_LOG_ERROR},
                  {"warn", DORA_LOG_WARN},
                  {"warning", DORA_LOG_WARN},
                  {"debug", DORA_LOG_DEBUG},
                  {"trace", DORA_LOG_TRACE}};
    size_t i, at;
    for (i = 0; i < sizeof levels / sizeof *levels; ++i) {
        const char *name = levels[i].name;
        for (at = 0; at < length && name[at] && (text[at] | 0x20) == name[at]; ++at)
            ;
        if (at == length && !name[at])
            return levels[i].level;
    }
    return DORA_LOG_INFO;
}

/**
 * Makes this program the node that dora started it as; see dora_node_init.
 *
 * Returns the context, for free_dora_context; NULL on failure, with the reason on stderr. A terminal is never
 * asked for inputs.
 */
static inline void *init_dora_context_from_env(void) {
    dora_node_t *node;
    const dora_status_t status = dora_node_init(&node);
    if (status != DORA_OK)
        fprintf(stderr, "init_dora_context_from_env: %s: %s\n", dora_status_name(status), dora_last_error());
    return node;
}

/** Ends the node; see dora_node_free. NULL does nothing. Events stay valid. */
static inline void free_dora_context(void *dora_context) { dora_node_free((dora_node_t *)dora_context); }

/**
 * Waits for the next event, which is for free_dora_event.
 *
 * NULL is the end: no event will come any more. NULL is also what a second thread gets that calls it
 * meanwhile, with the reason on stderr.
 */
static inline void *dora_next_event(void *dora_context) {
    dora_node_t *node = (dora_node_t *)dora_context;
    dora_event_t *event;
    dora_status_t status;
    do /* who calls this has no way to learn of an interrupt */
        status = read_dora_event(node, DORA_FOREVER, &event);
    while (status == DORA_INTERRUPTED);
    dora_compat_tell(node, "dora_next_event", status);
    return event;
}

/** Ends an event, and what was read from it. NULL does nothing. */
static inline void free_dora_event(void *dora_event) { dora_event_free((dora_event_t *)dora_event); }

/** The kind of an event. */
static inline enum DoraEventType read_dora_event_type(void *dora_event) {
    switch (dora_event_kind((const dora_event_t *)dora_event)) {
    case DORA_EVENT_STOP:
        return DoraEventType_Stop;
    case DORA_EVENT_INPUT:
        return DoraEventType_Input;
    case DORA_EVENT_INPUT_CLOSED:
        return DoraEventType_InputClosed;
    case DORA_EVENT_ERROR:
        return DoraEventType_Error;
    default:
        return DoraEventType_Unknown;
    }
}

/** The id of an input, terminated, and its length without the NUL; NULL and 0 for every other event. */
static inline void read_dora_input_id(void *dora_event, char **out_ptr, size_t *out_len) {
    const dora_event_t *event = (const dora_event_t *)dora_event;
    const char *id = dora_event_kind(event) == DORA_EVENT_INPUT ? dora_event_input_id(event) : NULL;
    *out_ptr = (char *)id;
    *out_len = id ? strlen(id) : 0;
}

/**
 * The data of an input as bytes, which are not to be written to; NULL and 0 for every other event, and where
 * there is none, as with a timer.
 *
 * What is not bytes is as described above: dora_event_text, dora_event_arrow and their like read the rest.
 */
static inline void read_dora_input_data(void *dora_event, char **out_ptr, size_t *out_len) {
    const dora_event_t *event = (const dora_event_t *)dora_event;
    const void *data = NULL;
    size_t size = 0;
    if (dora_event_kind(event) == DORA_EVENT_INPUT && dora_event_data_type(event) != DORA_TYPE_NULL &&
        dora_event_raw(event, &data, &size) != DORA_OK && dora_event_once(event, "read_dora_input_data"))
        fprintf(stderr, "read_dora_input_data: %s\n", dora_last_error());
    *out_ptr = (char *)data;
    *out_len = size;
}

/**
 * When an input was sent, as dora's clock counts; 0 for every other event. dora_event_timestamp_ns gives
 * nanoseconds.
 */
static inline unsigned long long read_dora_input_timestamp(void *dora_event) {
    return dora_event_timestamp_ntp64((const dora_event_t *)dora_event);
}

/**
 * Sends bytes, which are copied.
 *
 * Returns 0, or -1 on failure. An output that the dataflow does not declare is 0 as with dora: nobody
 * receives it, and stderr says so once.
 */
static inline int dora_send_output(void *dora_context, const char *id_ptr, size_t id_len,
                                   const char *data_ptr, size_t data_len) {
    dora_node_t *node = (dora_node_t *)dora_context;
    char *id = dora_compat_copy(id_ptr, id_len);
    dora_status_t status = dora_node_send_bytes(node, id, data_ptr, data_len, NULL);
    if (status == DORA_ERROR_UNKNOWN_OUTPUT) {
        if (dora_node_once(node, id))
            fprintf(stderr, "dora_send_output: %s\n", dora_last_error());
        status = DORA_OK;
    }
    dora_compat_tell(node, "dora_send_output", status);
    free(id);
    return status == DORA_OK ? 0 : -1;
}

/**
 * Writes a line to the log of the dataflow, up to the first NUL of the message.
 *
 * Returns 0, or -1 on failure. The level is "error", "warn", "info", "debug" or "trace".
 */
static inline int dora_log(void *dora_context, const char *level_ptr, size_t level_len, const char *msg_ptr,
                           size_t msg_len) {
    dora_node_t *node = (dora_node_t *)dora_context;
    char *message = dora_compat_copy(msg_ptr, msg_len);
    dora_status_t status = DORA_ERROR_NULL_POINTER;
    if (level_ptr) {
        status = dora_node_log(node, dora_compat_level(level_ptr, level_len), message);
        dora_compat_tell(node, "dora_log", status);
    }
    free(message);
    return status == DORA_OK ? 0 : -1;
}

#ifdef __cplusplus
}
#endif

#endif /* DORA_COMPAT_NODE_API_H */
