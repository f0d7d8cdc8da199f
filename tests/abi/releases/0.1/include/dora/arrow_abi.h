/*
 * The two structures of the Arrow C Data Interface, as its specification fixes them.
 *
 * The guard is the one that the specification prescribes: whoever includes <arrow/c/abi.h>, nanoarrow or any
 * other header with these structures, before or after this one, gets exactly one definition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_ARROW_ABI_H
#define DORA_ARROW_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/* The type of an array. Released when `release` is NULL; otherwise its owner calls `release(schema)` once. */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* The values of an array. Released when `release` is NULL; otherwise its owner calls `release(array)` once.
 */
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifdef __cplusplus
}
#endif

#endif /* DORA_ARROW_ABI_H */
