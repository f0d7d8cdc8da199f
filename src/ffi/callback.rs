//! Functions of C that the library calls.

use std::ffi::{CStr, c_void};

use super::Text;

/// `void *`, which is the caller's own and only passed back.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct User(*mut c_void);

// SAFETY: the library does not look at it, and its documentation says on which thread it is passed back.
unsafe impl Send for User {}

/// A function that takes diagnostics.
pub type Callback = unsafe extern "C" fn(level: i32, target: Text<'_>, message: Text<'_>, user: User);

/// Calls it.
pub fn call(callback: Callback, level: i32, target: &CStr, message: &CStr, user: User) {
    // SAFETY: who set the callback promised a function that may be called so until it is replaced.
    unsafe { callback(level, Text::of(target), Text::of(message), user) };
}
