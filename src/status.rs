//! Statuses and errors
//!
//! Zero is success, a positive status is an outcome that is no failure, a negative one is a failure; a
//! negative value that this header does not name is a failure too. Values are frozen and never used again.
//! Behind each failure `dora_last_error` has a sentence that names the argument and the remedy.

use std::fmt;

use crate::ffi::{Text, last_message};
use crate::text::{Named, name_of, names};

/// The result of a call: `DORA_OK`, a positive outcome, or a negative failure. Since 0.1.0.
#[allow(non_camel_case_types)]
pub type dora_status_t = i32;

/// It worked. Since 0.1.0.
pub const DORA_OK: dora_status_t = 0;
/// No further event will come: the node was told to stop, all its inputs are closed, the daemon is lost, or
/// the node is being freed. What tells a lost daemon from a normal end is the `DORA_EVENT_ERROR` before it.
/// Since 0.1.0.
pub const DORA_CLOSED: dora_status_t = 1;
/// The time was over before anything arrived. Since 0.1.0.
pub const DORA_TIMEOUT: dora_status_t = 2;
/// `dora_node_interrupt` ended the wait. Since 0.1.0.
pub const DORA_INTERRUPTED: dora_status_t = 3;
/// A pointer that must not be NULL is NULL. Since 0.1.0.
pub const DORA_ERROR_NULL_POINTER: dora_status_t = -1;
/// An argument has a value that it cannot have. Since 0.1.0.
pub const DORA_ERROR_INVALID_ARGUMENT: dora_status_t = -2;
/// A text is not UTF-8. Since 0.1.0.
pub const DORA_ERROR_INVALID_UTF8: dora_status_t = -3;
/// A text is not an id: empty, with other characters than `[a-zA-Z0-9_./-]`, or with an empty part between
/// slashes. Ids of nodes have no slashes. Since 0.1.0.
pub const DORA_ERROR_INVALID_ID: dora_status_t = -4;
/// The dataflow declares no such output for this node. Since 0.1.0.
pub const DORA_ERROR_UNKNOWN_OUTPUT: dora_status_t = -5;
/// The dataflow declares no such input for this node. Since 0.1.0.
pub const DORA_ERROR_UNKNOWN_INPUT: dora_status_t = -6;
/// The output was closed before. Since 0.1.0.
pub const DORA_ERROR_OUTPUT_CLOSED: dora_status_t = -7;
/// The event or the data is of another type than the function reads. Since 0.1.0.
pub const DORA_ERROR_WRONG_TYPE: dora_status_t = -8;
/// The data has nulls, which the function could only give as if they were values. Since 0.1.0.
pub const DORA_ERROR_HAS_NULLS: dora_status_t = -9;
/// There is nothing under that key. Since 0.1.0.
pub const DORA_ERROR_NOT_FOUND: dora_status_t = -10;
/// A message is larger than its way to the receivers allows. Since 0.1.0.
pub const DORA_ERROR_TOO_LARGE: dora_status_t = -11;
/// An Arrow structure is malformed or was released before. Since 0.1.0.
pub const DORA_ERROR_INVALID_ARROW: dora_status_t = -12;
/// The data is not of the type that the dataflow declares for the output. Since 0.1.0.
pub const DORA_ERROR_TYPE_MISMATCH: dora_status_t = -13;
/// Another thread is in a receive call of this node. Since 0.1.0.
pub const DORA_ERROR_BUSY: dora_status_t = -14;
/// The server of a request was restarted and will not answer. Since 0.1.0.
pub const DORA_ERROR_SERVER_RESTARTED: dora_status_t = -15;
/// The node could not be set up. Since 0.1.0.
pub const DORA_ERROR_INIT: dora_status_t = -16;
/// The daemon runs a version of dora that this library does not speak with. Since 0.1.0.
pub const DORA_ERROR_VERSION_MISMATCH: dora_status_t = -17;
/// The connection to the daemon is lost, or the node is being freed. Since 0.1.0.
pub const DORA_ERROR_DISCONNECTED: dora_status_t = -18;
/// There is not enough memory of the kind that is asked for. Since 0.1.0.
pub const DORA_ERROR_OUT_OF_MEMORY: dora_status_t = -19;
/// Reading or writing failed. Since 0.1.0.
pub const DORA_ERROR_IO: dora_status_t = -20;
/// This cannot be done here. Since 0.1.0.
pub const DORA_ERROR_UNSUPPORTED: dora_status_t = -21;
/// Something failed inside dora; the message tells what. Since 0.1.0.
pub const DORA_ERROR_INTERNAL: dora_status_t = -98;
/// A defect of the library was caught at its boundary. Every function that returns a status may return it;
/// please report the message. Since 0.1.0.
pub const DORA_ERROR_PANIC: dora_status_t = -99;

