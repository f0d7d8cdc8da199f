//! Events
//!
//! What `read_dora_event` gives. An event is immutable, may be used from every thread, and outlives its
//! node. Look at its kind first; what an event does not carry is NULL, 0 or the value that the function
//! names. A newer library may deliver a kind that this header does not name: skip what you do not know.

mod body;

use std::ffi::CStr;

use dora_node_api::Event;

use self::body::Body;
pub use self::body::{InputId, InputIds};
use crate::data::{Input, not_an_input};
use crate::ffi::{Text, TextBuffer, answer, perform};
use crate::metadata::dora_metadata_t;
use crate::status::Result;
use crate::text::{Named, name_of, names};

/// Something that this library does not know; `dora_event_message` describes it. Skip it. Since 0.1.0.
pub const DORA_EVENT_UNKNOWN: i32 = 0;
/// A message arrived: input id, metadata, data. Since 0.1.0.
pub const DORA_EVENT_INPUT: i32 = 1;
/// An input's sender finished, or was silent for longer than the dataflow's `input_timeout`: input id.
/// Messages that were queued before may still follow. Since 0.1.0.
pub const DORA_EVENT_INPUT_CLOSED: i32 = 2;
/// The node should end: stop cause. Inputs that were queued are still delivered, then reads are closed.
/// Since 0.1.0.
pub const DORA_EVENT_STOP: i32 = 3;
/// The node, or one of its operators, should load itself anew: operator id or NULL. Since 0.1.0.
pub const DORA_EVENT_RELOAD: i32 = 4;
/// Something failed inside dora, by which the node may go on or not: message. Worth a line in the log.
/// Since 0.1.0.
pub const DORA_EVENT_ERROR: i32 = 5;
/// An input that had timed out brings messages again: input id. Since 0.1.0.
pub const DORA_EVENT_INPUT_RECOVERED: i32 = 6;
/// A node whose messages this one receives was restarted: node id. Since 0.1.0.
pub const DORA_EVENT_NODE_RESTARTED: i32 = 7;
/// A node whose messages this one receives failed: node id, message, affected inputs. Since 0.1.0.
pub const DORA_EVENT_NODE_FAILED: i32 = 8;
/// A parameter was set: key, value as JSON. Since 0.1.0.
pub const DORA_EVENT_PARAM_UPDATE: i32 = 9;
/// A parameter was deleted: key. Since 0.1.0.
pub const DORA_EVENT_PARAM_DELETED: i32 = 10;

const NAMES: &[Named] = names![
    DORA_EVENT_UNKNOWN,
    DORA_EVENT_INPUT,
    DORA_EVENT_INPUT_CLOSED,
    DORA_EVENT_STOP,
    DORA_EVENT_RELOAD,
    DORA_EVENT_ERROR,
    DORA_EVENT_INPUT_RECOVERED,
    DORA_EVENT_NODE_RESTARTED,
    DORA_EVENT_NODE_FAILED,
    DORA_EVENT_PARAM_UPDATE,
    DORA_EVENT_PARAM_DELETED,
];

/// No stop event, or a cause that this library does not know. Since 0.1.0.
pub const DORA_STOP_UNKNOWN: i32 = 0;
/// Somebody stopped the dataflow. dora ends a node that goes on for longer than its grace, with SIGTERM and
/// then SIGKILL. Since 0.1.0.
pub const DORA_STOP_MANUAL: i32 = 1;
/// All inputs of the node are closed. Since 0.1.0.
pub const DORA_STOP_ALL_INPUTS_CLOSED: i32 = 2;

/// `DORA_TIME_ABSENT`.
pub(crate) const TIME_ABSENT: i64 = i64::MIN;

/// A time of dora, seconds and their fraction in 32 bits each, in nanoseconds since the Unix epoch.
pub fn nanoseconds_of(ntp64: u64) -> i64 {
    let (seconds, fraction) = (ntp64 >> 32, ntp64 & 0xffff_ffff);
    let nanoseconds = seconds * 1_000_000_000 + ((fraction * 1_000_000_000) >> 32);
    // 2^32 seconds are less than i64::MAX nanoseconds.
    nanoseconds.cast_signed()
}

