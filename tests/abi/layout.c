/*
 * The two Arrow structures, as their specification lays them out on a 64-bit machine: every member is eight
 * bytes large and begins where the one before ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dora/arrow_abi.h>

#include <stddef.h>

#define IS_OF(type, members)                                                                                 \
    _Static_assert(sizeof(struct type) == 8 * (members),                                                     \
                   "struct " #type " is not of the size that Arrow fixes: change it back.")
#define IS_AT(place, type, member, member_type)                                                              \
    _Static_assert(offsetof(struct type, member) == 8 * (place) &&                                           \
                       _Generic(((struct type *)NULL)->member, member_type : 1, default : 0),                \
                   "struct " #type " has `" #member "` not as Arrow fixes it: change it back.")

IS_OF(ArrowSchema, 9);
IS_AT(0, ArrowSchema, format, const char *);
IS_AT(1, ArrowSchema, name, const char *);
IS_AT(2, ArrowSchema, metadata, const char *);
IS_AT(3, ArrowSchema, flags, int64_t);
IS_AT(4, ArrowSchema, n_children, int64_t);
IS_AT(5, ArrowSchema, children, struct ArrowSchema **);
IS_AT(6, ArrowSchema, dictionary, struct ArrowSchema *);
IS_AT(7, ArrowSchema, release, void (*)(struct ArrowSchema *));
IS_AT(8, ArrowSchema, private_data, void *);

IS_OF(ArrowArray, 10);
IS_AT(0, ArrowArray, length, int64_t);
IS_AT(1, ArrowArray, null_count, int64_t);
IS_AT(2, ArrowArray, offset, int64_t);
IS_AT(3, ArrowArray, n_buffers, int64_t);
IS_AT(4, ArrowArray, n_children, int64_t);
IS_AT(5, ArrowArray, buffers, const void **);
IS_AT(6, ArrowArray, children, struct ArrowArray **);
IS_AT(7, ArrowArray, dictionary, struct ArrowArray *);
IS_AT(8, ArrowArray, release, void (*)(struct ArrowArray *));
IS_AT(9, ArrowArray, private_data, void *);
