//! Events of two ways in one order: dora's own, and the fast lane's messages.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use dora_message::metadata::{FLUSH, get_bool_param};
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{Event, EventStream, StopCause};

use super::lane::{Input, Look};

#[cfg(test)]
mod tests;

/// The receiving half of a node.
pub struct Inbox {
    stream: EventStream,
    /// By which dora says that it has something; made when it is first asked.
    call: Option<(Arc<Call>, Waker)>,
    /// Those whose messages may come by the lane.
    inputs: Vec<Input>,
    /// The input that is looked at next, so that each gets its turn.
    turn: usize,
    /// The next message of dora, which waits for its turn.
    message: Option<Event>,
    is_dora_next: bool,
    held: Option<Held>,
}

/// Wakes the reader, and notes that dora did.
struct Call {
    is_due: AtomicBool,
    reader: Waker,
}

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_due.store(true, Ordering::Release);
        self.reader.wake_by_ref();
    }
}

/// What dora said while the lane had messages that come before it.
struct Held {
    /// `None` is the end.
    event: Option<Event>,
    /// How many messages of each input come before it, at most.
    before: Vec<usize>,
    /// Whether those of a new run of the sender are among them.
    is_last: bool,
}

impl Inbox {
    pub fn new(stream: EventStream, inputs: Vec<Input>) -> Self {
        Self { stream, call: None, inputs, turn: 0, message: None, is_dora_next: false, held: None }
    }

    /// The next event, `None` at the end, or pending: `waker` is then woken when it is worth looking again.
    pub fn poll(&mut self, waker: &Waker) -> Poll<Option<Event>> {
        if self.inputs.is_empty() {
            return self.poll_dora(waker);
        }
        loop {
            if self.held.is_some() {
                return Poll::Ready(self.look_before_held());
            }
            // Also when it is the lane's turn: what is no message goes before all messages.
            if self.message.is_none()
                && let Poll::Ready(event) = self.poll_dora_when_called(waker)
            {
                match event {
                    Some(Event::Input { .. }) => {
                        self.flush(event.as_ref());
                        self.message = event;
                    }
                    _ if self.waits_for_lane(event.as_ref()) => {
                        self.hold(event);
                        continue;
                    }
                    _ => return Poll::Ready(event),
                }
            }
            // A new run of a sender begins when all that dora had of the run before was read.
            self.is_dora_next = !self.is_dora_next && self.message.is_some();
            if !self.is_dora_next
                && let Some(event) = self.look_at_lane(self.message.is_none())
            {
                return Poll::Ready(Some(event));
            }
            let Some(message) = self.message.take() else { return Poll::Pending };
            if !self.waits_for_lane(Some(&message)) {
                return Poll::Ready(Some(message));
            }
            self.hold(Some(message));
        }
    }

    fn waits_for_lane(&self, event: Option<&Event>) -> bool {
        self.inputs.iter().any(|input| comes_before(input, event))
    }

    /// The future is polled once and dropped. That loses nothing: dora takes an event out of its channel
    /// only in a poll that gets it, and the channel keeps the waker.
    fn poll_dora(&mut self, waker: &Waker) -> Poll<Option<Event>> {
        pin!(self.stream.recv_async()).poll(&mut Context::from_waker(waker))
    }

    /// The same beside the lane: where it was pending, only when dora has called since, so that a message of the
    /// lane is not kept waiting by a look at dora.
    fn poll_dora_when_called(&mut self, waker: &Waker) -> Poll<Option<Event>> {
        let (call, waker) = self.call.get_or_insert_with(|| {
            let call = Arc::new(Call { is_due: AtomicBool::new(true), reader: waker.clone() });
            (call.clone(), Waker::from(call))
        });
        if !call.is_due.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let (call, waker) = (call.clone(), waker.clone());
        let polled = self.poll_dora(&waker);
        if polled.is_ready() {
            // There may be more.
            call.is_due.store(true, Ordering::Release);
        }
        polled
    }

    /// The next message of the lane, of each input in turn.
    fn look_at_lane(&mut self, may_begin: bool) -> Option<Event> {
        for _ in 0..self.inputs.len() {
            let turn = self.turn;
            self.turn = (turn + 1) % self.inputs.len();
            if let Look::Event(event) = self.inputs[turn].look(may_begin) {
                return Some(event);
            }
        }
        None
    }

    /// Forgets what an input has on the lane before a message of dora that empties its queue.
    fn flush(&mut self, event: Option<&Event>) {
        let Some(Event::Input { id, metadata, .. }) = event else { return };
        if get_bool_param(&metadata.parameters, FLUSH) == Some(true) {
            let inputs = self.inputs.iter_mut().filter(|input| input.id() == id);
            inputs.for_each(|input| while let Look::Event(_) = input.look(false) {});
        }
    }

    /// What comes before the event that is held, and then that.
    fn look_before_held(&mut self) -> Option<Event> {
        let held = self.held.as_mut()?;
        for (input, before) in self.inputs.iter_mut().zip(&mut held.before) {
            while *before > 0 {
                *before -= 1;
                match input.look(held.is_last) {
                    Look::Event(event) => return Some(event),
                    Look::NewRun | Look::Nothing => *before = 0,
                }
            }
        }
        let event = self.held.take()?.event;
        if let Some(Event::NodeRestarted { id }) = &event {
            self.inputs.iter_mut().filter(|input| input.is_fed_by(id)).for_each(Input::let_new_run_begin);
        }
        event
    }

    /// Keeps what dora said behind what the lane has of it at the moment.
    fn hold(&mut self, event: Option<Event>) {
        let most = |input: &Input| {
            if comes_before(input, event.as_ref()) { input.waiting_at_most() } else { 0 }
        };
        let before = self.inputs.iter().map(most).collect();
        // Behind these comes nothing of a sender.
        let is_last = matches!(event, Some(Event::InputClosed { .. } | Event::Stop(_)) | None);
        self.held = Some(Held { event, before, is_last });
    }

    /// Whether no event waits.
    pub fn is_empty(&mut self) -> bool {
        self.held.is_none()
            && self.message.is_none()
            && self.stream.is_empty()
            && self.inputs.iter_mut().all(Input::is_empty)
    }

    /// How many messages each input has lost since the last call, control events under an id of dora's own.
    pub fn take_dropped(&mut self) -> HashMap<DataId, u64> {
        let mut dropped = self.stream.drain_drop_counts();
        for input in &mut self.inputs {
            let lost = input.take_lost();
            if lost > 0 {
                *dropped.entry(input.id().clone()).or_default() += lost;
            }
        }
        dropped
    }
}

/// Whether the messages that an input has on the lane come before an event of dora; `None` is the end. Others
/// may come before or behind it, and a stop by hand goes before all.
fn comes_before(input: &Input, event: Option<&Event>) -> bool {
    match event {
        Some(Event::InputClosed { id } | Event::Input { id, .. }) => input.id() == id,
        Some(Event::NodeRestarted { id } | Event::NodeFailed { source_node_id: id, .. }) => {
            input.is_fed_by(id)
        }
        Some(Event::Stop(StopCause::AllInputsClosed)) | None => true,
        Some(_) => false,
    }
}
