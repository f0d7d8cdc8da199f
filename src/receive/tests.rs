//! Waits for replies, and last values, against a stand-in for the daemon.

use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

use dora_message::daemon_to_node::NodeEvent;
use dora_node_api::{Metadata, MetadataParameters, Parameter, uhlc, uuid};

use super::reply::dora_node_read_reply;
use super::*;
use crate::event::*;
use crate::ffi::Text;
use crate::node::stand_in::*;
use crate::options::dora_node_options_t;
use crate::pattern::dora_metadata_request_id;
use crate::status::{
    DORA_ERROR_INVALID_ARGUMENT, DORA_ERROR_INVALID_ID, DORA_ERROR_NOT_FOUND, DORA_ERROR_SERVER_RESTARTED,
    DORA_ERROR_UNKNOWN_INPUT, DORA_ERROR_UNSUPPORTED,
};

fn message(parameters: &[(&str, &str)]) -> NodeEvent {
    let text = |(key, text): &(&str, &str)| ((*key).to_owned(), Parameter::String((*text).to_owned()));
    let parameters: MetadataParameters = parameters.iter().map(text).collect();
    let metadata = Metadata::from_parameters(uhlc::HLC::default().new_timestamp(), parameters);
    NodeEvent::Input { id: "image".parse().unwrap(), metadata: Arc::new(metadata), data: None }
}

fn restart(node: &str) -> NodeEvent {
    NodeEvent::NodeRestarted { id: node.parse().unwrap() }
}

/// Something that dora reports as an error event.
fn trouble() -> NodeEvent {
    NodeEvent::ParamUpdate { key: "gain".into(), value_json: b"{".to_vec() }
}

fn reply(
    node: &dora_node_t,
    id: &std::ffi::CStr,
    server: Option<&std::ffi::CStr>,
    timeout_ns: i64,
) -> std::result::Result<Box<dora_event_t>, dora_status_t> {
    let mut event = MaybeUninit::uninit();
    let server = server.map_or(Text::null(), Text::of);
    let status =
        dora_node_read_reply(Shared::of(node), Text::of(id), server, timeout_ns, Out::of(&mut event));
    // SAFETY: the output is written whatever happens.
    let event = unsafe { event.assume_init() };
    assert_eq!(event.is_some(), status == DORA_OK);
    event.ok_or(status)
}

fn kind(event: &dora_event_t) -> i32 {
    dora_event_kind(Some(event))
}

#[test]
fn a_reply_is_found_and_everything_else_is_kept_in_order() {
    let events = vec![
        message(&[("n", "0")]),
        trouble(),
        message(&[("request_id", "b")]),
        message(&[("n", "1")]),
        message(&[("goal_id", "a")]), // feedback
        message(&[("goal_id", "a"), ("goal_status", "succeeded")]),
        NodeEvent::Stop,
    ];
    let node = node_with(vec![events], None).unwrap();
    let answer = reply(&node, c"a", Some(c"camera"), -1).unwrap();
    assert!(format(&answer).contains("2 parameters"), "{}", format(&answer));
    // It came across this one while it waited for the other.
    let answer = reply(&node, c"b", None, 0).unwrap();
    assert_eq!(text(dora_metadata_request_id(dora_event_metadata(Some(&answer)))).as_deref(), Some("b"));
    assert_eq!(reply(&node, c"c", None, -1).err(), Some(DORA_CLOSED));
    // When dora gives what is no input depends on what has arrived by then.
    let rest: Vec<_> = std::iter::from_fn(|| read(&node, -1).ok()).map(|event| format(&event)).collect();
    let count = |begin: &str| rest.iter().filter(|line| line.starts_with(begin)).count();
    assert_eq!((count("DORA_EVENT_ERROR: "), count("DORA_EVENT_STOP "), rest.len()), (1, 1, 5), "{rest:?}");
    let inputs: Vec<_> = rest.iter().filter(|line| line.starts_with("DORA_EVENT_INPUT ")).collect();
    assert!(inputs.iter().all(|line| line.contains("1 parameters")), "{rest:?}");
    assert!(inputs.is_sorted(), "they are not in the order in which they were sent: {rest:?}");
    free_in_time(node);
}

#[test]
fn a_restarted_server_ends_the_wait_and_the_event_is_kept() {
    let node =
        node_with(vec![vec![restart("other"), restart("camera")], vec![NodeEvent::Stop]], None).unwrap();
    assert_eq!(reply(&node, c"a", Some(c"camera"), -1).err(), Some(DORA_ERROR_SERVER_RESTARTED));
    assert_eq!(text(dora_event_node_id(Some(&read(&node, -1).unwrap()))).as_deref(), Some("other"));
    assert_eq!(text(dora_event_node_id(Some(&read(&node, -1).unwrap()))).as_deref(), Some("camera"));
    assert_eq!(reply(&node, c"a", Some(c"camera"), -1).err(), Some(DORA_CLOSED));
    assert_eq!(reply(&node, c"a", Some(c"lidar"), 0).err(), Some(DORA_ERROR_INVALID_ARGUMENT));
    assert_eq!(reply(&node, c"a", Some(c"no node"), 0).err(), Some(DORA_ERROR_INVALID_ID));
    assert_eq!(reply(&node, c"", None, 0).err(), Some(DORA_ERROR_INVALID_ARGUMENT));
    free_in_time(node);
}

