//! Bytes
//!
//! Bytes that the library gives away.

use crate::ffi::{Bytes, answer, perform};

/// Bytes of the caller's. Opaque; ended with `dora_bytes_free`. Since 0.1.0.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct dora_bytes_t(Vec<u8>);

impl dora_bytes_t {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// The first of the bytes.
///
/// @param bytes  May be NULL.
/// @return  The address; NULL for NULL and where there are none. Lives as long as the object.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_bytes_data(bytes: Option<&dora_bytes_t>) -> Bytes<'_> {
    answer(Bytes::null(), || Some(Bytes::of(&bytes?.0)))
}

/// How many bytes there are.
///
/// @param bytes  May be NULL.
/// @return  The count; 0 for NULL.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_bytes_size(bytes: Option<&dora_bytes_t>) -> usize {
    answer(0, || Some(bytes?.0.len()))
}

/// Ends bytes, and every pointer borrowed from them.
///
/// @param bytes  The bytes, or NULL, which does nothing.
///
/// Any thread, when no other uses them. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_bytes_free(bytes: Option<Box<dora_bytes_t>>) {
    perform(|| drop(bytes));
}
