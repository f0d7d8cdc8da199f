//! Receiving
//!
//! The main loop of a node: read an event, look at its kind, free it, until the read returns `DORA_CLOSED`.

mod state;

use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use dora_node_api::Event;

pub use self::state::*;
use crate::error_text::{ErrorEvent, classify_event};
use crate::event::{InputIds, dora_event_t};
use crate::ffi::{Out, Shared, outcome};
use crate::node::dora_node_t;
use crate::status::{DORA_CLOSED, DORA_ERROR_BUSY, DORA_OK, DORA_TIMEOUT, Error, Result, dora_status_t};
use crate::transport::Inbox;
use crate::wait::{Deadline, Woken};

/// The receiving half of a node.
pub struct Receiver {
    inbox: Inbox,
    ids: InputIds,
    inputs: Inputs,
    /// A stop was delivered: nothing comes any more but what waits.
    stopped: bool,
    /// Nothing comes any more.
    closed: bool,
}

impl Receiver {
    pub fn new(inbox: Inbox) -> Self {
        Self { inbox, ids: InputIds::default(), inputs: Inputs::default(), stopped: false, closed: false }
    }

    /// Whether a look would give something.
    fn is_pending(&self) -> bool {
        self.closed || self.stopped || !self.inbox.is_empty()
    }

    /// Looks for an event; `None` at the end, for ever.
    fn look(&mut self, node: &dora_node_t) -> Poll<Option<dora_event_t>> {
        if self.closed {
            return Poll::Ready(None);
        }
        self.inbox.poll(&node.waker).map(|event| {
            match &event {
                Some(Event::Error(text)) if classify_event(text) == ErrorEvent::DaemonLost => {
                    // dora would wait for ever for a connection that nobody opens again.
                    node.mark_lost();
                    self.closed = true;
                }
                Some(Event::Stop(_)) => self.stopped = true,
                Some(event) => self.inputs.note(event, &node.identity),
                None => self.closed = true,
            }
            event.map(|event| dora_event_t::new(event, &mut self.ids))
        })
    }
}

/// The right to receive; one call has it at a time.
struct Turn<'a>(&'a AtomicBool);

impl<'a> Turn<'a> {
    fn take(reading: &'a AtomicBool) -> Result<Self> {
        if reading.swap(true, Ordering::Acquire) {
            return Err(Error::new(
                DORA_ERROR_BUSY,
                "another thread is in a receive call of this node: receive on one and hand the events on",
            ));
        }
        Ok(Self(reading))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Looks and waits in turn: the look is under the lock, the wait is not.
fn read(node: &dora_node_t, timeout_ns: i64) -> std::result::Result<dora_event_t, dora_status_t> {
    let deadline = Deadline::after_ns(timeout_ns);
    loop {
        node.gate.arm();
        if node.is_closing() {
            return Err(DORA_CLOSED);
        }
        if let Poll::Ready(event) = crate::lock(&node.receiver).look(node) {
            return event.ok_or(DORA_CLOSED);
        }
        match node.gate.wait(deadline) {
            Woken::Ready => {}
            Woken::Closing => return Err(DORA_CLOSED),
            Woken::TimedOut => return Err(DORA_TIMEOUT),
        }
    }
}

/// Takes the next event, and waits for one if there is none.
///
/// Between inputs dora is fair. Messages of one input come in order, except that one which found dora's
/// shared memory full may be overtaken. Events that are no inputs come before inputs that are waiting.
///
/// After a stop, the inputs that were queued are still delivered; then, and for ever after, the call
/// returns `DORA_CLOSED` at once. When the connection to the daemon is lost, one `DORA_EVENT_ERROR` comes,
/// then `DORA_CLOSED`; inputs that were queued are not delivered.
///
/// Messages can be lost without a sign: an input keeps ten unless the dataflow's `queue_size` says more,
/// and drops the oldest; dora's direct path drops under congestion, and its daemon when more than 1,000
/// events wait for a node that does not take them. Where nothing may be lost, set `queue_policy:
/// backpressure`, which takes the daemon's path, with a `queue_size` that holds what can pile up. Number
/// messages to notice.
///
/// Under `dora run`, dora kills the process group of a node with SIGKILL as soon as `dora run` itself is
/// gone: then no event comes. Under `dora up` and `dora start` a node outlives its daemon. Do not rely on a
/// program to bring hardware into a safe state.
///
/// @param node        Not NULL.
/// @param timeout_ns  Nanoseconds; 0 returns at once, a negative value such as `DORA_FOREVER` waits for
///                    ever.
/// @param event       Not NULL; gets the event with `DORA_OK`, else NULL. The caller ends it with
///                    `dora_event_free`.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: nothing came in time; `DORA_CLOSED`: nothing will come;
///          `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_BUSY`: another thread is in a receive call of this node.
///
/// Any thread, one at a time; a send on another thread does not wait for it. Waiting takes no processor
/// time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn read_dora_event(
    node: Shared<'_, dora_node_t>,
    timeout_ns: i64,
    event: Out<'_, Option<Box<dora_event_t>>>,
) -> dora_status_t {
    event.set(None);
    outcome(|| {
        let node = node.required("node")?;
        let out = event.required("event")?;
        let Ok(_call) = node.enter() else { return Ok(DORA_CLOSED) };
        let _turn = Turn::take(&node.reading)?;
        match read(node, timeout_ns) {
            Ok(event) => {
                out.set(Some(Box::new(event)));
                Ok(DORA_OK)
            }
            Err(outcome) => Ok(outcome),
        }
    })
}
