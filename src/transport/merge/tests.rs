//! The order of what dora says and what the lane brings.

use std::time::{Duration, Instant};

use dora_node_api::DoraNode;
use dora_node_api::integration_testing::{TestingInput, TestingOptions, TestingOutput};

use super::super::lane::tests::{EARLIER, LATER, World, numbers, send_each, values};
use super::*;
use crate::options::parse_test_inputs;

/// An inbox with the lane's input "picture", and what dora plays to it before the end.
struct Play {
    inbox: Inbox,
    // dora plays as long as it is there.
    _node: DoraNode,
}

/// Something that dora says at once.
fn now(event: &str) -> String {
    format!("{{{event}, \"time_offset_secs\": 0}}")
}

fn other(number: u64) -> String {
    now(&format!(r#""type": "Input", "id": "other", "data": [{number}], "data_type": "UInt64""#))
}

impl Play {
    /// Returns when dora has said all.
    fn of(input: Input, events: &[String]) -> Self {
        let script = format!(r#"{{"id": "viewer", "events": [{}]}}"#, events.join(","));
        let script = TestingInput::Input(parse_test_inputs(&script).unwrap());
        let sink = TestingOutput::ToWriter(Box::new(std::io::sink()));
        let (node, stream) = DoraNode::init_testing(script, sink, TestingOptions::default()).unwrap();
        let begin = Instant::now();
        while stream.is_empty() && !events.is_empty() {
            assert!(begin.elapsed() < Duration::from_secs(20), "dora says nothing");
            std::thread::yield_now();
        }
        // It says the rest in a moment.
        std::thread::sleep(Duration::from_millis(100));
        Self { inbox: Inbox::new(stream, vec![input]), _node: node }
    }

    fn poll(&mut self) -> Option<String> {
        match self.inbox.poll(Waker::noop()) {
            Poll::Ready(event) => Some(event.map_or_else(|| "the end".to_owned(), |event| told(&event))),
            Poll::Pending => None,
        }
    }

    /// So many events, the end among them.
    fn read(&mut self, count: usize) -> Vec<String> {
        let begin = Instant::now();
        let mut events = Vec::new();
        while events.len() < count {
            assert!(begin.elapsed() < Duration::from_secs(20), "only these came: {events:?}");
            events.extend(self.poll());
        }
        events
    }
}

/// An event in a few words.
fn told(event: &Event) -> String {
    match event {
        Event::Input { id, data, .. } if id.as_str() != "picture" => {
            format!("{id} {}", <&[u64]>::try_from(data).unwrap()[0])
        }
        Event::Input { .. } => format!("picture {}", values(event)[0]),
        Event::InputClosed { id } => format!("{id} is closed"),
        Event::Stop(StopCause::Manual) => "stop".to_owned(),
        Event::Stop(StopCause::AllInputsClosed) => "all are closed".to_owned(),
        Event::NodeRestarted { id } => format!("{id} is restarted"),
        other => panic!("{other:?}"),
    }
}

fn pictures(numbers: std::ops::Range<u64>) -> Vec<String> {
    numbers.map(|number| format!("picture {number}")).collect()
}

/// Checks that all pictures that wait come before what dora said first.
#[track_caller]
fn assert_behind_all(event: &str, expected: &str) {
    let world = World::new(10);
    let (input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..10);
    let mut play = Play::of(input, &[now(event)]);
    let mut wanted = pictures(0..10);
    wanted.extend([expected, "the end"].map(str::to_owned));
    assert_eq!(play.read(12), wanted);
}

#[test]
fn an_input_ends_behind_its_messages() {
    assert_behind_all(r#""type": "InputClosed", "id": "picture""#, "picture is closed");
    assert_behind_all(r#""type": "AllInputsClosed""#, "all are closed");
}

#[test]
fn what_comes_by_dora_comes_behind_what_the_lane_had() {
    let event = r#""type": "Input", "id": "picture", "data": [77], "data_type": "UInt64""#;
    assert_behind_all(event, "picture 77");
}

#[test]
fn the_stream_ends_behind_all() {
    let world = World::new(10);
    let (input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..3);
    let mut play = Play::of(input, &[other(1)]);
    let events = play.read(5);
    assert_eq!(events[4], "the end");
    let pictures: Vec<_> = events.into_iter().filter(|event| event.starts_with("picture")).collect();
    assert_eq!(pictures, super::tests::pictures(0..3));
    assert_eq!(play.poll().as_deref(), Some("the end"), "it stays at its end");
}

#[test]
fn a_stop_by_hand_waits_for_no_message() {
    let world = World::new(10);
    let (input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..10);
    let mut play = Play::of(input, &[now(r#""type": "Stop""#)]);
    let events = play.read(11);
    let at = events.iter().position(|event| event == "stop").unwrap();
    assert!(at < 2, "{events:?}");
}

#[test]
fn each_side_gets_its_turn() {
    let world = World::new(10);
    let (input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..10);
    // dora keeps ten.
    let said: Vec<_> = (0..10).map(other).collect();
    let mut play = Play::of(input, &said);
    let events = play.read(20);
    for two in events.chunks(2) {
        let of_lane = two.iter().filter(|event| event.starts_with("picture")).count();
        assert_eq!(of_lane, 1, "{events:?}");
    }
    for (id, expected) in [("other", "other "), ("picture", "picture ")] {
        let found: Vec<_> = events.iter().filter(|event| event.starts_with(expected)).collect();
        assert!(found.iter().enumerate().all(|(at, event)| **event == format!("{id} {at}")), "{events:?}");
    }
}

#[test]
fn a_new_run_comes_behind_what_dora_had_to_say() {
    let world = World::new(10);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..2);
    assert_eq!(numbers(&mut input, false), [0, 1]);
    send_each(&output, 2..4);
    drop(output);
    let second = world.output(LATER);
    send_each(&second, 10..13);
    let said: Vec<_> = (0..5).map(other).collect();
    let mut play = Play::of(input, &said);
    let events = play.read(11);
    let mut first = events[..7].to_vec();
    first.sort();
    assert_eq!(first, ["other 0", "other 1", "other 2", "other 3", "other 4", "picture 2", "picture 3"]);
    assert_eq!(events[7..], ["picture 10", "picture 11", "picture 12", "the end"]);
    assert!(play.inbox.take_dropped().is_empty());
}

#[test]
fn a_new_run_begins_when_dora_tells_of_it() {
    let world = World::new(10);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..1);
    assert_eq!(numbers(&mut input, false), [0]);
    send_each(&output, 1..3);
    drop(output);
    let second = world.output(LATER);
    send_each(&second, 10..13);
    let said: Vec<_> = (0..8).map(other).collect();
    let mut play = Play::of(input, &said);
    play.inbox.hold(Some(Event::NodeRestarted { id: "camera".parse().unwrap() }));
    assert_eq!(play.read(3), ["picture 1", "picture 2", "camera is restarted"]);
    // It does not wait until dora falls silent, which it may never do.
    let events = play.read(6);
    let of_lane: Vec<_> = events.into_iter().filter(|event| event.starts_with("picture")).collect();
    assert_eq!(of_lane, pictures(10..13));
}

#[test]
fn an_input_ends_behind_all_runs() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..1);
    assert_eq!(numbers(&mut input, false), [0]);
    // As much as there is room for, of both.
    send_each(&output, 1..5);
    drop(output);
    let second = world.output(LATER);
    send_each(&second, 10..14);
    let mut play = Play::of(input, &[now(r#""type": "InputClosed", "id": "picture""#)]);
    let events = play.read(10);
    let expected: Vec<_> = pictures(1..5).into_iter().chain(pictures(10..14)).collect();
    assert_eq!(events[..8], expected);
    assert_eq!(events[8..], ["picture is closed", "the end"]);
}

#[test]
fn what_the_lane_lost_is_told_once() {
    let world = World::new(4);
    let (input, output) = (world.input(), world.output(EARLIER));
    output.probe().unwrap();
    let mut play = Play::of(input, &[]);
    assert!(play.inbox.is_empty(), "a probe is nothing to read");
    assert_eq!(play.poll().as_deref(), Some("the end"));
    send_each(&output, 0..10);
    assert!(!play.inbox.is_empty());
    assert_eq!(play.read(4), pictures(6..10));
    let dropped = play.inbox.take_dropped();
    let lost: Vec<_> = dropped.iter().map(|(id, count)| (id.as_str(), *count)).collect();
    assert_eq!(lost, [("picture", 6)]);
    assert!(play.inbox.take_dropped().is_empty());
}
