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
 *
 * ABI. Within one DORA_ABI, the number in the library's name, functions are only added: none goes, and no
 * value, parameter, result or structure changes. So a program runs with every later library of its number,
 * as it is compiled. A release 0.x raises the number when it must break that. Inline functions are part of
 * the program, and so is all of dora.hpp.
 */
#ifndef DORA_H
#define DORA_H

/* This file is generated from the documentation in src/ by scripts/generate-header.sh: change it there. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arrow_abi.h"

/** The version of this header, and the ABI number that it describes. */
#define DORA_VERSION_MAJOR 0
#define DORA_VERSION_MINOR 1
#define DORA_VERSION_PATCH 0
#define DORA_ABI 0

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

/* ---- Objects, all of them opaque ---- */

/** A node of a dataflow. Opaque; ended with `dora_node_free`. Since 0.1.0. */
typedef struct dora_node_t dora_node_t;

/** How a node is to be set up. Opaque; ended with `dora_node_options_free`. Since 0.1.0. */
typedef struct dora_node_options_t dora_node_options_t;

/** An event. Opaque; ended with `dora_event_free`. Since 0.1.0. */
typedef struct dora_event_t dora_event_t;

/**
 * The parameters of a message. Opaque; one's own is ended with `dora_metadata_free`, an event's ends with
 * the event. Since 0.1.0.
 */
typedef struct dora_metadata_t dora_metadata_t;

/** Memory for a message. Opaque; ended with `dora_node_send_loan` or `dora_loan_free`. Since 0.1.0. */
typedef struct dora_loan_t dora_loan_t;

/** The place in a stream that is being sent. Opaque; ended with `dora_stream_free`. Since 0.1.0. */
typedef struct dora_stream_t dora_stream_t;

/** Bytes of the caller's. Opaque; ended with `dora_bytes_free`. Since 0.1.0. */
typedef struct dora_bytes_t dora_bytes_t;

/*
 * ---- Statuses and errors ----
 *
 * Zero is success, a positive status is an outcome that is no failure, a negative one is a failure; a
 * negative value that this header does not name is a failure too. Values are frozen and never used again.
 * Behind each failure `dora_last_error` has a sentence that names the argument and the remedy.
 */

/** The result of a call: `DORA_OK`, a positive outcome, or a negative failure. Since 0.1.0. */
typedef int32_t dora_status_t;

/** It worked. Since 0.1.0. */
#define DORA_OK 0

/**
 * No further event will come: the node was told to stop, all its inputs are closed, the daemon is lost, or
 * the node is being freed. What tells a lost daemon from a normal end is the `DORA_EVENT_ERROR` before it.
 * Since 0.1.0.
 */
#define DORA_CLOSED 1

/** The time was over before anything arrived. Since 0.1.0. */
#define DORA_TIMEOUT 2

/** `dora_node_interrupt` ended the wait. Since 0.1.0. */
#define DORA_INTERRUPTED 3

/** A pointer that must not be NULL is NULL. Since 0.1.0. */
#define DORA_ERROR_NULL_POINTER (-1)

/** An argument has a value that it cannot have. Since 0.1.0. */
#define DORA_ERROR_INVALID_ARGUMENT (-2)

/** A text is not UTF-8. Since 0.1.0. */
#define DORA_ERROR_INVALID_UTF8 (-3)

/**
 * A text is not an id: empty, with other characters than `[a-zA-Z0-9_./-]`, or with an empty part between
 * slashes. Ids of nodes have no slashes. Since 0.1.0.
 */
#define DORA_ERROR_INVALID_ID (-4)

/** The dataflow declares no such output for this node. Since 0.1.0. */
#define DORA_ERROR_UNKNOWN_OUTPUT (-5)

/** The dataflow declares no such input for this node. Since 0.1.0. */
#define DORA_ERROR_UNKNOWN_INPUT (-6)

/** The output was closed before. Since 0.1.0. */
#define DORA_ERROR_OUTPUT_CLOSED (-7)

/** The event or the data is of another type than the function reads. Since 0.1.0. */
#define DORA_ERROR_WRONG_TYPE (-8)

/** The data has nulls, which the function could only give as if they were values. Since 0.1.0. */
#define DORA_ERROR_HAS_NULLS (-9)

/** There is nothing under that key. Since 0.1.0. */
#define DORA_ERROR_NOT_FOUND (-10)

/** A message is larger than its way to the receivers allows. Since 0.1.0. */
#define DORA_ERROR_TOO_LARGE (-11)

/** An Arrow structure is malformed or was released before. Since 0.1.0. */
#define DORA_ERROR_INVALID_ARROW (-12)

/** The data is not of the type that the dataflow declares for the output. Since 0.1.0. */
#define DORA_ERROR_TYPE_MISMATCH (-13)

/** Another thread is in a receive call of this node. Since 0.1.0. */
#define DORA_ERROR_BUSY (-14)

/** The server of a request was restarted and will not answer. Since 0.1.0. */
#define DORA_ERROR_SERVER_RESTARTED (-15)

/** The node could not be set up. Since 0.1.0. */
#define DORA_ERROR_INIT (-16)

/** The daemon runs a version of dora that this library does not speak with. Since 0.1.0. */
#define DORA_ERROR_VERSION_MISMATCH (-17)

/** The connection to the daemon is lost, or the node is being freed. Since 0.1.0. */
#define DORA_ERROR_DISCONNECTED (-18)

/** There is not enough memory of the kind that is asked for. Since 0.1.0. */
#define DORA_ERROR_OUT_OF_MEMORY (-19)

/** Reading or writing failed. Since 0.1.0. */
#define DORA_ERROR_IO (-20)

/** This cannot be done here. Since 0.1.0. */
#define DORA_ERROR_UNSUPPORTED (-21)

/** Something failed inside dora; the message tells what. Since 0.1.0. */
#define DORA_ERROR_INTERNAL (-98)

/**
 * A defect of the library was caught at its boundary. Every function that returns a status may return it;
 * please report the message. Since 0.1.0.
 */
#define DORA_ERROR_PANIC (-99)

/**
 * The name of a status, as this header spells it: `"DORA_ERROR_INVALID_ID"`.
 *
 * @param status  Any value.
 * @return  Never NULL; `"unknown status"` for a value that this library does not know. Lives as long as
 *          the program.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_status_name(dora_status_t status);

/**
 * What the calling thread's last failure was: which argument, what was wrong with it, and what would be
 * right.
 *
 * @return  Never NULL; empty before the first failure. Valid until this thread's next failure; neither
 *          success nor a positive outcome changes it.
 *
 * Any thread; each has its own message. Since 0.1.0.
 */
DORA_API const char *dora_last_error(void);

/*
 * ---- Versions ----
 *
 * What the program was compiled against stands in the macros `DORA_VERSION_MAJOR`, `DORA_VERSION_MINOR`,
 * `DORA_VERSION_PATCH` and `DORA_ABI`; what it runs with is told by these functions.
 */

/**
 * The ABI number of the library that runs. It equals `DORA_ABI` of a header that fits.
 *
 * @return  The number in the library's SONAME.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API uint32_t dora_abi_version(void);

/**
 * The version of the library that runs, as one number that can be compared.
 *
 * @return  major * 1,000,000 + minor * 1,000 + patch.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API uint32_t dora_version_number(void);

/**
 * The version of the library that runs.
 *
 * @return  `"major.minor.patch"`, never NULL. Lives as long as the program.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_version_string(void);

/**
 * The version of dora that the library speaks. The daemon must be of a compatible one.
 *
 * @return  `"major.minor.patch"`, never NULL. Lives as long as the program.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_version_dora(void);

/**
 * The version of the Arrow implementation inside the library. It matters to nobody who passes the two C
 * structures, since their layout is fixed for ever.
 *
 * @return  `"major.minor.patch"`, never NULL. Lives as long as the program.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_version_arrow(void);

/*
 * ---- Diagnostics ----
 *
 * What dora, zenoh and this library say of their own work: why a node could not be set up, that a message
 * was dropped, each failing call. Nobody hears it unless somebody asks: a callback, or the environment
 * variable `RUST_LOG`, such as `RUST_LOG=info` or `RUST_LOG=warn,dora_node_api=debug`, by which lines go
 * to stderr.
 */

/**
 * Takes one message of the library: its `DORA_LOG_…` level, the part of the program that speaks, what it
 * says, and the pointer that was passed with the function. Both texts live during the call. It must not
 * call functions of this library. Since 0.1.0.
 */
typedef void (*dora_diagnostics_fn_t)(int32_t level, const char *target, const char *message, void *user);

/**
 * Says where the diagnostics of this library go, for the whole process. Messages are delivered one at a
 * time, on a thread of the library's own, so that who speaks does not wait; when they come faster than
 * they are taken, some are lost, and their number is told.
 *
 * @param max_level  `DORA_LOG_ERROR` to `DORA_LOG_TRACE`: the last level that is delivered. Where
 *                   `RUST_LOG` is set, it chooses among these. Not looked at when the callback is NULL.
 *                   With DEBUG and TRACE dora and zenoh speak for every message, which takes time.
 * @param callback   What is called; NULL for nothing, also where `RUST_LOG` asks for lines.
 * @param user       Passed to the callback; may be NULL.
 * @return  `DORA_OK`: the callback that was set before does not run any more;
 *          `DORA_ERROR_INVALID_ARGUMENT`: there is no such level; `DORA_ERROR_UNSUPPORTED`: called from
 *          the callback, or the Rust program that this library is part of listens itself. There is nothing
 *          for which it returns `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, before or after nodes; waits for the callback that was set before, which first gets what was
 * said until now, for a second at most. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_diagnostics_set(
    int32_t max_level, dora_diagnostics_fn_t callback, void *user);

/*
 * ---- Options ----
 *
 * How a node is to be set up, where `dora_node_init` is not enough: a dynamic node, timeouts, the size of
 * shared memory, a run on scripted inputs. Options are for one thread at a time. `dora_node_init_with`
 * does not use them up, and later changes do not reach nodes that were made with them.
 */

/**
 * Makes options, all of them at their defaults, with which `dora_node_init_with` does what
 * `dora_node_init` does.
 *
 * @param out  Not NULL; gets the options, NULL on failure. The caller ends them with
 *             `dora_node_options_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread; the object is for one thread at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_new(dora_node_options_t **out);

/**
 * Ends options. Nodes that were made with them live on.
 *
 * @param options  The options, or NULL, which does nothing.
 *
 * Any thread, when no other uses them. Since 0.1.0.
 */
DORA_API void dora_node_options_free(dora_node_options_t *options);

