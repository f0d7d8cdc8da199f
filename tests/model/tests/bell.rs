//! The descriptor that an event loop watches: no arrival is missed, and nothing is told that is not there.

use std::sync::Arc;

use dora_model::ffi::Sight;
use dora_model::node::{Node, Read};
use dora_model::wait::{Deadline, Woken};
use dora_model::{explore, join, start};

fn count(reads: &[Read], read: Read) -> usize {
    reads.iter().filter(|one| **one == read).count()
}

/// What holds of a watched node from the first read on that found nothing, once all signals have finished; gives
/// what was there.
fn check_quiet(node: &Node) -> Vec<Read> {
    let is_rung = node.bell().is_rung();
    let has_something = node.has_something();
    assert!(is_rung || !has_something, "an event loop would miss what is there");
    // Who brought an event may be put aside before it rings, and the reader take the event meanwhile. Then the
    // bell is rung for what is gone, and the gate holds a wake for it. There is no other way to that.
    let rings_late = node.gate.wait(Deadline::Passed) == Woken::Ready && !node.gate.is_interrupted();
    assert!(!is_rung || has_something || rings_late, "an event loop would be told of nothing");
    let rest = node.read_all();
    assert_eq!(rest.is_empty(), !has_something);
    assert!(rest.ends_with(&[Read::Closed]) || !node.bell().is_rung(), "it is still rung when all was read");
    rest
}

/// Runs reads beside what two others do, and gives all reads until nothing was left.
fn beside(node: &Arc<Node>, others: [fn(&Node); 2]) -> Vec<Read> {
    let others = others.map(|other| start(node, other));
    let mut reads = node.read_all();
    join(others);
    reads.extend(check_quiet(node));
    reads
}

#[test]
fn an_empty_look_beside_an_arrival() {
    explore(None, || {
        let node = Node::watched();
        let sender = start(&node, Node::arrive);
        let mut reads = node.read_all();
        sender.join().unwrap();
        reads.extend(check_quiet(&node));
        assert_eq!(reads, [Read::Event]);
    });
}

#[test]
fn an_empty_look_beside_an_interrupt() {
    explore(None, || {
        let node = Node::watched();
        let other = start(&node, Node::interrupt);
        let mut reads = node.read_all();
        other.join().unwrap();
        // An interrupt is there from the moment at which it is told of, so this is exact.
        assert_eq!(node.bell().is_rung(), node.gate.is_interrupted());
        reads.extend(check_quiet(&node));
        assert_eq!(reads, [Read::Interrupted]);
    });
}

#[test]
fn an_empty_look_beside_two_arrivals() {
    explore(2, || assert_eq!(beside(&Node::watched(), [Node::arrive; 2]), [Read::Event; 2]));
}

#[test]
fn an_empty_look_beside_an_arrival_and_an_interrupt() {
    explore(2, || {
        let reads = beside(&Node::watched(), [Node::arrive, Node::interrupt]);
        assert_eq!((count(&reads, Read::Interrupted), count(&reads, Read::Event), reads.len()), (1, 1, 2));
    });
}

#[test]
fn an_empty_look_beside_two_interrupts() {
    explore(2, || {
        let reads = beside(&Node::watched(), [Node::interrupt; 2]);
        assert!(matches!(reads.len(), 1 | 2) && count(&reads, Read::Interrupted) == reads.len());
    });
}

#[test]
fn an_empty_look_beside_a_close_and_an_arrival() {
    explore(2, || {
        let node = Node::watched();
        let reads = beside(&node, [Node::close, Node::arrive]);
        assert_eq!(reads.last(), Some(&Read::Closed));
        assert!(node.bell().is_rung(), "a closed node is readable for ever");
    });
}

#[test]
fn an_empty_look_beside_a_close_and_an_interrupt() {
    explore(2, || {
        let node = Node::watched();
        let reads = beside(&node, [Node::close, Node::interrupt]);
        assert_eq!(reads.last(), Some(&Read::Closed));
        assert!(node.bell().is_rung(), "a closed node is readable for ever");
    });
}

#[test]
fn a_bell_that_is_asked_for_beside_an_arrival_and_a_read_that_waits() {
    explore(2, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::arrive), start(&node, ask)];
        assert_eq!(node.read(Deadline::Never), Read::Event);
        join(others);
        assert_eq!(check_after_first_look(&node), []);
    });
}

