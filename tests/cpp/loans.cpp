// Loans: lent, filled, shortened, moved, sent and given back.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

namespace {

using check::contains;

static_assert(!std::is_copy_constructible_v<dora::Loan<float>>);
static_assert(std::is_nothrow_move_constructible_v<dora::Loan<float>>);
static_assert(std::is_nothrow_move_assignable_v<dora::Loan<float>>);

void what_a_loan_is(dora::Node &node) {
    dora::Loan<float> loan = node.loan<float>("out", 100);
    CHECK(loan && loan.size() == 100 && !loan.empty() && loan.span().size() == 100);
    CHECK(loan.memory() == DORA_MEMORY_HEAP); // on scripted inputs there is no shared memory
    CHECK(reinterpret_cast<std::uintptr_t>(loan.data()) % 64 == 0);
    CHECK(dora_loan_type(loan.get()) == DORA_TYPE_FLOAT32);
    std::iota(loan.begin(), loan.end(), 0.0F);
    CHECK(loan[99] == 99.0F);
    loan.shorten(10);
    CHECK(loan.size() == 10 && loan.end() - loan.begin() == 10 && loan[9] == 9.0F);
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, loan.shorten(11));
    CHECK(node.send(std::move(loan)));
    CHECK(!loan && loan.empty() && loan.data() == nullptr && loan.get() == nullptr);

    CHECK(dora_loan_type(node.loan<std::byte>("out", 1).get()) == DORA_TYPE_UINT8);
    CHECK(dora_loan_type(node.loan<long>("out", 1).get()) == DORA_TYPE_INT64);
    dora::Loan<double> empty = node.loan<double>("out", 0);
    CHECK(empty && empty.empty() && empty.data() == nullptr);
}

void moving(dora::Node &node) {
    dora::Loan<int> first = node.loan<int>("out", 4);
    int *data = first.data();
    dora::Loan<int> second = std::move(first);
    CHECK(!first && first.size() == 0 && second.data() == data && second.size() == 4);
    first = node.loan<int>("out", 2);
    first = std::move(second);
    CHECK(first.data() == data && first.size() == 4 && !second);
    dora_loan_t *handle = first.release();
    CHECK(!first && dora_loan_length(handle) == 4);
    dora::Loan<int> third(handle);
    CHECK(third.data() == data);
    third.reset();
    CHECK(!third && third.data() == nullptr);
}

void refusals(dora::Node &node) {
    CHECK(contains(MESSAGE_OF(DORA_ERROR_INVALID_ID, (void)node.loan<int>("no id", 1)), "no id"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.loan<int>(nullptr, 1));
    MESSAGE_OF(DORA_ERROR_TOO_LARGE, (void)node.loan<double>("out", std::size_t(1) << 60));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.send(dora::Loan<int>()));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, dora::Loan<int>().shorten(0));
    dora::Node none(nullptr);
    dora::Loan<int> loan = node.loan<int>("out", 1);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)none.send(std::move(loan)));
    CHECK(!loan);
}

} // namespace

int main() {
    dora::NodeOptions options;
    options.test_inputs_json(R"({"id": "any", "events": [{"type": "Stop", "time_offset_secs": 0.3}]})");
    dora::Node node(options);
    what_a_loan_is(node);
    moving(node);
    refusals(node);
    dora::Loan<int> left = node.loan<int>("out", 10);
    node.reset();
    std::fill(left.begin(), left.end(), 7); // it outlives its node
    CHECK(left[9] == 7);
    return check::result("loans");
}