/**
 * Names the node, for a program that dora does not start: a dynamic node, with `path: dynamic` in a
 * dataflow that runs by `dora up` and `dora start` on this machine. Its id must be the only one among all
 * running dataflows. A program that dora did start is the node that dora says, and one that runs by
 * `DORA_TEST_WITH_INPUTS` needs no daemon; both leave the name aside, so one program may be all three.
 *
 * @param options  Not NULL.
 * @param node_id  The id, copied; NULL takes it back.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`:
 *          `node_id` is no id.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_node_id(
    dora_node_options_t *options, const char *node_id);

/**
 * Says where the daemon listens for dynamic nodes. By default it is the port in
 * `DORA_DAEMON_LOCAL_LISTEN_PORT`, or else dora's own, 53291.
 *
 * @param options  Not NULL.
 * @param port     The port, on this machine; 0 means the default.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_daemon_port(
    dora_node_options_t *options, uint16_t port);

/**
 * Lets the node ask the terminal for its inputs, when dora did not start it and its stdin is a terminal.
 * dora then prompts for an id and for data as JSON, and prints what the node sends. Off by default.
 *
 * @param options      Not NULL.
 * @param interactive  0 for no, anything else for yes.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_interactive(
    dora_node_options_t *options, int32_t interactive);

/**
 * Limits how long `dora_node_init_with` waits for the daemon and the other nodes. After that it returns
 * `DORA_TIMEOUT`. For a node that dora started, a further call goes on with the wait. A dynamic node that
 * gets ready later ends at once.
 *
 * @param options     Not NULL.
 * @param timeout_ns  Nanoseconds; negative, such as `DORA_FOREVER`, for no limit, which is the default.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is 0.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_init_timeout_ns(
    dora_node_options_t *options, int64_t timeout_ns);

/**
 * Limits how long a call waits that needs the node's sending half: every form of sending, of closing
 * outputs, of logging and of extensions. After that it returns `DORA_TIMEOUT`. What had begun by then goes
 * on, so the message may still arrive; what had not is left out.
 *
 * With a limit these calls work on a thread of the node's own, to which each is handed over.
 *
 * @param options     Not NULL.
 * @param timeout_ns  Nanoseconds; negative, such as `DORA_FOREVER`, for no limit, which is the default.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is 0.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_send_timeout_ns(
    dora_node_options_t *options, int64_t timeout_ns);

/**
 * Sets the size of the shared memory from which the node sends. What does not fit at the moment is copied
 * and goes a slower way. The default is what the dataflow's `shared_memory_pool_size` says for the node,
 * then the environment's `DORA_NODE_SHM_POOL_SIZE`, then 8 MiB, which holds one picture in full HD. Set no
 * more than is needed: dora goes through all of it before it uses a place again, so more is slower.
 *
 * The memory is locked, and 1,280 KiB beside it, in this process and in every node that receives from it:
 * it counts against `ulimit -l` (`RLIMIT_MEMLOCK`) there, and must fit `/dev/shm`. A size that was set
 * here and cannot be had is an error. dora itself loses messages in memory that their receiver may not
 * lock: a node that may not lock what it receives by the dataflow does without shared memory, so that
 * large messages are copied, and `dora_node_pool_size` is 0. What it cannot know of are sizes that other
 * nodes set here: give such sizes in the dataflow.
 *
 * The fast lane has memory of its own beside this, and takes messages of every size there.
 *
 * For a dynamic node the size is passed in the environment, where it counts for the whole process and is
 * to be set before its first node; what the dataflow says goes first there.
 *
 * @param options  Not NULL.
 * @param bytes    The size; 0 does without shared memory.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is beyond any memory.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_pool_size(
    dora_node_options_t *options, uint64_t bytes);

/**
 * Sets from which size on messages travel in shared memory; 4,096 bytes by default. dora takes it from the
 * environment variable `DORA_ZERO_COPY_THRESHOLD` alone, so `dora_node_init_with` sets that, for the whole
 * process, and refuses to change it once the process has had a node. No other thread should read the
 * environment meanwhile.
 *
 * @param options  Not NULL.
 * @param bytes    The size.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is beyond any memory.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_zero_copy_threshold(
    dora_node_options_t *options, uint64_t bytes);

/**
 * Lets the node keep the last message of each input, for `dora_node_last_value`. Off by default, since a
 * message that is kept holds its place in the sender's shared memory; on the fast lane it is one of the eight
 * that an input reads where they lie.
 *
 * @param options           Not NULL.
 * @param keep_last_values  0 for no, anything else for yes.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_keep_last_values(
    dora_node_options_t *options, int32_t keep_last_values);

/**
 * Runs the node alone, on the inputs that a file scripts, as `DORA_TEST_WITH_INPUTS` does; see
 * `dora_node_init`. These options go before the environment. What the node sends is dropped unless
 * `dora_node_options_set_test_outputs` says where to write it.
 *
 * @param options  Not NULL.
 * @param path     The file, copied, in the place of inputs that were set before; NULL takes them back.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_test_inputs(
    dora_node_options_t *options, const char *path);

/**
 * Runs the node alone, on scripted inputs, as `dora_node_options_set_test_inputs` does with a file.
 *
 * @param options  Not NULL.
 * @param json     Not NULL; the script, copied, in the place of inputs that were set before.
 * @param length   Its bytes, or `DORA_NUL_TERMINATED`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_INVALID_ARGUMENT`:
 *          it is no script, and the message tells where.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_test_inputs_json(
    dora_node_options_t *options, const char *json, size_t length);

/**
 * Writes what a node sends that runs on scripted inputs of these options: a line of JSON for each message,
 * in the place of what the file held.
 *
 * @param options  Not NULL.
 * @param path     The file, copied; NULL takes it back.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_test_outputs(
    dora_node_options_t *options, const char *path);

/**
 * Asks for the fast lane, by which messages between nodes of this library on one machine travel through
 * shared memory of their own, past dora's data plane. Off by default. `docs/fast-lane.md` is its manual.
 *
 * Its limits first: an output on the lane does not notice consumers that are added, connected or replaced
 * while the dataflow runs, so one that comes without the lane gets none of its messages. The remedy is to
 * leave the lane off for that output.
 *
 * Both ends need it: the node that sends, and every one that receives from that output. dora starts, wires,
 * watches and stops them as ever. An output that cannot take the lane, or one of whose receivers cannot,
 * goes dora's way; the diagnostics tell why, and `dora_node_output_transport` which way it is.
 *
 * What is said here goes before the environment variable `DORA_FAST_LANE`: 1 for all outputs and inputs, 0
 * for none, or a list of their ids with commas between them. `dora_node_init_with` returns `DORA_ERROR_INIT`
 * where that is no such list, or names what the node does not have.
 *
 * @param options  Not NULL.
 * @param is_on    0 for no, anything else for yes.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_fast_lane(
    dora_node_options_t *options, int32_t is_on);

/**
 * Sets the scheduling policy and priority of the threads that dora starts for the node, which is
 * `SCHED_OTHER` unless it is set, whatever the calling thread has.
 *
 * Threads that dora starts once for the whole process have what the first node of the process asks for;
 * `docs/threads.md` lists them. With a real-time policy dora's threads can keep each other, and the program,
 * from running: dora's direct path between nodes was seen to fail that way, and messages to take the
 * daemon's path. Where the receiving thread of a control loop is real-time, give these a lower priority than
 * its own.
 *
 * @param options   Not NULL.
 * @param policy    One of `<sched.h>`: `SCHED_OTHER`, `SCHED_BATCH`, `SCHED_IDLE`, `SCHED_FIFO`,
 *                  `SCHED_RR`.
 * @param priority  1 to 99 for the last two, else 0.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such policy, or
 *          it has no such priority. Whether the process may use it turns out in `dora_node_init_with`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_thread_policy(
    dora_node_options_t *options, int32_t policy, int32_t priority);

/**
 * Sets the CPUs on which the threads run that dora starts for the node, by default those that the process
 * was started on, whatever the calling thread has. For threads of the whole process the same holds as in
 * `dora_node_options_set_thread_policy`.
 *
 * @param options  Not NULL.
 * @param cpus     The numbers of the CPUs, from 0; copied. NULL only where `count` is 0.
 * @param count    How many; 0 for the default.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: a number is none of a CPU.
 *          Whether the process may run there turns out in `dora_node_init_with`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_options_set_thread_cpus(
    dora_node_options_t *options, const int32_t *cpus, size_t count);

/*
 * ---- Node ----
 *
 * A program is a node of a dataflow once `dora_node_init` succeeded. A node may be used from every thread
 * at any time: sending and receiving are behind separate locks, so a send never waits for a read.
 */

