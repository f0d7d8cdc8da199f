// Memory to write a message into: dora_loan_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_LOAN_HPP
#define DORA_CPP_LOAN_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "../dora.h"
#include "error.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// Memory for a message of values of the type T, from which Node::send sends it without a copy: shared memory
/// where the message is large enough, else the heap. Owning; a container, for one thread at a time. It may
/// outlive its node.
///
///     dora::Loan<std::uint8_t> image = node.loan<std::uint8_t>("image", height * width * 3);
///     camera.read_into(image.data(), image.size());
///     node.send(std::move(image));
///
/// Its values are whatever was there: write them all, or shorten() it.
template <class T> class Loan {
  public:
    /// Empty.
    Loan() noexcept = default;

    /// Takes `loan` over, whose type is that of T, and which dora_node_loan gave. NULL makes it empty.
    explicit Loan(dora_loan_t *loan) noexcept
        : loan_(loan), data_(static_cast<T *>(dora_loan_data(loan))), size_(dora_loan_length(loan)) {}

    Loan(Loan &&other) noexcept
        : loan_(std::move(other.loan_)), data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)) {}
    Loan &operator=(Loan &&other) noexcept {
        loan_ = std::move(other.loan_);
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~Loan() = default;

    /// Whether it holds a loan, be it one of no values.
    explicit operator bool() const noexcept { return loan_ != nullptr; }

    /// The handle for C functions. Borrowed.
    dora_loan_t *get() const noexcept { return loan_.get(); }

    /// Hands the handle over to the caller, who is to send or free it, and is empty then.
    [[nodiscard]] dora_loan_t *release() noexcept {
        data_ = nullptr;
        size_ = 0;
        return loan_.release();
    }

    /// Gives the memory back, if there is some, and is empty then.
    void reset() noexcept { dora_loan_free(release()); }

    /// The first value, aligned to 64 bytes; a null pointer where there are none.
    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }

    /// How many values there are.
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }

    T *begin() noexcept { return data_; }
    T *end() noexcept { return data_ + size_; }
    const T *begin() const noexcept { return data_; }
    const T *end() const noexcept { return data_ + size_; }

    /// Value `index`, which is less than size().
    T &operator[](std::size_t index) noexcept { return data_[index]; }
    const T &operator[](std::size_t index) const noexcept { return data_[index]; }

    /// All of them.
    Span<T> span() noexcept { return {data_, size_}; }

    /// A DORA_MEMORY_*: where the values lie.
    std::int32_t memory() const noexcept { return dora_loan_memory(get()); }

    /// Leaves all values out behind the first `size`, for data whose size was not known before. Throws Error:
    /// DORA_ERROR_INVALID_ARGUMENT, since a loan cannot grow.
    void shorten(std::size_t size) {
        detail::throw_on_failure(dora_loan_set_length(get(), size));
        size_ = size;
        data_ = static_cast<T *>(dora_loan_data(get()));
    }

  private:
    struct Free {
        void operator()(dora_loan_t *loan) const noexcept { dora_loan_free(loan); }
    };

    std::unique_ptr<dora_loan_t, Free> loan_;
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_LOAN_HPP
