//! Reads the events of a script by dora's Rust interface, and does nothing with them.
use dora_node_api::{DoraNode, Event};

fn main() {
    // The script is parsed here, on another thread, as in libdora: what is counted is what the main thread does.
    let begun = std::thread::spawn(DoraNode::init_from_env_force).join().expect("no panic");
    let (_node, mut events) = begun.expect("a node");
    let mut values = 0;
    while let Some(event) = events.recv() {
        if let Event::Input { data, .. } = &event {
            values += data.len();
        }
    }
    println!("{values}");
}
