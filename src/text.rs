//! Rust text for C: NUL-terminated copies, and the names of constants.

use std::ffi::{CStr, CString};

/// A constant's value and its name.
pub type Named = (i32, &'static CStr);

/// A list of [`Named`] constants; the names are the constants' own.
macro_rules! names {
    ($($constant:ident),* $(,)?) => {
        &[$((
            $constant,
            match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($constant), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            },
        )),*]
    };
}
pub(crate) use names;

/// The name of `value` in `list`.
pub fn name_of(list: &'static [Named], value: i32) -> Option<&'static CStr> {
    list.iter().find(|(named, _)| *named == value).map(|(_, name)| *name)
}

/// A NUL-terminated copy; a NUL inside, which C would take for the end, becomes the two characters `\0`.
pub fn to_c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_else(|_| {
        CString::new(text.replace('\0', "\\0")).expect("every NUL was replaced in the line above")
    })
}

#[cfg(test)]
mod tests {
    use super::to_c_string;

    #[test]
    fn a_nul_inside_is_shown() {
        assert_eq!(to_c_string("plain").as_c_str(), c"plain");
        assert_eq!(to_c_string("a\0b").as_c_str(), c"a\\0b");
    }
}