#[test]
fn a_restart_loses_every_request_that_was_started_before() {
    // `uuid` makes ids of the past and of the future, as requests before and behind the restart have.
    let id = |seconds| {
        let time = uuid::Timestamp::from_unix(uuid::NoContext, seconds, 0);
        std::ffi::CString::new(uuid::Uuid::new_v7(time).to_string()).unwrap()
    };
    let (before, behind) = (id(1_700_000_000), id(4_000_000_000));
    let answer = message(&[("request_id", before.to_str().unwrap())]);
    // Where the daemon is lost, what waits is not delivered.
    let script = vec![vec![restart("camera")], vec![trouble()], vec![answer], Vec::new()];
    let node = node_with(script, None).unwrap();
    let wait = |id: &std::ffi::CStr| reply(&node, id, Some(c"camera"), 30_000_000_000).err();
    assert_eq!(wait(&id(1_700_000_001)), Some(DORA_ERROR_SERVER_RESTARTED));
    assert_eq!(wait(&id(1_700_000_002)), Some(DORA_ERROR_SERVER_RESTARTED));
    assert_eq!(kind(&read(&node, -1).unwrap()), DORA_EVENT_NODE_RESTARTED);
    assert_eq!(wait(&id(1_700_000_003)), Some(DORA_ERROR_SERVER_RESTARTED));
    let arrives = || reply(&node, &behind, Some(c"camera"), 10_000_000).err() == Some(DORA_TIMEOUT);
    let is_answered = || wait(&before).is_none();
    assert!((0..1000).any(|_| arrives() && is_answered()), "what was answered all the same is a reply");
    free_in_time(node);
}

#[test]
fn a_lost_daemon_ends_the_wait_and_its_event_is_kept() {
    let node = node_with(vec![vec![message(&[])]], None).unwrap();
    assert_eq!(reply(&node, c"a", None, -1).err(), Some(DORA_CLOSED));
    let rest: Vec<_> = std::iter::from_fn(|| read(&node, -1).ok()).map(|event| kind(&event)).collect();
    assert_eq!(rest.last(), Some(&DORA_EVENT_ERROR), "{rest:?}");
    assert!(node.is_lost());
    free_in_time(node);
}

#[test]
fn an_input_is_open_again_when_its_sender_came_back() {
    let image = || "image".parse().unwrap();
    let later = || {
        let now = uhlc::HLC::default().new_timestamp();
        let hour = uhlc::NTP64::from(Duration::from_hours(1));
        let time = uhlc::Timestamp::new(*now.get_time() + hour, *now.get_id());
        let metadata = Metadata::from_parameters(time, MetadataParameters::default());
        NodeEvent::Input { id: image(), metadata: Arc::new(metadata), data: None }
    };
    let closed = || NodeEvent::InputClosed { id: image() };
    let node = node_with(
        vec![vec![closed()], vec![message(&[])], vec![later()], vec![closed()], vec![NodeEvent::Stop]],
        None,
    )
    .unwrap();
    let state = || {
        let mut out = MaybeUninit::uninit();
        let status = dora_node_input_state(Shared::of(&node), Text::of(c"image"), Out::of(&mut out));
        // SAFETY: the output is written whatever happens.
        (status, unsafe { out.assume_init() })
    };
    // What was queued comes behind the event, and says nothing.
    for expected in [DORA_INPUT_CLOSED, DORA_INPUT_CLOSED, DORA_INPUT_OPEN, DORA_INPUT_CLOSED] {
        read(&node, -1).unwrap();
        assert_eq!(state(), (DORA_OK, expected));
    }
    free_in_time(node);
}

#[test]
fn the_last_value_stays_where_it_is_wanted() {
    let last = |node: &dora_node_t, input| {
        let mut event = MaybeUninit::uninit();
        let status = dora_node_last_value(Shared::of(node), Text::of(input), Out::of(&mut event));
        // SAFETY: the output is written whatever happens.
        unsafe { event.assume_init() }.ok_or(status)
    };
    let closed = || NodeEvent::InputClosed { id: "image".parse().unwrap() };
    let script = || vec![vec![message(&[("n", "1")])], vec![closed()], vec![NodeEvent::Stop]];
    let mut options = dora_node_options_t::default();
    options.keeps_last_values = true;
    let node = node_by(script(), None, &options).unwrap();
    assert_eq!(last(&node, c"image").err(), Some(DORA_ERROR_NOT_FOUND));
    assert_eq!(last(&node, c"depth").err(), Some(DORA_ERROR_UNKNOWN_INPUT));
    assert_eq!(kind(&read(&node, -1).unwrap()), DORA_EVENT_INPUT);
    assert_eq!(kind(&read(&node, -1).unwrap()), DORA_EVENT_INPUT_CLOSED);
    for _ in 0..2 {
        let event = last(&node, c"image").unwrap();
        assert!(format(&event).contains("1 parameters"), "{}", format(&event));
    }
    free_in_time(node);

    let node = node_with(script(), None).unwrap();
    assert_eq!(kind(&read(&node, -1).unwrap()), DORA_EVENT_INPUT);
    assert_eq!(last(&node, c"image").err(), Some(DORA_ERROR_UNSUPPORTED));
    free_in_time(node);
}
