//! Messages before they are sent: in memory of the carrier that will take them.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::DataType;
use dora_node_api::arrow_utils::ipc_encode::{PreparedIpc, encode_ipc_to_vec};
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{DataSample, DoraArray, EncodedSample, NodeError, NodeResult, SampleAllocator};

use super::MAX_MESSAGE;
use super::framing::Framing;
use super::lane::{Chunk, Output, Outputs};
use crate::error_text::send_error;
use crate::status::Result;

/// A message in the form in which it travels; it shares no memory with what it was made from.
pub struct Message(pub(super) Form);

pub(super) enum Form {
    /// By dora's encoder.
    Encoded(EncodedSample, DataType),
    /// By our own, where the data is a C array.
    Framed(DataSample, &'static DataType),
    /// In memory of the lane.
    InPlace(Chunk, DataType),
}

impl Message {
    pub(super) fn data_type(&self) -> &DataType {
        match &self.0 {
            Form::Encoded(_, data_type) | Form::InPlace(_, data_type) => data_type,
            Form::Framed(_, data_type) => data_type,
        }
    }

    /// The message in memory of an output, copied where it is not there yet; as it was where there is none.
    pub(super) fn placed(self, output: &Output) -> Form {
        let bytes = match &self.0 {
            Form::InPlace(..) => return self.0,
            Form::Encoded(encoded, _) => encoded.as_bytes(),
            Form::Framed(sample, _) => sample,
        };
        let data_type = self.data_type().clone();
        output.copy_of(bytes).map_or(self.0, |chunk| Form::InPlace(chunk, data_type))
    }
}

/// A message whose data is still to be written.
pub struct Draft {
    body: Body,
    framing: Framing,
    data_type: &'static DataType,
}

enum Body {
    Dora(DataSample, Memory),
    Lane(Chunk),
}

/// Padding that is not worth a second allocation.
const WORTH_A_COPY: usize = 4096;

/// Makes messages, without the sending half.
#[derive(Clone)]
pub struct Encoder {
    allocator: SampleAllocator,
    /// The addresses of the shared memory to send from, as far as they are known.
    pool: Pool,
    lane: Arc<Outputs>,
}

/// Makes messages for one output.
#[derive(Clone, Copy)]
pub struct OutputEncoder<'a> {
    encoder: &'a Encoder,
    lane: Option<&'a Output>,
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
    pub(super) fn new(allocator: SampleAllocator, pool: Pool, lane: Arc<Outputs>) -> Self {
        Self { allocator, pool, lane }
    }

    /// Whether the messages of an output take the fast lane at the moment.
    pub fn takes_lane(&self, output: &DataId) -> bool {
        self.lane.open(output).is_some()
    }

    /// Makes messages for an output.
    pub fn on<'a>(&'a self, output: &'a DataId) -> OutputEncoder<'a> {
        OutputEncoder { encoder: self, lane: self.lane.open(output).map(|lane| &**lane) }
    }

    fn memory_of(&self, sample: &DataSample) -> Memory {
        match &self.pool {
            Pool::Somewhere => Memory::Unknown,
            Pool::At(addresses) if addresses.contains(&sample.as_ptr().addr()) => Memory::Shared,
            Pool::At(_) | Pool::None => Memory::Heap,
        }
    }
}

