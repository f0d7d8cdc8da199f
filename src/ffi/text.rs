//! Text on its way in and out: NUL-terminated in C, `&str` in Rust.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

use super::args::{Lengths, Octets, Pointer, null};
use crate::status::{DORA_ERROR_INVALID_UTF8, Error, Result};

/// The length that means "up to the NUL": `DORA_NUL_TERMINATED`.
const NUL_TERMINATED: usize = usize::MAX;

/// `const char *`.
///
/// As an argument, a value of this type exists only in an exported function, whose documentation obliges
/// the caller to the validity of what it points to. As a result it points into what `'a` names.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pointer: *const c_char,
    lifetime: PhantomData<&'a CStr>,
}

impl<'a> Text<'a> {
    /// Borrows from `text`.
    pub const fn of(text: &'a CStr) -> Self {
        Self { pointer: text.as_ptr(), lifetime: PhantomData }
    }

    /// Borrows the text at the start of `terminated`, which holds a NUL behind it.
    pub fn of_terminated(terminated: &'a [u8]) -> Self {
        debug_assert!(terminated.contains(&0));
        Self { pointer: terminated.as_ptr().cast(), lifetime: PhantomData }
    }

    /// NULL, the absent text.
    pub const fn null() -> Self {
        Self { pointer: std::ptr::null(), lifetime: PhantomData }
    }

    /// The text that C passed, without its NUL.
    pub fn required(self, name: &str) -> Result<&'a str> {
        utf8(self.c_str(name)?.to_bytes(), name)
    }

    /// The text that C passed, nothing for NULL.
    pub fn optional(self, name: &str) -> Result<Option<&'a str>> {
        if self.pointer.is_null() { Ok(None) } else { self.required(name).map(Some) }
    }

    /// The same text, unless NULL was passed.
    pub fn not_null(self, name: &str) -> Result<Self> {
        if self.pointer.is_null() { Err(null(name, "a text")) } else { Ok(self) }
    }

    /// The text that C passed with its length, or up to its NUL for [`NUL_TERMINATED`].
    pub fn with_length(self, length: usize, name: &str) -> Result<&'a str> {
        self.with(length, name, "length")
    }

    fn with(self, length: usize, name: &str, length_name: &str) -> Result<&'a str> {
        if length == NUL_TERMINATED {
            return self.required(name);
        }
        utf8(self.bytes().slice(length, name, length_name)?, name)
    }

    fn c_str(self, name: &str) -> Result<&'a CStr> {
        self.not_null(name)?;
        // SAFETY: not NULL, and the caller of the exported function promised a NUL-terminated text.
        Ok(unsafe { CStr::from_ptr(self.pointer) })
    }

    fn bytes(self) -> Octets<'a> {
        Octets::at(self.pointer.cast())
    }
}

impl Text<'static> {
    /// A text that lives as long as the program.
    pub const fn literal(text: &'static CStr) -> Self {
        Self::of(text)
    }

    /// A text whose lifetime the documentation tells instead of a borrow: valid until its owner replaces
    /// it.
    pub fn until_replaced(text: &CStr) -> Self {
        Self { pointer: text.as_ptr(), lifetime: PhantomData }
    }
}

/// `const char *const *` with a count beside it.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct TextList<'a>(Pointer<'a, Text<'a>>);

impl TextList<'_> {
    /// Copies of the texts; `lengths` may be NULL, which means that all end with a NUL.
    pub fn to_vec(self, lengths: Lengths<'_>, count: usize) -> Result<Vec<String>> {
        let texts = self.0.to_vec(count, "values", "count")?;
        let text = |(index, text): (usize, Text<'_>)| {
            let length = lengths.get(index).unwrap_or(NUL_TERMINATED);
            text.with(length, &format!("values[{index}]"), &format!("lengths[{index}]")).map(str::to_owned)
        };
        texts.into_iter().enumerate().map(text).collect()
    }
}

/// `char *` with a capacity beside it, filled as `snprintf` does.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct TextBuffer<'a> {
    pointer: *mut c_char,
    lifetime: PhantomData<&'a mut [c_char]>,
}

impl TextBuffer<'_> {
    /// What C passes for an array.
    #[cfg(test)]
    pub fn of(bytes: &mut [u8]) -> TextBuffer<'_> {
        TextBuffer { pointer: bytes.as_mut_ptr().cast(), lifetime: PhantomData }
    }

    /// The buffer, unless NULL was passed.
    pub fn required(self, name: &str) -> Result<Self> {
        if self.pointer.is_null() { Err(null(name, "a buffer")) } else { Ok(self) }
    }

    /// Writes what fits of `text`, cut between characters and terminated, and tells the length of the
    /// whole.
    pub fn write(self, capacity: usize, text: &str) -> usize {
        if let Some(room) = capacity.checked_sub(1)
            && !self.pointer.is_null()
        {
            let length = text.floor_char_boundary(room);
            // SAFETY: the caller of the exported function promised `capacity` writable bytes; this writes at
            // most `capacity - 1` and the NUL.
            unsafe {
                std::ptr::copy_nonoverlapping(text.as_ptr().cast(), self.pointer, length);
                self.pointer.add(length).write(0);
            }
        }
        text.len()
    }
}

fn utf8<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        Error::new(
            DORA_ERROR_INVALID_UTF8,
            format!("`{name}` is not UTF-8, from offset {} on: convert it", error.valid_up_to()),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::DORA_ERROR_NULL_POINTER;

    #[test]
    fn text_is_checked() {
        assert_eq!(Text::null().required("output").unwrap_err().status, DORA_ERROR_NULL_POINTER);
        let error = Text::of(c"ab\xff").required("output").unwrap_err();
        assert_eq!(error.status, DORA_ERROR_INVALID_UTF8);
        assert_eq!(error.message, "`output` is not UTF-8, from offset 2 on: convert it");
        assert_eq!(Text::of(c"ab").required("output").unwrap(), "ab");
    }

    #[test]
    fn a_buffer_is_filled_like_snprintf_does() {
        let write = |capacity, text: &str| {
            let mut bytes = [b'x'; 8];
            (TextBuffer::of(&mut bytes).write(capacity, text), bytes)
        };
        assert_eq!(write(8, "abc"), (3, *b"abc\0xxxx"));
        assert_eq!(write(3, "abc"), (3, *b"ab\0xxxxx"));
        assert_eq!(write(3, "a\u{e4}b"), (4, *b"a\0xxxxxx"));
        assert_eq!(write(1, "abc"), (3, *b"\0xxxxxxx"));
        assert_eq!(write(0, "abc"), (3, *b"xxxxxxxx"));
        let nowhere = TextBuffer { pointer: std::ptr::null_mut(), lifetime: PhantomData };
        assert_eq!(nowhere.write(8, "abc"), 3);
    }

    #[test]
    fn a_length_may_hold_nuls_and_null_may_be_empty() {
        assert_eq!(Text::of_terminated(b"a\0b\0").with_length(3, "text").unwrap(), "a\0b");
        assert_eq!(Text::of(c"ab").with_length(NUL_TERMINATED, "text").unwrap(), "ab");
        assert_eq!(Text::null().with_length(0, "text").unwrap(), "");
        assert_eq!(Text::null().with_length(1, "text").unwrap_err().status, DORA_ERROR_NULL_POINTER);
        assert_eq!(
            Text::null().with_length(NUL_TERMINATED, "text").unwrap_err().status,
            DORA_ERROR_NULL_POINTER
        );
    }
}
