//! The end of a node waits for the calls in progress, and nothing uses it afterwards.

use std::sync::Arc;

use dora_model::node::{Node, Read};
use dora_model::wait::Deadline;
use dora_model::{explore, join, start};

#[test]
fn the_end_waits_for_calls_and_refuses_those_that_come_later() {
    explore(3, || {
        let node = Arc::new(Node::default());
        let calls = [(); 2].map(|()| start(&node, |node| node.call(|_| ())));
        node.close();
        node.free();
        assert_eq!(node.call(|_| ()), None);
        join(calls);
    });
}

#[test]
fn the_end_waits_for_a_read_that_waits() {
    explore(None, || {
        let node = Arc::new(Node::default());
        let reader = start(&node, |node| node.call(|node| node.read(Deadline::Never)));
        node.close();
        node.free();
        assert!(matches!(reader.join().unwrap(), None | Some(Read::Closed)));
    });
}

fn the_end_waits_for_a_read_and_an_interrupt_of(node: impl Fn() -> Arc<Node> + Send + Sync + 'static) {
    explore(2, move || {
        let node = node();
        let reader = start(&node, |node| node.call(|node| node.read(Deadline::Never)));
        let other = start(&node, Node::interrupt);
        node.close();
        node.free();
        assert!(matches!(reader.join().unwrap(), None | Some(Read::Closed | Read::Interrupted)));
        other.join().unwrap();
    });
}

#[test]
fn the_end_waits_for_a_read_and_an_interrupt() {
    the_end_waits_for_a_read_and_an_interrupt_of(|| Arc::new(Node::default()));
}

#[test]
fn the_end_waits_for_a_read_of_a_watched_node() {
    the_end_waits_for_a_read_and_an_interrupt_of(Node::watched);
}
