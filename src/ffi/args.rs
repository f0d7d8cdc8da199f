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

/// `const int64_t *`.
pub type Integers<'a> = Pointer<'a, i64>;

/// `const int32_t *`.
pub type Numbers<'a> = Pointer<'a, i32>;

/// `const double *`.
pub type Floats<'a> = Pointer<'a, f64>;

/// `const size_t *`.
pub type Lengths<'a> = Pointer<'a, usize>;

impl<'a, T: Copy> Pointer<'a, T> {
    /// The first of `values`, or NULL where there is none.
    pub fn of_slice(values: &'a [T]) -> Self {
        if values.is_empty() { Self::null() } else { Self::at(values.as_ptr()) }
    }

    /// A copy of the `count` values behind the pointer, which the argument `count_name` announces.
    pub fn to_vec(self, count: usize, name: &str, count_name: &str) -> Result<Vec<T>> {
        let bytes = count.saturating_mul(size_of::<T>());
        // Checks the pointer and the size, and says what is wrong with them.
        self.slice(bytes, name, count_name)?;
        // SAFETY: not NULL when there are values, and the caller promised so many, of any alignment.
        Ok((0..count).map(|index| unsafe { self.pointer.add(index).read_unaligned() }).collect())
    }

    /// One value, of a pointer that is not NULL.
    pub(super) fn get(self, index: usize) -> Option<T> {
        // SAFETY: the caller of the exported function promised as many values as it announced.
        (!self.pointer.is_null()).then(|| unsafe { self.pointer.add(index).read_unaligned() })
    }
}

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

/// `void *`, memory that the library lends for writing.
#[repr(transparent)]
pub struct BytesMut<'a> {
    pointer: *mut c_void,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl<'a> BytesMut<'a> {
    /// The first byte of `bytes`, or NULL where there is none.
    pub fn of(bytes: &'a mut [u8]) -> Self {
        if bytes.is_empty() { Self::null() } else { Self::at(bytes.as_mut_ptr().cast()) }
    }

    /// NULL.
    pub const fn null() -> Self {
        Self::at(std::ptr::null_mut())
    }

    const fn at(pointer: *mut c_void) -> Self {
        Self { pointer, lifetime: PhantomData }
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
        if self.pointer.is_null() { Err(null(name, "the address of a variable")) } else { Ok(self) }
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
    argument.ok_or_else(|| null(name, AN_OBJECT))
}

/// Says that `name` is NULL, and what would be right.
pub fn null(name: &str, wanted: &str) -> Error {
    Error::new(DORA_ERROR_NULL_POINTER, format!("`{name}` is NULL: pass {wanted}"))
}

/// What a parameter wants that takes an object.
pub const AN_OBJECT: &str = "the object that its function gave";
