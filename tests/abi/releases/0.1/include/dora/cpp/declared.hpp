// What the dataflow declares for a node: its inputs and outputs. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_DECLARED_HPP
#define DORA_CPP_DECLARED_HPP

#include <cstddef>
#include <string_view>

#include "../dora.h"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// An input that the dataflow declares. Borrowed from the node.
struct DeclaredInput {
    std::string_view id;
    std::string_view source; ///< "node/output", or one of dora's own such as "dora/timer/millis/100"
};

/// The inputs that the dataflow declares for a node, in the order of their ids, as a range of DeclaredInput.
/// Borrowed from the node, which may move meanwhile.
class DeclaredInputs {
  public:
    using iterator = detail::IndexIterator<DeclaredInputs, DeclaredInput>;

    explicit DeclaredInputs(const dora_node_t *node = nullptr) noexcept : node_(node) {}

    std::size_t size() const noexcept { return dora_node_input_count(node_); }
    bool empty() const noexcept { return size() == 0; }
    iterator begin() const noexcept { return {*this, 0}; }
    iterator end() const noexcept { return {*this, size()}; }

    /// Input `index`, both texts empty where index is not less than size().
    DeclaredInput operator[](std::size_t index) const noexcept {
        return {detail::view_of(dora_node_input_id(node_, index)),
                detail::view_of(dora_node_input_source(node_, index))};
    }

  private:
    const dora_node_t *node_;
};

/// The ids of the outputs that the dataflow declares for a node, in their order, closed ones included, as a
/// range of std::string_view. Borrowed from the node, which may move meanwhile.
class DeclaredOutputs {
  public:
    using iterator = detail::IndexIterator<DeclaredOutputs>;

    explicit DeclaredOutputs(const dora_node_t *node = nullptr) noexcept : node_(node) {}

    std::size_t size() const noexcept { return dora_node_output_count(node_); }
    bool empty() const noexcept { return size() == 0; }
    iterator begin() const noexcept { return {*this, 0}; }
    iterator end() const noexcept { return {*this, size()}; }

    /// Id `index`, empty where index is not less than size().
    std::string_view operator[](std::size_t index) const noexcept {
        return detail::view_of(dora_node_output_id(node_, index));
    }

  private:
    const dora_node_t *node_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_DECLARED_HPP
