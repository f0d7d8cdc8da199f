//! dora's Rust interface: sends a vector, which becomes an Arrow array without a copy and a message with one.
use dora_node_api::{DoraNode, MetadataParameters};
use nodes::{Source, now};

fn main() {
    let (mut node, _events) = DoraNode::init_from_env().expect("a node");
    let mut source = Source::new();
    while source.next() {
        let begin = now();
        let mut message = vec![source.pattern(); source.size];
        message[..8].copy_from_slice(&begin.to_ne_bytes());
        node.send_output("data".into(), MetadataParameters::default(), message).expect("sent");
    }
    source.end();
}
