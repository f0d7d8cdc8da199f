//! Receiving
//!
//! The main loop of a node: read an event, look at its kind, free it, until the read returns `DORA_CLOSED`.

mod attention;
mod kept;
mod reply;
mod state;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{SystemTime, UNIX_EPOCH};

use dora_message::config::Input;
use dora_node_api::Event;
use dora_node_api::dora_core::config::{DataId, NodeId};

use self::kept::{Kept, input_of};
pub use self::state::*;
use crate::error_text::{ErrorEvent, classify_event};
use crate::event::{InputIds, dora_event_t};
use crate::ffi::{Out, Shared, outcome};
use crate::node::dora_node_t;
use crate::status::{
    DORA_CLOSED, DORA_ERROR_BUSY, DORA_INTERRUPTED, DORA_OK, DORA_TIMEOUT, Error, Result, dora_status_t,
};
use crate::transport::Inbox;
use crate::wait::{Deadline, Look, Unmet};

/// How many events are looked at before others get at the receiving half.
const AT_A_TIME: usize = 64;

/// The receiving half of a node.
pub struct Receiver {
    inbox: Inbox,
    /// What came while a reply was awaited; in front of the inbox.
    kept: Kept,
    ids: InputIds,
    inputs: Inputs,
    /// The last message of each input, where the options ask for it.
    last_values: Option<HashMap<DataId, Event>>,
    /// When nodes were restarted last, as far as that arrived, in milliseconds since the Unix epoch.
    restarts: HashMap<NodeId, u64>,
    /// A stop was delivered: nothing comes any more but what waits.
    stopped: bool,
    /// Nothing comes any more but what is kept.
    closed: bool,
}

impl Receiver {
    pub fn new(inbox: Inbox, inputs: &BTreeMap<DataId, Input>, keeps_last_values: bool) -> Self {
        Self {
            inbox,
            kept: Kept::new(inputs),
            ids: InputIds::default(),
            inputs: Inputs::default(),
            last_values: keeps_last_values.then(HashMap::new),
            restarts: HashMap::new(),
            stopped: false,
            closed: false,
        }
    }

    /// Whether a look would give something.
    fn is_pending(&mut self) -> bool {
        self.closed || self.stopped || !self.kept.is_empty() || !self.inbox.is_empty()
    }

    /// Looks for an event; `None` at the end, for ever.
    fn look(&mut self, node: &dora_node_t) -> Poll<Option<Box<dora_event_t>>> {
        if self.kept.is_empty() {
            return self.take(node).map(|event| event.map(|event| self.deliver(event, node)));
        }
        // What comes now stands in the same queue: it may flush it, or find it full.
        for _ in 0..AT_A_TIME {
            let Poll::Ready(Some(event)) = self.take(node) else { break };
            self.keep(event);
        }
        Poll::Ready(self.kept.next().map(|event| self.deliver(event, node)))
    }

    /// Takes an event from what carries them.
    fn take(&mut self, node: &dora_node_t) -> Poll<Option<Event>> {
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
                Some(Event::NodeRestarted { id }) => drop(self.restarts.insert(id.clone(), unix_ms())),
                None => self.closed = true,
                Some(_) => {}
            }
            event
        })
    }

    /// Makes an event the user's, and notes what it says. It is boxed here, since moving it on is dear.
    fn deliver(&mut self, event: Event, node: &dora_node_t) -> Box<dora_event_t> {
        self.inputs.note(&event, &node.identity, || node.clock.now_ntp64());
        match &event {
            Event::Stop(_) => self.stopped = true,
            Event::Input { id, metadata, data } => {
                node.clock.note(metadata.timestamp().get_time().as_u64());
                if let Some(last_values) = &mut self.last_values {
                    let (id, metadata, data) = (id.clone(), metadata.clone(), data.clone());
                    last_values.insert(id.clone(), Event::Input { id, metadata, data });
                }
            }
            _ => {}
        }
        Box::new(dora_event_t::new(event, &mut self.ids))
    }

    /// Keeps an event for a later look.
    fn keep(&mut self, event: Event) {
        if let Some(lost) = self.kept.keep(event) {
            self.inputs.note_lost(input_of(&lost));
        }
    }
}

fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
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

/// Receives by looks that are under the lock; the waits between them are not.
fn receive<T>(
    node: &dora_node_t,
    deadline: Deadline,
    mut look: impl FnMut(&mut Receiver) -> Poll<T>,
) -> std::result::Result<T, dora_status_t> {
    let found = node.gate.receive(deadline, || {
        let mut receiver = crate::lock(&node.receiver);
        match look(&mut receiver) {
            Poll::Ready(found) => Look::Found(found),
            Poll::Pending if receiver.kept.is_empty() => Look::Empty,
            Poll::Pending => Look::Kept,
        }
    });
    found.map_err(|unmet| match unmet {
        Unmet::Closing => DORA_CLOSED,
        Unmet::Interrupted => DORA_INTERRUPTED,
        Unmet::TimedOut => DORA_TIMEOUT,
    })
}

/// Takes the next event, and waits for one if there is none.
///
/// Between inputs dora is fair. Messages of one input come in order, except that one which found dora's
/// shared memory full may be overtaken. Events that are no inputs come before inputs that are waiting, except
/// that on the fast lane the end of an input, and the restart or the failure of its sender, come behind the
/// messages that it sent before.
///
/// After a stop, the inputs that were queued are still delivered; then, and for ever after, the call
/// returns `DORA_CLOSED` at once. When the connection to the daemon is lost, one `DORA_EVENT_ERROR` comes,
/// then `DORA_CLOSED`; inputs that were queued are not delivered.
///
/// Messages can be lost without a sign: an input keeps ten unless the dataflow's `queue_size` says more,
/// and drops the oldest; dora's direct path drops under congestion, and its daemon when more than 1,000
/// events wait for a node that does not take them. Where nothing may be lost, set `queue_policy:
/// backpressure`, which takes the daemon's path, with a `queue_size` that holds what can pile up. Number
/// messages to notice. On the fast lane only a full queue loses any, and `dora_node_dropped` counts each.
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
/// @return  `DORA_OK`; `DORA_TIMEOUT`: nothing came in time; `DORA_INTERRUPTED`: `dora_node_interrupt` was
///          called; `DORA_CLOSED`: nothing will come; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_BUSY`: another
///          thread is in a receive call of this node.
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
        match receive(node, Deadline::after_ns(timeout_ns), |receiver| receiver.look(node)) {
            Ok(Some(event)) => {
                out.set(Some(event));
                Ok(DORA_OK)
            }
            Ok(None) => Ok(DORA_CLOSED),
            Err(outcome) => Ok(outcome),
        }
    })
}
