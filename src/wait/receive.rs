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
        let mut has_answered = false;
        loop {
            self.arm();
            if self.is_closed() {
                return Err(Unmet::Closing);
            }
            if self.take_interrupt() {
                return Err(Unmet::Interrupted);
            }
            match look() {
                Look::Found(found) => return Ok(found),
                Look::Empty if !std::mem::replace(&mut has_answered, true) && self.answer_door() => continue,
                Look::Empty if !self.quiet() => continue,
                Look::Empty | Look::Kept => {}
            }
            match self.wait(deadline) {
                Woken::Ready => has_answered = false,
                Woken::Closing => return Err(Unmet::Closing),
                Woken::TimedOut => return Err(Unmet::TimedOut),
            }
        }
    }
}
