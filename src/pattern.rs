//! Patterns
//!
//! Services, actions and streams are messages with parameters that say what belongs together; dora's nodes
//! in every language write and read the same ones. Any form of sending takes them.
//!
//! A service: the client starts a request, sends it, and awaits the reply by the id. The server answers
//! with metadata that `dora_metadata_answer` made from the request's event.
//!
//! An action: the client starts a goal and sends it. The server answers it with any number of messages as
//! feedback, and at last with one that has a goal status, the result. To cancel, the client sends a message
//! with the goal's id as `DORA_KEY_GOAL_ID` to an input of the server that is meant for it; the server then
//! answers the goal with `DORA_GOAL_CANCELED`.
//!
//! A stream: chunks that are numbered within segments, such as what was said between two pauses.
//!
//! Which input is which is for the dataflow to say. An input that brings requests or replies should have a
//! `queue_size` that holds all that can be under way, since dora drops the oldest of them, and with
//! `queue_policy: backpressure` none that fits.

use dora_message::metadata::{
    GOAL_STATUS_ABORTED, GOAL_STATUS_CANCELED, GOAL_STATUS_SUCCEEDED, get_string_param,
};
use dora_node_api::{DoraNode, Parameter};

use crate::event::dora_event_t;
use crate::ffi::{Text, TextBuffer, answer, guard, required};
use crate::metadata::dora_metadata_t;
use crate::status::{DORA_ERROR_NOT_FOUND, Error, Result, dora_status_t};

/// The bytes of an id that the library makes, with its NUL. Since 0.1.0.
pub const DORA_ID_SIZE: usize = 37;

/// The key of a request's id, a text, in the request and in its reply. Since 0.1.0.
pub const DORA_KEY_REQUEST_ID: &str = "request_id";
/// The key of a goal's id, a text, in the goal, its feedback, its result, and what cancels it. Since 0.1.0.
pub const DORA_KEY_GOAL_ID: &str = "goal_id";
/// The key of how a goal ended, a text, in its result. Since 0.1.0.
pub const DORA_KEY_GOAL_STATUS: &str = "goal_status";
/// The key of a stream's id, a text. Since 0.1.0.
pub const DORA_KEY_SESSION_ID: &str = "session_id";
/// The key of a segment's number in its stream, an integer. Since 0.1.0.
pub const DORA_KEY_SEGMENT_ID: &str = "segment_id";
/// The key of a chunk's number in its segment, an integer. Since 0.1.0.
pub const DORA_KEY_SEQ: &str = "seq";
/// The key of whether a chunk is the last of its segment, a boolean. Since 0.1.0.
pub const DORA_KEY_FIN: &str = "fin";
/// The key of whether a receiver should forget what is queued in front of the message, a boolean. dora does
/// so on its own when the message arrives. Since 0.1.0.
pub const DORA_KEY_FLUSH: &str = "flush";

/// No goal status, or one that this library does not know: the message is no result. Since 0.1.0.
pub const DORA_GOAL_UNKNOWN: i32 = 0;
/// The goal was reached. Since 0.1.0.
pub const DORA_GOAL_SUCCEEDED: i32 = 1;
/// The server gave the goal up. Since 0.1.0.
pub const DORA_GOAL_ABORTED: i32 = 2;
/// The client took the goal back. Since 0.1.0.
pub const DORA_GOAL_CANCELED: i32 = 3;

/// The statuses of a goal, and their words on the wire.
const GOAL_STATUSES: [(i32, &str); 3] = [
    (DORA_GOAL_SUCCEEDED, GOAL_STATUS_SUCCEEDED),
    (DORA_GOAL_ABORTED, GOAL_STATUS_ABORTED),
    (DORA_GOAL_CANCELED, GOAL_STATUS_CANCELED),
];

/// Sets a new id under `key`, and writes it where the caller wants it.
fn start(
    metadata: Option<&mut dora_metadata_t>,
    id: TextBuffer<'_>,
    capacity: usize,
    key: &str,
) -> dora_status_t {
    id.write(capacity, "");
    guard(|| {
        let metadata = required(metadata, "metadata")?;
        let id = id.required("id")?;
        if capacity < DORA_ID_SIZE {
            return Err(Error::invalid(format!(
                "`capacity` is {capacity}, but an id takes DORA_ID_SIZE ({DORA_ID_SIZE}) bytes"
            )));
        }
        let new = DoraNode::new_request_id();
        id.write(capacity, &new);
        metadata.forget(DORA_KEY_GOAL_STATUS);
        metadata.set_text(key, new)
    })
}

/// Makes metadata a request's: sets a new id, in the place of one that was there, and gives it.
///
/// @param metadata  Not NULL; one's own. Send it with the request.
/// @param id        Not NULL; gets the id, terminated, empty on failure, for `dora_node_read_reply`.
/// @param capacity  The bytes behind `id`, at least `DORA_ID_SIZE`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `capacity` is less than
///          `DORA_ID_SIZE`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_start_request(
    metadata: Option<&mut dora_metadata_t>,
    id: TextBuffer<'_>,
    capacity: usize,
) -> dora_status_t {
    start(metadata, id, capacity, DORA_KEY_REQUEST_ID)
}

