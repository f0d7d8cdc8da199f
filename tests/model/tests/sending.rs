//! Sends under a timeout, done by another thread: nothing is lost or done twice, nobody waits for ever.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use dora_model::apart::{Slot, Undone};
use dora_model::ffi::let_time_pass;
use dora_model::node::Read;
use dora_model::sending::{Latch, Outbox, Sender, Sent};
use dora_model::wait::Deadline;
use dora_model::{explore, join, start};
use loom::thread::{self, ThreadId};

/// A result that notes which thread dropped it.
struct Token(Arc<Mutex<Option<ThreadId>>>);

impl Drop for Token {
    fn drop(&mut self) {
        *self.0.lock().unwrap() = Some(thread::current().id());
    }
}

fn is_sent(sent: &Sent) -> bool {
    matches!(sent, Ok(Ok(_)))
}

/// The end of a node, behind all calls: the thread ends, and with it what it owns.
fn end(sender: Arc<Sender>, outbox: &Outbox) -> Vec<u32> {
    drop(Arc::into_inner(sender).expect("no call is in progress"));
    assert!(outbox.is_left(), "the thread outlives the node");
    outbox.numbers()
}

#[test]
fn a_result_at_the_deadline_is_taken_here_or_dropped_over_there() {
    explore(None, || {
        let dropped_by = Arc::new(Mutex::new(None));
        let slot = Arc::new(Slot::new(Arc::default()));
        let token = Token(dropped_by.clone());
        let other = start(&slot, |slot| {
            drop(slot.put(token));
            thread::current().id()
        });
        let clock = thread::spawn(let_time_pass);
        let result = slot.take(Deadline::Ahead);
        let other = other.join().unwrap();
        clock.join().unwrap();
        assert_eq!(*dropped_by.lock().unwrap(), result.is_none().then_some(other));
    });
}

#[test]
fn a_result_is_there_when_it_is_waited_for_again() {
    explore(None, || {
        let slot = Arc::new(Slot::new(Arc::default()));
        let others = [start(&slot, |slot| assert_eq!(slot.put(7), None)), thread::spawn(let_time_pass)];
        let result = slot.wait(Deadline::Ahead).or_else(|| slot.wait(Deadline::Never));
        assert_eq!(result, Some(7));
        join(others);
    });
}

#[test]
fn a_send_is_done_or_given_up_at_its_deadline() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let clock = thread::spawn(let_time_pass);
        let is_over = Arc::new(AtomicBool::new(false));
        let sent = sender.with(Deadline::Ahead, {
            let is_over = is_over.clone();
            move |outbox| {
                outbox.push(u32::from(is_over.load(Ordering::Relaxed)));
                Ok(1)
            }
        });
        is_over.store(true, Ordering::Relaxed);
        clock.join().unwrap();
        let numbers = end(sender, &outbox);
        match sent {
            Err(Undone::TimedOut) => {
                assert!(numbers.is_empty() || numbers == [0], "it was begun behind the end");
            }
            sent => assert_eq!((sent, numbers), (Ok(Ok(1)), vec![0])),
        }
    });
}

#[test]
fn a_send_that_does_not_wait_is_done_once_or_not_at_all() {
    explore(4, || {
        let (sender, outbox) = Sender::new();
        let sent = sender.send(Deadline::Passed, 1);
        assert!(matches!(sent, Ok(Ok(1)) | Err(Undone::TimedOut)));
        let numbers = end(sender, &outbox);
        assert!(numbers == [1] || numbers.is_empty() && !is_sent(&sent));
    });
}

#[test]
fn a_send_behind_one_that_was_given_up_keeps_its_place() {
    explore(3, || {
        let (sender, outbox) = Sender::new();
        let first = sender.send(Deadline::Passed, 1);
        assert_eq!(sender.send(Deadline::Never, 2), Ok(Ok(2)));
        let numbers = end(sender, &outbox);
        assert!(numbers == [1, 2] || numbers == [2] && !is_sent(&first));
    });
}

#[test]
fn the_sends_of_two_threads_are_both_done() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let other = start(&sender, |sender| sender.send(Deadline::Never, 2));
        assert_eq!(sender.send(Deadline::Never, 1), Ok(Ok(1)));
        assert_eq!(other.join().unwrap(), Ok(Ok(2)));
        let numbers = end(sender, &outbox);
        assert!(numbers == [1, 2] || numbers == [2, 1]);
    });
}

