//! Where the end of a node waits for the calls in progress.

use super::atomic::{AtomicU32, Ordering};
use crate::ffi::{futex_wait, futex_wake};

/// Counts the calls in progress on a node, so that its memory goes after the last of them.
#[derive(Debug, Default)]
pub struct Calls {
    state: AtomicU32,
}

/// A call in progress.
#[derive(Debug)]
pub struct Call<'a>(&'a Calls);

impl Calls {
    const CLOSING: u32 = 1 << 31;

    /// Begins a call, unless the node is closing.
    pub fn enter(&self) -> Option<Call<'_>> {
        let call = Call(self);
        let before = self.state.fetch_add(1, Ordering::AcqRel);
        (before & Self::CLOSING == 0).then_some(call)
    }

    pub fn are_closing(&self) -> bool {
        self.state.load(Ordering::Acquire) & Self::CLOSING != 0
    }

    /// Lets no further call begin.
    pub fn close(&self) {
        self.state.fetch_or(Self::CLOSING, Ordering::AcqRel);
    }

    /// Waits until no call is in progress.
    pub fn wait_until_done(&self) {
        loop {
            let state = self.state.load(Ordering::Acquire);
            if state & !Self::CLOSING == 0 {
                return;
            }
            futex_wait(&self.state, state, None);
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let state = &self.0.state;
        let before = state.fetch_sub(1, Ordering::AcqRel);
        if before == Calls::CLOSING | 1 {
            // The node may be gone by now; its address is only the key under which the waiter is found.
            futex_wake(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    #[test]
    fn the_end_waits_for_calls_in_progress() {
        let calls = Calls::default();
        let call = calls.enter().unwrap();
        calls.close();
        assert!(calls.enter().is_none());
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                ended.store(true, Ordering::Relaxed);
                drop(call);
            });
            calls.wait_until_done();
            assert!(ended.load(Ordering::Relaxed));
        });
    }
}
