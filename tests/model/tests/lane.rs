//! A node that other processes send to: each puts a message into the lane and then leaves a byte in the pipe. No
//! message is missed, nobody looks for nothing, and the descriptor tells what is there.

use std::sync::Arc;

use dora_model::ffi::Sight;
use dora_model::node::{Node, Read};
use dora_model::wait::{Deadline, Woken};
use dora_model::{explore, join, start};

fn count(reads: &[Read], read: Read) -> usize {
    reads.iter().filter(|one| **one == read).count()
}

/// What holds of a node from the first read on that found nothing, once all others have finished; gives what was
/// there.
fn check_quiet(node: &Node) -> Vec<Read> {
    let is_readable = node.descriptor().is_readable();
    let has_something = node.has_something();
    assert!(is_readable || !has_something, "an event loop would miss what is there");
    // Who brought it may be put aside before it tells of it, and the reader take it meanwhile.
    let is_told_late = node.gate.wait(Deadline::Passed) == Woken::Ready && !node.gate.is_interrupted();
    let is_told_late = is_told_late || node.is_called();
    assert!(!is_readable || has_something || is_told_late, "an event loop would be told of nothing");
    let rest = node.read_all();
    assert_eq!(rest.is_empty(), !has_something);
    let is_closed = rest.ends_with(&[Read::Closed]);
    assert_eq!(node.descriptor().is_readable(), is_closed, "closed is readable for ever, all read is not");
    rest
}

fn check_after_first_look(node: &Node) -> Vec<Read> {
    assert!(
        node.descriptor().is_readable() || !node.has_something(),
        "an event loop would miss what is there"
    );
    let mut reads = node.read_all();
    reads.extend(check_quiet(node));
    reads
}

/// Does a read beside what two others do, and gives all reads until nothing was left.
fn read_beside(node: &Arc<Node>, read: fn(&Node) -> Vec<Read>, others: [fn(&Node); 2]) -> Vec<Read> {
    let others = others.map(|other| start(node, other));
    let mut reads = read(node);
    join(others);
    reads.extend(check_quiet(node));
    reads
}

fn read_for_ever(node: &Node) -> Vec<Read> {
    vec![node.read(Deadline::Never)]
}

fn read_once(node: &Node) -> Vec<Read> {
    Some(node.read(Deadline::Passed)).filter(|read| *read != Read::TimedOut).into_iter().collect()
}

