//! Checks of arguments, each naming the argument that failed.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::status::{DORA_ERROR_NULL_POINTER, Error, Result};

/// `const void *` with a length beside it.
///
/// A value of this type exists only as an argument of an exported function, so the documentation of that
/// function obliges the caller to the validity of what [`slice`](Self::slice) reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    pointer: *const c_void,
    lifetime: PhantomData<&'a [u8]>,
}

impl<'a> Bytes<'a> {
    /// The first byte of `bytes`, or NULL where there is none.
    pub fn of(bytes: &'a [u8]) -> Self {
        let pointer = if bytes.is_empty() { std::ptr::null() } else { bytes.as_ptr().cast() };
        Self { pointer, lifetime: PhantomData }
    }

    /// NULL.
    pub const fn null() -> Self {
        Self { pointer: std::ptr::null(), lifetime: PhantomData }
    }

    /// The `bytes` bytes behind the pointer, which the argument `length` announces; NULL is fine where there are
    /// none.
    pub fn slice(self, bytes: usize, name: &str, length: &str) -> Result<&'a [u8]> {
        if bytes == 0 {
            return Ok(&[]);
        }
        if self.pointer.is_null() {
            return Err(Error::new(
                DORA_ERROR_NULL_POINTER,
                format!("`{name}` is NULL, but `{length}` is not 0: pass a pointer, or 0"),
            ));
        }
        if isize::try_from(bytes).is_err() {
            return Err(Error::invalid(format!(
                "`{length}` makes {bytes} bytes, which is beyond any memory"
            )));
        }
        // SAFETY: not NULL, and the caller of the exported function promised so many readable bytes.
        Ok(unsafe { std::slice::from_raw_parts(self.pointer.cast(), bytes) })
    }
}

/// `const uint8_t *` on its way out, NULL where there is no byte.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Octets<'a> {
    pointer: *const u8,
    lifetime: PhantomData<&'a [u8]>,
}

impl<'a> Octets<'a> {
    /// The first byte of `bytes`, or NULL where there is none.
    pub fn of(bytes: &'a [u8]) -> Self {
        let pointer = if bytes.is_empty() { std::ptr::null() } else { bytes.as_ptr() };
        Self { pointer, lifetime: PhantomData }
    }

    /// NULL.
    pub const fn null() -> Self {
        Self { pointer: std::ptr::null(), lifetime: PhantomData }
    }
}

/// The object behind a pointer that must not be NULL.
pub fn required<T>(argument: Option<T>, name: &str) -> Result<T> {
    argument.ok_or_else(|| null(name))
}

/// Sets an output before anything can fail, so that C never reads what it did not initialise.
pub fn clear<T>(out: &mut Option<&mut MaybeUninit<T>>, value: T) {
    if let Some(out) = out {
        out.write(value);
    }
}

/// Writes an output that the caller may leave out.
pub fn optional<T>(out: Option<&mut MaybeUninit<T>>, value: T) {
    if let Some(out) = out {
        out.write(value);
    }
}

pub fn null(name: &str) -> Error {
    Error::new(DORA_ERROR_NULL_POINTER, format!("`{name}` is NULL"))
}
