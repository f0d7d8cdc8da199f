//! Stand-ins for what the kernel gives: futexes, a clock, descriptors, threads.

mod tower;

use std::collections::BTreeMap;
use std::io;
use std::ptr;
use std::sync::PoisonError;
use std::time::Duration;

use loom::sync::atomic::{AtomicU32, Ordering};
use loom::sync::{Condvar, Mutex};
use loom::thread::{self, JoinHandle};

pub use self::tower::{Bell, Door, Pipe, Sight};
use crate::lock;

loom::lazy_static! {
    /// One in each run of a model.
    static ref KERNEL: Kernel = Kernel::default();
}

#[derive(Default)]
struct Kernel {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// How often somebody woke who sleeps at an address.
    wakes: BTreeMap<usize, u32>,
    sleepers: u32,
    time_is_over: bool,
}

impl State {
    fn wakes(&mut self, word: &AtomicU32) -> &mut u32 {
        self.wakes.entry(ptr::from_ref(word).addr()).or_default()
    }

    /// Has who sleeps look. Where nobody does, that is no step, which would double the orders to run through.
    fn rouse(&self) {
        if self.sleepers > 0 {
            KERNEL.changed.notify_all();
        }
    }
}

/// Sleeps while `word` is `expected`, until it is woken, or the time is over where there is a limit. Unlike the
/// kernel it never returns for no reason: that could hide a wake that was forgotten.
pub fn futex_wait(word: &AtomicU32, expected: u32, limit: Option<Duration>) {
    let mut state = lock(&KERNEL.state);
    if word.load(Ordering::Acquire) != expected {
        return;
    }
    let before = *state.wakes(word);
    state.sleepers += 1;
    while *state.wakes(word) == before && !(limit.is_some() && state.time_is_over) {
        state = KERNEL.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    state.sleepers -= 1;
}

pub fn futex_wake(word: &AtomicU32) {
    let mut state = lock(&KERNEL.state);
    *state.wakes(word) += 1;
    state.rouse();
}

/// Lets the time come that deadlines ahead are at.
pub fn let_time_pass() {
    let mut state = lock(&KERNEL.state);
    state.time_is_over = true;
    state.rouse();
}

pub fn time_is_over() -> bool {
    lock(&KERNEL.state).time_is_over
}

/// How and where threads run, which changes nothing that a model sees.
#[derive(Clone, Debug)]
pub struct Scheduling;

impl Scheduling {
    pub fn apply(&self) -> io::Result<()> {
        Ok(())
    }
}

pub fn spawn_undisturbed<T: 'static>(
    _name: &str,
    body: impl FnOnce() -> T + 'static,
) -> io::Result<JoinHandle<T>> {
    Ok(thread::spawn(body))
}
