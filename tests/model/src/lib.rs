//! The protocol by which the library waits, as a model that loom runs through every order of its steps.
//!
//! The files of `src/wait/` and `src/apart/` are compiled as they are, against loom's atomics and locks and the
//! stand-ins of [`ffi`]. What stands around them in the library, the beginning of a call, the channel that dora
//! fills, the messages of other processes, the way of a send to its thread, is rebuilt in [`node`] and [`sending`],
//! as small as it can be. A model that sleeps for ever is a deadlock, and fails.

pub mod apart;
pub mod ffi;
pub mod node;
pub mod sending;
pub mod status;
pub mod wait;

use std::sync::{Arc, PoisonError};

use loom::sync::{Mutex, MutexGuard};
use loom::thread::{self, JoinHandle};

/// Runs a model through every order of its steps, or through those in which a thread that could go on is put
/// aside at most so many times.
pub fn explore(preemptions: impl Into<Option<usize>>, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(preemptions.into());
    builder.check(model);
}

/// Begins a thread that does something with what is shared.
pub fn start<S: 'static, T: 'static>(shared: &Arc<S>, body: impl FnOnce(&S) -> T + 'static) -> JoinHandle<T> {
    let shared = shared.clone();
    thread::spawn(move || body(&shared))
}

pub fn join<T, const N: usize>(threads: [JoinHandle<T>; N]) {
    for thread in threads {
        thread.join().expect("a panic of a thread is one of the model");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
