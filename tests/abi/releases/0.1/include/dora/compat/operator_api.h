/*
 * operator_api.h: nothing but the header beside it, for nodes that include this one without using it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DORA_COMPAT_OPERATOR_API_H
#define DORA_COMPAT_OPERATOR_API_H

#include "operator_types.h"

#endif /* DORA_COMPAT_OPERATOR_API_H */
