//! Where a reader sleeps that other processes wake too.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use super::{Bell, Either, Pipe, wait_readable};

/// A pipe in which other processes leave a byte for the reader, and a bell by which this one wakes it.
#[derive(Debug)]
pub struct Door {
    pipe: Pipe,
    bell: Bell,
    /// The pipe and the bell of an event loop, in one descriptor.
    either: OnceLock<Either>,
}

impl Door {
    pub fn new(pipe: Pipe) -> io::Result<Self> {
        let bell = Bell::new()?;
        bell.silence();
        Ok(Self { pipe, bell, either: OnceLock::new() })
    }

    /// Sleeps until somebody wakes the reader or the time has come. True when somebody is at the door.
    pub fn sleep(&self, monotonic: Option<Duration>) -> bool {
        let [called, woken] = wait_readable([self.pipe.descriptor(), self.bell.descriptor()], monotonic);
        if woken {
            self.bell.silence();
        }
        called
    }

    /// Wakes the reader from within this process. One system call, so it may be called from a signal handler.
    pub fn wake(&self) {
        self.bell.ring();
    }

    /// Takes away what was left; whether there was anything.
    pub fn drain(&self) -> bool {
        self.pipe.drain()
    }

    /// A descriptor that is readable when somebody is at the door, or a bell is rung.
    pub fn with(&self, bell: &Bell) -> io::Result<i32> {
        if let Some(either) = self.either.get() {
            return Ok(either.descriptor());
        }
        let made = Either::of(bell.descriptor(), self.pipe.descriptor())?;
        // Another thread may have been faster; then its descriptor is the one.
        Ok(self.either.get_or_init(|| made).descriptor())
    }
}
