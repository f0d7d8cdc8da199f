//! The protocol by which the library waits, as a model that loom runs through every order of its steps.
//!
//! The files of `src/wait/` are compiled as they are, against loom's atomics and the stand-ins of [`ffi`]. What
//! stands around them in the library, the beginning of a call and the channel that dora fills, is rebuilt in
//! [`node`], as small as it can be. A model that sleeps for ever is a deadlock, and fails.

pub mod ffi;
pub mod node;
pub mod wait;

use std::sync::Arc;

use loom::thread::{self, JoinHandle};

use self::node::Node;

/// Runs a model through every order of its steps, or through those in which a thread that could go on is put
/// aside at most so many times.
pub fn explore(preemptions: impl Into<Option<usize>>, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(preemptions.into());
    builder.check(model);
}

/// Begins a thread that does something with a node.
pub fn start<T: 'static>(node: &Arc<Node>, body: impl Fn(&Node) -> T + 'static) -> JoinHandle<T> {
    let node = node.clone();
    thread::spawn(move || body(&node))
}

pub fn join<T, const N: usize>(threads: [JoinHandle<T>; N]) {
    for thread in threads {
        thread.join().expect("a panic of a thread is one of the model");
    }
}
