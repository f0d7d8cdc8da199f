// Owners of the two structs of the Arrow C Data Interface. Part of <dora/dora.hpp>.
//
// They fit every Arrow library without needing one. Arrow C++:
//
//     dora::ArrowData data = event.arrow();
//     auto array = arrow::ImportArray(data.array.get(), data.schema.get()); // takes both
//     // ...
//     auto status = arrow::ExportArray(**array, data.array.get(), data.schema.get()); // fills both
//     node.send("out", std::move(data)); // takes both
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_ARROW_HPP
#define DORA_CPP_ARROW_HPP

#include "../arrow_abi.h"

namespace dora {
inline namespace v0 {

/// Owns an Arrow struct and releases it once. It is empty when the `release` of the struct is null, which is
/// what a library that takes the content over through get() sets. Structs may be moved in memory, not copied;
/// neither can this. It may be moved to, and end on, any thread.
template <class Struct> class ArrowOwner {
  public:
    /// Empty.
    ArrowOwner() noexcept = default;

    /// Takes the content of `*from` over and leaves that empty. `from` must not be null.
    explicit ArrowOwner(Struct *from) noexcept : content_(take(*from)) {}

    ArrowOwner(ArrowOwner &&other) noexcept : content_(take(other.content_)) {}
    ArrowOwner &operator=(ArrowOwner &&other) noexcept {
        if (this != &other) {
            reset();
            content_ = take(other.content_);
        }
        return *this;
    }
    ArrowOwner(const ArrowOwner &) = delete;
    ArrowOwner &operator=(const ArrowOwner &) = delete;
    ~ArrowOwner() { reset(); }

    /// Whether it holds something.
    explicit operator bool() const noexcept { return content_.release != nullptr; }

    /// The struct, to be read, filled while it is empty, or taken over by its reader. Borrowed.
    Struct *get() noexcept { return &content_; }
    const Struct *get() const noexcept { return &content_; }
    Struct *operator->() noexcept { return &content_; }
    const Struct *operator->() const noexcept { return &content_; }

    /// Releases the content, if there is any, and is empty then.
    void reset() noexcept {
        if (content_.release == nullptr)
            return;
        Struct content = take(content_);
        content.release(&content);
    }

    /// Hands the content over to the caller, who is to release it, and is empty then.
    [[nodiscard]] Struct release() noexcept { return take(content_); }

  private:
    static Struct take(Struct &from) noexcept {
        Struct content = from;
        from.release = nullptr;
        return content;
    }

    Struct content_ = {};
};

/// The type of an array. Owning.
using ArrowSchema = ArrowOwner<::ArrowSchema>;

/// The values of an array. Owning.
using ArrowArray = ArrowOwner<::ArrowArray>;

/// An array with its type, as they travel together. Owning.
struct ArrowData {
    ArrowSchema schema;
    ArrowArray array;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_ARROW_HPP