/**
 * Makes this program the node that dora started it as.
 *
 * The daemon of dora passes what is needed in the environment. A terminal is never asked for anything.
 *
 * Without a daemon, set `DORA_TEST_WITH_INPUTS` to a JSON file such as `{"id": "any", "events": [{"type":
 * "Input", "id": "tick", "time_offset_secs": 0.1, "data": [1.5], "data_type": "Float64"}, {"type": "Stop",
 * "time_offset_secs": 0.3}]}`, and the node runs alone. What it sends overwrites the file that
 * `DORA_TEST_WRITE_OUTPUTS_TO` names, by default `outputs.jsonl` beside the inputs; each line has the time
 * of its message, unless `DORA_TEST_NO_OUTPUT_TIME_OFFSET` is set. dora then takes every output and every
 * input, prints three lines of its own to stdout, and may let a send, and this call too, wait for the next
 * event of the file.
 *
 * The call returns when all nodes of the dataflow are ready, and waits until then, without a limit; where
 * `DORA_FAST_LANE` asks for the fast lane, up to half a second more. The
 * threads that dora needs are started in it, with all signals blocked, the default scheduling policy and
 * the CPUs that the process was started on, whatever the calling thread has.
 *
 * Where this process may lock too little memory for the shared memory of the nodes that it receives from
 * (`ulimit -l`), it does without, and large messages are copied. For that, `DORA_ZENOH_CONFIG_OVERLAY` is
 * in the environment during the call; no other thread should read it meanwhile.
 *
 * `dora_node_init_with` does more: dynamic nodes, timeouts, shared memory.
 *
 * @param node  Not NULL; gets the node, NULL on failure. The caller ends it with `dora_node_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INIT`: dora did not start this program, or
 *          started it as a node that lives already, what it passed is malformed, no daemon listens, or it
 *          refuses, or `DORA_FAST_LANE` is no list or names what the node does not have;
 *          `DORA_ERROR_VERSION_MISMATCH`: the daemon is of another version.
 *
 * Any thread. dora starts a process as one node, so a second call fails until the first node was freed;
 * nodes that run by `DORA_TEST_WITH_INPUTS` may be several. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_init(dora_node_t **node);

/**
 * Makes this program a node as `dora_node_init` does, with options.
 *
 * @param options  Borrowed for the call; NULL for those that `dora_node_init` has.
 * @param node     Not NULL; gets the node, NULL on failure and with `DORA_TIMEOUT`. The caller ends it
 *                 with `dora_node_free`.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the node was not ready in the time that the options allow;
 *          `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: options that do not fit together, or
 *          one for the whole process after its first node; `DORA_ERROR_INIT`: see `dora_node_init`, or no
 *          daemon has such a dynamic node; `DORA_ERROR_VERSION_MISMATCH`: the daemon is of another
 *          version; `DORA_ERROR_OUT_OF_MEMORY`: the shared memory that they ask for cannot be had, and the
 *          message names the limit.
 *
 * Any thread; see `dora_node_init`. Dynamic nodes may be several. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_init_with(
    const dora_node_options_t *options, dora_node_t **node);

/**
 * Ends a node: its outputs close, and the daemon learns that it is done.
 *
 * Calls in progress on other threads end first: a read returns `DORA_CLOSED`, a send that has not begun
 * `DORA_ERROR_DISCONNECTED`. What was sent last gets 100 ms to arrive, because receivers look no further
 * once the daemon tells them that it was the last; what went by the fast lane is waited for until every node
 * that receives it has it in its memory, for a second at most. The call takes two seconds at most; what dora has not
 * finished by then goes on in the background until the process ends. Events and Arrow arrays from the node
 * stay valid.
 *
 * @param node  The node, or NULL, which does nothing. No call on it may begin after this one.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API void dora_node_free(dora_node_t *node);

/**
 * The id of this node, as the dataflow names it.
 *
 * @param node  May be NULL.
 * @return  The id, `"test-node"` when run by `DORA_TEST_WITH_INPUTS`; NULL for NULL. Lives as long as the
 *          node.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API const char *dora_node_id(const dora_node_t *node);

/**
 * The id of the running dataflow, a UUID that dora makes at each start.
 *
 * @param node  May be NULL.
 * @return  The id; NULL for NULL. Lives as long as the node.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API const char *dora_node_dataflow_id(const dora_node_t *node);

/**
 * The configuration of this node, with its inputs and outputs, as JSON text.
 *
 * @param node  May be NULL.
 * @return  The JSON; NULL for NULL. Lives as long as the node.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API const char *dora_node_config_json(const dora_node_t *node);

/**
 * The whole dataflow, as JSON text. It holds the `env` of every node, and with it what may be secret
 * there.
 *
 * @param node  May be NULL.
 * @return  The JSON; NULL for NULL, and for a node without a dataflow. Lives as long as the node.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API const char *dora_node_descriptor_json(const dora_node_t *node);

/**
 * How many inputs the dataflow declares for this node.
 *
 * @param node  May be NULL.
 * @return  The count; 0 for NULL.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API size_t dora_node_input_count(const dora_node_t *node);

/**
 * The id of an input, in the order of the ids.
 *
 * @param node   May be NULL.
 * @param index  Below `dora_node_input_count`.
 * @return  The id; NULL beyond the last. Lives as long as the node.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API const char *dora_node_input_id(const dora_node_t *node, size_t index);

/**
 * Where the messages of an input come from.
 *
 * @param node   May be NULL.
 * @param index  Below `dora_node_input_count`.
 * @return  `"node/output"`, or a source of dora's own such as `"dora/timer/millis/100"`; NULL beyond the
 *          last. Lives as long as the node.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API const char *dora_node_input_source(const dora_node_t *node, size_t index);

/**
 * How many outputs the dataflow declares for this node, closed ones included.
 *
 * @param node  May be NULL.
 * @return  The count; 0 for NULL.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API size_t dora_node_output_count(const dora_node_t *node);

/**
 * The id of an output, in the order of the ids.
 *
 * @param node   May be NULL.
 * @param index  Below `dora_node_output_count`.
 * @return  The id; NULL beyond the last. Lives as long as the node.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API const char *dora_node_output_id(const dora_node_t *node, size_t index);

/**
 * How often dora has started this node anew, after it ended or failed.
 *
 * @param node  May be NULL.
 * @return  0 in the first run; 0 for NULL.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API uint32_t dora_node_restart_count(const dora_node_t *node);

/**
 * The size from which on messages travel in shared memory, in bytes, as `DORA_ZERO_COPY_THRESHOLD` sets
 * it.
 *
 * @param node  May be NULL.
 * @return  The size; 0 for NULL.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API uint64_t dora_node_zero_copy_threshold(const dora_node_t *node);

/**
 * The size of the shared memory from which the node sends, as the options, the dataflow or the environment
 * set it.
 *
 * @param node  May be NULL.
 * @return  Bytes; 0 for NULL, for a node that runs without a daemon, and where dora could not get it and
 *          copies every message.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API uint64_t dora_node_pool_size(const dora_node_t *node);

/**
 * The time of the dataflow: this machine's clock, kept behind every message that was read, also from
 * machines whose clocks are ahead by up to half a second. It never goes back. Subtract the time of a
 * message from it for how long that has been on its way.
 *
 * @param node  May be NULL.
 * @return  Nanoseconds since the Unix epoch; `DORA_TIME_ABSENT` for NULL.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API int64_t dora_node_now_ns(dora_node_t *node);

/** The way is not known, or one that this library does not know. Since 0.1.0. */
#define DORA_TRANSPORT_UNKNOWN 0

/** By the daemon, a copy at a time. Since 0.1.0. */
#define DORA_TRANSPORT_DAEMON 1

/** Straight to the nodes that receive, through shared memory for large messages. Since 0.1.0. */
#define DORA_TRANSPORT_DIRECT 2

/** The fast lane, which `dora_node_options_set_fast_lane` asks for. Since 0.1.0. */
#define DORA_TRANSPORT_LANE 3

/**
 * Which way the messages of an output take. dora settles it when the node begins, for the whole run: the
 * direct way where every receiver answers there in time, else the daemon's. A single message still goes by
 * the daemon when the direct way does not take it.
 *
 * An output is on the fast lane from the beginning, where that is asked for and both ends can take it. It
 * leaves the lane, for the rest of the run, with the first message that the lane cannot carry, such as a
 * request. What is told is how it is at the moment.
 *
 * @param node    Not NULL.
 * @param output  Not NULL; an output that the dataflow declares for this node.
 * @param out     Not NULL; gets one of `DORA_TRANSPORT_…`, or a value that this header does not name;
 *                `DORA_TRANSPORT_UNKNOWN` on failure, and where dora does not tell, as for a dynamic
 *                node's output that nobody receives.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`:
 *          `output` is no id; `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_DISCONNECTED`: the node is being
 *          freed.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_output_transport(
    dora_node_t *node, const char *output, int32_t *out);

/**
 * Ends an output: the nodes that receive it get `DORA_EVENT_INPUT_CLOSED`. Sending on it is
 * `DORA_ERROR_OUTPUT_CLOSED` from then on. All outputs end with the node anyway. Where the dataflow
 * restarts the node, receivers learn of it only when the node has ended for good.
 *
 * @param node    Not NULL.
 * @param output  Not NULL; an output that the dataflow declares for this node; closed before is fine.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
 *          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is
 *          being freed; `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; waits for sends in progress, for 100 ms behind the last that went by dora, and for the daemon.
 * Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_close_output(dora_node_t *node, const char *output);

/**
 * Ends all outputs, as `dora_node_close_output` does.
 *
 * @param node  Not NULL.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
 *          `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; waits for sends in progress, for 100 ms behind the last that went by dora, and for the daemon.
 * Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_close_outputs(dora_node_t *node);

/** Something failed and the node cannot do its work. Since 0.1.0. */
#define DORA_LOG_ERROR 1

/** Something is not as it should be. Since 0.1.0. */
#define DORA_LOG_WARN 2

/** Something that an operator of the dataflow wants to know. Since 0.1.0. */
#define DORA_LOG_INFO 3

/** Something that a developer of the node wants to know. Since 0.1.0. */
#define DORA_LOG_DEBUG 4

/** Every step. Since 0.1.0. */
#define DORA_LOG_TRACE 5

/**
 * Writes a line to the log of the dataflow, which travels by stdout. What C has printed so far is written
 * out first, and C's prints on other threads wait, so that lines do not mix; a print without a newline at
 * its end does run into the line.
 *
 * @param node     Not NULL.
 * @param level    `DORA_LOG_ERROR` to `DORA_LOG_TRACE`.
 * @param message  Not NULL; UTF-8, terminated; may have several lines.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: there is no such level; `DORA_ERROR_INVALID_UTF8`;
 *          `DORA_ERROR_IO`: the line could not be written; `DORA_ERROR_DISCONNECTED`: the node is being
 *          freed.
 *
 * Any thread; waits for sends and prints in progress. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_log(dora_node_t *node, int32_t level, const char *message);

/**
 * Writes a line to the log of the dataflow, as `dora_node_log` does, with more beside it.
 *
 * @param node     Not NULL.
 * @param level    `DORA_LOG_ERROR` to `DORA_LOG_TRACE`.
 * @param target   The part of the program that speaks; may be NULL.
 * @param message  Not NULL; UTF-8, terminated; may have several lines.
 * @param fields   Keys and values to put beside the line, each value as a text; may be NULL. dora leaves
 *                 them out when they are more than 60 KiB.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: there is no such level; `DORA_ERROR_INVALID_UTF8`;
 *          `DORA_ERROR_IO`: the line could not be written; `DORA_ERROR_DISCONNECTED`: the node is being
 *          freed.
 *
 * Any thread; waits for sends and prints in progress. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_log_with(
    dora_node_t *node, int32_t level, const char *target, const char *message,
    const dora_metadata_t *fields);

/**
 * Whether this is the first time that something is asked about, for what is to be said once and not again
 * with every message.
 *
 * @param node     May be NULL.
 * @param subject  What it is about, any UTF-8, terminated; copied, and remembered as long as the node
 *                 lives. May be NULL.
 * @return  true for one caller a subject; false for every other, for NULL, and when the node is being
 *          freed.
 *
 * Any thread, never waits. Since 0.1.0.
 */
DORA_API bool dora_node_once(const dora_node_t *node, const char *subject);

/*
 * ---- Receiving ----
 *
 * The main loop of a node: read an event, look at its kind, free it, until the read returns `DORA_CLOSED`.
 */

