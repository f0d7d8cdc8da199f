//! Checks of arguments, each naming the argument that failed.

use std::ffi::c_void;
use std::marker::PhantomData;

use crate::status::{DORA_ERROR_NULL_POINTER, Error, Result};

/// `const void *`, or a pointer to the type of the elements, with a length beside it.
///
/// As an argument, a value of this type exists only in an exported function, whose documentation obliges
/// the caller to the validity of what [`slice`](Self::slice) reads. As a result it points into what `'a`
/// names.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Pointer<'a, T> {
    pointer: *const T,
    lifetime: PhantomData<&'a [u8]>,
}

/// `const void *`.
pub type Bytes<'a> = Pointer<'a, c_void>;

/// `const uint8_t *`.
pub type Octets<'a> = Pointer<'a, u8>;

impl<'a, T> Pointer<'a, T> {
    /// The first byte of `bytes`, or NULL where there is none.
    pub fn of(bytes: &'a [u8]) -> Self {
        if bytes.is_empty() { Self::null() } else { Self::at(bytes.as_ptr().cast()) }
    }

    /// NULL.
    pub const fn null() -> Self {
        Self::at(std::ptr::null())
    }

    pub(super) const fn at(pointer: *const T) -> Self {
        Self { pointer, lifetime: PhantomData }
    }

    /// The `bytes` bytes behind the pointer, which the argument `length` announces; NULL is fine where
    /// there are none.
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

/// `T *`, a place for a result.
///
/// It is written whole and never read, at any alignment, so what C left there does not matter, nor that two
/// outputs may be one place.
#[repr(transparent)]
pub struct Out<'a, T> {
    pointer: *mut T,
    lifetime: PhantomData<&'a mut T>,
}

impl<T> Out<'_, T> {
    /// Writes the result, unless NULL was passed.
    pub fn set(self, value: T) {
        if !self.pointer.is_null() {
            // SAFETY: not NULL, and the caller of the exported function promised a place for a `T`.
            unsafe { self.pointer.write_unaligned(value) };
        }
    }

    /// The place, unless NULL was passed.
    pub fn required(self, name: &str) -> Result<Self> {
        if self.pointer.is_null() { Err(null(name)) } else { Ok(self) }
    }

    /// What C passes for a variable.
    #[cfg(test)]
    pub fn of(place: &mut std::mem::MaybeUninit<T>) -> Out<'_, T> {
        Out { pointer: place.as_mut_ptr(), lifetime: PhantomData }
    }
}

impl<T> Clone for Out<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<'_, T> {}

/// The object behind a pointer that must not be NULL.
pub fn required<T>(argument: Option<T>, name: &str) -> Result<T> {
    argument.ok_or_else(|| null(name))
}

pub fn null(name: &str) -> Error {
    Error::new(DORA_ERROR_NULL_POINTER, format!("`{name}` is NULL: pass a pointer to it"))
}
