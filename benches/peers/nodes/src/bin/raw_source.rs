//! dora's Rust interface: writes bytes where they are sent from.
use dora_node_api::{DoraNode, MetadataParameters};
use nodes::{Source, now};

fn main() {
    let (mut node, _events) = DoraNode::init_from_env().expect("a node");
    let mut source = Source::new();
    while source.next() {
        let begin = now();
        let (size, pattern) = (source.size, source.pattern());
        node.send_output_raw("data".into(), MetadataParameters::default(), size, |message| {
            message.fill(pattern);
            message[..8].copy_from_slice(&begin.to_ne_bytes());
        })
        .expect("sent");
    }
    source.end();
}
