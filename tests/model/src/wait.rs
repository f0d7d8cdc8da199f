//! The library's own files, and what they expect beside them.

#[path = "../../../src/wait/calls.rs"]
mod calls;
#[path = "../../../src/wait/changes.rs"]
mod changes;
#[path = "../../../src/wait/gate.rs"]
mod gate;
#[path = "../../../src/wait/receive.rs"]
mod receive;

use std::time::Duration;

pub use self::calls::{Call, Calls};
pub use self::changes::Changes;
pub use self::gate::{Gate, Woken};
pub use self::receive::{Look, Unmet};
use crate::ffi::time_is_over;

mod atomic {
    pub use loom::sync::atomic::{AtomicU32, Ordering};
}

/// The end of a wait, the earliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deadline {
    /// That of a call which does not wait.
    Passed,
    /// It comes when a thread of the model lets it, by [`let_time_pass`](crate::ffi::let_time_pass).
    Ahead,
    Never,
}

impl Deadline {
    /// Whatever is ahead comes at once.
    pub fn after_ns(_timeout_ns: i64) -> Self {
        Self::Ahead
    }

    /// The earlier one.
    #[must_use]
    pub fn or_sooner(self, other: Self) -> Self {
        self.min(other)
    }

    pub fn has_passed(self) -> bool {
        match self {
            Self::Never => false,
            Self::Passed => true,
            Self::Ahead => time_is_over(),
        }
    }

    fn time(self) -> Option<Duration> {
        match self {
            Self::Never => None,
            Self::Passed | Self::Ahead => Some(Duration::ZERO),
        }
    }
}
