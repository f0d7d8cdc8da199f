//! The sending half: the outputs whose messages take the lane.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dora_message::metadata::{FLUSH, carries_pattern_correlation, get_bool_param};
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{Metadata, MetadataParameters};
use iceoryx2::port::publisher::Publisher;
use iceoryx2::prelude::AllocationStrategy;

use super::acks::Acks;
use super::form::{BLOCK, Block, Header};
use super::hub::{Channel, Iox};
use super::memory::{Memory, slots};
use super::plan::{OutputPlan, Reader};
use crate::ffi::{Pipe, Slot};

/// How many messages are written at once where they will lie; more are copied.
const LENT: usize = 8;
/// How many the sending lock takes beside: a copy, one in newer memory, and a larger one.
const LOCKED: usize = 3;
/// How many are made at once.
pub const MADE: usize = LENT + LOCKED;
/// The blocks of a message that memory is made for at first.
const FIRST: usize = 64;
/// What is left for parameters behind the data of a message. Where they take more, the message moves.
const PARAMETERS_ROOM: usize = 512;

/// The outputs of a node that have a channel, in the order of their ids.
#[derive(Debug, Default)]
pub struct Outputs(Vec<Arc<Output>>);

impl Outputs {
    pub fn new(mut outputs: Vec<Output>) -> Self {
        outputs.sort_by(|one, other| one.id.cmp(&other.id));
        Self(outputs.into_iter().map(Arc::new).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Output>> {
        self.0.iter()
    }

    /// The output of an id, as long as its messages take the lane.
    pub fn open(&self, id: &DataId) -> Option<&Arc<Output>> {
        let at = self.0.binary_search_by(|output| output.id.cmp(id)).ok()?;
        Some(&self.0[at]).filter(|output| output.is_open())
    }
}

/// An output, and those who receive it.
#[derive(Debug)]
pub struct Output {
    id: DataId,
    publisher: Publisher<Iox, [Block], Header>,
    incarnation: u64,
    readers: Vec<Reader>,
    /// One for each node that receives it.
    bells: Vec<Pipe>,
    is_open: AtomicBool,
    /// The number of the next message; the sending lock is held while it changes.
    sequence: AtomicU64,
    /// The newest segment of memory in which a message was sent.
    sent: AtomicU32,
    memory: Mutex<Memory>,
    /// Messages that are given out and not sent.
    lent: Arc<AtomicUsize>,
}

/// Memory of an output for a message that is still to be written or sent.
#[derive(Debug)]
pub struct Chunk {
    slot: Slot,
    generation: u32,
    data: usize,
    /// Not where it is made under the sending lock.
    _lent: Option<Lent>,
}

#[derive(Debug)]
struct Lent(Arc<AtomicUsize>);

impl Drop for Lent {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Output {
    /// Makes an output's channel ready to send; nobody is told yet.
    pub fn new(plan: &OutputPlan, channel: &Channel, incarnation: u64) -> Result<Self, String> {
        let publisher = channel
            .publisher_builder()
            .initial_max_slice_len(FIRST)
            .allocation_strategy(AllocationStrategy::PowerOfTwo)
            .max_loaned_samples(MADE)
            .create()
            .map_err(|error| format!("iceoryx2 makes no publisher ({error})"))?;
        Ok(Self {
            id: plan.id.clone(),
            publisher,
            incarnation,
            readers: plan.readers.clone(),
            bells: Vec::new(),
            is_open: AtomicBool::new(false),
            sequence: AtomicU64::new(0),
            sent: AtomicU32::new(0),
            memory: Mutex::new(Memory::new(slots(plan.shape, MADE))),
            lent: Arc::default(),
        })
    }

    pub fn id(&self) -> &DataId {
        &self.id
    }

    pub fn readers(&self) -> &[Reader] {
        &self.readers
    }

    /// Notes how a node that receives the output is woken.
    pub fn add_bell(&mut self, bell: Pipe) {
        self.bells.push(bell);
    }

    /// From here on messages take the lane.
    pub fn begin(&self) {
        self.is_open.store(true, Ordering::Release);
    }

    pub fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }

    /// Has the messages take dora's path from here on, for the rest of the run.
    #[cold]
    pub fn leave(&self, why: &str) {
        if self.is_open.swap(false, Ordering::AcqRel) {
            tracing::warn!(
                target: "dora",
                "output \"{}\" leaves the fast lane for the rest of the run: {why}", self.id
            );
        }
    }

    /// Memory for a message, nothing where there is none at the moment.
    pub fn chunk(&self, data: usize) -> Option<Chunk> {
        let one_more = |lent: usize| (lent < LENT).then_some(lent + 1);
        self.lent.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_more).ok()?;
        self.take(data, PARAMETERS_ROOM, Some(Lent(self.lent.clone())))
    }

    /// A message with the same bytes, for who has the sending lock.
    pub fn copy_of(&self, bytes: &[u8]) -> Option<Chunk> {
        let mut chunk = self.take(bytes.len(), PARAMETERS_ROOM, None)?;
        chunk.bytes().copy_from_slice(bytes);
        Some(chunk)
    }

    fn take(&self, data: usize, behind: usize, lent: Option<Lent>) -> Option<Chunk> {
        let blocks = (data.next_multiple_of(BLOCK) + behind).div_ceil(BLOCK);
        let mut memory = crate::lock(&self.memory);
        if !memory.may_hold(blocks * BLOCK) {
            return None;
        }
        let slot = Slot::new(self.publisher.loan_slice_uninit(blocks).ok()?);
        let addresses = slot.bytes().as_ptr_range();
        if !memory.provide(slot.start(), &(addresses.start.addr()..addresses.end.addr())) {
            return None;
        }
        Some(Chunk { slot, generation: memory.generation(), data, _lent: lent })
    }

    /// Sends a message. The sending lock is held. A message for which there is no memory is given back.
    pub fn send(&self, chunk: Chunk, metadata: &Metadata) -> Result<(), Unsent> {
        let chunk = self.in_newest(chunk)?;
        let (chunk, parameters) = self.with_parameters(chunk, &metadata.parameters)?;
        let timestamp = metadata.timestamp();
        let sequence = self.sequence.load(Ordering::Relaxed);
        let header = Header {
            sequence,
            data: chunk.data as u64,
            parameters_at: parameters.start as u64,
            parameters: parameters.len() as u64,
            time: timestamp.get_time().as_u64(),
            clock: timestamp.get_id().to_le_bytes(),
            ..self.header(chunk.generation)
        };
        self.deliver(chunk, header).map_err(Unsent::Failed)?;
        self.sequence.store(sequence + 1, Ordering::Relaxed);
        Ok(())
    }

    /// Shows the nodes that receive the output where its memory is.
    pub fn probe(&self) -> Result<(), String> {
        let chunk = self.take(0, BLOCK, None).ok_or("there is no shared memory for it")?;
        let header = Header { flags: Header::PROBE, ..self.header(chunk.generation) };
        self.deliver(chunk, header)
    }

    fn header(&self, generation: u32) -> Header {
        Header {
            magic: Header::MAGIC,
            version: Header::VERSION,
            incarnation: self.incarnation,
            generation,
            ..Header::default()
        }
    }

    fn deliver(&self, chunk: Chunk, header: Header) -> Result<(), String> {
        let sent = chunk.slot.send(header);
        self.sent.fetch_max(header.generation, Ordering::AcqRel);
        // Also where it failed: some may have got it.
        self.bells.iter().for_each(Pipe::ring);
        sent.map_err(|error| format!("iceoryx2 does not send it ({error})"))
    }

    /// The message in no older memory than those before it: who has the memory of one mapped, has that of all
    /// before it.
    fn in_newest(&self, chunk: Chunk) -> Result<Chunk, Unsent> {
        if chunk.generation >= self.sent.load(Ordering::Acquire) {
            return Ok(chunk);
        }
        self.copy_of(chunk.as_bytes()).ok_or(Unsent::NoMemory(chunk))
    }

    /// The message, with parameters behind its data, if there are any.
    fn with_parameters(
        &self,
        mut chunk: Chunk,
        parameters: &MetadataParameters,
    ) -> Result<(Chunk, Range<usize>), Unsent> {
        let at = chunk.data.next_multiple_of(BLOCK);
        if parameters.is_empty() {
            return Ok((chunk, at..at));
        }
        match postcard::to_slice(parameters, &mut chunk.all()[at..]) {
            Ok(bytes) => {
                let end = at + bytes.len();
                Ok((chunk, at..end))
            }
            Err(postcard::Error::SerializeBufferFull) => self.moved(chunk, parameters),
            Err(error) => Err(Unsent::Failed(error.to_string())),
        }
    }

    /// The same message in a larger place, where its parameters have room.
    #[cold]
    fn moved(&self, chunk: Chunk, parameters: &MetadataParameters) -> Result<(Chunk, Range<usize>), Unsent> {
        let at = chunk.data.next_multiple_of(BLOCK);
        let bytes = dora_message::encode(parameters).map_err(|error| Unsent::Failed(error.to_string()))?;
        let Some(mut larger) = self.take(chunk.data, bytes.len(), None) else {
            return Err(Unsent::NoMemory(chunk));
        };
        larger.bytes().copy_from_slice(chunk.as_bytes());
        let range = at..at + bytes.len();
        larger.all()[range.clone()].copy_from_slice(&bytes);
        Ok((larger, range))
    }

    /// Whether every node that receives the output and is alive has mapped all the memory that messages lie
    /// in. `runs` tells which run of a node is alive.
    pub fn is_mapped(&self, acks: &Acks, runs: impl Fn(&str) -> Option<u64>) -> bool {
        let generation = self.sent.load(Ordering::Acquire);
        self.sequence.load(Ordering::Relaxed) == 0
            || self.readers.iter().all(|reader| {
                runs(&reader.node)
                    .is_none_or(|run| acks.have(&self.id, reader, self.incarnation, run, generation))
            })
    }
}

/// Why a message was not sent.
#[derive(Debug)]
pub enum Unsent {
    /// It may go another way.
    NoMemory(Chunk),
    Failed(String),
}

impl Chunk {
    /// The bytes of the data.
    pub fn bytes(&mut self) -> &mut [u8] {
        let data = self.data;
        &mut self.all()[..data]
    }

    /// These, and what is behind them.
    fn all(&mut self) -> &mut [u8] {
        self.slot.bytes_mut()
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.slot.bytes()[..self.data]
    }
}

/// What only dora's path can do for a message: it keeps answers and empties queues.
pub fn needs_dora(parameters: &MetadataParameters) -> Option<&'static str> {
    if parameters.is_empty() {
        None
    } else if carries_pattern_correlation(parameters) {
        Some("it carries a request or a goal, which dora keeps in full queues")
    } else if get_bool_param(parameters, FLUSH) == Some(true) {
        Some("a message empties the queues of its receivers (`flush`)")
    } else {
        None
    }
}