/// Makes metadata a goal's: sets a new id, in the place of one that was there, and gives it.
///
/// @param metadata  Not NULL; one's own. Send it with the goal.
/// @param id        Not NULL; gets the id, terminated, empty on failure, by which feedback and result are
///                  known.
/// @param capacity  The bytes behind `id`, at least `DORA_ID_SIZE`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `capacity` is less than
///          `DORA_ID_SIZE`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_start_goal(
    metadata: Option<&mut dora_metadata_t>,
    id: TextBuffer<'_>,
    capacity: usize,
) -> dora_status_t {
    start(metadata, id, capacity, DORA_KEY_GOAL_ID)
}

/// Makes metadata an answer's: sets the ids of the request or goal that arrived, in the place of those that
/// were there, and takes a goal status away. Other parameters stay, so one object serves for all answers.
///
/// @param metadata  Not NULL; one's own. Send it with the reply, the feedback or the result.
/// @param request   Not NULL; an input with a request's or a goal's id.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: `request` is no input;
///          `DORA_ERROR_NOT_FOUND`: it has neither id, so nobody awaits an answer.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_answer(
    metadata: Option<&mut dora_metadata_t>,
    request: Option<&dora_event_t>,
) -> dora_status_t {
    guard(|| {
        let metadata = required(metadata, "metadata")?;
        let asked = required(request, "request")?
            .input()
            .map_err(|error| Error::new(error.status, format!("`request` is no request: {error}")))?;
        let id_of = |key| get_string_param(asked.metadata().parameters(), key);
        let ids = [DORA_KEY_REQUEST_ID, DORA_KEY_GOAL_ID].map(|key| (key, id_of(key)));
        if ids.iter().all(|(_, id)| id.is_none()) {
            return Err(Error::new(
                DORA_ERROR_NOT_FOUND,
                "`request` has neither a request's id nor a goal's in its metadata: nobody awaits an answer",
            ));
        }
        metadata.forget(DORA_KEY_GOAL_STATUS);
        for (key, id) in ids {
            metadata.forget(key);
            id.map_or(Ok(()), |id| metadata.set_text(key, id.to_owned()))?;
        }
        Ok(())
    })
}

/// Sets how a goal ended, which makes the message with this metadata its result.
///
/// @param metadata  Not NULL; one's own, made an answer's before.
/// @param status    `DORA_GOAL_SUCCEEDED`, `DORA_GOAL_ABORTED` or `DORA_GOAL_CANCELED`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such status.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_goal_status(
    metadata: Option<&mut dora_metadata_t>,
    status: i32,
) -> dora_status_t {
    guard(|| {
        let metadata = required(metadata, "metadata")?;
        let word = GOAL_STATUSES.iter().find(|(named, _)| *named == status).ok_or_else(|| {
            Error::invalid(format!(
                "`status` is {status}, which is none of DORA_GOAL_SUCCEEDED (1) to DORA_GOAL_CANCELED (3)"
            ))
        })?;
        metadata.set_text(DORA_KEY_GOAL_STATUS, word.1.to_owned())
    })
}

/// How a goal ended.
///
/// @param metadata  May be NULL.
/// @return  One of `DORA_GOAL_…`, or a value that this header does not name; `DORA_GOAL_UNKNOWN` when the
///          message is no result.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_goal_status(metadata: Option<&dora_metadata_t>) -> i32 {
    answer(DORA_GOAL_UNKNOWN, || {
        let word = get_string_param(metadata?.parameters(), DORA_KEY_GOAL_STATUS)?;
        GOAL_STATUSES.iter().find(|(_, named)| *named == word).map(|(status, _)| *status)
    })
}

/// The id of the request that a message is, or that it answers.
///
/// @param metadata  May be NULL.
/// @return  The id; NULL where there is none. Lives until the metadata is changed or ends.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_request_id(metadata: Option<&dora_metadata_t>) -> Text<'_> {
    text(metadata, DORA_KEY_REQUEST_ID)
}

/// The id of the goal that a message sets, cancels, or belongs to.
///
/// @param metadata  May be NULL.
/// @return  The id; NULL where there is none. Lives until the metadata is changed or ends.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_goal_id(metadata: Option<&dora_metadata_t>) -> Text<'_> {
    text(metadata, DORA_KEY_GOAL_ID)
}

fn text<'a>(metadata: Option<&'a dora_metadata_t>, key: &str) -> Text<'a> {
    answer(Text::null(), || metadata?.text(key).map(Text::of_terminated))
}

impl dora_metadata_t {
    /// Sets a text.
    pub(crate) fn set_text(&mut self, key: &str, text: String) -> Result<()> {
        self.set(key, Parameter::String(text))
    }
}

// The keys are dora's.
const _: () = {
    const fn same(ours: &str, dora: &str) {
        let (ours, dora) = (ours.as_bytes(), dora.as_bytes());
        assert!(ours.len() == dora.len());
        let mut index = 0;
        while index < ours.len() {
            assert!(ours[index] == dora[index]);
            index += 1;
        }
    }
    use dora_message::metadata;
    same(DORA_KEY_REQUEST_ID, metadata::REQUEST_ID);
    same(DORA_KEY_GOAL_ID, metadata::GOAL_ID);
    same(DORA_KEY_GOAL_STATUS, metadata::GOAL_STATUS);
    same(DORA_KEY_SESSION_ID, metadata::SESSION_ID);
    same(DORA_KEY_SEGMENT_ID, metadata::SEGMENT_ID);
    same(DORA_KEY_SEQ, metadata::SEQ);
    same(DORA_KEY_FIN, metadata::FIN);
    same(DORA_KEY_FLUSH, metadata::FLUSH);
};
