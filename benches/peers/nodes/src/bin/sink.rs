//! dora's Rust interface: reads bytes where they lie.
use dora_node_api::{DoraNode, Event};
use nodes::Sink;

fn main() {
    let (_node, mut events) = DoraNode::init_from_env().expect("a node");
    let mut sink = Sink::new();
    while let Some(event) = events.recv() {
        if !sink.event() {
            break;
        }
        if let Event::Input { data, .. } = &event {
            sink.message(data.try_into().expect("bytes"));
        }
    }
    sink.end();
}
