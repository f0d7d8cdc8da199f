//! The receiving half: the inputs whose messages may come by the lane.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::buffer::Buffer;
use dora_message::metadata::strip_internal_parameters;
use dora_node_api::dora_core::config::{DataId, NodeId};
use dora_node_api::uhlc::{ID, NTP64, Timestamp};
use dora_node_api::{DoraArray, Event, Metadata, MetadataParameters};
use iceoryx2::port::subscriber::Subscriber;
use iceoryx2::sample::Sample;

use super::BORROWED;
use super::acks::{Ack, key};
use super::decode::Decoder;
use super::form::{Block, Header};
use super::hub::{Channel, Iox};
use super::place::Seat;
use super::plan::InputPlan;
use crate::ffi::{bytes_of, lend};

type Port = Subscriber<Iox, [Block], Header>;

/// An input of the node, and where its messages come from.
#[derive(Debug)]
pub struct Input {
    plan: InputPlan,
    /// Shared with every message that is still read: where it is gone, the sender takes their memory back.
    port: Arc<Port>,
    /// How many messages are read where they lie.
    held: Arc<AtomicUsize>,
    me: Arc<Receiver>,
    /// The run of the sender that messages come from, and the number of the one that follows.
    sender: Option<(u64, u64)>,
    /// The run of the sender that was told which of its memory is mapped, and up to which segment.
    told: Option<(u64, u32)>,
    /// Messages taken out of the channel, in their order.
    taken: VecDeque<Received>,
    decoder: Decoder,
    lost: u64,
    /// The sender was restarted, and what dora had of its run before was read.
    may_begin: bool,
    /// It was told that receiving fails.
    has_failed: bool,
    /// It was told that messages are lost.
    has_lost: bool,
}

/// The node that receives.
#[derive(Debug)]
pub struct Receiver {
    pub seat: Arc<Seat>,
    pub node: String,
    /// Tells this run of it from others.
    pub run: u64,
}

/// What a look at an input gave.
pub enum Look {
    Event(Event),
    /// Messages of a new run of the sender wait, which come after all of the old one.
    NewRun,
    Nothing,
}

/// A message, where it lies or copied.
#[derive(Debug)]
struct Received {
    header: Header,
    bytes: Buffer,
}

/// A message that is read where it lies.
struct Held {
    // Dropped in this order: it goes back by the port, and counts until it has gone.
    sample: Sample<Iox, [Block], Header>,
    _port: Arc<Port>,
    _count: Count,
}

