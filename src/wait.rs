//! Waiting: until when, and where.
//!
//! Each place is one futex word: nothing is polled, and a deadline is the kernel's own.

mod calls;
mod changes;
mod gate;
mod receive;

use std::time::Duration;

pub use self::calls::{Call, Calls};
pub use self::changes::Changes;
pub use self::gate::{Gate, Woken};
pub use self::receive::{Look, Unmet};
use crate::ffi::monotonic_now;

/// What the words are made of; the model in `tests/model` puts its own in their place.
mod atomic {
    pub use std::sync::atomic::{AtomicU32, Ordering};
}

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

    /// The earlier one.
    pub fn or_sooner(self, other: Self) -> Self {
        match (self, other) {
            (Self::At(time), Self::At(other)) => Self::At(time.min(other)),
            (Self::Never, deadline) | (deadline, Self::Never) => deadline,
        }
    }

    /// The time on the clock; `None` is for ever.
    pub fn time(self) -> Option<Duration> {
        match self {
            Self::Never => None,
            Self::At(time) => Some(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_never_overflows() {
        assert!(!Deadline::after_ns(i64::MAX).has_passed());
        assert!(!Deadline::after_ns(i64::MIN).has_passed());
        assert!(Deadline::after_ns(0).has_passed());
    }

    #[test]
    fn a_deadline_is_only_brought_forward() {
        let soon = Deadline::after_ns(0);
        assert!(Deadline::Never.or_sooner(soon).has_passed());
        assert!(soon.or_sooner(Deadline::after_ns(i64::MAX)).has_passed());
        assert!(!Deadline::Never.or_sooner(Deadline::Never).has_passed());
    }
}
