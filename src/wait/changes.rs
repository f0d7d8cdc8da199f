//! Where several threads wait for something that is behind a lock to change.

use super::Deadline;
use super::atomic::{AtomicU32, Ordering};
use crate::ffi::{futex_wait, futex_wake};

/// A number that grows with each change. It takes the place of a condition variable where a signal handler
/// may be the one who tells.
#[derive(Debug, Default)]
pub struct Changes {
    count: AtomicU32,
}

impl Changes {
    /// To be asked for before the look at what may change.
    pub fn seen(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    /// Says that something changed. Async-signal-safe.
    pub fn tell(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
        futex_wake(&self.count);
    }

    /// Looks, and looks again behind each change; nothing at the deadline.
    pub fn await_until<T>(&self, deadline: Deadline, mut look: impl FnMut() -> Option<T>) -> Option<T> {
        loop {
            let seen = self.seen();
            if let Some(found) = look() {
                return Some(found);
            }
            if deadline.has_passed() {
                return None;
            }
            self.wait(seen, deadline);
        }
    }

    /// Sleeps until something changed since `seen`, or the time has come.
    pub fn wait(&self, seen: u32, deadline: Deadline) {
        futex_wait(&self.count, seen, deadline.time());
    }
}
