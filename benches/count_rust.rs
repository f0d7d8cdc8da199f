//! Reads the events of a script by dora's Rust API, and does nothing with them.
use dora_node_api::{DoraNode, Event};

fn main() {
    let (_node, mut events) = DoraNode::init_from_env_force().expect("a node");
    let mut elements = 0;
    while let Some(event) = events.recv() {
        if let Event::Input { data, .. } = &event {
            elements += data.len();
        }
    }
    println!("{elements}");
}