/**
 * Takes the next event, and waits for one if there is none.
 *
 * Between inputs dora is fair. Messages of one input come in order, except that one which found dora's
 * shared memory full may be overtaken. Events that are no inputs come before inputs that are waiting, except
 * that on the fast lane the end of an input, and the restart or the failure of its sender, come behind the
 * messages that it sent before.
 *
 * After a stop, the inputs that were queued are still delivered; then, and for ever after, the call
 * returns `DORA_CLOSED` at once. When the connection to the daemon is lost, one `DORA_EVENT_ERROR` comes,
 * then `DORA_CLOSED`; inputs that were queued are not delivered.
 *
 * Messages can be lost without a sign: an input keeps ten unless the dataflow's `queue_size` says more,
 * and drops the oldest; dora's direct path drops under congestion, and its daemon when more than 1,000
 * events wait for a node that does not take them. Where nothing may be lost, set `queue_policy:
 * backpressure`, which takes the daemon's path, with a `queue_size` that holds what can pile up. Number
 * messages to notice. On the fast lane only a full queue loses any, and `dora_node_dropped` counts each.
 *
 * Under `dora run`, dora kills the process group of a node with SIGKILL as soon as `dora run` itself is
 * gone: then no event comes. Under `dora up` and `dora start` a node outlives its daemon. Do not rely on a
 * program to bring hardware into a safe state.
 *
 * @param node        Not NULL.
 * @param timeout_ns  Nanoseconds; 0 returns at once, a negative value such as `DORA_FOREVER` waits for
 *                    ever.
 * @param event       Not NULL; gets the event with `DORA_OK`, else NULL. The caller ends it with
 *                    `dora_event_free`.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: nothing came in time; `DORA_INTERRUPTED`: `dora_node_interrupt` was
 *          called; `DORA_CLOSED`: nothing will come; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_BUSY`: another
 *          thread is in a receive call of this node.
 *
 * Any thread, one at a time; a send on another thread does not wait for it. Waiting takes no processor
 * time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t read_dora_event(
    dora_node_t *node, int64_t timeout_ns, dora_event_t **event);

/**
 * Waits for the answer to a request, or for the result of a goal, and leaves everything else to the reads
 * that follow: those get it in the order in which it came, feedback of the goal included. What came while
 * earlier replies were awaited is looked at too.
 *
 * Of each input is kept what its `queue_size` and `queue_policy` allow; what has to go is counted by
 * `dora_node_dropped`. A stop does not end the wait as long as inputs are queued behind it. Nor does a
 * server that has failed for good, while other inputs are open: wait with a timeout.
 *
 * @param node            Not NULL.
 * @param correlation_id  Not NULL; the id that `dora_metadata_start_request` or `dora_metadata_start_goal`
 *                        gave.
 * @param server          The id of the node that is to answer, so that its restart ends the wait; NULL for
 *                        a wait that only an answer, the time or the end of the node ends.
 * @param timeout_ns      Nanoseconds; 0 looks at what waits and returns at once, a negative value such as
 *                        `DORA_FOREVER` waits for ever.
 * @param event           Not NULL; gets the answer with `DORA_OK`, else NULL. The caller ends it with
 *                        `dora_event_free`.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: no answer came in time; `DORA_INTERRUPTED`: `dora_node_interrupt` was
 *          called; `DORA_CLOSED`: none will come, and the reads tell why; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: `correlation_id` is empty, or no input comes from `server`;
 *          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_INVALID_ID`: `server` is no id of a node;
 *          `DORA_ERROR_SERVER_RESTARTED`: that node was restarted, so send the request anew;
 *          `DORA_ERROR_BUSY`: another thread is in a receive call of this node.
 *
 * Any thread, one receive call at a time; a send on another thread does not wait for it. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_read_reply(
    dora_node_t *node, const char *correlation_id, const char *server, int64_t timeout_ns,
    dora_event_t **event);

/**
 * Gives a descriptor for event loops: it is readable when a receive call would not time out, so when an
 * event waits, nothing will come any more, or the node was interrupted.
 *
 * The one rule: when it is readable, read with timeout 0 until `DORA_TIMEOUT`, or until `DORA_CLOSED`. It
 * is level-triggered for `poll`, `select` and `epoll`; with `EPOLLET` the rule is what keeps events from
 * being missed. It is readable at first, and stays so until a receive call finds nothing. A program that
 * reads once each time it is readable is told once too often when it has read all; so is, rarely, one whose
 * read took an event before dora had woken it for that. After `DORA_CLOSED` it is readable for ever: take it
 * out of the loop.
 *
 * The descriptor belongs to the node: never read, write or close it, and take it out of the loop before
 * `dora_node_free`. It is closed at `exec`. Every call gives the same one.
 *
 * No thread stands behind it. Before the first call of this function receiving costs nothing more;
 * afterwards an event that comes alone costs two system calls, and one behind others none. On the fast lane a
 * look that finds nothing costs one, and the descriptor is an `epoll` one.
 *
 * @param node  Not NULL.
 * @param fd    Not NULL; gets the descriptor, -1 on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_IO`: the system has no descriptor left;
 *          `DORA_ERROR_DISCONNECTED`: the node is being freed.
 *
 * Any thread, also beside a read, for which it does not wait. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_event_fd(dora_node_t *node, int32_t *fd);

/**
 * Has a receive call return `DORA_INTERRUPTED`: the one in progress, or the next one where there is none.
 * Interrupts before that call are one; it goes before events that wait, and takes none of them away. The
 * descriptor of `dora_node_event_fd` is readable meanwhile.
 *
 * A sending call under a send timeout that has waited for 100 ms since the interrupt, or since it began,
 * returns `DORA_INTERRUPTED` too, without using it up. What had begun by then goes on. Without a send
 * timeout a sending call works in dora itself, and is not interrupted.
 *
 * @param node  The node, or NULL, which does nothing.
 *
 * Any thread, and signal handlers: it is async-signal-safe and leaves `errno` alone. Since 0.1.0.
 */
DORA_API void dora_node_interrupt(const dora_node_t *node);

/** No such state, or one that this library does not know. Since 0.1.0. */
#define DORA_INPUT_UNKNOWN 0

/** The input may bring messages. Since 0.1.0. */
#define DORA_INPUT_OPEN 1

/** The input's sender finished, failed, or was silent for too long. Since 0.1.0. */
#define DORA_INPUT_CLOSED 2

/**
 * Whether a read would return at once: an event waits, or nothing will come any more.
 *
 * @param node  Not NULL.
 * @param out   Not NULL; gets the answer, false on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_DISCONNECTED`: the node is being freed.
 *
 * Any thread, also beside a read, for which it does not wait. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_pending(dora_node_t *node, bool *out);

/**
 * How many messages an input has lost since the node began, because its queue in this node was full. What
 * waits on the daemon's path is only counted when a read looks at it, what was lost on the fast lane when the
 * message behind it is read. Not counted is what dora drops on
 * the way: on its direct path under congestion, and in the daemon beyond 1,000 events that wait for one
 * node.
 *
 * @param node   Not NULL.
 * @param input  An input that the dataflow declares for this node; NULL asks for events that are no
 *               inputs.
 * @param total  Not NULL; gets the number, 0 on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNKNOWN_INPUT`;
 *          `DORA_ERROR_DISCONNECTED`: the node is being freed.
 *
 * Any thread, also beside a read, for which it does not wait. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_dropped(
    dora_node_t *node, const char *input, uint64_t *total);

/**
 * Whether an input is open, as far as the events tell that were read.
 *
 * @param node   Not NULL.
 * @param input  Not NULL; an input that the dataflow declares for this node.
 * @param out    Not NULL; gets one of `DORA_INPUT_…`, `DORA_INPUT_UNKNOWN` on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNKNOWN_INPUT`;
 *          `DORA_ERROR_DISCONNECTED`: the node is being freed.
 *
 * Any thread, also beside a read, for which it does not wait. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_input_state(
    dora_node_t *node, const char *input, int32_t *out);

/**
 * Gives the last message of an input once more, also when the input was closed since: something to go on
 * with while its sender is silent. It is kept where `dora_node_options_set_keep_last_values` asked for it.
 *
 * @param node   Not NULL.
 * @param input  Not NULL; an input that the dataflow declares for this node.
 * @param event  Not NULL; gets the event with `DORA_OK`, else NULL. The caller ends it with
 *               `dora_event_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNKNOWN_INPUT`;
 *          `DORA_ERROR_NOT_FOUND`: no message of it was read so far; `DORA_ERROR_UNSUPPORTED`: the options
 *          did not ask to keep it; `DORA_ERROR_DISCONNECTED`: the node is being freed.
 *
 * Any thread, also beside a read, for which it does not wait. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_last_value(
    dora_node_t *node, const char *input, dora_event_t **event);

/*
 * ---- Events ----
 *
 * What `read_dora_event` gives. An event is immutable, may be used from every thread, and outlives its
 * node. Look at its kind first; what an event does not carry is NULL, 0 or the value that the function
 * names. A newer library may deliver a kind that this header does not name: skip what you do not know.
 */

/** Something that this library does not know; `dora_event_message` describes it. Skip it. Since 0.1.0. */
#define DORA_EVENT_UNKNOWN 0

/** A message arrived: input id, metadata, data. Since 0.1.0. */
#define DORA_EVENT_INPUT 1

/**
 * An input's sender finished, or was silent for longer than the dataflow's `input_timeout`: input id.
 * Messages that were queued before may still follow. Since 0.1.0.
 */
#define DORA_EVENT_INPUT_CLOSED 2

/**
 * The node should end: stop cause. Inputs that were queued are still delivered, then reads are closed.
 * Since 0.1.0.
 */
#define DORA_EVENT_STOP 3

/** The node, or one of its operators, should load itself anew: operator id or NULL. Since 0.1.0. */
#define DORA_EVENT_RELOAD 4

/**
 * Something failed inside dora, by which the node may go on or not: message. Worth a line in the log.
 * Since 0.1.0.
 */
#define DORA_EVENT_ERROR 5

/** An input that had timed out brings messages again: input id. Since 0.1.0. */
#define DORA_EVENT_INPUT_RECOVERED 6

/** A node whose messages this one receives was restarted: node id. Since 0.1.0. */
#define DORA_EVENT_NODE_RESTARTED 7

/** A node whose messages this one receives failed: node id, message, affected inputs. Since 0.1.0. */
#define DORA_EVENT_NODE_FAILED 8

/** A parameter was set: key, value as JSON. Since 0.1.0. */
#define DORA_EVENT_PARAM_UPDATE 9

/** A parameter was deleted: key. Since 0.1.0. */
#define DORA_EVENT_PARAM_DELETED 10

/** No stop event, or a cause that this library does not know. Since 0.1.0. */
#define DORA_STOP_UNKNOWN 0

/**
 * Somebody stopped the dataflow. dora ends a node that goes on for longer than its grace, with SIGTERM and
 * then SIGKILL. Since 0.1.0.
 */
#define DORA_STOP_MANUAL 1

/** All inputs of the node are closed. Since 0.1.0. */
#define DORA_STOP_ALL_INPUTS_CLOSED 2

/**
 * Ends an event, and every pointer borrowed from it. Arrow arrays that were exported from it live on.
 *
 * @param event  The event, or NULL, which does nothing.
 *
 * Any thread, also after the node was freed. Since 0.1.0.
 */
DORA_API void dora_event_free(dora_event_t *event);

