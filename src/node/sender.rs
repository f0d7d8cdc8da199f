//! The sending half of a node, and how a call gets at it.

use std::sync::Mutex;

use super::begin::no_thread;
use super::{being_freed, dora_node_t};
use crate::apart::{Undone, Worker};
use crate::ffi::Scheduling;
use crate::status::{Error, Result};
use crate::transport::Outbox;
use crate::wait::Deadline;

/// The sending half.
pub enum Sender {
    /// Used by the thread that calls; held while a message is handed to dora.
    Here(Box<Mutex<Outbox>>),
    /// Used by a thread of its own, since a call that is stuck in dora could not be left otherwise.
    Apart { worker: Worker<Outbox>, timeout_ns: i64 },
}

impl Sender {
    /// A negative timeout is none.
    pub fn new(outbox: Outbox, timeout_ns: i64, scheduling: &Scheduling) -> Result<Self> {
        if timeout_ns < 0 {
            return Ok(Self::Here(Box::new(Mutex::new(outbox))));
        }
        let worker = Worker::start("dora-send", scheduling, outbox).map_err(|error| no_thread(&error))?;
        Ok(Self::Apart { worker, timeout_ns })
    }

    /// Does something with it. With a timeout the thread that calls may go before `body` does.
    pub fn with<T: Send + 'static>(
        &self,
        node: &dora_node_t,
        body: impl FnOnce(&mut Outbox) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        match self {
            Self::Here(outbox) => {
                let mut outbox = crate::lock(outbox);
                if node.is_closing() { Err(being_freed()) } else { body(&mut outbox) }
            }
            Self::Apart { worker, timeout_ns } => {
                let deadline = Deadline::after_ns(*timeout_ns);
                // One that came meanwhile counts, also when a receive call has taken it since.
                let before = node.gate.interrupts();
                let is_interrupted = || node.gate.is_interrupted() || node.gate.interrupts() != before;
                match worker.run(deadline, is_interrupted, body) {
                    Ok(result) => result,
                    Err(Undone::TimedOut) => Err(Error::timeout()),
                    Err(Undone::Interrupted) => Err(Error::interrupted()),
                    Err(Undone::Closed) => Err(being_freed()),
                }
            }
        }
    }

    /// Has calls that wait look whether they are to return. Async-signal-safe.
    pub fn interrupt(&self) {
        if let Self::Apart { worker, .. } = self {
            worker.tell();
        }
    }

    /// Turns away who waits.
    pub fn close(&self) {
        if let Self::Apart { worker, .. } = self {
            worker.close();
        }
    }
}