#[test]
fn a_message_ends_the_wait() {
    explore(None, || {
        let node = Node::with_lane();
        let sender = start(&node, Node::send);
        assert_eq!(node.read(Deadline::Never), Read::Event);
        sender.join().unwrap();
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

#[test]
fn what_two_bring_is_two_events() {
    for second in [Node::send, Node::arrive] {
        explore(2, move || {
            let node = Node::with_lane();
            let others = [start(&node, Node::send), start(&node, second)];
            assert_eq!([(); 2].map(|()| node.read(Deadline::Never)), [Read::Event; 2]);
            join(others);
            assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
        });
    }
}

#[test]
fn the_messages_of_one_process_are_all_seen() {
    explore(3, || {
        let node = Node::with_lane();
        let sender = start(&node, |node| [(); 3].map(|()| node.send()));
        assert_eq!([(); 3].map(|()| node.read(Deadline::Never)), [Read::Event; 3]);
        sender.join().unwrap();
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

/// It takes a system call to see whether somebody is there.
#[test]
fn a_reader_that_nobody_watches_is_never_at_the_door_for_nothing() {
    explore(3, || {
        let node = Node::with_lane();
        let sender = start(&node, Node::send);
        assert_eq!(node.read(Deadline::Never), Read::Event);
        sender.join().unwrap();
        assert_eq!([(); 2].map(|()| node.read(Deadline::Passed)), [Read::TimedOut; 2]);
        assert_eq!(node.idle_drains(), 0);
    });
}

#[test]
fn an_interrupt_beside_a_message_is_seen_once() {
    explore(2, || {
        let node = Node::with_lane();
        let others = [start(&node, Node::interrupt), start(&node, Node::send)];
        let reads = [(); 2].map(|()| node.read(Deadline::Never));
        assert_eq!((count(&reads, Read::Interrupted), count(&reads, Read::Event)), (1, 1));
        join(others);
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

#[test]
fn a_close_beside_a_message_ends_this_wait_and_all_that_follow() {
    explore(3, || {
        let node = Node::with_lane();
        let others = [start(&node, Node::close), start(&node, Node::send)];
        assert!(matches!(node.read(Deadline::Never), Read::Closed | Read::Event));
        join(others);
        assert_eq!([(); 2].map(|()| node.read(Deadline::Never)), [Read::Closed; 2]);
    });
}

#[test]
fn a_message_at_the_deadline_is_there_afterwards() {
    explore(3, || {
        let node = Node::with_lane();
        let others = [start(&node, Node::send), start(&node, Node::let_time_pass)];
        let read = node.read(Deadline::Ahead);
        join(others);
        match read {
            Read::Event => assert_eq!(node.read(Deadline::Ahead), Read::TimedOut),
            Read::TimedOut => assert_eq!(node.read(Deadline::Never), Read::Event),
            other => panic!("the read ended with {other:?}"),
        }
    });
}

/// Nobody takes the byte away of a message that was found without a wait.
#[test]
fn a_byte_that_was_left_wakes_once() {
    explore(3, || {
        let node = Node::with_lane();
        node.send();
        assert_eq!(node.read_all(), [Read::Event]);
        let other = start(&node, Node::arrive);
        assert_eq!(node.read(Deadline::Never), Read::Event);
        other.join().unwrap();
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

#[test]
fn a_wait_for_a_reply_keeps_what_comes_and_sleeps_on() {
    explore(2, || {
        let node = Node::with_lane();
        let sender = start(&node, |node| {
            node.send();
            node.arrive();
        });
        let interrupter = start(&node, Node::interrupt);
        assert_eq!(node.await_reply(Deadline::Never), Read::Interrupted);
        join([sender, interrupter]);
        assert_eq!(check_after_first_look(&node), [Read::Event; 2]);
    });
}

#[test]
fn an_empty_look_beside_a_message() {
    explore(None, || {
        let node = Node::watched_with_lane();
        let sender = start(&node, Node::send);
        let mut reads = node.read_all();
        sender.join().unwrap();
        reads.extend(check_quiet(&node));
        assert_eq!(reads, [Read::Event]);
    });
}

#[test]
fn reads_beside_what_two_bring() {
    for read in [Node::read_all, read_once, read_for_ever] {
        for second in [Node::send, Node::arrive] {
            explore(2, move || {
                let reads = read_beside(&Node::watched_with_lane(), read, [Node::send, second]);
                assert_eq!(reads, [Read::Event; 2]);
            });
        }
    }
}

#[test]
fn reads_beside_a_message_and_an_interrupt() {
    for read in [Node::read_all, read_once, read_for_ever] {
        explore(2, move || {
            let reads = read_beside(&Node::watched_with_lane(), read, [Node::send, Node::interrupt]);
            assert_eq!(
                (count(&reads, Read::Interrupted), count(&reads, Read::Event), reads.len()),
                (1, 1, 2)
            );
        });
    }
}

#[test]
fn reads_beside_a_message_and_a_close() {
    for read in [Node::read_all, read_for_ever] {
        explore(2, move || {
            let reads = read_beside(&Node::watched_with_lane(), read, [Node::send, Node::close]);
            assert_eq!(reads.last(), Some(&Read::Closed));
        });
    }
}

#[test]
fn a_wait_for_a_reply_leaves_the_descriptor_readable_for_what_it_kept() {
    explore(None, || {
        let node = Node::watched_with_lane();
        let sender = start(&node, Node::send);
        assert_eq!(node.await_reply(Deadline::Passed), Read::TimedOut);
        sender.join().unwrap();
        assert_eq!(check_quiet(&node), [Read::Event]);
    });
}

#[test]
fn a_wait_for_a_reply_that_is_interrupted_leaves_the_descriptor_readable_for_what_it_kept() {
    explore(2, || {
        let node = Node::watched_with_lane();
        let others = [start(&node, Node::send), start(&node, Node::interrupt)];
        assert_eq!(node.await_reply(Deadline::Never), Read::Interrupted);
        join(others);
        assert_eq!(check_quiet(&node), [Read::Event]);
    });
}

#[test]
fn a_descriptor_that_is_asked_for_beside_a_message_and_a_read_that_waits() {
    explore(2, || {
        let node = Node::with_lane();
        let others = [start(&node, Node::send), start(&node, ask)];
        assert_eq!(node.read(Deadline::Never), Read::Event);
        join(others);
        assert_eq!(check_after_first_look(&node), []);
    });
}

#[test]
fn a_descriptor_that_is_asked_for_beside_a_wait_for_a_reply() {
    explore(2, || {
        let node = Node::with_lane();
        let others = [start(&node, Node::send), start(&node, ask)];
        let clock = start(&node, Node::let_time_pass);
        assert_eq!(node.await_reply(Deadline::Ahead), Read::TimedOut);
        join(others);
        clock.join().unwrap();
        assert_eq!(check_after_first_look(&node), [Read::Event]);
    });
}

fn ask(node: &Node) {
    node.descriptor();
}

/// Waits at the descriptor, and reads what there is, until so much was read.
fn run_loop(node: &Node, wanted: usize, read: fn(&Node) -> Vec<Read>, mut wait: impl FnMut(&Sight)) {
    let mut reads = vec![];
    while reads.len() < wanted {
        wait(&node.descriptor());
        reads.extend(read(node));
    }
    assert_eq!(reads.len(), wanted);
}

#[test]
fn a_level_triggered_loop_gets_everything() {
    for read in [Node::read_all, read_once] {
        for second in [Node::send, Node::arrive, Node::interrupt] {
            explore(2, move || {
                let node = Node::watched_with_lane();
                let others = [start(&node, Node::send), start(&node, second)];
                run_loop(&node, 2, read, Sight::wait_until_readable);
                join(others);
                assert_eq!(check_after_first_look(&node), []);
            });
        }
    }
}

#[test]
fn an_edge_triggered_loop_gets_everything() {
    for second in [Node::send, Node::arrive, Node::interrupt] {
        explore(2, move || {
            let node = Node::with_lane();
            let others = [start(&node, Node::send), start(&node, second)];
            let mut edges = 0;
            run_loop(&node, 2, Node::read_all, |sight| sight.wait_for_edge(&mut edges));
            join(others);
            assert_eq!(check_after_first_look(&node), []);
        });
    }
}