/**
 * The kind of an event.
 *
 * @param event  May be NULL.
 * @return  One of `DORA_EVENT_…`, or a value that this header does not name; `DORA_EVENT_UNKNOWN` for
 *          NULL.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API int32_t dora_event_kind(const dora_event_t *event);

/**
 * The name of a kind of event, as this header spells it: `"DORA_EVENT_INPUT"`.
 *
 * @param kind  Any value.
 * @return  Never NULL; `"unknown kind"` for a value that this library does not know. Lives as long as the
 *          program.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_kind_name(int32_t kind);

/**
 * The input that the event is about, as the dataflow names it.
 *
 * @param event  May be NULL.
 * @return  The id for `DORA_EVENT_INPUT`, `DORA_EVENT_INPUT_CLOSED` and `DORA_EVENT_INPUT_RECOVERED`, else
 *          NULL. Lives as long as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_input_id(const dora_event_t *event);

/**
 * The other node that the event is about.
 *
 * @param event  May be NULL.
 * @return  The id for `DORA_EVENT_NODE_RESTARTED` and `DORA_EVENT_NODE_FAILED`, else NULL. Lives as long
 *          as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_node_id(const dora_event_t *event);

/**
 * The operator that should be loaded anew.
 *
 * @param event  May be NULL.
 * @return  The id for `DORA_EVENT_RELOAD`; NULL when it means the whole node, and for every other kind.
 *          Lives as long as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_operator_id(const dora_event_t *event);

/**
 * The parameter that was set or deleted.
 *
 * @param event  May be NULL.
 * @return  The key for `DORA_EVENT_PARAM_UPDATE` and `DORA_EVENT_PARAM_DELETED`, else NULL. Lives as long
 *          as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_key(const dora_event_t *event);

/**
 * What dora says about a failure.
 *
 * @param event  May be NULL.
 * @return  A sentence for `DORA_EVENT_ERROR`, `DORA_EVENT_NODE_FAILED` and `DORA_EVENT_UNKNOWN`, else
 *          NULL. Lives as long as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_message(const dora_event_t *event);

/**
 * The value that a parameter was set to, as JSON text.
 *
 * @param event  May be NULL.
 * @return  JSON for `DORA_EVENT_PARAM_UPDATE`, else NULL. Lives as long as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_value_json(const dora_event_t *event);

/**
 * Why the node should end.
 *
 * @param event  May be NULL.
 * @return  One of `DORA_STOP_…`, or a value that this header does not name; `DORA_STOP_UNKNOWN` for every
 *          event that is no `DORA_EVENT_STOP`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API int32_t dora_event_stop_cause(const dora_event_t *event);

/**
 * How many of this node's inputs the failed node feeds.
 *
 * @param event  May be NULL.
 * @return  The count for `DORA_EVENT_NODE_FAILED`, else 0.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API size_t dora_event_affected_count(const dora_event_t *event);

/**
 * One of this node's inputs that the failed node feeds.
 *
 * @param event  May be NULL.
 * @param index  Below `dora_event_affected_count`.
 * @return  The input's id, NULL beyond the last. Lives as long as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_affected_input(const dora_event_t *event, size_t index);

/**
 * The parameters that came beside the data of an input.
 *
 * @param event  May be NULL.
 * @return  Borrowed, never changing; NULL for every event that is no `DORA_EVENT_INPUT`. Lives as long as
 *          the event. It may be passed to every function that sends.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const dora_metadata_t *dora_event_metadata(const dora_event_t *event);

/**
 * When an input was sent, by the sender's hybrid logical clock.
 *
 * @param event  May be NULL.
 * @return  Nanoseconds since the Unix epoch; `DORA_TIME_ABSENT` for every event that is no
 *          `DORA_EVENT_INPUT`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API int64_t dora_event_timestamp_ns(const dora_event_t *event);

/**
 * When an input was sent, as dora's clock counts: seconds since the Unix epoch in the upper 32 bits,
 * fractions of 2^-32 s in the lower. It orders messages of all nodes; for a time in the usual sense take
 * `dora_event_timestamp_ns`.
 *
 * @param event  May be NULL.
 * @return  The raw value; 0 for every event that is no `DORA_EVENT_INPUT`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API uint64_t dora_event_timestamp_ntp64(const dora_event_t *event);

/**
 * Whether this is the first time that something is asked about the input of an event, for what is to be
 * said once and not again with every message: `dora_node_once` for each input by itself.
 *
 * @param event    May be NULL.
 * @param subject  What it is about, any UTF-8, terminated; copied, and remembered as long as the node or
 *                 an event of that input lives. May be NULL.
 * @return  true for one caller a subject and input; false for every other, for NULL, and for every event
 *          that is no `DORA_EVENT_INPUT`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API bool dora_event_once(const dora_event_t *event, const char *subject);

/**
 * Describes an event in one line, for a log. It works like `snprintf`.
 *
 * @param event     May be NULL, which gives an empty text.
 * @param buffer    Where the text goes, always terminated and cut between characters; NULL only measures.
 * @param capacity  The bytes that `buffer` holds, the NUL included.
 * @return  The bytes of the whole text without its NUL: as much as `capacity` or more means that it was
 *          cut.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API size_t dora_event_format(const dora_event_t *event, char *buffer, size_t capacity);

/*
 * ---- Data of an input ----
 *
 * A message is one Arrow array. Programs without an Arrow library read it here: numbers as a C array,
 * booleans as bits, texts and bytes element by element; `dora_event_arrow` gives everything else. Nothing
 * is copied but texts. What these functions give lives as long as the event. It is aligned as its type
 * needs; only large messages, which come through shared memory, are aligned to 64 bytes, unless the sender
 * sent a slice. An empty array gives NULL and 0.
 *
 * A message that dora calls bytes is an array of type `DORA_TYPE_UINT8`: read it with `dora_event_uint8`.
 * A timer tick is of type `DORA_TYPE_NULL` with length 0.
 */

/**
 * Any other type of Arrow: read it with `dora_event_arrow`; fixed-width ones also with `dora_event_raw`.
 * Since 0.1.0.
 */
#define DORA_TYPE_OTHER 0

/** Nothing but a length: a timer tick, or a message that only has metadata. Since 0.1.0. */
#define DORA_TYPE_NULL 1

/** Booleans, a bit each. Since 0.1.0. */
#define DORA_TYPE_BOOL 2

/** `int8_t`. Since 0.1.0. */
#define DORA_TYPE_INT8 3

/** `int16_t`. Since 0.1.0. */
#define DORA_TYPE_INT16 4

/** `int32_t`. Since 0.1.0. */
#define DORA_TYPE_INT32 5

/** `int64_t`. Since 0.1.0. */
#define DORA_TYPE_INT64 6

/** `uint8_t`; what dora calls bytes. Since 0.1.0. */
#define DORA_TYPE_UINT8 7

/** `uint16_t`. Since 0.1.0. */
#define DORA_TYPE_UINT16 8

/** `uint32_t`. Since 0.1.0. */
#define DORA_TYPE_UINT32 9

/** `uint64_t`. Since 0.1.0. */
#define DORA_TYPE_UINT64 10

/** IEEE 754 half precision, passed as `uint16_t`, since C99 has no type for it. Since 0.1.0. */
#define DORA_TYPE_FLOAT16 11

/** `float`. Since 0.1.0. */
#define DORA_TYPE_FLOAT32 12

/** `double`. Since 0.1.0. */
#define DORA_TYPE_FLOAT64 13

/** UTF-8 texts, whichever of Arrow's layouts they have. Since 0.1.0. */
#define DORA_TYPE_TEXT 14

/** Byte strings, whichever of Arrow's layouts they have. Since 0.1.0. */
#define DORA_TYPE_BINARY 15

/**
 * The type of an input's data.
 *
 * @param event  May be NULL.
 * @return  One of `DORA_TYPE_…`; `DORA_TYPE_OTHER` also for every event that is no `DORA_EVENT_INPUT`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API int32_t dora_event_data_type(const dora_event_t *event);

/**
 * The type of an input's data as Arrow's C Data Interface writes it: `"f"` for float32, `"+s"` for a
 * struct.
 *
 * @param event  May be NULL.
 * @return  The format string; NULL where Arrow has none for the type, and for every event that is no
 *          `DORA_EVENT_INPUT`. Lives as long as the event.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const char *dora_event_data_format(const dora_event_t *event);

/**
 * How many elements an input's data has.
 *
 * @param event  May be NULL.
 * @return  The count, nulls included; 0 for every event that is no `DORA_EVENT_INPUT`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API size_t dora_event_length(const dora_event_t *event);

/**
 * How many elements of an input's data are null.
 *
 * @param event  May be NULL.
 * @return  The count; 0 for every event that is no `DORA_EVENT_INPUT`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API size_t dora_event_null_count(const dora_event_t *event);

/**
 * The numbers of an input as a C array, not copied. `dora_event_float32` and its siblings do the same
 * without a cast.
 *
 * @param event   Not NULL.
 * @param type    `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`: what the array is expected to be.
 * @param values  Not NULL; gets the first value, or NULL when there is none or on failure. Lives as long
 *                as the event.
 * @param length  The number of values, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type;
 *          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its data is of another type;
 *          `DORA_ERROR_HAS_NULLS`: some elements have no value, see `dora_event_values_nullable`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_event_values(
    const dora_event_t *event, int32_t type, const void **values, size_t *length);

/**
 * The numbers of an input as a C array, not copied, with the places of its nulls.
 *
 * Element `i` is a value when `validity` is NULL or bit `bit_offset + i` of it is 1, counted from the
 * lowest bit of the first byte; otherwise it is null and what stands in `values` means nothing.
 *
 * @param event       Not NULL.
 * @param type        `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`: what the array is expected to be.
 * @param values      Not NULL; gets the first value, or NULL when there is none or on failure. Lives as
 *                    long as the event.
 * @param validity    Not NULL; gets the bits, or NULL when there are no nulls or on failure. Lives as long
 *                    as the event.
 * @param bit_offset  Not NULL; gets the number of the first element's bit.
 * @param length      The number of elements, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type;
 *          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its data is of another type.
 *
 * Any thread. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_event_values_nullable(
    const dora_event_t *event, int32_t type, const void **values, const uint8_t **validity,
    size_t *bit_offset, size_t *length);

/**
 * The booleans of an input, a bit each, not copied.
 *
 * Element `i` is `bits[k / 8] >> k % 8 & 1`, with `k = bit_offset + i`.
 *
 * @param event       Not NULL.
 * @param bits        Not NULL; gets the bits, or NULL when there is none or on failure. Lives as long as
 *                    the event.
 * @param bit_offset  Not NULL; gets the number of the first element's bit.
 * @param length      The number of booleans, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: the event is no input, or its
 *          data is no booleans; `DORA_ERROR_HAS_NULLS`: some elements have no value, see
 *          `dora_event_arrow`.
 *
 * Any thread. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_event_bits(
    const dora_event_t *event, const uint8_t **bits, size_t *bit_offset, size_t *length);

/**
 * One text of an input. All texts of the event are copied the first time, so that each ends with a NUL.
 *
 * @param event   Not NULL.
 * @param index   Below `dora_event_length`; 0 for a message that is one text.
 * @param out     Not NULL; gets the text, terminated; NULL on failure. Lives as long as the event.
 * @param length  Its bytes without the NUL, which is how one finds NULs inside; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such element;
 *          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its data is no text; `DORA_ERROR_HAS_NULLS`:
 *          that element is null.
 *
 * Any thread. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_event_text(
    const dora_event_t *event, size_t index, const char **out, size_t *length);

/**
 * The bytes of one element of an input whose elements are byte strings or texts, not copied and not
 * terminated.
 *
 * @param event  Not NULL.
 * @param index  Below `dora_event_length`.
 * @param bytes  Not NULL; gets the first byte, or NULL when there is none or on failure. Lives as long as
 *               the event.
 * @param size   The number of bytes, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such element;
 *          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its elements are neither (an array of bytes
 *          is read with `dora_event_uint8`); `DORA_ERROR_HAS_NULLS`: that element is null.
 *
 * Any thread. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_event_bytes(
    const dora_event_t *event, size_t index, const uint8_t **bytes, size_t *size);

/**
 * The whole buffer of an input whose elements all take the same number of bytes, not copied: numbers,
 * times, decimals, fixed-size binary, and fixed-size lists of these.
 *
 * @param event  Not NULL.
 * @param bytes  Not NULL; gets the first byte, or NULL when there is none or on failure. Lives as long as
 *               the event.
 * @param size   The number of bytes, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: the event is no input, or its
 *          elements are of no fixed number of bytes; `DORA_ERROR_HAS_NULLS`: some elements have no value.
 *
 * Any thread. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_event_raw(
    const dora_event_t *event, const void **bytes, size_t *size);

/** `dora_event_values` for `DORA_TYPE_INT8`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_int8(
    const dora_event_t *event, const int8_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_INT8, values ? &untyped : NULL, length);
    if (values)
        *values = (const int8_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_INT16`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_int16(
    const dora_event_t *event, const int16_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_INT16, values ? &untyped : NULL, length);
    if (values)
        *values = (const int16_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_INT32`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_int32(
    const dora_event_t *event, const int32_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_INT32, values ? &untyped : NULL, length);
    if (values)
        *values = (const int32_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_INT64`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_int64(
    const dora_event_t *event, const int64_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_INT64, values ? &untyped : NULL, length);
    if (values)
        *values = (const int64_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_UINT8`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_uint8(
    const dora_event_t *event, const uint8_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_UINT8, values ? &untyped : NULL, length);
    if (values)
        *values = (const uint8_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_UINT16`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_uint16(
    const dora_event_t *event, const uint16_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_UINT16, values ? &untyped : NULL, length);
    if (values)
        *values = (const uint16_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_UINT32`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_uint32(
    const dora_event_t *event, const uint32_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_UINT32, values ? &untyped : NULL, length);
    if (values)
        *values = (const uint32_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_UINT64`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_uint64(
    const dora_event_t *event, const uint64_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_UINT64, values ? &untyped : NULL, length);
    if (values)
        *values = (const uint64_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_FLOAT16`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_float16(
    const dora_event_t *event, const uint16_t **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_FLOAT16, values ? &untyped : NULL, length);
    if (values)
        *values = (const uint16_t *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_FLOAT32`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_float32(
    const dora_event_t *event, const float **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_FLOAT32, values ? &untyped : NULL, length);
    if (values)
        *values = (const float *)untyped;
    return status;
}

/** `dora_event_values` for `DORA_TYPE_FLOAT64`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_float64(
    const dora_event_t *event, const double **values, size_t *length) {
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_FLOAT64, values ? &untyped : NULL, length);
    if (values)
        *values = (const double *)untyped;
    return status;
}

/*
 * ---- Arrow C Data Interface ----
 *
 * `struct ArrowSchema` and `struct ArrowArray` carry any data without a copy, between any two libraries:
 * Arrow C++, nanoarrow, DuckDB, pyarrow. Whoever holds a structure whose `release` is not NULL calls it
 * once when done.
 */

