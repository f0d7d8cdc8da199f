//! The Arrow IPC stream around an array of numbers, written in front of memory that is filled later.
//!
//! The stream is what every receiver of dora takes: a schema with one field, one batch, the end. Other than
//! dora's own encoder it writes no validity bitmap, which the format leaves out where there are no nulls: an
//! eighth of a message of bytes. What is the same for all messages of a type is made once.

use std::ops::Range;
use std::sync::OnceLock;

use arrow::array::new_empty_array;
use arrow::datatypes::DataType;
use arrow::ipc::{Buffer, FieldNode, MessageBuilder, MessageHeader, MetadataVersion, RecordBatchBuilder};
use dora_node_api::DoraArray;
use dora_node_api::arrow_utils::ipc_encode::encode_schema_message;
use flatbuffers::FlatBufferBuilder;

use super::MAX_MESSAGE;
use crate::status::{DORA_ERROR_INTERNAL, DORA_ERROR_TOO_LARGE, Error, Result};

/// To what the blocks of a stream are padded, so that data lies as Arrow wants it.
const ALIGNMENT: usize = 64;
/// Stands in front of every message.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// That mark, and the length of the message.
const PREFIX: usize = 8;

/// Numbers that stand for what differs from message to message, in the header that is made once.
const LENGTH: i64 = 0x0101_2323_4545_6767;
const SIZE: i64 = 0x0202_3434_5656_7878;
const BODY: i64 = 0x0303_4545_6767_0909;

/// What is the same for all messages of a type.
struct Template {
    /// The block of the schema and that of the batch.
    head: Vec<u8>,
    /// Where in them the numbers of one message stand: its length (twice), its bytes, the bytes of its body.
    lengths: [usize; 2],
    size: usize,
    body: usize,
}

/// The stream of one array.
#[derive(Clone, Copy)]
pub struct Framing {
    template: &'static Template,
    width: usize,
    length: usize,
}

impl Framing {
    /// Of an array of a type that is a C array.
    pub fn new(data_type: &DataType, length: usize) -> Result<Self> {
        let width = data_type.primitive_width().unwrap_or(1);
        let template = Template::of(data_type)?;
        let framing = Self { template, width, length };
        let total = length.checked_mul(width).filter(|size| *size <= MAX_MESSAGE).map(|_| framing.total());
        match total {
            Some(total) if total <= MAX_MESSAGE => Ok(framing),
            _ => Err(Error::new(
                DORA_ERROR_TOO_LARGE,
                format!(
                    "{length} values of {width} bytes are more than the {MAX_MESSAGE} bytes that receivers \
                     take, framing included: send them in parts"
                ),
            )),
        }
    }

    /// The bytes of the whole stream.
    pub fn total(&self) -> usize {
        self.template.head.len() + self.body() + PREFIX
    }

    /// Where the values stand in it.
    pub fn data(&self) -> Range<usize> {
        let start = self.template.head.len();
        start..start + self.size()
    }

    /// Writes everything but the values.
    pub fn write(&self, stream: &mut [u8]) {
        let Template { head, .. } = self.template;
        stream[..head.len()].copy_from_slice(head);
        self.write_numbers(stream, self.body());
        let end = stream.len() - PREFIX;
        stream[self.data().end..end].fill(0);
        stream[end..end + 4].copy_from_slice(&CONTINUATION);
        stream[end + 4..].fill(0);
    }

    /// Makes the array in a stream that was written shorter; the rest of the stream becomes padding.
    pub fn shorten(&mut self, length: usize, stream: &mut [u8]) {
        debug_assert!(length <= self.length);
        self.length = length;
        self.write_numbers(stream, stream.len() - PREFIX - self.template.head.len());
    }

    pub fn length(&self) -> usize {
        self.length
    }

    pub fn size(&self) -> usize {
        self.length * self.width
    }

    fn body(&self) -> usize {
        self.size().next_multiple_of(ALIGNMENT)
    }

    fn write_numbers(&self, stream: &mut [u8], body: usize) {
        let Template { lengths, size, body: at_body, .. } = self.template;
        for at in lengths {
            put(stream, *at, self.length);
        }
        put(stream, *size, self.size());
        put(stream, *at_body, body);
    }
}

fn put(stream: &mut [u8], at: usize, number: usize) {
    // Nothing here is larger than a message.
    stream[at..at + 8].copy_from_slice(&(number as u64).to_le_bytes());
}

