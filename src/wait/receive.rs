//! How a receive call looks and waits in turn.

use super::{Deadline, Gate, Woken};

/// What a look gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look<T> {
    Found(T),
    /// Nothing, for anybody.
    Empty,
    /// Nothing for this call, but something for the next.
    Kept,
}

/// How a receive call ended that found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    Closing,
    Interrupted,
    TimedOut,
}

impl Gate {
    /// Looks and waits in turn, until a look finds something. An interrupt goes before what is there, the end
    /// of the node before both. The bell is silenced by a look that finds nothing for anybody.
    pub fn receive<T>(&self, deadline: Deadline, mut look: impl FnMut() -> Look<T>) -> Result<T, Unmet> {
        loop {
            self.arm();
            if self.is_closed() {
                return Err(Unmet::Closing);
            }
            if self.take_interrupt() {
                return Err(Unmet::Interrupted);
            }
            match self.look_at_door(&mut look) {
                Look::Found(found) => return Ok(found),
                Look::Empty if !self.quiet() => continue,
                Look::Empty | Look::Kept => {}
            }
            match self.wait(deadline) {
                Woken::Ready => {}
                Woken::Closing => return Err(Unmet::Closing),
                Woken::TimedOut => return Err(Unmet::TimedOut),
            }
        }
    }

    /// Looks, and where that finds nothing, once more behind the answer to who is at the door.
    fn look_at_door<T>(&self, look: &mut impl FnMut() -> Look<T>) -> Look<T> {
        match look() {
            Look::Empty if self.answer_door() => {}
            looked => return looked,
        }
        let looked = look();
        if !matches!(looked, Look::Empty) {
            // More may have come than this took, and an event loop no longer sees it at the door.
            self.tell();
        }
        looked
    }
}