#[test]
fn a_bell_that_is_asked_for_by_two_beside_an_interrupt() {
    explore(2, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::interrupt), start(&node, ask)];
        let same = std::ptr::from_ref(node.bell());
        let mut reads = node.read_all();
        join(others);
        assert!(std::ptr::eq(same, node.bell()), "each caller gets the same");
        reads.extend(check_after_first_look(&node));
        assert_eq!(reads, [Read::Interrupted]);
    });
}

fn ask(node: &Node) {
    node.bell();
}

/// The bell is exact from the first read on that finds nothing.
fn check_after_first_look(node: &Node) -> Vec<Read> {
    assert!(node.bell().is_rung() || !node.has_something(), "an event loop would miss what is there");
    let mut reads = node.read_all();
    reads.extend(check_quiet(node));
    reads
}

/// Waits at the bell, and reads what there is, until so much was read.
fn run_loop(node: &Node, wanted: usize, mut wait: impl FnMut(&Sight)) {
    let mut reads = vec![];
    while reads.len() < wanted {
        wait(&node.descriptor());
        reads.extend(node.read_all());
    }
    assert_eq!(reads.len(), wanted);
}

#[test]
fn a_level_triggered_loop_gets_everything() {
    explore(2, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::arrive), start(&node, Node::arrive)];
        run_loop(&node, 2, Sight::wait_until_readable);
        join(others);
        assert_eq!(check_quiet(&node), []);
    });
}

#[test]
fn a_level_triggered_loop_that_reads_once_each_time_gets_everything() {
    explore(2, || {
        let node = Node::watched();
        let others = [start(&node, Node::arrive), start(&node, Node::arrive)];
        let mut events = 0;
        while events < 2 {
            node.descriptor().wait_until_readable();
            events += usize::from(node.read(Deadline::Passed) == Read::Event);
        }
        join(others);
        assert_eq!(check_after_first_look(&node), []);
    });
}

#[test]
fn a_read_that_waited_leaves_the_bell_rung_for_the_rest() {
    for second in [Node::arrive, Node::interrupt] {
        explore(2, move || {
            let node = Node::watched();
            let others = [start(&node, Node::arrive), start(&node, second)];
            let mut reads = vec![node.read(Deadline::Never)];
            join(others);
            reads.extend(check_quiet(&node));
            assert_eq!(reads.len(), 2);
        });
    }
}

#[test]
fn a_wait_for_a_reply_leaves_the_bell_rung_for_what_it_kept() {
    explore(None, || {
        let node = Node::watched();
        let sender = start(&node, Node::arrive);
        assert_eq!(node.await_reply(Deadline::Passed), Read::TimedOut);
        sender.join().unwrap();
        assert_eq!(check_quiet(&node), [Read::Event]);
    });
}

#[test]
fn a_wait_for_a_reply_that_is_interrupted_leaves_the_bell_rung_for_what_it_kept() {
    explore(2, || {
        let node = Node::watched();
        let others = [start(&node, Node::arrive), start(&node, Node::interrupt)];
        assert_eq!(node.await_reply(Deadline::Never), Read::Interrupted);
        join(others);
        assert_eq!(check_quiet(&node), [Read::Event]);
    });
}

#[test]
fn an_edge_triggered_loop_gets_everything() {
    explore(2, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::arrive), start(&node, Node::interrupt)];
        let mut edges = 0;
        run_loop(&node, 2, |sight| sight.wait_for_edge(&mut edges));
        join(others);
        assert_eq!(check_quiet(&node), []);
    });
}

#[test]
fn an_edge_triggered_loop_gets_everything_when_another_asks_for_the_bell_too() {
    explore(2, || {
        let node = Arc::new(Node::default());
        let others = [start(&node, Node::arrive), start(&node, ask)];
        let mut edges = 0;
        run_loop(&node, 1, |sight| sight.wait_for_edge(&mut edges));
        join(others);
        assert_eq!(check_quiet(&node), []);
    });
}

#[test]
fn an_edge_triggered_loop_is_told_of_the_end() {
    explore(2, || {
        let node = Node::watched();
        let closer = start(&node, Node::close);
        let mut edges = 1;
        run_loop(&node, 1, |sight| sight.wait_for_edge(&mut edges));
        closer.join().unwrap();
        assert_eq!(check_quiet(&node), [Read::Closed]);
    });
}
