//! A node against a stand-in for the daemon.

use std::mem::MaybeUninit;

use dora_message::daemon_to_node::NodeEvent;

use super::identity::*;
use super::outputs::*;
use super::stand_in::*;
use super::*;
use crate::event::*;
use crate::ffi::{Out, Text};
use crate::receive::*;
use crate::send::dora_node_send_empty;
use crate::status::*;

#[test]
fn every_kind_of_event_arrives_with_what_it_carries() {
    let input = || "image".parse().unwrap();
    let peer = || "camera".parse().unwrap();
    let events = vec![
        NodeEvent::InputClosed { id: input() },
        NodeEvent::InputRecovered { id: input() },
        NodeEvent::NodeRestarted { id: peer() },
        NodeEvent::NodeFailed {
            affected_input_ids: vec![input(), "depth".parse().unwrap()],
            error: "exit code 3".into(),
            source_node_id: peer(),
        },
        NodeEvent::ParamUpdate { key: "gain".into(), value_json: br#"{"db": 3}"#.to_vec() },
        NodeEvent::ParamUpdate { key: "gain".into(), value_json: b"{".to_vec() },
        NodeEvent::ParamDeleted { key: "gain".into() },
        NodeEvent::Reload { operator_id: Some("detector".to_owned().into()) },
        NodeEvent::Reload { operator_id: None },
        NodeEvent::AllInputsClosed,
    ];
    let node = node_with(events.into_iter().map(|event| vec![event]).collect(), None).unwrap();
    let next = || read(&node, 5_000_000_000).unwrap();

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_INPUT_CLOSED);
    assert_eq!(text(dora_event_input_id(Some(&event))).as_deref(), Some("image"));
    assert_eq!(format(&event), "DORA_EVENT_INPUT_CLOSED image");

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_INPUT_RECOVERED);
    assert_eq!(text(dora_event_input_id(Some(&event))).as_deref(), Some("image"));

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_NODE_RESTARTED);
    assert_eq!(text(dora_event_node_id(Some(&event))).as_deref(), Some("camera"));
    assert_eq!(text(dora_event_input_id(Some(&event))), None);

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_NODE_FAILED);
    assert_eq!(text(dora_event_node_id(Some(&event))).as_deref(), Some("camera"));
    assert_eq!(text(dora_event_message(Some(&event))).as_deref(), Some("exit code 3"));
    assert_eq!(dora_event_affected_count(Some(&event)), 2);
    assert_eq!(text(dora_event_affected_input(Some(&event), 1)).as_deref(), Some("depth"));
    assert_eq!(text(dora_event_affected_input(Some(&event), 2)), None);
    assert_eq!(format(&event), "DORA_EVENT_NODE_FAILED camera: exit code 3 (affected inputs: image, depth)");

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_PARAM_UPDATE);
    assert_eq!(text(dora_event_key(Some(&event))).as_deref(), Some("gain"));
    assert_eq!(text(dora_event_value_json(Some(&event))).as_deref(), Some(r#"{"db":3}"#));

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_ERROR);
    assert!(text(dora_event_message(Some(&event))).unwrap().contains("ParamUpdate value for `gain`"));

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_PARAM_DELETED);
    assert_eq!(text(dora_event_key(Some(&event))).as_deref(), Some("gain"));

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_RELOAD);
    assert_eq!(text(dora_event_operator_id(Some(&event))).as_deref(), Some("detector"));

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_RELOAD);
    assert_eq!(text(dora_event_operator_id(Some(&event))), None);

    let event = next();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_STOP);
    assert_eq!(dora_event_stop_cause(Some(&event)), DORA_STOP_ALL_INPUTS_CLOSED);
    assert_eq!(read(&node, -1).err(), Some(DORA_CLOSED));
    free_in_time(node);
}

#[test]
fn a_lost_daemon_is_one_error_then_the_end() {
    let node = node_with(vec![vec![NodeEvent::ParamDeleted { key: "a".into() }]], None).unwrap();
    assert_eq!(dora_event_kind(Some(&read(&node, -1).unwrap())), DORA_EVENT_PARAM_DELETED);
    let event = read(&node, -1).unwrap();
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_ERROR);
    assert!(text(dora_event_message(Some(&event))).unwrap().contains("daemon channel broken"));
    for _ in 0..1000 {
        assert_eq!(read(&node, -1).err(), Some(DORA_CLOSED));
    }
    let status = dora_node_send_empty(Shared::of(&node), Text::of(c"out"), None);
    assert_eq!(status, DORA_ERROR_DISCONNECTED);
    assert!(text(dora_last_error()).unwrap().contains("the connection to the daemon is lost"));
    free_in_time(node);
}

#[test]
fn a_refused_version_is_its_own_status() {
    let refusal =
        "version mismatch: message format v1.1.0 is not compatible with expected message format v0.5.0";
    let error = node_with(vec![], Some(refusal)).err().unwrap();
    assert_eq!(error.status, DORA_ERROR_VERSION_MISMATCH);
    assert!(error.message.contains("speaks dora 1.1.0"), "{error}");
    assert!(error.message.contains("expected message format v0.5.0"), "{error}");

    let error = node_with(vec![], Some("no such dataflow")).err().unwrap();
    assert_eq!(error.status, DORA_ERROR_INIT);
    assert!(error.message.contains("no such dataflow"), "{error}");
}

