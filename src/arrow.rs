//! Arrow C Data Interface
//!
//! `struct ArrowSchema` and `struct ArrowArray` carry any data without a copy, between any two libraries:
//! Arrow C++, nanoarrow, DuckDB, pyarrow. Whoever holds a structure whose `release` is not NULL calls it
//! once when done.

mod check;
mod export;
mod import;
#[cfg(test)]
mod tests;

use std::ffi::{c_char, c_void};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, StringArray};
use arrow::buffer::{BooleanBuffer, Buffer, OffsetBuffer};
use arrow::datatypes::DataType;
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema};

use self::export::export;
pub use self::import::import;
use crate::error_text::send_error;
use crate::event::dora_event_t;
use crate::ffi::{Out, guard, required};
use crate::status::{DORA_ERROR_TOO_LARGE, Error, Result, dora_status_t};
use crate::transport::{MAX_MESSAGE, Message, OutputEncoder};

/// `struct ArrowSchema`, as the specification fixes it. Dropping it releases it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray`, as the specification fixes it. Dropping it releases it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

const _: () = assert!(size_of::<ArrowSchema>() == size_of::<FFI_ArrowSchema>());
const _: () = assert!(size_of::<ArrowArray>() == size_of::<FFI_ArrowArray>());

// SAFETY: the specification lets a consumer move a structure to another thread and release it there.
unsafe impl Send for ArrowArray {}
// SAFETY: nothing changes through a shared reference.
unsafe impl Sync for ArrowArray {}

impl ArrowSchema {
    /// A released structure.
    pub const fn empty() -> Self {
        Self {
            format: ptr::null(),
            name: ptr::null(),
            metadata: ptr::null(),
            flags: 0,
            n_children: 0,
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }

    /// Moves the structure out and leaves a released one.
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::empty())
    }
}

impl ArrowArray {
    /// A released structure.
    pub const fn empty() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }

    /// Moves the structure out and leaves a released one.
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::empty())
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the structure is live, and this is its only owner.
            unsafe { release(self) };
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the structure is live, and this is its only owner.
            unsafe { release(self) };
        }
    }
}

/// A message of numbers that lie in a C array. They are copied once, into the message.
pub fn encode_numbers(
    encoder: OutputEncoder<'_>,
    data_type: &'static DataType,
    length: usize,
    bytes: &[u8],
) -> Result<Message> {
    let mut draft = encoder.draft(data_type, length)?;
    draft.data().copy_from_slice(bytes);
    encoder.finish(draft)
}

/// A message of booleans that lie in a C array, a byte each.
pub fn encode_booleans(encoder: OutputEncoder<'_>, bytes: &[u8]) -> Result<Message> {
    check_size(bytes.len() / 8)?;
    let bits = BooleanBuffer::collect_bool(bytes.len(), |index| bytes[index] != 0);
    let array: ArrayRef = Arc::new(BooleanArray::new(bits, None));
    encode(encoder, &array)
}

/// A message of one text. It is copied once, into the message.
pub fn encode_text(encoder: OutputEncoder<'_>, text: &str) -> Result<Message> {
    check_size(text.len())?;
    let offsets = OffsetBuffer::from_lengths([text.len()]);
    // SAFETY: the one element spans the whole of `text`, which is UTF-8.
    let array = unsafe { StringArray::new_unchecked(offsets, borrow(text.as_bytes()), None) };
    let array: ArrayRef = Arc::new(array);
    encode(encoder, &array)
}

/// A message of any array.
pub fn encode(encoder: OutputEncoder<'_>, array: &ArrayRef) -> Result<Message> {
    encoder.encode(array.clone()).map_err(|error| {
        // dora does not say that size was the reason. Its framing adds up to a bit a value, and the headers.
        let size = array.to_data().get_slice_memory_size().unwrap_or(0);
        check_size(size.saturating_add(size / 8 + 65_536)).err().unwrap_or_else(|| send_error(error))
    })
}

/// Refuses early what no receiver takes, before memory is spent on it.
fn check_size(size: usize) -> Result<()> {
    if size <= MAX_MESSAGE {
        return Ok(());
    }
    Err(Error::new(
        DORA_ERROR_TOO_LARGE,
        format!("the message has {size} bytes, but receivers take {MAX_MESSAGE} at most: send it in parts"),
    ))
}

/// A buffer that does not own its bytes.
///
/// The functions above are its only users: they put it into an array that an [`OutputEncoder`] reads and drops
/// before they return, so it never outlives `bytes`. A message shares no memory with the array that it was
/// made from.
fn borrow(bytes: &[u8]) -> Buffer {
    let Some(start) = NonNull::new(bytes.as_ptr().cast_mut()).filter(|_| !bytes.is_empty()) else {
        return Buffer::default();
    };
    // SAFETY: the bytes are readable while the buffer lives, see above; a buffer is never written through.
    unsafe { Buffer::from_custom_allocation(start, bytes.len(), Arc::new(())) }
}

/// The data of an input as the two structures of the Arrow C Data Interface, not copied. It may be called
/// again and gives further structures on the same memory.
///
/// @param event   Not NULL.
/// @param schema  Not NULL; overwritten without a look at what it held. The caller releases it.
/// @param array   Not NULL; overwritten without a look at what it held. The caller releases it, on any
///                thread, also after the event and the node were freed.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: the event is no input;
///          `DORA_ERROR_UNSUPPORTED`: the C Data Interface has no form for the type. On failure both
///          structures are released ones.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_event_arrow(
    event: Option<&dora_event_t>,
    schema: Out<'_, ArrowSchema>,
    array: Out<'_, ArrowArray>,
) -> dora_status_t {
    schema.set(ArrowSchema::empty());
    array.set(ArrowArray::empty());
    guard(|| {
        let input = required(event, "event")?.input()?;
        let schema_out = schema.required("schema")?;
        let array_out = array.required("array")?;
        let (schema, array) = export(input.array())?;
        schema_out.set(schema);
        array_out.set(array);
        Ok(())
    })
}
