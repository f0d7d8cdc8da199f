/*
 * dora.h: write nodes of dora dataflows in C.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A node is a program that dora starts. It reads events and sends messages; the dataflow, a YAML file,
 * says which output of which node is which input of which other. This is a whole node, which passes on
 * what it receives:
 *
 *     #include <dora/dora.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         dora_node_t *node;
 *         dora_event_t *event;
 *         const float *ranges;
 *         size_t count;
 *         dora_status_t status = dora_node_init(&node);
 *         while (status == DORA_OK && (status = read_dora_event(node, DORA_FOREVER, &event)) == DORA_OK) {
 *             if (dora_event_kind(event) == DORA_EVENT_INPUT &&
 *                 (status = dora_event_float32(event, &ranges, &count)) == DORA_OK)
 *                 status = dora_node_send_values(node, "out", DORA_TYPE_FLOAT32, ranges, count,
 *                                                dora_event_metadata(event));
 *             else if (dora_event_kind(event) == DORA_EVENT_ERROR)
 *                 fprintf(stderr, "%s\n", dora_event_message(event));
 *             dora_event_free(event);
 *         }
 *         if (status < 0)
 *             fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
 *         dora_node_free(node);
 *         return status < 0;
 *     }
 *
 * A stop needs no code: the loop ends with DORA_CLOSED. CMake links it with find_package(dora) and
 * dora::dora, everything else with `pkg-config dora`. Its part of a dataflow, in which dora/timer/millis/100
 * would be a source that ticks:
 *
 *     nodes:
 *       - id: passer
 *         path: build/passer
 *         inputs: { ranges: lidar/ranges }
 *         outputs: [out]
 *
 * Statuses. Zero is success, a positive status an outcome that is no failure (the end, a timeout), a
 * negative one a failure. Behind a failure, dora_last_error() has a sentence that names the argument, what
 * was wrong with it and what would be right. NULL, a wrong kind, a wrong type or a malformed text is a
 * status; only a pointer that does not point to what its parameter is, and the use of what was freed, is
 * undefined.
 *
 * Ownership. Objects are opaque. What a function gives through a `T **` belongs to the caller, who ends it
 * with dora_<object>_free; that accepts NULL. Whatever else a function gives is borrowed: it lives as long
 * as the object that it was asked of. Outputs are NULL or 0 whenever a call does not succeed. A function
 * that takes an object over says so.
 *
 * Threads. Nodes and events may be used from any thread at any time, with one receive call at a time. A
 * function that does not say that it waits returns at once.
 *
 * Processes. A process may fork as it likes before its first node. In a child of one that has had a node, every
 * function that returns a status returns DORA_ERROR_UNSUPPORTED until the child calls exec, every other one
 * answers as for NULL, and nothing is freed.
 *
 * Text. Into the library: UTF-8, terminated by a NUL, or with a length where it may hold NULs. Out of it:
 * always terminated.
 *
 * Numbers that name kinds, types and causes are int32_t, and 0 is the unknown: a newer library may deliver
 * a value that this header does not name. Times are nanoseconds since the Unix epoch.
 */
#ifndef DORA_H
#define DORA_H

/* This file is generated from the documentation in src/ by scripts/generate-header.sh: change it there. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arrow_abi.h"

/** The version of this header, and the ABI number that it describes. */
@VERSION@

/** Marks what the library exports. Define DORA_STATIC when linking the static library. */
#if defined(_WIN32) && !defined(DORA_STATIC)
#define DORA_API __declspec(dllimport)
#elif defined(__GNUC__)
#define DORA_API __attribute__((visibility("default")))
#else
#define DORA_API
#endif

/** Marks results that must be looked at. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define DORA_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define DORA_NODISCARD __attribute__((warn_unused_result))
#else
#define DORA_NODISCARD
#endif

/** Wait for ever: a timeout for every call that can wait. Since 0.1.0. */
#define DORA_FOREVER INT64_C(-1)

/** The length that means: up to the NUL. Since 0.1.0. */
#define DORA_NUL_TERMINATED SIZE_MAX

/** The time of an event that has none. Since 0.1.0. */
#define DORA_TIME_ABSENT INT64_MIN

#ifdef __cplusplus
extern "C" {
#endif
