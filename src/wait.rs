//! Where a read waits, and where the end of a node waits for the calls in progress.
//!
//! Both are one futex word: nothing is polled, and a deadline is the kernel's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Wake;
use std::time::Duration;

use crate::ffi::{futex_wait, futex_wake, monotonic_now};

/// The end of a wait.
#[derive(Clone, Copy, Debug)]
pub enum Deadline {
    Never,
    /// A time since the start of `CLOCK_MONOTONIC`.
    At(Duration),
}

impl Deadline {
    /// `timeout_ns` from now; negative is never, and so is what lies beyond the clock.
    pub fn after_ns(timeout_ns: i64) -> Self {
        u64::try_from(timeout_ns)
            .ok()
            .and_then(|timeout| monotonic_now().checked_add(Duration::from_nanos(timeout)))
            .map_or(Self::Never, Self::At)
    }

    pub fn has_passed(self) -> bool {
        match self {
            Self::Never => false,
            Self::At(time) => monotonic_now() >= time,
        }
    }

    /// What is left; `None` is for ever.
    pub fn remaining(self) -> Option<Duration> {
        self.time().map(|time| time.saturating_sub(monotonic_now()))
    }

    fn time(self) -> Option<Duration> {
        match self {
            Self::Never => None,
            Self::At(time) => Some(time),
        }
    }
}

/// Why a wait at a [`Gate`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// Something may have arrived since [`Gate::arm`].
    Ready,
    /// The node is being freed.
    Closing,
    TimedOut,
}

impl Woken {
    pub fn is_ready(self) -> bool {
        self == Self::Ready
    }
}

/// Where the one reader of a node waits. It is the waker that dora's receiving future gets.
#[derive(Debug, Default)]
pub struct Gate {
    state: AtomicU32,
}

impl Gate {
    /// Something may have arrived.
    const READY: u32 = 1;
    /// The node is being freed; never taken back.
    const CLOSING: u32 = 2;
    /// The reader sleeps or is about to.
    const WAITING: u32 = 4;

    /// Forgets earlier wakes. Called before looking for an event, so that what arrives behind the look is
    /// seen.
    pub fn arm(&self) {
        self.state.fetch_and(!Self::READY, Ordering::AcqRel);
    }

    /// Wakes the reader for good.
    pub fn close(&self) {
        self.signal(Self::CLOSING);
    }

    /// Sleeps until something may have arrived since [`arm`](Self::arm), the node closes or the time has
    /// come.
    pub fn wait(&self, deadline: Deadline) -> Woken {
        loop {
            let state = self.state.fetch_or(Self::WAITING, Ordering::AcqRel) | Self::WAITING;
            let woken = if state & Self::CLOSING != 0 {
                Some(Woken::Closing)
            } else if state & Self::READY != 0 {
                Some(Woken::Ready)
            } else if deadline.has_passed() {
                Some(Woken::TimedOut)
            } else {
                None
            };
            if let Some(woken) = woken {
                self.state.fetch_and(!Self::WAITING, Ordering::AcqRel);
                return woken;
            }
            futex_wait(&self.state, state, deadline.time());
        }
    }

    fn signal(&self, bit: u32) {
        let before = self.state.fetch_or(bit, Ordering::AcqRel);
        if before & Self::WAITING != 0 && before & bit == 0 {
            futex_wake(&self.state);
        }
    }
}

impl Wake for Gate {
    fn wake(self: Arc<Self>) {
        self.signal(Self::READY);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.signal(Self::READY);
    }
}

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
    use std::time::Instant;

    #[test]
    fn a_wake_before_the_wait_is_seen() {
        let gate = Arc::new(Gate::default());
        gate.arm();
        gate.wake_by_ref();
        assert_eq!(gate.wait(Deadline::Never), Woken::Ready);
        gate.arm();
        assert_eq!(gate.wait(Deadline::after_ns(0)), Woken::TimedOut);
    }

    #[test]
    fn a_wake_from_another_thread_ends_the_wait() {
        let gate = Arc::new(Gate::default());
        gate.arm();
        let other = std::thread::spawn({
            let gate = gate.clone();
            move || {
                std::thread::sleep(Duration::from_millis(20));
                gate.wake();
            }
        });
        assert_eq!(gate.wait(Deadline::Never), Woken::Ready);
        other.join().unwrap();
    }

    #[test]
    fn a_closed_gate_stays_closed() {
        let gate = Arc::new(Gate::default());
        gate.close();
        gate.wake_by_ref();
        for _ in 0..3 {
            gate.arm();
            assert_eq!(gate.wait(Deadline::Never), Woken::Closing);
        }
    }

    #[test]
    fn a_timeout_is_kept_and_never_overflows() {
        let gate = Gate::default();
        let start = Instant::now();
        assert_eq!(gate.wait(Deadline::after_ns(20_000_000)), Woken::TimedOut);
        assert!(start.elapsed() >= Duration::from_millis(20));
        assert!(!Deadline::after_ns(i64::MAX).has_passed());
        assert!(!Deadline::after_ns(i64::MIN).has_passed());
        assert!(Deadline::after_ns(0).has_passed());
    }

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