/**
 * The data of an input as the two structures of the Arrow C Data Interface, not copied. It may be called
 * again and gives further structures on the same memory.
 *
 * @param event   Not NULL.
 * @param schema  Not NULL; overwritten without a look at what it held. The caller releases it.
 * @param array   Not NULL; overwritten without a look at what it held. The caller releases it, on any
 *                thread, also after the event and the node were freed.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: the event is no input;
 *          `DORA_ERROR_UNSUPPORTED`: the C Data Interface has no form for the type. On failure both
 *          structures are released ones.
 *
 * Any thread. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_event_arrow(
    const dora_event_t *event, struct ArrowSchema *schema, struct ArrowArray *array);

/*
 * ---- Metadata ----
 *
 * The parameters that travel beside a message, each a key and a value of one of eight kinds. The metadata
 * of an event is borrowed with `dora_event_metadata` and never changes; one's own is made with
 * `dora_metadata_new` or `dora_metadata_copy`. Both may be passed to every function that sends. What
 * belongs to dora's wire format is neither listed nor passed on.
 *
 * Receivers match the kind exactly: a width that is sent as a float is no integer for them. A parameter
 * `timestamp` hides the time of the message from Python nodes.
 */

/** No parameter under that key, or one of a kind that this library does not know. Since 0.1.0. */
#define DORA_METADATA_UNKNOWN 0

/** A boolean. Since 0.1.0. */
#define DORA_METADATA_BOOL 1

/** `int64_t`. Since 0.1.0. */
#define DORA_METADATA_INTEGER 2

/** `double`. Since 0.1.0. */
#define DORA_METADATA_FLOAT 3

/** A text, which may hold NULs. Since 0.1.0. */
#define DORA_METADATA_STRING 4

/** A time, in nanoseconds since the Unix epoch. Since 0.1.0. */
#define DORA_METADATA_TIMESTAMP 5

/** A list of `int64_t`. Since 0.1.0. */
#define DORA_METADATA_INTEGERS 6

/** A list of `double`. Since 0.1.0. */
#define DORA_METADATA_FLOATS 7

/** A list of texts. Since 0.1.0. */
#define DORA_METADATA_STRINGS 8

/**
 * Makes metadata without parameters.
 *
 * @param out  Not NULL; gets the metadata, NULL on failure. The caller ends it with `dora_metadata_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread; the object is for one thread at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_new(dora_metadata_t **out);

/**
 * Copies metadata, such as an event's to add to it.
 *
 * @param metadata  Not NULL; one's own or an event's.
 * @param out       Not NULL; gets the copy, NULL on failure. The caller ends it with `dora_metadata_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread; the copy is for one thread at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_copy(
    const dora_metadata_t *metadata, dora_metadata_t **out);

/**
 * Ends metadata of one's own, and every pointer borrowed from it. An event's is not ended by it.
 *
 * @param metadata  From `dora_metadata_new` or `dora_metadata_copy`; NULL does nothing.
 *
 * Any thread, when no other uses it. Since 0.1.0.
 */
DORA_API void dora_metadata_free(dora_metadata_t *metadata);

/**
 * How many parameters there are.
 *
 * @param metadata  May be NULL.
 * @return  The count; 0 for NULL.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_API size_t dora_metadata_count(const dora_metadata_t *metadata);

/**
 * A key by its index, in the order of the keys. A key that holds a NUL, which only other languages can
 * send, is listed and passed on but cannot be asked for.
 *
 * @param metadata  May be NULL.
 * @param index     Below `dora_metadata_count`.
 * @param length    The bytes of the key without its NUL, 0 where there is none; may be NULL.
 * @return  The key, terminated; NULL beyond the last. Lives until the metadata is changed or ends.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_API const char *dora_metadata_key(const dora_metadata_t *metadata, size_t index, size_t *length);

/**
 * The kind of a parameter.
 *
 * @param metadata  May be NULL.
 * @param key       May be NULL.
 * @return  One of `DORA_METADATA_…`, or a value that this header does not name; `DORA_METADATA_UNKNOWN`
 *          when there is no such parameter.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_API int32_t dora_metadata_kind(const dora_metadata_t *metadata, const char *key);

/**
 * Reads a boolean.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param value     Not NULL; gets the value, false on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_bool(
    const dora_metadata_t *metadata, const char *key, bool *value);

/**
 * Reads an integer.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param value     Not NULL; gets the value, 0 on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_integer(
    const dora_metadata_t *metadata, const char *key, int64_t *value);

/**
 * Reads a number.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param value     Not NULL; gets the value, 0 on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_float(
    const dora_metadata_t *metadata, const char *key, double *value);

/**
 * Reads a time.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param value     Not NULL; gets the value, `DORA_TIME_ABSENT` on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind, or a time
 *          before 1677 or after 2262.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_timestamp_ns(
    const dora_metadata_t *metadata, const char *key, int64_t *value);

/**
 * Reads a text.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param value     Not NULL; gets the text, terminated, NULL on failure. Lives until the metadata is
 *                  changed or ends.
 * @param length    Its bytes without the NUL, which is how one finds NULs inside, 0 on failure; may be
 *                  NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_string(
    const dora_metadata_t *metadata, const char *key, const char **value, size_t *length);

/**
 * Reads a list of integers.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param values    Not NULL; gets the first value, NULL when there is none or on failure. Lives until the
 *                  metadata is changed or ends.
 * @param count     The number of values, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_integers(
    const dora_metadata_t *metadata, const char *key, const int64_t **values, size_t *count);

/**
 * Reads a list of numbers.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param values    Not NULL; gets the first value, NULL when there is none or on failure. Lives until the
 *                  metadata is changed or ends.
 * @param count     The number of values, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_floats(
    const dora_metadata_t *metadata, const char *key, const double **values, size_t *count);

/**
 * How many texts a list has.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param count     Not NULL; gets the number, 0 on failure.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_strings_count(
    const dora_metadata_t *metadata, const char *key, size_t *count);

/**
 * Reads one text of a list.
 *
 * @param metadata  Not NULL.
 * @param key       Not NULL.
 * @param index     Below what `dora_metadata_get_strings_count` gives.
 * @param value     Not NULL; gets the text, terminated, NULL on failure. Lives until the metadata is
 *                  changed or ends.
 * @param length    Its bytes without the NUL, 0 on failure; may be NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind;
 *          `DORA_ERROR_INVALID_ARGUMENT`: there is no such text.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_get_strings_at(
    const dora_metadata_t *metadata, const char *key, size_t index, const char **value, size_t *length);

/**
 * Sets a boolean, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param value     Every value but 0 is true.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_bool(
    dora_metadata_t *metadata, const char *key, int32_t value);

/**
 * Sets an integer, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param value     Any.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_integer(
    dora_metadata_t *metadata, const char *key, int64_t value);

/**
 * Sets a number, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param value     Any; NaN and the infinities too.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_float(
    dora_metadata_t *metadata, const char *key, double value);

/**
 * Sets a time, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param value     Nanoseconds since the Unix epoch, before it negative.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_timestamp_ns(
    dora_metadata_t *metadata, const char *key, int64_t value);

/**
 * Sets a text, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param value     UTF-8, copied; NULL only with length 0.
 * @param length    Its bytes, or `DORA_NUL_TERMINATED`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key or the value;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or `length` is beyond any memory.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_string(
    dora_metadata_t *metadata, const char *key, const char *value, size_t length);

/**
 * Sets a list of integers, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param values    Copied; NULL only with count 0.
 * @param count     The number of values; 0 sets an empty list.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or `count` is beyond any memory.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_integers(
    dora_metadata_t *metadata, const char *key, const int64_t *values, size_t count);

/**
 * Sets a list of numbers, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param values    Copied; NULL only with count 0.
 * @param count     The number of values; 0 sets an empty list.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or `count` is beyond any memory.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_floats(
    dora_metadata_t *metadata, const char *key, const double *values, size_t count);

/**
 * Sets a list of texts, in the place of what was there.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL; copied.
 * @param values    The texts, UTF-8, copied; NULL only with count 0, and one of them only with length 0.
 * @param lengths   The bytes of each, `DORA_NUL_TERMINATED` for one that ends with a NUL; NULL when all
 *                  do.
 * @param count     The number of texts; 0 sets an empty list.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key or a text;
 *          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or a length is beyond any memory.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_strings(
    dora_metadata_t *metadata, const char *key, const char *const *values, const size_t *lengths,
    size_t count);

/**
 * Sets every parameter of `from`, in the place of what was there under its key.
 *
 * @param metadata  Not NULL; one's own.
 * @param from      Not NULL; one's own or an event's; the same object is fine.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_merge(
    dora_metadata_t *metadata, const dora_metadata_t *from);

/**
 * Removes a parameter.
 *
 * @param metadata  Not NULL; one's own.
 * @param key       Not NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
 *          `DORA_ERROR_NOT_FOUND`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_remove(dora_metadata_t *metadata, const char *key);

/**
 * Removes every parameter.
 *
 * @param metadata  One's own; NULL does nothing.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_API void dora_metadata_clear(dora_metadata_t *metadata);

/*
 * ---- Sending ----
 *
 * Five forms of one thing: a message on an output, which reaches every node that the dataflow connects to
 * it. What is passed is copied before the call returns. An output that nobody receives takes messages too.
 *
 * A message holds 256 MiB at most, framing included: a few hundred bytes for numbers, and for Arrow arrays
 * and booleans up to one bit a value besides. It holds 64 MiB at most where it goes by the daemon: when it
 * does not fit dora's shared memory at the moment (8 MiB, unless the dataflow's `shared_memory_pool_size`
 * says more), when a receiver is on another machine, and when an input that receives it has `queue_policy:
 * backpressure`.
 *
 * Sending waits for nobody who receives. It waits for other sends and log lines of the node, and, without
 * a limit, while the daemon does not take what goes by it.
 *
 * A message on the fast lane goes to the nodes that receive it without anything of dora's. A node that only
 * sends, and by the lane alone, therefore does not learn that the daemon is lost.
 *
 * Parameters may go beside the data: metadata of one's own, that of an event, or NULL for none. What dora
 * keeps there for the way of a message is not passed on.
 */

