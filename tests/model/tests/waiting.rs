//! Reads that wait: no wake is lost, an interrupt is taken once and never lost, a close is for good.

use std::sync::Arc;

use dora_model::ffi::{futex_wake, let_time_pass};
use dora_model::node::{Node, Read};
use dora_model::wait::{Changes, Deadline};
use dora_model::{explore, join, start};
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

fn count(reads: &[Read], read: Read) -> usize {
    reads.iter().filter(|one| **one == read).count()
}

#[test]
fn a_wake_ends_the_wait() {
    explore(None, || {
        let node = Arc::new(Node::default());
        let sender = start(&node, Node::arrive);
        assert_eq!(node.read(Deadline::Never), Read::Event);
        sender.join().unwrap();
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

#[test]
fn the_wakes_of_two_senders_are_two_events() {
    explore(3, || {
        let node = Arc::new(Node::default());
        let senders = [start(&node, Node::arrive), start(&node, Node::arrive)];
        assert_eq!([(); 2].map(|()| node.read(Deadline::Never)), [Read::Event; 2]);
        join(senders);
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

#[test]
fn an_interrupt_ends_the_wait_once() {
    explore(None, || {
        let node = Arc::new(Node::default());
        let other = start(&node, Node::interrupt);
        assert_eq!(node.read(Deadline::Never), Read::Interrupted);
        other.join().unwrap();
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

#[test]
fn interrupts_of_two_threads_are_one_or_two_and_never_none() {
    explore(2, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::interrupt), start(&node, Node::interrupt)];
        assert_eq!(node.read(Deadline::Never), Read::Interrupted);
        join(others);
        let rest = node.read_all();
        assert!(rest.is_empty() || rest == [Read::Interrupted]);
    });
}

#[test]
fn an_interrupt_takes_no_event_away() {
    explore(2, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::interrupt), start(&node, Node::arrive)];
        let reads = [(); 2].map(|()| node.read(Deadline::Never));
        assert_eq!((count(&reads, Read::Interrupted), count(&reads, Read::Event)), (1, 1));
        join(others);
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
    });
}

#[test]
fn an_interrupt_goes_before_an_event_that_waits() {
    explore(None, || {
        let node = Arc::new(Node::default());
        let other = start(&node, |node| {
            node.arrive();
            node.interrupt();
        });
        other.join().unwrap();
        assert_eq!(node.read_all(), [Read::Interrupted, Read::Event]);
    });
}

#[test]
fn what_arrives_at_the_deadline_is_there_afterwards() {
    explore(3, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::arrive), start(&node, |_| let_time_pass())];
        let read = node.read(Deadline::Ahead);
        join(others);
        match read {
            Read::Event => assert_eq!(node.read(Deadline::Ahead), Read::TimedOut),
            Read::TimedOut => assert_eq!(node.read(Deadline::Never), Read::Event),
            other => panic!("the read ended with {other:?}"),
        }
    });
}

#[test]
fn an_interrupt_at_the_deadline_is_there_afterwards() {
    explore(3, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::interrupt), start(&node, |_| let_time_pass())];
        let read = node.read(Deadline::Ahead);
        join(others);
        let next = if read == Read::TimedOut { Read::Interrupted } else { Read::TimedOut };
        assert_eq!(node.read(Deadline::Passed), next);
    });
}

#[test]
fn a_deadline_ends_the_wait() {
    explore(None, || {
        let node = Arc::new(Node::default());
        let clock = start(&node, |_| let_time_pass());
        assert_eq!(node.read(Deadline::Ahead), Read::TimedOut);
        clock.join().unwrap();
    });
}

#[test]
fn a_close_ends_this_wait_and_all_that_follow() {
    explore(3, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::close), start(&node, Node::arrive)];
        let first = node.read(Deadline::Never);
        assert!(matches!(first, Read::Closed | Read::Event));
        join(others);
        assert_eq!([(); 2].map(|()| node.read(Deadline::Never)), [Read::Closed; 2]);
    });
}

#[test]
fn a_close_beside_an_interrupt_closes() {
    explore(3, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::close), start(&node, Node::interrupt)];
        assert!(matches!(node.read(Deadline::Never), Read::Closed | Read::Interrupted));
        join(others);
        assert_eq!(node.read(Deadline::Never), Read::Closed);
    });
}

/// What a send under a send timeout waits at.
#[test]
fn a_change_that_was_told_is_seen_by_all() {
    explore(3, || {
        let changed = Arc::new((AtomicBool::new(false), Changes::default()));
        let wait = |changed: &(AtomicBool, Changes)| {
            changed.1.await_until(Deadline::Never, || changed.0.load(Ordering::Acquire).then_some(7))
        };
        let waiters = [start(&changed, wait), start(&changed, wait)];
        changed.0.store(true, Ordering::Release);
        changed.1.tell();
        assert_eq!(waiters.map(|waiter| waiter.join().unwrap()), [Some(7); 2]);
    });
}

/// The stand-in itself: a thread that sleeps at a word is woken at that word alone.
#[test]
#[should_panic(expected = "deadlock")]
fn a_wake_elsewhere_wakes_nobody() {
    explore(None, || {
        let words = Arc::new([(); 2].map(|()| loom::sync::atomic::AtomicU32::new(0)));
        let other = thread::spawn({
            let words = words.clone();
            move || {
                words[0].store(1, Ordering::Release);
                futex_wake(&words[1]);
            }
        });
        dora_model::ffi::futex_wait(&words[0], 0, None);
        other.join().unwrap();
    });
}