impl OutputEncoder<'_> {
    pub fn encode(self, array: ArrayRef) -> NodeResult<Message> {
        let data_type = array.data_type().clone();
        let array = DoraArray::from(array);
        if let Some(lane) = self.lane
            && let Some(chunk) = encode_in_place(lane, &array)?
        {
            return Ok(Message(Form::InPlace(chunk, data_type)));
        }
        Ok(Message(Form::Encoded(self.encoder.allocator.encode_arrow(&array)?, data_type)))
    }

    /// Memory for `length` values of a type that is a C array, framed in place.
    pub fn draft(self, data_type: &'static DataType, length: usize) -> Result<Draft> {
        let framing = Framing::new(data_type, length)?;
        if let Some(mut chunk) = self.lane.and_then(|lane| lane.chunk(framing.total())) {
            framing.write(chunk.bytes());
            return Ok(Draft { body: Body::Lane(chunk), framing, data_type });
        }
        self.draft_of_dora(data_type, framing)
    }

    #[inline(never)]
    fn draft_of_dora(self, data_type: &'static DataType, framing: Framing) -> Result<Draft> {
        let mut sample = self.encoder.allocator.allocate(framing.total()).map_err(send_error)?;
        framing.write(&mut sample);
        // For the lane it is copied, wherever it lies.
        let memory = if self.lane.is_some() { Memory::Heap } else { self.encoder.memory_of(&sample) };
        Ok(Draft { body: Body::Dora(sample, memory), framing, data_type })
    }

    /// Ends a draft.
    pub fn finish(self, draft: Draft) -> Result<Message> {
        match draft.body {
            Body::Lane(chunk) => Ok(Message(Form::InPlace(chunk, draft.data_type.clone()))),
            Body::Dora(..) => self.finish_of_dora(draft),
        }
    }

    #[inline(never)]
    fn finish_of_dora(self, mut draft: Draft) -> Result<Message> {
        // What is copied on its way anyhow is copied here where most of it would be padding.
        let is_mostly_padding = draft.size() + WORTH_A_COPY < draft.bytes().len() / 2;
        if draft.memory() == Memory::Heap && is_mostly_padding {
            let mut shorter = self.draft(draft.data_type, draft.length())?;
            shorter.data().copy_from_slice(draft.data());
            draft = shorter;
        }
        Ok(Message(match draft.body {
            Body::Dora(sample, _) => Form::Framed(sample, draft.data_type),
            Body::Lane(chunk) => Form::InPlace(chunk, draft.data_type.clone()),
        }))
    }
}

/// Encodes an array in memory of an output; nothing where there is none at the moment.
fn encode_in_place(lane: &Output, array: &DoraArray) -> NodeResult<Option<Chunk>> {
    let failed = |error: &dyn std::fmt::Display| NodeError::Output(format!("Arrow IPC encode: {error}"));
    // What is too large is dora's to refuse.
    let fits = |size| size <= MAX_MESSAGE;
    let Some(prepared) = PreparedIpc::new(array) else {
        let bytes = encode_ipc_to_vec(array).map_err(|error| failed(&error))?;
        let chunk = fits(bytes.len()).then(|| lane.chunk(bytes.len())).flatten();
        return Ok(chunk.map(|mut chunk| {
            chunk.bytes().copy_from_slice(&bytes);
            chunk
        }));
    };
    let chunk = fits(prepared.byte_len()).then(|| lane.chunk(prepared.byte_len())).flatten();
    let Some(mut chunk) = chunk else { return Ok(None) };
    prepared.encode_into(chunk.bytes()).map_err(|error| failed(&error))?;
    Ok(Some(chunk))
}

impl Draft {
    fn bytes(&mut self) -> &mut [u8] {
        match &mut self.body {
            Body::Dora(sample, _) => sample,
            Body::Lane(chunk) => chunk.bytes(),
        }
    }

    /// The bytes of the values.
    pub fn data(&mut self) -> &mut [u8] {
        let values = self.framing.data();
        &mut self.bytes()[values]
    }

    pub fn memory(&self) -> Memory {
        match &self.body {
            Body::Dora(_, memory) => *memory,
            Body::Lane(_) => Memory::Shared,
        }
    }

    pub fn length(&self) -> usize {
        self.framing.length()
    }

    pub fn size(&self) -> usize {
        self.framing.size()
    }

    /// Leaves the last values out.
    pub fn shorten(&mut self, length: usize) {
        let mut framing = self.framing;
        framing.shorten(length, self.bytes());
        self.framing = framing;
    }
}

#[cfg(test)]
impl Encoder {
    /// An encoder without a node.
    pub fn heap() -> Self {
        Self { allocator: SampleAllocator::heap(), pool: Pool::None, lane: Arc::default() }
    }
}

#[cfg(test)]
impl Message {
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Form::Encoded(encoded, _) => encoded.as_bytes(),
            Form::Framed(sample, _) => sample,
            Form::InPlace(chunk, _) => chunk.as_bytes(),
        }
    }
}
