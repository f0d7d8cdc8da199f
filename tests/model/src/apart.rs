//! The library's own files, and what they expect beside them.

#[path = "../../../src/apart/slot.rs"]
mod slot;
#[path = "../../../src/apart/worker.rs"]
mod worker;

pub use self::slot::{Slot, start};
pub use self::worker::{Undone, Worker};

mod sync {
    pub use loom::sync::Mutex;
    pub use loom::thread::JoinHandle;
}
