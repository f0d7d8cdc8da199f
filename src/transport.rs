//! What carries messages. Nothing above this module knows which way an event came or a message goes.
//!
//! Today there is one carrier, dora's own data plane. A second one joins here: [`Inbox`] then takes from
//! both, [`Outbox`] chooses for each output, and [`Encoder`] gives out the memory of the one that will
//! carry it.

mod framing;
mod lane;
mod types;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use arrow::array::ArrayRef;
use arrow::datatypes::DataType;
use dora_message::metadata::{FRAMING, FRAMING_ARROW_IPC};
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{
    DataSample, DoraArray, DoraNode, EncodedSample, Event, EventStream, MetadataParameters, NodeResult,
    Parameter, SampleAllocator,
};

use self::framing::Framing;
use self::types::DeclaredTypes;
use crate::error_text::send_error;
use crate::status::Result;

/// The largest message that receivers of dora take, framing included.
pub const MAX_MESSAGE: usize = 256 << 20;

/// The receiving half of a node.
pub struct Inbox {
    stream: EventStream,
}

impl Inbox {
    /// The next event, `None` at the end, or pending: `waker` is then woken when it is worth looking again.
    ///
    /// The future is polled once and dropped. That loses nothing: dora takes an event out of its channel
    /// only in a poll that gets it, and the channel keeps the waker.
    pub fn poll(&mut self, waker: &Waker) -> Poll<Option<Event>> {
        pin!(self.stream.recv_async()).poll(&mut Context::from_waker(waker))
    }

    /// Whether no event waits.
    pub fn is_empty(&self) -> bool {
        self.stream.is_empty()
    }

    /// How many messages each input has lost since the last call, control events under an id of dora's own.
    pub fn take_dropped(&mut self) -> HashMap<DataId, u64> {
        self.stream.drain_drop_counts()
    }
}

/// A message in the form in which it travels; it shares no memory with what it was made from.
pub struct Message(Form);

enum Form {
    /// By dora's encoder.
    Encoded(EncodedSample),
    /// By our own, where the data is a C array.
    Framed(DataSample, &'static DataType),
}

/// A message whose data is still to be written.
pub struct Draft {
    sample: DataSample,
    framing: Framing,
    data_type: &'static DataType,
    memory: Memory,
}

/// Padding that is not worth a second allocation.
const WORTH_A_COPY: usize = 4096;

/// Makes messages, without the sending half.
#[derive(Clone)]
pub struct Encoder {
    allocator: SampleAllocator,
    /// The addresses of the shared memory to send from, as far as they are known.
    pool: Pool,
}

/// The shared memory to send from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pool {
    #[default]
    None,
    /// There is one; dora does not tell where, and its first use did not show it.
    Somewhere,
    At(Range<usize>),
}

/// What kind of memory a draft lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Unknown,
    Heap,
    Shared,
}

impl Encoder {
    pub fn encode(&self, array: ArrayRef) -> NodeResult<Message> {
        let encoded = self.allocator.encode_arrow(&DoraArray::from(array))?;
        Ok(Message(Form::Encoded(encoded)))
    }

    /// Memory for `length` values of a type that is a C array, framed in place.
    pub fn draft(&self, data_type: &'static DataType, length: usize) -> Result<Draft> {
        let framing = Framing::new(data_type, length)?;
        let mut sample = self.allocator.allocate(framing.total()).map_err(send_error)?;
        framing.write(&mut sample);
        let memory = self.memory_of(&sample);
        Ok(Draft { sample, framing, data_type, memory })
    }

    fn memory_of(&self, sample: &DataSample) -> Memory {
        match &self.pool {
            Pool::Somewhere => Memory::Unknown,
            Pool::At(addresses) if addresses.contains(&sample.as_ptr().addr()) => Memory::Shared,
            Pool::At(_) | Pool::None => Memory::Heap,
        }
    }