struct Count(Arc<AtomicUsize>);

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        bytes_of(self.sample.payload())
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Input {
    /// Makes an input ready to receive.
    pub fn new(plan: &InputPlan, channel: &Channel, me: Arc<Receiver>) -> Result<Self, String> {
        let port = channel
            .subscriber_builder()
            .buffer_size(plan.queue)
            .create()
            .map_err(|error| format!("iceoryx2 makes no subscriber ({error})"))?;
        Ok(Self {
            plan: plan.clone(),
            port: Arc::new(port),
            held: Arc::default(),
            me,
            sender: None,
            told: None,
            taken: VecDeque::new(),
            decoder: Decoder::default(),
            lost: 0,
            may_begin: false,
            has_failed: false,
            has_lost: false,
        })
    }

    pub fn id(&self) -> &DataId {
        &self.plan.id
    }

    pub fn plan(&self) -> &InputPlan {
        &self.plan
    }

    /// Whether its messages come from a node.
    pub fn is_fed_by(&self, node: &NodeId) -> bool {
        AsRef::<str>::as_ref(node) == self.plan.node
    }

    /// How many messages may wait in it: of the run that is read, and of those behind it.
    pub fn waiting_at_most(&self) -> usize {
        2 * self.plan.queue + self.taken.len()
    }

    pub fn is_empty(&mut self) -> bool {
        if self.taken.is_empty() {
            let received = self.receive();
            self.taken.extend(received);
        }
        self.taken.is_empty()
    }

    /// Lets the messages of a new run of the sender begin: of the run before dora has no more.
    pub fn let_new_run_begin(&mut self) {
        self.may_begin = true;
    }

    /// How many messages were lost since the last call.
    pub fn take_lost(&mut self) -> u64 {
        std::mem::take(&mut self.lost)
    }

    /// Whether anything came of a run of the sender, or of a later one. Messages stay where they are.
    pub fn has_heard(&mut self, run: u64) -> bool {
        if let Some(received) = self.receive() {
            self.taken.push_back(received);
        }
        self.told.is_some_and(|(told, _)| told >= run)
    }

    /// The next message. Those of a new run of the sender wait until it `may_begin`.
    pub fn look(&mut self, may_begin: bool) -> Look {
        let Some(mut received) = self.taken.pop_front().or_else(|| self.receive()) else {
            return Look::Nothing;
        };
        if self.is_of_new_run(&received) {
            match self.first_of(received, may_begin) {
                Ok(first) => received = first,
                Err(look) => return look,
            }
        }
        let Header { incarnation, sequence, .. } = received.header;
        let expected = match self.sender {
            Some((run, next)) if run >= incarnation => next,
            // What was sent before this node came is not lost to it.
            _ if incarnation > self.me.run => 0,
            _ => sequence,
        };
        self.note_lost(sequence.saturating_sub(expected));
        self.sender = Some((incarnation, sequence + 1));
        Look::Event(self.event(received))
    }

    /// What comes first where a message is of a new run of the sender, or why nothing does.
    #[cold]
    fn first_of(&mut self, received: Received, may_begin: bool) -> Result<Received, Look> {
        // Those of the run before come first, wherever they stand.
        self.taken.push_front(received);
        self.take_all();
        let first = self.taken.pop_front().ok_or(Look::Nothing)?;
        if self.sender.is_some() && self.is_of_new_run(&first) {
            if !may_begin && !self.may_begin {
                self.taken.push_front(first);
                return Err(Look::NewRun);
            }
            self.may_begin = false;
        }
        Ok(first)
    }

    fn is_of_new_run(&self, received: &Received) -> bool {
        self.sender.is_none_or(|(run, _)| run < received.header.incarnation)
    }

    fn event(&mut self, received: Received) -> Event {
        match self.decode(received) {
            Ok(event) => event,
            Err(error) => Event::Error(format!(
                "a message of input \"{}\" on the fast lane cannot be read: {error}",
                self.plan.id
            )),
        }
    }

    fn decode(&mut self, Received { header, bytes }: Received) -> Result<Event, String> {
        let size = |number: u64| usize::try_from(number).map_err(|error| error.to_string());
        let (data, at) = (size(header.data)?, size(header.parameters_at)?);
        let end = at.saturating_add(size(header.parameters)?);
        if data > at || end > bytes.len() {
            return Err(format!("its parts are longer than its {} bytes", bytes.len()));
        }
        let mut parameters = MetadataParameters::new();
        if header.parameters > 0 {
            parameters =
                dora_message::decode(&bytes[at..end]).map_err(|error| format!("its parameters: {error}"))?;
            strip_internal_parameters(&mut parameters);
        }
        let clock = ID::try_from(header.clock).map_err(|_| "its time is of no clock")?;
        let metadata = Metadata::from_parameters(Timestamp::new(NTP64(header.time), clock), parameters);
        let array = self.decoder.decode(bytes.slice_with_length(0, data))?;
        Ok(Event::Input { id: self.plan.id.clone(), metadata, data: DoraArray::from(array) })
    }

    /// Takes everything out of the channel, in the order of the sender's runs.
    fn take_all(&mut self) {
        while let Some(received) = self.receive() {
            self.taken.push_back(received);
        }
        self.taken
            .make_contiguous()
            .sort_by_key(|received| (received.header.incarnation, received.header.sequence));
        // They wait here in place of the channel, which holds no more of them.
        (self.plan.queue..self.taken.len()).for_each(|_| self.lose_first());
    }

    fn lose_first(&mut self) {
        let Some(first) = self.taken.pop_front() else { return };
        // Those of a new run are counted when it begins.
        if let Some((run, next)) = self.sender.filter(|_| !self.is_of_new_run(&first)) {
            self.note_lost((first.header.sequence + 1).saturating_sub(next));
            self.sender = Some((run, first.header.sequence + 1));
        }
    }

    /// The next message in the channel. Where one there is lost, those behind it are not.
    fn receive(&mut self) -> Option<Received> {
        let mut is_again = false;
        loop {
            match self.port.receive() {
                Ok(Some(sample)) => {
                    let header = *sample.user_header();
                    if header.is_known() {
                        self.tell_sender(&header);
                        if header.flags & Header::PROBE != 0 {
                            // A run that shows itself has sent nothing before.
                            self.sender.get_or_insert((header.incarnation, 0));
                            continue;
                        }
                        return Some(Received { header, bytes: self.read(sample) });
                    }
                }
                Ok(None) => {}
                Err(error) => self.tell_failure(&error.to_string()),
            }
            if is_again || !self.port.has_samples().unwrap_or(false) {
                return None;
            }
            is_again = true;
        }
    }

    /// Counts messages that were lost. The first are told.
    fn note_lost(&mut self, count: u64) {
        self.lost += count;
        if count > 0 && !std::mem::replace(&mut self.has_lost, true) {
            self.tell_loss();
        }
    }

    #[cold]
    fn tell_loss(&self) {
        let InputPlan { id, queue, .. } = &self.plan;
        tracing::warn!(
            target: "dora",
            "input \"{id}\" loses messages on the fast lane, since its queue of {queue} is full; \
             dora_node_dropped counts them"
        );
    }

    #[cold]
    fn tell_failure(&mut self, error: &str) {
        if !std::mem::replace(&mut self.has_failed, true) {
            let id = &self.plan.id;
            tracing::warn!(target: "dora", "input \"{id}\" cannot receive on the fast lane: {error}");
        }
    }

    /// The bytes of a message where they lie, or a copy where the program holds many already: a channel lends
    /// no more than that, and would stand still.
    fn read(&self, sample: Sample<Iox, [Block], Header>) -> Buffer {
        let count = self.held.fetch_add(1, Ordering::AcqRel);
        let held = Held { sample, _port: self.port.clone(), _count: Count(self.held.clone()) };
        if count < BORROWED { lend(held) } else { Buffer::from_slice_ref(held.as_ref()) }
    }

    /// Acknowledges a segment that was not seen before: it is mapped from here on.
    fn tell_sender(&mut self, header: &Header) {
        let seen = (header.incarnation, header.generation);
        if self.told.is_none_or(|told| told < seen) && self.acknowledge(seen) {
            self.told = Some(seen);
        }
    }

    fn acknowledge(&self, (incarnation, generation): (u64, u32)) -> bool {
        let Receiver { seat, node, run } = &*self.me;
        let Some(peer) = seat.peer(&self.plan.node) else { return false };
        let key = key(&self.plan.output, node, &self.plan.id);
        Ack { key, incarnation, run: *run, generation }.write(&peer.letters).is_ok()
    }
}

/// Who leaves waits for no memory any more.
impl Drop for Input {
    fn drop(&mut self) {
        if let Some((incarnation, _)) = self.told {
            self.acknowledge((incarnation, u32::MAX));
        }
    }
}