#[test]
fn an_undeclared_output_is_an_error_that_lists_the_declared_ones() {
    let node = node_with(vec![vec![NodeEvent::Stop]], None).unwrap();
    assert_eq!(dora_node_send_empty(Shared::of(&node), Text::of(c"oüt"), None), DORA_ERROR_INVALID_ID);
    assert_eq!(dora_node_send_empty(Shared::of(&node), Text::of(c"other"), None), DORA_ERROR_UNKNOWN_OUTPUT);
    let message = text(dora_last_error()).unwrap();
    assert!(
        message.contains("\"other\"") && message.contains("its `outputs` are other-out, out"),
        "{message}"
    );
    assert_eq!(dora_node_send_empty(Shared::of(&node), Text::of(c"out"), None), DORA_OK);
    free_in_time(node);
}

#[test]
fn inputs_are_open_or_closed_as_events_say() {
    let input = || "image".parse().unwrap();
    let node = node_with(
        vec![
            vec![NodeEvent::InputClosed { id: input() }],
            vec![NodeEvent::InputRecovered { id: input() }],
            vec![NodeEvent::InputClosed { id: input() }],
            vec![NodeEvent::NodeRestarted { id: "other".parse().unwrap() }],
            vec![NodeEvent::NodeRestarted { id: "camera".parse().unwrap() }],
            vec![NodeEvent::Stop],
        ],
        None,
    )
    .unwrap();
    let state = |input| {
        let mut out = MaybeUninit::uninit();
        let status = dora_node_input_state(Shared::of(&node), Text::of(input), Out::of(&mut out));
        // SAFETY: the output is written whatever happens.
        (status, unsafe { out.assume_init() })
    };
    assert_eq!(state(c"image"), (DORA_OK, DORA_INPUT_OPEN));
    assert_eq!(state(c"depth"), (DORA_ERROR_UNKNOWN_INPUT, DORA_INPUT_UNKNOWN));
    assert!(text(dora_last_error()).unwrap().contains("its `inputs` are image"));
    for expected in
        [DORA_INPUT_CLOSED, DORA_INPUT_OPEN, DORA_INPUT_CLOSED, DORA_INPUT_CLOSED, DORA_INPUT_OPEN]
    {
        read(&node, -1).unwrap();
        assert_eq!(state(c"image"), (DORA_OK, expected));
    }
    let pending = || {
        let mut out = MaybeUninit::uninit();
        assert_eq!(dora_node_pending(Shared::of(&node), Out::of(&mut out)), DORA_OK);
        // SAFETY: the output was written.
        unsafe { out.assume_init() }
    };
    read(&node, -1).unwrap();
    assert!(pending(), "after a stop every read returns at once");
    let mut lost = MaybeUninit::uninit();
    assert_eq!(dora_node_dropped(Shared::of(&node), Text::null(), Out::of(&mut lost)), DORA_OK);
    // SAFETY: the output was written.
    assert_eq!(unsafe { lost.assume_init() }, 0);
    free_in_time(node);
}

#[test]
fn a_node_knows_what_it_is() {
    let node = node_with(vec![vec![NodeEvent::Stop]], None).unwrap();
    let node_ref = Some(&*node);
    assert_eq!(text(dora_node_id(node_ref)).as_deref(), Some("under-test"));
    assert_eq!((dora_node_input_count(node_ref), dora_node_output_count(node_ref)), (1, 2));
    assert_eq!(text(dora_node_input_id(node_ref, 0)).as_deref(), Some("image"));
    assert_eq!(text(dora_node_input_source(node_ref, 0)).as_deref(), Some("camera/image"));
    assert_eq!(text(dora_node_input_source(node_ref, 1)), None);
    assert_eq!(text(dora_node_output_id(node_ref, 0)).as_deref(), Some("other-out"));
    assert_eq!(text(dora_node_output_id(node_ref, 1)).as_deref(), Some("out"));
    assert_eq!(dora_node_restart_count(node_ref), 3);
    assert_eq!(dora_node_zero_copy_threshold(node_ref), 4096);
    assert!(text(dora_node_config_json(node_ref)).unwrap().contains("\"camera/image\""));
    assert_eq!(text(dora_node_descriptor_json(node_ref)), None);
    free_in_time(node);
}

#[test]
fn a_closed_output_takes_nothing_and_the_others_do() {
    let node = node_with(vec![vec![NodeEvent::Stop]], None).unwrap();
    let send = |output| dora_node_send_empty(Shared::of(&node), Text::of(output), None);
    let close = |output| dora_node_close_output(Shared::of(&node), Text::of(output));
    assert_eq!(close(c"nowhere"), DORA_ERROR_UNKNOWN_OUTPUT);
    assert_eq!(close(c"no where"), DORA_ERROR_INVALID_ID);
    assert_eq!((close(c"out"), close(c"out")), (DORA_OK, DORA_OK));
    assert_eq!((send(c"out"), send(c"other-out")), (DORA_ERROR_OUTPUT_CLOSED, DORA_OK));
    assert!(text(dora_last_error()).unwrap().contains("which this node has closed"));
    assert_eq!(dora_node_close_outputs(Shared::of(&node)), DORA_OK);
    assert_eq!(send(c"other-out"), DORA_ERROR_OUTPUT_CLOSED);
    free_in_time(node);
}

#[test]
fn an_unknown_event_is_skippable() {
    use dora_node_api::Event;
    let text_of_dora = "unrecognized node event: Hologram { depth: 3 }".to_owned();
    let event = dora_event_t::new(Event::Error(text_of_dora), &mut InputIds::default());
    assert_eq!(dora_event_kind(Some(&event)), DORA_EVENT_UNKNOWN);
    assert_eq!(format(&event), "DORA_EVENT_UNKNOWN: unrecognized node event: Hologram { depth: 3 }");
    dora_event_free(Some(Box::new(event)));
}
