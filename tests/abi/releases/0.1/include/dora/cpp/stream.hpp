// Numbers the chunks of a stream: dora_stream_t. Part of <dora/dora.hpp>.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_CPP_STREAM_HPP
#define DORA_CPP_STREAM_HPP

#include <memory>

#include "../dora.h"
#include "error.hpp"
#include "metadata.hpp"
#include "views.hpp"

namespace dora {
inline namespace v0 {

/// The place in a stream that is being sent: what is said, seen or measured without an end, in segments of
/// its own choice. Owning; for one thread at a time.
///
///     dora::Stream stream;
///     dora::Metadata metadata;
///     while (record(samples)) // until a pause
///         node.send("audio", samples, stream.chunk(metadata));
///     node.send("audio", stream.chunk(metadata, true));
///     stream.next_segment();
///
/// It fills the metadata of each chunk, where other parameters stay. A receiver finds the numbers under
/// DORA_KEY_SESSION_ID, DORA_KEY_SEGMENT_ID, DORA_KEY_SEQ, DORA_KEY_FIN and DORA_KEY_FLUSH.
class Stream {
  public:
    /// At the first chunk of its first segment, with an id that is made for it. Throws Error.
    Stream() : Stream(CString(nullptr)) {}

    /// The same with the id `session_id`, which is copied. Throws Error: DORA_ERROR_INVALID_UTF8.
    explicit Stream(CString session_id) {
        dora_stream_t *stream = nullptr;
        detail::throw_on_failure(dora_stream_new(session_id.c_str(), &stream));
        stream_.reset(stream);
    }

    /// Takes `stream` over, which dora_stream_new gave. NULL makes it empty.
    explicit Stream(dora_stream_t *stream) noexcept : stream_(stream) {}

    /// Whether it holds a stream.
    explicit operator bool() const noexcept { return stream_ != nullptr; }

    /// The handle for C functions. Borrowed.
    dora_stream_t *get() const noexcept { return stream_.get(); }

    /// Hands the handle over to the caller, who is to free it, and is empty then.
    [[nodiscard]] dora_stream_t *release() noexcept { return stream_.release(); }

    /// Frees the stream, if there is one, and is empty then. Nothing is sent by it.
    void reset() noexcept { stream_.reset(); }

    /// Makes `metadata` that of the next chunk, of the last of its segment where `final` says so; go on with
    /// next_segment() then. Returns `metadata`, to be sent. Throws Error.
    Metadata &chunk(Metadata &metadata, bool final = false) {
        detail::throw_on_failure(dora_stream_chunk(get(), final ? 1 : 0, metadata.get()));
        return metadata;
    }

    /// Begins a new segment and makes `metadata` that of its first chunk, for which receivers forget what is
    /// queued of the input in front of it. Returns `metadata`, to be sent. Throws Error.
    Metadata &flush(Metadata &metadata) {
        detail::throw_on_failure(dora_stream_flush(get(), metadata.get()));
        return metadata;
    }

    /// Begins a new segment: the next chunk is its first. Throws Error.
    void next_segment() { detail::throw_on_failure(dora_stream_next_segment(get())); }

  private:
    struct Free {
        void operator()(dora_stream_t *stream) const noexcept { dora_stream_free(stream); }
    };

    std::unique_ptr<dora_stream_t, Free> stream_;
};

} // namespace v0
} // namespace dora

#endif // DORA_CPP_STREAM_HPP