    /// Ends a draft.
    pub fn finish(&self, mut draft: Draft) -> Result<Message> {
        // What is copied on its way anyhow is copied here where most of it would be padding.
        let is_mostly_padding = draft.size() + WORTH_A_COPY < draft.sample.len() / 2;
        if draft.memory == Memory::Heap && is_mostly_padding {
            let mut shorter = self.draft(draft.data_type, draft.length())?;
            shorter.data().copy_from_slice(draft.data());
            draft = shorter;
        }
        Ok(Message(Form::Framed(draft.sample, draft.data_type)))
    }
}

impl Draft {
    /// The bytes of the values.
    pub fn data(&mut self) -> &mut [u8] {
        let values = self.framing.data();
        &mut self.sample[values]
    }

    pub fn memory(&self) -> Memory {
        self.memory
    }

    pub fn length(&self) -> usize {
        self.framing.length()
    }

    pub fn size(&self) -> usize {
        self.framing.size()
    }

    /// Leaves the last values out.
    pub fn shorten(&mut self, length: usize) {
        self.framing.shorten(length, &mut self.sample);
    }
}

#[cfg(test)]
impl Encoder {
    /// An encoder without a node.
    pub fn heap() -> Self {
        Self { allocator: SampleAllocator::heap(), pool: Pool::None }
    }
}

#[cfg(test)]
impl Message {
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Form::Encoded(encoded) => encoded.as_bytes(),
            Form::Framed(sample, _) => sample,
        }
    }
}

/// The sending half of a node.
pub struct Outbox {
    node: DoraNode,
    types: DeclaredTypes,
}

impl Outbox {
    pub fn send(
        &mut self,
        output: DataId,
        mut parameters: MetadataParameters,
        message: Message,
    ) -> NodeResult<()> {
        match message.0 {
            Form::Encoded(encoded) => self.node.send_output_encoded(output, parameters, encoded),
            Form::Framed(sample, data_type) => {
                self.types.check(&output, data_type, &parameters)?;
                let framing = Parameter::String(FRAMING_ARROW_IPC.to_owned());
                parameters.insert(FRAMING.to_owned(), framing);
                self.node.send_output_sample(output, parameters, Some(sample))
            }
        }
    }

    /// Whether dora takes messages of an output: a declared one, or any where no dataflow declares them.
    pub fn takes(&mut self, output: &DataId) -> bool {
        self.node.validate_output(output)
    }

    pub fn close(&mut self, outputs: Vec<DataId>) -> NodeResult<()> {
        self.node.close_outputs(outputs)
    }

    pub fn log(
        &self,
        level: &str,
        message: &str,
        target: Option<&str>,
        fields: Option<&BTreeMap<String, String>>,
    ) {
        self.node.log_with_fields(level, message, target, fields);
    }
}

/// The daemon's table of bytes.
impl Outbox {
    pub fn extension_store(&mut self, namespace: String, key: String, value: Vec<u8>) -> NodeResult<()> {
        Ok(self.node.extension_store(namespace, key, value)?)
    }

    pub fn extension_load(
        &mut self,
        namespace: String,
        key: String,
        remove: bool,
    ) -> NodeResult<Option<Vec<u8>>> {
        Ok(self.node.extension_load(namespace, key, remove)?)
    }

    pub fn extension_drop(&mut self, namespace: String, key: String) -> NodeResult<()> {
        Ok(self.node.extension_drop(namespace, key)?)
    }

    pub fn extension_request(&mut self, namespace: String, payload: Vec<u8>) -> NodeResult<Vec<u8>> {
        Ok(self.node.extension_request(namespace, payload)?)
    }
}

/// Divides a node of dora into its halves.
pub fn split(node: DoraNode, stream: EventStream, pool: Pool) -> (Inbox, Encoder, Outbox) {
    let encoder = Encoder { allocator: node.sample_allocator(), pool };
    let types = DeclaredTypes::of(&node);
    (Inbox { stream }, encoder, Outbox { node, types })
}
