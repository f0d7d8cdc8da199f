//! Streams
//!
//! Numbers the chunks of a stream: what is said, seen or measured without an end, in segments of its own
//! choice. Segments are numbered from 0 on, and chunks from 0 on in each. Each chunk is a message whose
//! metadata the stream fills; see `DORA_KEY_SESSION_ID` and the keys behind it for how a receiver reads
//! them.

use dora_node_api::StreamSegment;

use crate::ffi::{Out, Text, guard, perform, required};
use crate::metadata::dora_metadata_t;
use crate::status::{Result, dora_status_t};

/// The place in a stream that is being sent. Opaque; ended with `dora_stream_free`. Since 0.1.0.
#[allow(non_camel_case_types)]
pub struct dora_stream_t {
    segment: StreamSegment,
}

/// Makes a stream, at the first chunk of its first segment.
///
/// @param session_id  The id of the stream, copied; NULL to have one made.
/// @param out         Not NULL; gets the stream, NULL on failure. The caller ends it with
///                    `dora_stream_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`.
///
/// Any thread; the object is for one thread at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_stream_new(
    session_id: Text<'_>,
    out: Out<'_, Option<Box<dora_stream_t>>>,
) -> dora_status_t {
    out.set(None);
    guard(|| {
        let session_id = session_id.optional("session_id")?;
        let out = out.required("out")?;
        let named = |id: &str| StreamSegment::with_session_id(id.to_owned());
        let segment = session_id.map_or_else(StreamSegment::new, named);
        out.set(Some(Box::new(dora_stream_t { segment })));
        Ok(())
    })
}

/// Ends a stream. Nothing is sent by it.
///
/// @param stream  The stream, or NULL, which does nothing.
///
/// Any thread, when no other uses it. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_stream_free(stream: Option<Box<dora_stream_t>>) {
    perform(|| drop(stream));
}

/// Makes metadata that of the next chunk of the segment. Other parameters stay. Behind a final chunk the
/// numbers go on until the next segment begins.
///
/// @param stream    Not NULL.
/// @param final     Whether it is the last chunk of its segment: 0 for no, anything else for yes. Go on
///                  with `dora_stream_next_segment` then.
/// @param metadata  Not NULL; one's own. Send it with the chunk.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_stream_chunk(
    stream: Option<&mut dora_stream_t>,
    r#final: i32,
    metadata: Option<&mut dora_metadata_t>,
) -> dora_status_t {
    fill(stream, metadata, |segment| segment.chunk(r#final != 0))
}

/// Begins a new segment and makes metadata that of its first chunk, which also flushes: receivers forget
/// what is queued of the input in front of it. The segment before ends without a last chunk. For a stream
/// that is interrupted; do not let other streams share its output.
///
/// @param stream    Not NULL.
/// @param metadata  Not NULL; one's own. Send it with the chunk.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_stream_flush(
    stream: Option<&mut dora_stream_t>,
    metadata: Option<&mut dora_metadata_t>,
) -> dora_status_t {
    fill(stream, metadata, StreamSegment::flush)
}

/// Begins a new segment: the next chunk is its first.
///
/// @param stream  Not NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_stream_next_segment(stream: Option<&mut dora_stream_t>) -> dora_status_t {
    guard(|| {
        required(stream, "stream")?.segment.next_segment();
        Ok(())
    })
}

fn fill(
    stream: Option<&mut dora_stream_t>,
    metadata: Option<&mut dora_metadata_t>,
    next: impl FnOnce(&mut StreamSegment) -> dora_node_api::MetadataParameters,
) -> dora_status_t {
    guard(|| {
        let stream = required(stream, "stream")?;
        let metadata = required(metadata, "metadata")?;
        // What an earlier chunk said that this one does not.
        metadata.forget(crate::pattern::DORA_KEY_FLUSH);
        next(&mut stream.segment)
            .into_iter()
            .try_for_each(|(key, value)| -> Result<()> { metadata.set(&key, value) })
    })
}
