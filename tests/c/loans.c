/*
 * Memory for messages: lent, filled, shortened, sent, given back, in the right way and in every wrong one.
 * Environment: DORA_TEST_WITH_INPUTS=loans.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

static dora_node_t *node;

static dora_loan_t *must_lend(int32_t type, size_t length) {
    dora_loan_t *loan = GARBAGE_POINTER(dora_loan_t *);
    if (!CHECK_STATUS(DORA_OK, dora_node_loan(node, "out", type, length, &loan)) || !CHECK(loan != NULL))
        exit(EXIT_FAILURE);
    return loan;
}

static void what_a_loan_is(void) {
    const struct {
        int32_t type;
        size_t width;
    } types[] = {{DORA_TYPE_INT8, 1},    {DORA_TYPE_INT16, 2},   {DORA_TYPE_INT32, 4},  {DORA_TYPE_INT64, 8},
                 {DORA_TYPE_UINT8, 1},   {DORA_TYPE_UINT16, 2},  {DORA_TYPE_UINT32, 4}, {DORA_TYPE_UINT64, 8},
                 {DORA_TYPE_FLOAT16, 2}, {DORA_TYPE_FLOAT32, 4}, {DORA_TYPE_FLOAT64, 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        dora_loan_t *loan = must_lend(types[i].type, 100);
        CHECK(dora_loan_length(loan) == 100);
        CHECK(dora_loan_size(loan) == 100 * types[i].width);
        CHECK(dora_loan_type(loan) == types[i].type);
        CHECK(dora_loan_memory(loan) == DORA_MEMORY_HEAP); /* there is no daemon, and no shared memory */
        CHECK(dora_loan_data(loan) != NULL);
        CHECK((uintptr_t)dora_loan_data(loan) % 64 == 0);
        memset(dora_loan_data(loan), 0xFF, dora_loan_size(loan));
        dora_loan_free(loan);
    }
    dora_loan_t *empty = must_lend(DORA_TYPE_FLOAT64, 0);
    CHECK(dora_loan_data(empty) == NULL && dora_loan_length(empty) == 0 && dora_loan_size(empty) == 0);
    CHECK_STATUS(DORA_OK, dora_node_send_loan(node, &empty, NULL));
    CHECK(empty == NULL);
}

static void what_is_lent_is_sent(void) {
    dora_loan_t *loan = must_lend(DORA_TYPE_INT16, 5);
    int16_t *values = (int16_t *)dora_loan_data(loan);
    for (int16_t i = 0; i < 5; ++i)
        values[i] = (int16_t)(i - 2);
    CHECK_STATUS(DORA_OK, dora_node_send_loan(node, &loan, NULL));
    CHECK(loan == NULL);

    loan = must_lend(DORA_TYPE_UINT8, 100000);
    memcpy(dora_loan_data(loan), "JPEG", 4);
    CHECK_STATUS(DORA_OK, dora_loan_set_length(loan, 50000));
    CHECK_STATUS(DORA_OK, dora_loan_set_length(loan, 4));
    CHECK(dora_loan_length(loan) == 4 && dora_loan_size(loan) == 4);
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_loan_set_length(loan, 5));
    CHECK(error_names("length"));
    CHECK_STATUS(DORA_OK, dora_loan_set_length(loan, 4));
    CHECK_STATUS(DORA_OK, dora_node_send_loan(node, &loan, NULL));
    CHECK(loan == NULL);
}

static void refusals(void) {
    const int32_t wrong[] = {
        DORA_TYPE_OTHER, DORA_TYPE_NULL, DORA_TYPE_BOOL, DORA_TYPE_TEXT, DORA_TYPE_BINARY, 16, -1,
        INT32_MAX,       INT32_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        dora_loan_t *loan = GARBAGE_POINTER(dora_loan_t *);
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_loan(node, "out", wrong[i], 1, &loan));
        CHECK(loan == NULL && error_names("type"));
    }
    const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1, (size_t)1 << 40,
                           ((size_t)256 << 20) + 1};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; ++i) {
        dora_loan_t *loan = GARBAGE_POINTER(dora_loan_t *);
        CHECK_STATUS(DORA_ERROR_TOO_LARGE, dora_node_loan(node, "out", DORA_TYPE_FLOAT64, huge[i], &loan));
        CHECK(loan == NULL);
    }
    dora_loan_t *loan = GARBAGE_POINTER(dora_loan_t *);
    CHECK_STATUS(DORA_ERROR_INVALID_ID, dora_node_loan(node, "no id", DORA_TYPE_INT8, 1, &loan));
    CHECK(loan == NULL && error_names("output"));
    CHECK_STATUS(DORA_ERROR_INVALID_UTF8, dora_node_loan(node, "\xFF", DORA_TYPE_INT8, 1, &loan));
    CHECK_STATUS(DORA_ERROR_NULL_POINTER, dora_node_send_loan(node, &loan, NULL));
    CHECK(error_names("*loan"));
}

static void another_node(void) {
    dora_node_options_t *options;
    dora_node_t *other;
    const char *script = "{\"id\": \"other\", \"events\": [{\"type\": \"Stop\", \"time_offset_secs\": 0}]}";
    CHECK_STATUS(DORA_OK, dora_node_options_new(&options));
    CHECK_STATUS(DORA_OK, dora_node_options_set_test_inputs_json(options, script, DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_node_init_with(options, &other));
    dora_node_options_free(options);
    dora_loan_t *loan = must_lend(DORA_TYPE_INT8, 1);
    CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT, dora_node_send_loan(other, &loan, NULL));
    CHECK(loan == NULL && error_names("loan"));
    dora_node_free(other);
}

int main(void) {
    node = must_init();
    what_a_loan_is();
    what_is_lent_is_sent();
    refusals();
    another_node();
    dora_loan_t *left = must_lend(DORA_TYPE_FLOAT32, 1000);
    dora_node_free(node);
    memset(dora_loan_data(left), 1, dora_loan_size(left)); /* a loan outlives its node */
    dora_loan_free(left);
    dora_loan_free(NULL);
    CHECK_OUTPUTS("{\"id\":\"out\",\"data\":[],\"data_type\":\"Float64\"}\n"
                  "{\"id\":\"out\",\"data\":[-2,-1,0,1,2],\"data_type\":\"Int16\"}\n"
                  "{\"id\":\"out\",\"data\":[74,80,69,71],\"data_type\":\"UInt8\"}\n");
    return check_result("loans");
}
