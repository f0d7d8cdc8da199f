//! What every exported function runs in: results become statuses, panics become messages.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::fork::{in_child, is_child};
use super::set_last_error;
use crate::diagnostics::tell_failure;
use crate::status::{DORA_ERROR_PANIC, DORA_OK, Error, Result, dora_status_t};

/// Runs a function that succeeds or fails.
pub fn guard(body: impl FnOnce() -> Result<()>) -> dora_status_t {
    outcome(|| body().map(|()| DORA_OK))
}

/// Runs a function that may also end with an outcome that is no failure. What it takes is left in a forked
/// child, since it may lie in memory that the child shares with its parent.
pub fn outcome(body: impl FnOnce() -> Result<dora_status_t>) -> dora_status_t {
    if is_child() {
        std::mem::forget(body);
        return refuse_in_child();
    }
    // Unwind safety: what a panic may leave half done is behind locks whose poison is handled where they are.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => status,
        Ok(Err(error)) => fail(&error),
        Err(panic) => fail(&Error::from_panic(panic.as_ref())),
    }
}

#[cold]
fn refuse_in_child() -> dora_status_t {
    let error = in_child();
    set_last_error(&error);
    error.status
}

#[cold]
fn fail(error: &Error) -> dora_status_t {
    if error.status < DORA_OK {
        set_last_error(error);
        tell_failure(error);
    }
    error.status
}

/// Runs a function that answers a question and cannot fail; `absent` is what C gets where there is no answer.
pub fn answer<T>(absent: T, body: impl FnOnce() -> Option<T>) -> T {
    if is_child() {
        return absent;
    }
    catch_unwind(AssertUnwindSafe(body)).ok().flatten().unwrap_or(absent)
}

/// Runs a function that gives nothing back. In a forked child it does nothing, so what it would free is left.
pub fn perform(body: impl FnOnce()) {
    if is_child() {
        // It owns what is to be freed.
        return std::mem::forget(body);
    }
    answer((), || {
        body();
        None
    });
}

impl Error {
    /// What a caught panic says, as an error.
    pub fn from_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a text".to_owned());
        Self::new(DORA_ERROR_PANIC, format!("a defect in the library: {text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::last_message;
    use crate::status::DORA_ERROR_IO;

    #[test]
    fn a_panic_becomes_a_status_with_its_text() {
        assert_eq!(guard(|| panic!("number {}", 7)), DORA_ERROR_PANIC);
        assert_eq!(last_message().required("message").unwrap(), "a defect in the library: number 7");
        assert_eq!(answer(3, || panic!("unheard")), 3);
    }

    #[test]
    fn success_leaves_the_last_message_alone() {
        assert_eq!(guard(|| Err(Error::new(DORA_ERROR_IO, "disk"))), DORA_ERROR_IO);
        assert_eq!(guard(|| Ok(())), DORA_OK);
        assert_eq!(last_message().required("message").unwrap(), "disk");
    }
}
