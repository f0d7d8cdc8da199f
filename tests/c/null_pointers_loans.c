/*
 * NULL for every pointer of the functions of loans; see null_pointers.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "null_pointers.h"

static void loan_data(void) { CHECK(dora_loan_data(NULL) == NULL); }
static void loan_free(void) { dora_loan_free(NULL); }
static void loan_length(void) { CHECK(dora_loan_length(NULL) == 0); }
static void loan_memory(void) { CHECK(dora_loan_memory(NULL) == DORA_MEMORY_UNKNOWN); }
static void loan_set_length(void) { REFUSED("loan", dora_loan_set_length(NULL, 0)); }
static void loan_size(void) { CHECK(dora_loan_size(NULL) == 0); }
static void loan_type(void) { CHECK(dora_loan_type(NULL) == DORA_TYPE_OTHER); }

static const struct null_check table[] = {
    {"dora_loan_data", loan_data},
    {"dora_loan_free", loan_free},
    {"dora_loan_length", loan_length},
    {"dora_loan_memory", loan_memory},
    {"dora_loan_set_length", loan_set_length},
    {"dora_loan_size", loan_size},
    {"dora_loan_type", loan_type},
};

int main(void) {
    const size_t functions = sizeof table / sizeof *table;
    is_complete(table, functions, "dora_loan_");
    call_each(table, functions);
    return check_result("null_pointers_loans");
}