/// An event. Opaque; ended with `dora_event_free`. Since 0.1.0.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct dora_event_t {
    body: Body,
}

// Events are used from every thread.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<dora_event_t>();
    shared::<dora_metadata_t>();
};

impl dora_event_t {
    /// Takes over an event of dora.
    pub(crate) fn new(event: Event, ids: &mut InputIds) -> Self {
        Self { body: Body::new(event, ids) }
    }

    /// What an input carries; nothing for every other kind.
    pub(crate) fn as_input(&self) -> Option<&Input> {
        self.body.input()
    }

    /// What an input carries; for every other kind an error that names it.
    pub(crate) fn input(&self) -> Result<&Input> {
        self.as_input().ok_or_else(|| not_an_input(kind_name(self.body.kind())))
    }
}

fn kind_name(kind: i32) -> &'static CStr {
    name_of(NAMES, kind).unwrap_or(c"unknown kind")
}

/// Ends an event, and every pointer borrowed from it. Arrow arrays that were exported from it live on.
///
/// @param event  The event, or NULL, which does nothing.
///
/// Any thread, also after the node was freed. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_free(event: Option<Box<dora_event_t>>) {
    perform(|| drop(event));
}

/// The kind of an event.
///
/// @param event  May be NULL.
/// @return  One of `DORA_EVENT_…`, or a value that this header does not name; `DORA_EVENT_UNKNOWN` for
///          NULL.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_kind(event: Option<&dora_event_t>) -> i32 {
    answer(DORA_EVENT_UNKNOWN, || Some(event?.body.kind()))
}

/// The name of a kind of event, as this header spells it: `"DORA_EVENT_INPUT"`.
///
/// @param kind  Any value.
/// @return  Never NULL; `"unknown kind"` for a value that this library does not know. Lives as long as the
///          program.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_kind_name(kind: i32) -> Text<'static> {
    Text::literal(kind_name(kind))
}

/// The input that the event is about, as the dataflow names it.
///
/// @param event  May be NULL.
/// @return  The id for `DORA_EVENT_INPUT`, `DORA_EVENT_INPUT_CLOSED` and `DORA_EVENT_INPUT_RECOVERED`, else
///          NULL. Lives as long as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_input_id(event: Option<&dora_event_t>) -> Text<'_> {
    answer(Text::null(), || event?.body.input_id().map(Text::of))
}

/// The other node that the event is about.
///
/// @param event  May be NULL.
/// @return  The id for `DORA_EVENT_NODE_RESTARTED` and `DORA_EVENT_NODE_FAILED`, else NULL. Lives as long
///          as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_node_id(event: Option<&dora_event_t>) -> Text<'_> {
    answer(Text::null(), || event?.body.node_id().map(Text::of))
}

/// The operator that should be loaded anew.
///
/// @param event  May be NULL.
/// @return  The id for `DORA_EVENT_RELOAD`; NULL when it means the whole node, and for every other kind.
///          Lives as long as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_operator_id(event: Option<&dora_event_t>) -> Text<'_> {
    answer(Text::null(), || event?.body.operator_id().map(Text::of))
}

/// The parameter that was set or deleted.
///
/// @param event  May be NULL.
/// @return  The key for `DORA_EVENT_PARAM_UPDATE` and `DORA_EVENT_PARAM_DELETED`, else NULL. Lives as long
///          as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_key(event: Option<&dora_event_t>) -> Text<'_> {
    answer(Text::null(), || event?.body.key().map(Text::of))
}

/// What dora says about a failure.
///
/// @param event  May be NULL.
/// @return  A sentence for `DORA_EVENT_ERROR`, `DORA_EVENT_NODE_FAILED` and `DORA_EVENT_UNKNOWN`, else
///          NULL. Lives as long as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_message(event: Option<&dora_event_t>) -> Text<'_> {
    answer(Text::null(), || event?.body.message().map(Text::of))
}

