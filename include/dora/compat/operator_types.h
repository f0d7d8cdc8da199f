/*
 * operator_types.h: what nodes use of the header of that name, which many include beside node_api.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * libdora is for nodes. An operator, which dora loads into a process of its own, stays with dora's library;
 * here it does not compile, and the compiler says why.
 */
#ifndef DORA_COMPAT_OPERATOR_TYPES_H
#define DORA_COMPAT_OPERATOR_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#define DORA_COMPAT_NO_OPERATORS                                                                             \
    __attribute__((deprecated("libdora has no operators: make it a node, or keep dora's operator library")))
#else
#define DORA_COMPAT_NO_OPERATORS
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes with a length and a capacity; nodes use it as a buffer of their own. */
typedef struct Vec_uint8 {
    uint8_t *ptr;
    size_t len;
    size_t cap;
} Vec_uint8_t;

/* What the three functions of every operator return. */
typedef struct dora_compat_no_operators DoraInitResult_t DORA_COMPAT_NO_OPERATORS;
typedef struct dora_compat_no_operators DoraResult_t DORA_COMPAT_NO_OPERATORS;
typedef struct dora_compat_no_operators OnEventResult_t DORA_COMPAT_NO_OPERATORS;

#ifdef __cplusplus
}
#endif

#endif /* DORA_COMPAT_OPERATOR_TYPES_H */