const NAMES: &[Named] = names![
    DORA_OK,
    DORA_CLOSED,
    DORA_TIMEOUT,
    DORA_INTERRUPTED,
    DORA_ERROR_NULL_POINTER,
    DORA_ERROR_INVALID_ARGUMENT,
    DORA_ERROR_INVALID_UTF8,
    DORA_ERROR_INVALID_ID,
    DORA_ERROR_UNKNOWN_OUTPUT,
    DORA_ERROR_UNKNOWN_INPUT,
    DORA_ERROR_OUTPUT_CLOSED,
    DORA_ERROR_WRONG_TYPE,
    DORA_ERROR_HAS_NULLS,
    DORA_ERROR_NOT_FOUND,
    DORA_ERROR_TOO_LARGE,
    DORA_ERROR_INVALID_ARROW,
    DORA_ERROR_TYPE_MISMATCH,
    DORA_ERROR_BUSY,
    DORA_ERROR_SERVER_RESTARTED,
    DORA_ERROR_INIT,
    DORA_ERROR_VERSION_MISMATCH,
    DORA_ERROR_DISCONNECTED,
    DORA_ERROR_OUT_OF_MEMORY,
    DORA_ERROR_IO,
    DORA_ERROR_UNSUPPORTED,
    DORA_ERROR_INTERNAL,
    DORA_ERROR_PANIC,
];

/// What ends a call early: a failure, which C gets as a status and reads with `dora_last_error`, or an
/// outcome that is none, of which only the status is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The status: negative, or a positive outcome.
    pub status: dora_status_t,
    /// Which argument, what was wrong, what would be right.
    pub message: String,
}

/// What everything behind the boundary returns.
pub type Result<T = ()> = std::result::Result<T, Error>;

impl Error {
    /// A failure with its sentence. Cold, so that what leads here is kept out of the way of what succeeds.
    #[cold]
    pub fn new(status: dora_status_t, message: impl Into<String>) -> Self {
        debug_assert!(status != DORA_OK);
        Self { status, message: message.into() }
    }

    /// The time that the caller allows was over.
    pub fn timeout() -> Self {
        Self::new(DORA_TIMEOUT, "")
    }

    /// The program asked for the end of a wait.
    pub fn interrupted() -> Self {
        Self::new(DORA_INTERRUPTED, "")
    }

    /// An argument with a value that it cannot have.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(DORA_ERROR_INVALID_ARGUMENT, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The name of a status for messages.
pub fn status_name(status: dora_status_t) -> &'static str {
    name_of(NAMES, status).and_then(|name| name.to_str().ok()).unwrap_or("unknown status")
}

/// The name of a status, as this header spells it: `"DORA_ERROR_INVALID_ID"`.
///
/// @param status  Any value.
/// @return  Never NULL; `"unknown status"` for a value that this library does not know. Lives as long as
///          the program.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_status_name(status: dora_status_t) -> Text<'static> {
    name_of(NAMES, status).map_or(Text::literal(c"unknown status"), Text::literal)
}

/// What the calling thread's last failure was: which argument, what was wrong with it, and what would be
/// right.
///
/// @return  Never NULL; empty before the first failure. Valid until this thread's next failure; neither
///          success nor a positive outcome changes it.
///
/// Any thread; each has its own message. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_last_error() -> Text<'static> {
    last_message()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_names() {
        let name = |status| dora_status_name(status).required("name").unwrap();
        assert_eq!(name(DORA_OK), "DORA_OK");
        assert_eq!(name(DORA_ERROR_PANIC), "DORA_ERROR_PANIC");
        assert_eq!(name(-12345), "unknown status");
    }
}
