//! Work on a thread of its own, for which the caller waits no longer than it wants.
//!
//! `tests/model` runs the hand-over through the orders of its steps.

mod slot;
mod worker;

pub use self::slot::{Slot, start};
pub use self::worker::{Undone, Worker};

/// What the hand-over is made of; the model in `tests/model` puts its own in their place.
mod sync {
    pub use std::sync::Mutex;
    pub use std::thread::JoinHandle;
}