#[test]
fn a_turn_that_comes_at_the_deadline_is_taken_or_left() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let latch = Arc::new(Latch::default());
        let first = sender.send_stuck(Deadline::Passed, 1, &latch);
        assert_eq!(first, Err(Undone::TimedOut));
        let other = start(&latch, |latch| {
            latch.open();
            let_time_pass();
        });
        let second = sender.send(Deadline::Ahead, 2);
        other.join().unwrap();
        let numbers = end(sender, &outbox);
        assert!(numbers.is_sorted(), "each keeps its place");
        assert!(second == Err(Undone::TimedOut) || second == Ok(Ok(2)) && numbers.contains(&2));
    });
}

#[test]
fn a_close_turns_a_send_away_or_comes_behind_it() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let closer = start(&sender, Sender::close);
        let sent = sender.send(Deadline::Never, 1);
        closer.join().unwrap();
        assert_eq!(sender.send(Deadline::Never, 2), Err(Undone::Closed));
        match sent {
            Err(Undone::Closed) => assert_eq!(end(sender, &outbox), []),
            sent => assert_eq!((sent, end(sender, &outbox)), (Ok(Ok(1)), vec![1])),
        }
    });
}

#[test]
fn a_close_turns_away_who_waits_for_a_turn() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let latch = Arc::new(Latch::default());
        let _ = sender.send_stuck(Deadline::Passed, 1, &latch);
        let closer = start(&sender, Sender::close);
        let sent = sender.send(Deadline::Never, 2);
        closer.join().unwrap();
        latch.open();
        match sent {
            Err(Undone::Closed) => assert!(!end(sender, &outbox).contains(&2)),
            // The first one was given up in the tray.
            sent => assert_eq!((sent, end(sender, &outbox)), (Ok(Ok(2)), vec![2])),
        }
    });
}

#[test]
fn a_close_beside_two_sends_leaves_neither_waiting() {
    explore(1, || {
        let (sender, outbox) = Sender::new();
        let others =
            (start(&sender, |sender| sender.send(Deadline::Never, 2)), start(&sender, Sender::close));
        let mut sent = [sender.send(Deadline::Never, 1), others.0.join().unwrap()];
        others.1.join().unwrap();
        let mut numbers = end(sender, &outbox);
        numbers.sort_unstable();
        sent.sort_by_key(is_sent);
        let done: Vec<_> = sent.iter().flatten().flatten().copied().collect();
        let turned_away = sent.iter().filter(|sent| **sent == Err(Undone::Closed)).count();
        assert_eq!((done.len() + turned_away, done.len()), (2, numbers.len()));
    });
}

#[test]
fn an_interrupt_before_a_send_does_not_undo_what_takes_no_time() {
    explore(3, || {
        let (sender, outbox) = Sender::new();
        sender.interrupt();
        assert_eq!(sender.send(Deadline::Never, 1), Ok(Ok(1)));
        assert_eq!(sender.node.read(Deadline::Never), Read::Interrupted, "it is there for a read");
        assert_eq!(end(sender, &outbox), [1]);
    });
}

#[test]
fn an_interrupt_ends_a_send_that_is_stuck() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let latch = Arc::new(Latch::default());
        let other = start(&sender, |sender| {
            sender.interrupt();
            let_time_pass();
        });
        assert_eq!(sender.send_stuck(Deadline::Never, 1, &latch), Err(Undone::Interrupted));
        other.join().unwrap();
        latch.open();
        let numbers = end(sender, &outbox);
        assert!(numbers == [1] || numbers.is_empty());
    });
}

#[test]
fn an_interrupt_ends_a_send_that_waits_for_its_turn() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let latch = Arc::new(Latch::default());
        let _ = sender.send_stuck(Deadline::Passed, 1, &latch);
        let other = start(&sender, |sender| {
            sender.interrupt();
            let_time_pass();
        });
        let sent = sender.send(Deadline::Never, 2);
        other.join().unwrap();
        latch.open();
        let numbers = end(sender, &outbox);
        assert!(sent == Err(Undone::Interrupted) || numbers == [2] && is_sent(&sent));
    });
}

#[test]
fn an_interrupt_ends_a_send_when_a_read_takes_it_too() {
    explore(2, || {
        let (sender, outbox) = Sender::new();
        let latch = Arc::new(Latch::default());
        let reader = start(&sender, |sender| sender.node.read(Deadline::Never));
        // The send has begun, so this interrupt is one for it.
        let interrupter = sender.clone();
        let held = latch.clone();
        let sent = sender.with(Deadline::Never, move |_| {
            interrupter.interrupt();
            // The end is for when nobody has the node any more.
            drop(interrupter);
            let_time_pass();
            held.wait();
            Ok(1)
        });
        assert_eq!(sent, Err(Undone::Interrupted));
        assert_eq!(reader.join().unwrap(), Read::Interrupted);
        latch.open();
        assert_eq!(end(sender, &outbox), []);
    });
}