/**
 * Sends a message without data: its arrival and its metadata are what it says. It is received as
 * `DORA_TYPE_NULL` with length 0.
 *
 * @param node      Not NULL.
 * @param output    Not NULL; an output that the dataflow declares for this node.
 * @param metadata  May be NULL; parameters to send along.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
 *          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_DISCONNECTED`: the daemon
 *          is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_send_empty(
    dora_node_t *node, const char *output, const dora_metadata_t *metadata);

/**
 * Sends bytes. They are received as an array of `DORA_TYPE_UINT8`.
 *
 * @param node      Not NULL.
 * @param output    Not NULL; an output that the dataflow declares for this node.
 * @param data      The bytes, copied before the call returns; NULL only with size 0.
 * @param size      Their number; 0 sends an empty array.
 * @param metadata  May be NULL; parameters to send along.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: `size` is beyond any memory; `DORA_ERROR_INVALID_UTF8` or
 *          `DORA_ERROR_INVALID_ID`: `output` is no id; `DORA_ERROR_UNKNOWN_OUTPUT`;
 *          `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the dataflow declares another type, and
 *          `DORA_RUNTIME_TYPE_CHECK=error` asks for the check; `DORA_ERROR_TOO_LARGE`;
 *          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
 *          `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_send_bytes(
    dora_node_t *node, const char *output, const void *data, size_t size, const dora_metadata_t *metadata);

/**
 * Sends a C array of numbers or booleans.
 *
 * @param node      Not NULL.
 * @param output    Not NULL; an output that the dataflow declares for this node.
 * @param type      `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`, or `DORA_TYPE_BOOL`: what `values` points to.
 *                  Booleans are a byte each, and every byte that is not 0 is true.
 * @param values    The values, copied before the call returns, of any alignment; NULL only with length 0.
 * @param length    Their number; 0 sends an empty array.
 * @param metadata  May be NULL; parameters to send along.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type, or `length` is beyond any memory;
 *          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
 *          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the
 *          dataflow declares another type, and `DORA_RUNTIME_TYPE_CHECK=error` asks for the check;
 *          `DORA_ERROR_TOO_LARGE`; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being
 *          freed; `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_send_values(
    dora_node_t *node, const char *output, int32_t type, const void *values, size_t length,
    const dora_metadata_t *metadata);

/**
 * Sends one text.
 *
 * @param node      Not NULL.
 * @param output    Not NULL; an output that the dataflow declares for this node.
 * @param text      UTF-8, copied before the call returns; NULL only with length 0. It may hold NULs when
 *                  it comes with its length.
 * @param length    Its bytes, or `DORA_NUL_TERMINATED`.
 * @param metadata  May be NULL; parameters to send along.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: `length` is beyond any memory; `DORA_ERROR_INVALID_UTF8`;
 *          `DORA_ERROR_INVALID_ID`: `output` is no id; `DORA_ERROR_UNKNOWN_OUTPUT`;
 *          `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the dataflow declares another type, and
 *          `DORA_RUNTIME_TYPE_CHECK=error` asks for the check; `DORA_ERROR_TOO_LARGE`;
 *          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
 *          `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_send_text(
    dora_node_t *node, const char *output, const char *text, size_t length, const dora_metadata_t *metadata);

/**
 * Sends any Arrow array.
 *
 * Both structures are taken in every case, also when the call fails and when another argument is wrong:
 * their `release` is NULL afterwards, and what they held was released.
 *
 * @param node      Not NULL.
 * @param output    Not NULL; an output that the dataflow declares for this node.
 * @param schema    Not NULL; the type.
 * @param array     Not NULL; the values, copied before the call returns, of any alignment.
 * @param metadata  May be NULL; parameters to send along.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARROW`: a structure was released before, or is malformed as far as it
 *          shows; `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
 *          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the
 *          dataflow declares another type, and `DORA_RUNTIME_TYPE_CHECK=error` asks for the check;
 *          `DORA_ERROR_TOO_LARGE`; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being
 *          freed; `DORA_ERROR_INTERNAL`: dora failed, or its wire format has no form for the type.
 *
 * Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_send_arrow(
    dora_node_t *node, const char *output, struct ArrowSchema *schema, struct ArrowArray *array,
    const dora_metadata_t *metadata);

/*
 * ---- Loans ----
 *
 * Memory to write a message into, from which it is sent without a copy: shared memory, where the message
 * is large enough and the node's pool has room, else the heap. A loan is a C array of one type for one
 * output. It belongs to one thread at a time, and may outlive its node.
 */

/** The kind of memory is not known, or one that this library does not know. Since 0.1.0. */
#define DORA_MEMORY_UNKNOWN 0

/** Memory of this process: sending copies it once. Since 0.1.0. */
#define DORA_MEMORY_HEAP 1

/** Memory that receivers on this machine read where it lies. Since 0.1.0. */
#define DORA_MEMORY_SHARED 2

/**
 * Lends memory for a message on an output. Its values are whatever was there: write them all, or shorten
 * it with `dora_loan_set_length`. Nothing is waited for; where shared memory is exhausted, the loan is on
 * the heap, and costs a copy when it is sent. On the fast lane a loan of any size is in its shared memory, up
 * to eight at a time for an output.
 *
 * @param node    Not NULL.
 * @param output  Not NULL; an output that the dataflow declares for this node.
 * @param type    `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`.
 * @param length  How many values; 0 is fine.
 * @param out     Not NULL; gets the loan, NULL on failure. The caller ends it with `dora_node_send_loan`
 *                or `dora_loan_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type;
 *          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
 *          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TOO_LARGE`: more than 256
 *          MiB; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed.
 *
 * Any thread; waits for no send. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_loan(
    dora_node_t *node, const char *output, int32_t type, size_t length, dora_loan_t **out);

/**
 * The first value of a loan.
 *
 * @param loan  May be NULL.
 * @return  Where to write, aligned to 64 bytes; NULL for NULL and for length 0. Lives as long as the loan.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_API void *dora_loan_data(dora_loan_t *loan);

/**
 * How many values a loan has.
 *
 * @param loan  May be NULL.
 * @return  The count; 0 for NULL.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_API size_t dora_loan_length(const dora_loan_t *loan);

/**
 * How many bytes the values of a loan take.
 *
 * @param loan  May be NULL.
 * @return  Bytes; 0 for NULL.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_API size_t dora_loan_size(const dora_loan_t *loan);

/**
 * The type of a loan's values.
 *
 * @param loan  May be NULL.
 * @return  One of `DORA_TYPE_…`; `DORA_TYPE_OTHER` for NULL.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_API int32_t dora_loan_type(const dora_loan_t *loan);

/**
 * What kind of memory a loan lies in.
 *
 * @param loan  May be NULL.
 * @return  One of `DORA_MEMORY_…`, or a value that this header does not name; `DORA_MEMORY_UNKNOWN` for
 *          NULL, and where dora does not tell: with a zero-copy threshold of more than 1 MiB.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_API int32_t dora_loan_memory(const dora_loan_t *loan);

/**
 * Makes a loan shorter, for data whose size was not known before, such as a JPEG. The values stay where
 * they are; those behind the length are not received.
 *
 * @param loan    Not NULL.
 * @param length  At most the length that it has.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: a loan cannot grow.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_loan_set_length(dora_loan_t *loan, size_t length);

/**
 * Gives a loan back without sending it.
 *
 * @param loan  The loan, or NULL, which does nothing.
 *
 * Any thread, when no other uses it, also after its node was freed. Since 0.1.0.
 */
DORA_API void dora_loan_free(dora_loan_t *loan);

/**
 * Sends a loan on its output.
 *
 * @param node      Not NULL; the node that lent it.
 * @param loan      Not NULL; the loan. It is gone and `*loan` NULL afterwards in every case, also when the
 *                  call fails.
 * @param metadata  May be NULL; parameters to send along.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`: also
 *          when `*loan` is NULL; `DORA_ERROR_INVALID_ARGUMENT`: another node lent it;
 *          `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the dataflow declares another type, and
 *          `DORA_RUNTIME_TYPE_CHECK=error` asks for the check; `DORA_ERROR_TOO_LARGE`: for the daemon's
 *          path; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
 *          `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_send_loan(
    dora_node_t *node, dora_loan_t **loan, const dora_metadata_t *metadata);

/*
 * ---- Patterns ----
 *
 * Services, actions and streams are messages with parameters that say what belongs together; dora's nodes
 * in every language write and read the same ones. Any form of sending takes them.
 *
 * A service: the client starts a request, sends it, and awaits the reply by the id. The server answers
 * with metadata that `dora_metadata_answer` made from the request's event.
 *
 * An action: the client starts a goal and sends it. The server answers it with any number of messages as
 * feedback, and at last with one that has a goal status, the result. To cancel, the client sends a message
 * with the goal's id as `DORA_KEY_GOAL_ID` to an input of the server that is meant for it; the server then
 * answers the goal with `DORA_GOAL_CANCELED`.
 *
 * A stream: chunks that are numbered within segments, such as what was said between two pauses.
 *
 * Which input is which is for the dataflow to say. An input that brings requests or replies should have a
 * `queue_size` that holds all that can be under way, since dora drops the oldest of them, and with
 * `queue_policy: backpressure` none that fits.
 */

/** The bytes of an id that the library makes, with its NUL. Since 0.1.0. */
#define DORA_ID_SIZE 37

/** No goal status, or one that this library does not know: the message is no result. Since 0.1.0. */
#define DORA_GOAL_UNKNOWN 0