impl Template {
    fn of(data_type: &DataType) -> Result<&'static Self> {
        static TEMPLATES: [OnceLock<Option<Template>>; 11] = [const { OnceLock::new() }; 11];
        let index = match data_type {
            DataType::Int8 => 0,
            DataType::Int16 => 1,
            DataType::Int32 => 2,
            DataType::Int64 => 3,
            DataType::UInt8 => 4,
            DataType::UInt16 => 5,
            DataType::UInt32 => 6,
            DataType::UInt64 => 7,
            DataType::Float16 => 8,
            DataType::Float32 => 9,
            DataType::Float64 => 10,
            other => return Err(Error::new(DORA_ERROR_INTERNAL, format!("{other} is no C array"))),
        };
        TEMPLATES[index].get_or_init(|| Self::make(data_type)).as_ref().ok_or_else(|| {
            Error::new(DORA_ERROR_INTERNAL, format!("the framing of {data_type} could not be made"))
        })
    }

    fn make(data_type: &DataType) -> Option<Self> {
        let mut head = encode_schema_message(&DoraArray::from(new_empty_array(data_type))).ok()?;
        let batch = batch_message();
        let block = (PREFIX + batch.len()).next_multiple_of(ALIGNMENT);
        let padded = head.len() + block;
        head.extend(CONTINUATION);
        head.extend(i32::try_from(block - PREFIX).ok()?.to_le_bytes());
        head.extend(batch);
        head.resize(padded, 0);
        let places = |number: i64| -> Vec<usize> {
            let number = number.to_le_bytes();
            (0..head.len() - 7).filter(|at| head[*at..at + 8] == number).collect()
        };
        let lengths = places(LENGTH).try_into().ok()?;
        let [size] = places(SIZE).try_into().ok()?;
        let [body] = places(BODY).try_into().ok()?;
        Some(Self { head, lengths, size, body })
    }
}

/// The header of a batch with one array without nulls.
fn batch_message() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let buffers = builder.create_vector(&[Buffer::new(0, 0), Buffer::new(0, SIZE)]);
    let nodes = builder.create_vector(&[FieldNode::new(LENGTH, 0)]);
    let mut batch = RecordBatchBuilder::new(&mut builder);
    batch.add_length(LENGTH);
    batch.add_nodes(nodes);
    batch.add_buffers(buffers);
    let batch = batch.finish();
    let mut message = MessageBuilder::new(&mut builder);
    message.add_version(MetadataVersion::V5);
    message.add_header_type(MessageHeader::RecordBatch);
    message.add_bodyLength(BODY);
    message.add_header(batch.as_union_value());
    let message = message.finish();
    builder.finish(message, None);
    builder.finished_data().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Array, ArrayRef, AsArray};
    use arrow::datatypes::{Int64Type, UInt8Type};
    use arrow::ipc::reader::StreamReader;
    use dora_node_api::arrow_utils::{IpcPayload, decode_arrow_ipc, decode_arrow_ipc_zero_copy};

    /// A stream with `0, 1, 2, …` in it.
    fn stream(data_type: &DataType, length: usize) -> (Framing, Vec<u8>) {
        let framing = Framing::new(data_type, length).unwrap();
        let mut stream = vec![0xaa; framing.total()];
        framing.write(&mut stream);
        let values = framing.data();
        for (index, value) in stream[values].chunks_mut(framing.width).enumerate() {
            match data_type {
                DataType::Int64 => value.copy_from_slice(&(index as u64).to_le_bytes()),
                _ => value[0] = u8::try_from(index % 256).unwrap(),
            }
        }
        (framing, stream)
    }

    /// What dora's two decoders make of it, and Arrow's own reader.
    fn decoded(stream: &[u8]) -> [ArrayRef; 3] {
        let copied = decode_arrow_ipc(stream).unwrap().into_inner();
        let shared = decode_arrow_ipc_zero_copy(IpcPayload::from_slice(stream)).unwrap().into_inner();
        let mut batches = StreamReader::try_new(stream, None).unwrap();
        let batch = batches.next().unwrap().unwrap();
        assert!(batches.next().is_none());
        [copied, shared, batch.column(0).clone()]
    }

    #[test]
    fn receivers_read_the_values_and_no_nulls() {
        for length in [0, 1, 2, 7, 8, 9, 63, 64, 65, 1000, 100_000] {
            for array in decoded(&stream(&DataType::Int64, length).1) {
                assert_eq!((array.len(), array.null_count()), (length, 0));
                let values = array.as_primitive::<Int64Type>().values();
                assert!(values.iter().enumerate().all(|(index, value)| usize::try_from(*value) == Ok(index)));
            }
            for array in decoded(&stream(&DataType::UInt8, length).1) {
                assert_eq!((array.len(), array.null_count()), (length, 0));
                let values = array.as_primitive::<UInt8Type>().values();
                assert!(values.iter().enumerate().all(|(index, value)| usize::from(*value) == index % 256));
            }
        }
    }

    #[test]
    fn a_shortened_array_ends_where_it_should() {
        for shorter in [0, 1, 500, 999, 1000] {
            let (mut framing, mut stream) = stream(&DataType::Int64, 1000);
            framing.shorten(shorter, &mut stream);
            for array in decoded(&stream) {
                assert_eq!(array.len(), shorter);
                let values = array.as_primitive::<Int64Type>().values();
                assert!(values.iter().enumerate().all(|(index, value)| usize::try_from(*value) == Ok(index)));
            }
        }
    }

    #[test]
    fn the_framing_is_small_and_the_values_are_aligned() {
        let framing = Framing::new(&DataType::UInt8, 1 << 20).unwrap();
        assert!(framing.total() - (1 << 20) < 1024, "{}", framing.total());
        assert_eq!(framing.data().start % ALIGNMENT, 0);
        let error = Framing::new(&DataType::UInt8, MAX_MESSAGE).err().unwrap();
        assert_eq!(error.status, DORA_ERROR_TOO_LARGE);
        assert!(Framing::new(&DataType::Float64, usize::MAX).is_err());
        assert!(Framing::new(&DataType::UInt8, MAX_MESSAGE - 1024).is_ok());
    }
}
