//! The message of the calling thread's last failure.

use std::cell::RefCell;
use std::ffi::CString;

use super::Text;
use crate::status::Error;
use crate::text::to_c_string;

thread_local! {
    static LAST: RefCell<CString> = RefCell::new(CString::default());
}

/// Keeps `error`'s message as the calling thread's last one.
///
/// While a thread ends, its own destructors may still call the library; the message is then lost, the status
/// is not.
pub fn set_last_error(error: &Error) {
    let message = to_c_string(&error.message);
    let _ = LAST.try_with(|last| *last.borrow_mut() = message);
}

/// The calling thread's last message; it stays in place until the thread's next failure.
pub fn last_message() -> Text<'static> {
    LAST.try_with(|last| Text::until_replaced(&last.borrow())).unwrap_or_else(|_| Text::literal(c""))
}