/** The goal was reached. Since 0.1.0. */
#define DORA_GOAL_SUCCEEDED 1

/** The server gave the goal up. Since 0.1.0. */
#define DORA_GOAL_ABORTED 2

/** The client took the goal back. Since 0.1.0. */
#define DORA_GOAL_CANCELED 3

/**
 * Makes metadata a request's: sets a new id, in the place of one that was there, and gives it.
 *
 * @param metadata  Not NULL; one's own. Send it with the request.
 * @param id        Not NULL; gets the id, terminated, empty on failure, for `dora_node_read_reply`.
 * @param capacity  The bytes behind `id`, at least `DORA_ID_SIZE`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `capacity` is less than
 *          `DORA_ID_SIZE`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_start_request(
    dora_metadata_t *metadata, char *id, size_t capacity);

/**
 * Makes metadata a goal's: sets a new id, in the place of one that was there, and gives it.
 *
 * @param metadata  Not NULL; one's own. Send it with the goal.
 * @param id        Not NULL; gets the id, terminated, empty on failure, by which feedback and result are
 *                  known.
 * @param capacity  The bytes behind `id`, at least `DORA_ID_SIZE`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `capacity` is less than
 *          `DORA_ID_SIZE`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_start_goal(
    dora_metadata_t *metadata, char *id, size_t capacity);

/**
 * Makes metadata an answer's: sets the ids of the request or goal that arrived, in the place of those that
 * were there, and takes a goal status away. Other parameters stay, so one object serves for all answers.
 *
 * @param metadata  Not NULL; one's own. Send it with the reply, the feedback or the result.
 * @param request   Not NULL; an input with a request's or a goal's id.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: `request` is no input;
 *          `DORA_ERROR_NOT_FOUND`: it has neither id, so nobody awaits an answer.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_answer(
    dora_metadata_t *metadata, const dora_event_t *request);

/**
 * Sets how a goal ended, which makes the message with this metadata its result.
 *
 * @param metadata  Not NULL; one's own, made an answer's before.
 * @param status    `DORA_GOAL_SUCCEEDED`, `DORA_GOAL_ABORTED` or `DORA_GOAL_CANCELED`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such status.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_metadata_set_goal_status(
    dora_metadata_t *metadata, int32_t status);

/**
 * How a goal ended.
 *
 * @param metadata  May be NULL.
 * @return  One of `DORA_GOAL_…`, or a value that this header does not name; `DORA_GOAL_UNKNOWN` when the
 *          message is no result.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_API int32_t dora_metadata_goal_status(const dora_metadata_t *metadata);

/**
 * The id of the request that a message is, or that it answers.
 *
 * @param metadata  May be NULL.
 * @return  The id; NULL where there is none. Lives until the metadata is changed or ends.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_API const char *dora_metadata_request_id(const dora_metadata_t *metadata);

/**
 * The id of the goal that a message sets, cancels, or belongs to.
 *
 * @param metadata  May be NULL.
 * @return  The id; NULL where there is none. Lives until the metadata is changed or ends.
 *
 * Any thread, one at a time while it is one's own. Since 0.1.0.
 */
DORA_API const char *dora_metadata_goal_id(const dora_metadata_t *metadata);

/** The key of a request's id, a text, in the request and in its reply. Since 0.1.0. */
#define DORA_KEY_REQUEST_ID "request_id"

/** The key of a goal's id, a text, in the goal, its feedback, its result, and what cancels it. Since 0.1.0. */
#define DORA_KEY_GOAL_ID "goal_id"

/** The key of how a goal ended, a text, in its result. Since 0.1.0. */
#define DORA_KEY_GOAL_STATUS "goal_status"

/** The key of a stream's id, a text. Since 0.1.0. */
#define DORA_KEY_SESSION_ID "session_id"

/** The key of a segment's number in its stream, an integer. Since 0.1.0. */
#define DORA_KEY_SEGMENT_ID "segment_id"

/** The key of a chunk's number in its segment, an integer. Since 0.1.0. */
#define DORA_KEY_SEQ "seq"

/** The key of whether a chunk is the last of its segment, a boolean. Since 0.1.0. */
#define DORA_KEY_FIN "fin"

/**
 * The key of whether a receiver should forget what is queued in front of the message, a boolean. dora does
 * so on its own when the message arrives. Since 0.1.0.
 */
#define DORA_KEY_FLUSH "flush"

/*
 * ---- Streams ----
 *
 * Numbers the chunks of a stream: what is said, seen or measured without an end, in segments of its own
 * choice. Segments are numbered from 0 on, and chunks from 0 on in each. Each chunk is a message whose
 * metadata the stream fills; see `DORA_KEY_SESSION_ID` and the keys behind it for how a receiver reads
 * them.
 */

/**
 * Makes a stream, at the first chunk of its first segment.
 *
 * @param session_id  The id of the stream, copied; NULL to have one made.
 * @param out         Not NULL; gets the stream, NULL on failure. The caller ends it with
 *                    `dora_stream_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`.
 *
 * Any thread; the object is for one thread at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_stream_new(const char *session_id, dora_stream_t **out);

/**
 * Ends a stream. Nothing is sent by it.
 *
 * @param stream  The stream, or NULL, which does nothing.
 *
 * Any thread, when no other uses it. Since 0.1.0.
 */
DORA_API void dora_stream_free(dora_stream_t *stream);

/**
 * Makes metadata that of the next chunk of the segment. Other parameters stay. Behind a final chunk the
 * numbers go on until the next segment begins.
 *
 * @param stream    Not NULL.
 * @param final     Whether it is the last chunk of its segment: 0 for no, anything else for yes. Go on
 *                  with `dora_stream_next_segment` then.
 * @param metadata  Not NULL; one's own. Send it with the chunk.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_stream_chunk(
    dora_stream_t *stream, int32_t final, dora_metadata_t *metadata);

/**
 * Begins a new segment and makes metadata that of its first chunk, which also flushes: receivers forget
 * what is queued of the input in front of it. The segment before ends without a last chunk. For a stream
 * that is interrupted; do not let other streams share its output.
 *
 * @param stream    Not NULL.
 * @param metadata  Not NULL; one's own. Send it with the chunk.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_stream_flush(dora_stream_t *stream, dora_metadata_t *metadata);

/**
 * Begins a new segment: the next chunk is its first.
 *
 * @param stream  Not NULL.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
 *
 * Any thread, one at a time. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_stream_next_segment(dora_stream_t *stream);

/*
 * ---- Extensions ----
 *
 * A table of bytes that the daemon keeps for the nodes of a dataflow, each value under a namespace and a
 * key: a place to meet for transports and devices that dora does not know. dora looks at none of them. A
 * value ends with the dataflow, or with the node that stored it. There are 8,192 at most.
 */

/**
 * Stores a value, in the place of what this node stored there. What another node stored is to be dropped
 * first.
 *
 * @param node   Not NULL.
 * @param ns     Not NULL; UTF-8, terminated: the extension that the value belongs to.
 * @param key    Not NULL; UTF-8, terminated.
 * @param value  Copied; NULL only with size 0.
 * @param size   The bytes of the value.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: `size` is beyond any memory, or the value is another node's;
 *          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_TOO_LARGE`; `DORA_ERROR_OUT_OF_MEMORY`: the table is
 *          full; `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon; `DORA_ERROR_DISCONNECTED`: the
 *          daemon is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_extension_store(
    dora_node_t *node, const char *ns, const char *key, const void *value, size_t size);

/**
 * Ends a value. Every node that stored or loaded it learns so by `dora_extension_next_dropped`. A value
 * that is not there is fine.
 *
 * @param node  Not NULL.
 * @param ns    Not NULL; UTF-8, terminated.
 * @param key   Not NULL; UTF-8, terminated.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon;
 *          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
 *          `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_extension_drop(
    dora_node_t *node, const char *ns, const char *key);

/**
 * Loads a value. When it is taken out of the table, every node that stored or loaded it learns so, as when
 * it is dropped.
 *
 * @param node    Not NULL.
 * @param ns      Not NULL; UTF-8, terminated.
 * @param key     Not NULL; UTF-8, terminated.
 * @param remove  Whether to take it out of the table too, at one: 0 for no, anything else for yes.
 * @param out     Not NULL; gets the value, NULL on failure. The caller ends it with `dora_bytes_free`.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_NOT_FOUND`: there is no such value;
 *          `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon; `DORA_ERROR_DISCONNECTED`: the daemon
 *          is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
 *
 * Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_extension_load(
    dora_node_t *node, const char *ns, const char *key, int32_t remove, dora_bytes_t **out);

/**
 * Asks the extension that the daemon has for a namespace, and waits for its answer.
 *
 * @param node     Not NULL.
 * @param ns       Not NULL; UTF-8, terminated.
 * @param payload  What to ask, copied; NULL only with size 0.
 * @param size     Its bytes.
 * @param out      Not NULL; gets the answer, NULL on failure. The caller ends it with `dora_bytes_free`.
 * @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
 *          `DORA_ERROR_INVALID_ARGUMENT`: `size` is beyond any memory; `DORA_ERROR_INVALID_UTF8`;
 *          `DORA_ERROR_NOT_FOUND`: the daemon has no extension for it; `DORA_ERROR_TOO_LARGE`;
 *          `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon; `DORA_ERROR_DISCONNECTED`: the daemon
 *          is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: the extension or dora failed.
 *
 * Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_node_extension_request(
    dora_node_t *node, const char *ns, const void *payload, size_t size, dora_bytes_t **out);

/**
 * Gives the next key of a namespace whose value was dropped, taken out or ended with its node, since this
 * process stored or loaded it. Call it until nothing is left, whenever the extension comes by. dora
 * remembers 4,096 of all namespaces.
 *
 * @param ns   Not NULL; UTF-8, terminated.
 * @param key  Not NULL; gets the key, NULL on failure. The caller ends it with `dora_bytes_free`.
 * @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_NOT_FOUND`: no
 *          further one.
 *
 * Any thread, for all nodes of the process together; never waits. Since 0.1.0.
 */
DORA_NODISCARD DORA_API dora_status_t dora_extension_next_dropped(const char *ns, dora_bytes_t **key);

/*
 * ---- Bytes ----
 *
 * Bytes that the library gives away.
 */

/**
 * The first of the bytes.
 *
 * @param bytes  May be NULL.
 * @return  The address; NULL for NULL and where there are none. Lives as long as the object.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API const void *dora_bytes_data(const dora_bytes_t *bytes);

/**
 * How many bytes there are.
 *
 * @param bytes  May be NULL.
 * @return  The count; 0 for NULL.
 *
 * Any thread. Since 0.1.0.
 */
DORA_API size_t dora_bytes_size(const dora_bytes_t *bytes);

/**
 * Ends bytes, and every pointer borrowed from them.
 *
 * @param bytes  The bytes, or NULL, which does nothing.
 *
 * Any thread, when no other uses them. Since 0.1.0.
 */
DORA_API void dora_bytes_free(dora_bytes_t *bytes);

#ifdef __cplusplus
}
#endif

#endif /* DORA_H */