/// The value that a parameter was set to, as JSON text.
///
/// @param event  May be NULL.
/// @return  JSON for `DORA_EVENT_PARAM_UPDATE`, else NULL. Lives as long as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_value_json(event: Option<&dora_event_t>) -> Text<'_> {
    answer(Text::null(), || event?.body.value_json().map(Text::of))
}

/// Why the node should end.
///
/// @param event  May be NULL.
/// @return  One of `DORA_STOP_…`, or a value that this header does not name; `DORA_STOP_UNKNOWN` for every
///          event that is no `DORA_EVENT_STOP`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_stop_cause(event: Option<&dora_event_t>) -> i32 {
    answer(DORA_STOP_UNKNOWN, || match event?.body {
        Body::Stop { cause } => Some(cause),
        _ => None,
    })
}

/// How many of this node's inputs the failed node feeds.
///
/// @param event  May be NULL.
/// @return  The count for `DORA_EVENT_NODE_FAILED`, else 0.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_affected_count(event: Option<&dora_event_t>) -> usize {
    answer(0, || Some(event?.body.affected().len()))
}

/// One of this node's inputs that the failed node feeds.
///
/// @param event  May be NULL.
/// @param index  Below `dora_event_affected_count`.
/// @return  The input's id, NULL beyond the last. Lives as long as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_affected_input(event: Option<&dora_event_t>, index: usize) -> Text<'_> {
    answer(Text::null(), || event?.body.affected().get(index).map(|input| Text::of(input.text())))
}

/// The parameters that came beside the data of an input.
///
/// @param event  May be NULL.
/// @return  Borrowed, never changing; NULL for every event that is no `DORA_EVENT_INPUT`. Lives as long as
///          the event. It may be passed to every function that sends.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_metadata(event: Option<&dora_event_t>) -> Option<&dora_metadata_t> {
    answer(None, || Some(event?.as_input().map(Input::metadata)))
}

/// When an input was sent, by the sender's hybrid logical clock.
///
/// @param event  May be NULL.
/// @return  Nanoseconds since the Unix epoch; `DORA_TIME_ABSENT` for every event that is no
///          `DORA_EVENT_INPUT`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_timestamp_ns(event: Option<&dora_event_t>) -> i64 {
    answer(TIME_ABSENT, || Some(event?.as_input()?.timestamp_ns()))
}

/// When an input was sent, as dora's clock counts: seconds since the Unix epoch in the upper 32 bits,
/// fractions of 2^-32 s in the lower. It orders messages of all nodes; for a time in the usual sense take
/// `dora_event_timestamp_ns`.
///
/// @param event  May be NULL.
/// @return  The raw value; 0 for every event that is no `DORA_EVENT_INPUT`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_timestamp_ntp64(event: Option<&dora_event_t>) -> u64 {
    answer(0, || Some(event?.as_input()?.timestamp_ntp64()))
}

/// Whether this is the first time that something is asked about the input of an event, for what is to be
/// said once and not again with every message: `dora_node_once` for each input by itself.
///
/// @param event    May be NULL.
/// @param subject  What it is about, any UTF-8, terminated; copied, and remembered as long as the node or
///                 an event of that input lives. May be NULL.
/// @return  true for one caller a subject and input; false for every other, for NULL, and for every event
///          that is no `DORA_EVENT_INPUT`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_once(event: Option<&dora_event_t>, subject: Text<'_>) -> bool {
    answer(false, || Some(event?.as_input()?.told().once(subject.required("subject").ok()?)))
}

/// Describes an event in one line, for a log. It works like `snprintf`.
///
/// @param event     May be NULL, which gives an empty text.
/// @param buffer    Where the text goes, always terminated and cut between characters; NULL only measures.
/// @param capacity  The bytes that `buffer` holds, the NUL included.
/// @return  The bytes of the whole text without its NUL: as much as `capacity` or more means that it was
///          cut.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_format(
    event: Option<&dora_event_t>,
    buffer: TextBuffer<'_>,
    capacity: usize,
) -> usize {
    answer(0, || {
        let text = event.map(|event| event.body.describe()).unwrap_or_default();
        Some(buffer.write(capacity, &text))
    })
}
