//! Arrays out of the Arrow IPC streams of an input.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow::array::{Array, ArrayData, ArrayRef, ArrowPrimitiveType, PrimitiveArray, make_array};
use arrow::buffer::{Buffer, ScalarBuffer};
use arrow::datatypes::{
    DataType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow::ipc::reader::StreamDecoder;
use dora_node_api::arrow_utils::ipc_encode::schema_block_len;

/// Reads streams of one batch with one column. The schema is read anew only when it changes.
#[derive(Default)]
pub struct Decoder {
    schema: Buffer,
    stream: Option<StreamDecoder>,
    last: Option<Last>,
}

/// A stream of one array that is one buffer: another one that begins with the same bytes is read without a look
/// at what they say.
struct Last {
    head: Buffer,
    total: usize,
    size: usize,
    data_type: DataType,
    make: Make,
}

/// Makes an array of numbers that lie as their type wants it.
type Make = fn(Buffer, &DataType) -> Option<ArrayRef>;

impl Last {
    fn of(stream: &Buffer, array: &ArrayRef) -> Option<Self> {
        let data = array.to_data();
        let make = make_of(data.data_type())?;
        let [buffer] = data.buffers() else { return None };
        let at = buffer.as_ptr().addr().checked_sub(stream.as_ptr().addr())?;
        let size = data.len() * data.data_type().primitive_width()?;
        let is_plain = data.nulls().is_none() && data.offset() == 0 && size <= buffer.len();
        // One that was not where it should be was copied elsewhere.
        let is_inside = at + size <= stream.len();
        (is_plain && is_inside).then(|| Self {
            head: Buffer::from_slice_ref(&stream[..at]),
            total: stream.len(),
            size,
            data_type: data.data_type().clone(),
            make,
        })
    }

    fn read(&self, stream: &Buffer) -> Option<ArrayRef> {
        let at = self.head.len();
        if stream.len() != self.total || stream[..at] != *self.head {
            return None;
        }
        (self.make)(stream.slice_with_length(at, self.size), &self.data_type)
    }
}

fn make_of(data_type: &DataType) -> Option<Make> {
    Some(match data_type {
        DataType::Int8 => make::<Int8Type>,
        DataType::Int16 => make::<Int16Type>,
        DataType::Int32 => make::<Int32Type>,
        DataType::Int64 => make::<Int64Type>,
        DataType::UInt8 => make::<UInt8Type>,
        DataType::UInt16 => make::<UInt16Type>,
        DataType::UInt32 => make::<UInt32Type>,
        DataType::UInt64 => make::<UInt64Type>,
        DataType::Float16 => make::<Float16Type>,
        DataType::Float32 => make::<Float32Type>,
        DataType::Float64 => make::<Float64Type>,
        other if other.is_primitive() => make_other,
        _ => return None,
    })
}

fn make<T: ArrowPrimitiveType>(values: Buffer, _data_type: &DataType) -> Option<ArrayRef> {
    // Anything else would be a panic.
    let is_aligned = values.as_ptr().cast::<T::Native>().is_aligned();
    is_aligned.then(|| Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), None)) as ArrayRef)
}

/// Of a type that says more than its numbers do, such as a time zone.
fn make_other(values: Buffer, data_type: &DataType) -> Option<ArrayRef> {
    let length = values.len() / data_type.primitive_width()?;
    let data = ArrayData::builder(data_type.clone()).len(length).add_buffer(values).build();
    data.ok().map(make_array)
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decoder")
    }
}

impl Decoder {
    /// The array of a stream; its buffers are parts of the stream's memory.
    pub fn decode(&mut self, stream: Buffer) -> Result<ArrayRef, String> {
        if let Some(array) = self.last.as_ref().and_then(|last| last.read(&stream)) {
            return Ok(array);
        }
        let whole = stream.clone();
        let array = catch_unwind(AssertUnwindSafe(|| self.read(stream)))
            .unwrap_or_else(|_| Err("arrow cannot read it".to_owned()));
        if array.is_err() {
            // It may stand in the middle of something.
            self.stream = None;
        }
        self.last = array.as_ref().ok().and_then(|array| Last::of(&whole, array));
        array
    }

    fn read(&mut self, mut rest: Buffer) -> Result<ArrayRef, String> {
        let schema = schema_block_len(&rest).ok_or("it begins with no schema")?;
        let decoder = match &mut self.stream {
            Some(decoder) if rest[..schema] == *self.schema => {
                rest = rest.slice(schema);
                decoder
            }
            _ => {
                self.schema = Buffer::from_slice_ref(&rest[..schema]);
                self.stream.insert(StreamDecoder::new())
            }
        };
        while !rest.is_empty() {
            let before = rest.len();
            match decoder.decode(&mut rest).map_err(|error| error.to_string())? {
                Some(batch) if batch.num_columns() == 1 => return Ok(batch.column(0).clone()),
                Some(batch) => return Err(format!("it has {} columns", batch.num_columns())),
                None if rest.len() == before => break,
                None => {}
            }
        }
        Err("it has no batch".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use arrow::array::{
        Decimal128Array, DictionaryArray, Float32Array, NullArray, StringArray, StructArray,
        TimestampMicrosecondArray, UInt8Array,
    };
    use arrow::datatypes::Field;
    use dora_node_api::DoraArray;
    use dora_node_api::arrow_utils::encode_arrow_ipc;

    fn stream(array: &ArrayRef) -> Buffer {
        Buffer::from(encode_arrow_ipc(&DoraArray::from(array.clone())).unwrap())
    }

    fn arrays() -> Vec<ArrayRef> {
        let names: DictionaryArray<Int32Type> = ["a", "b", "a"].into_iter().collect();
        let others: DictionaryArray<Int32Type> = ["c", "d"].into_iter().collect();
        let numbers: ArrayRef = Arc::new(Float32Array::from(vec![Some(1.0), None]));
        vec![
            numbers.clone(),
            Arc::new(Float32Array::from(Vec::<f32>::new())),
            Arc::new(NullArray::new(0)),
            Arc::new(StringArray::from(vec!["x", "yz"])),
            Arc::new(names),
            Arc::new(others),
            Arc::new(StructArray::from(vec![(Arc::new(Field::new("n", DataType::Float32, true)), numbers)])),
            Arc::new(UInt8Array::from(vec![7; 1000])),
            Arc::new(TimestampMicrosecondArray::from(vec![1, 2, 3]).with_timezone("+01:00")),
            Arc::new(Decimal128Array::from(vec![1, -2]).with_precision_and_scale(20, 3).unwrap()),
        ]
    }

    #[test]
    fn every_array_is_read_also_behind_others() {
        let mut decoder = Decoder::default();
        for array in arrays() {
            for _ in 0..3 {
                assert_eq!(decoder.decode(stream(&array)).unwrap().to_data(), array.to_data());
            }
        }
        for array in arrays() {
            assert_eq!(decoder.decode(stream(&array)).unwrap().to_data(), array.to_data());
        }
    }

    #[test]
    fn numbers_without_nulls_are_read_the_short_way() {
        let numbers = [
            Arc::new(Float32Array::from(vec![1.0, 2.0, 3.0])) as ArrayRef,
            Arc::new(UInt8Array::from(vec![7; 1000])),
            Arc::new(TimestampMicrosecondArray::from(vec![1]).with_timezone("+01:00")),
        ];
        for array in numbers {
            let stream = stream(&array);
            let mut decoder = Decoder::default();
            decoder.decode(stream.clone()).unwrap();
            let read = decoder.last.and_then(|last| last.read(&stream));
            assert_eq!(read.unwrap().to_data(), array.to_data());
        }
    }

    #[test]
    fn arrays_of_one_shape_differ_in_what_they_hold() {
        let mut decoder = Decoder::default();
        let of = |values: [Option<f32>; 3]| -> ArrayRef { Arc::new(Float32Array::from(values.to_vec())) };
        let arrays = [
            of([Some(1.0), Some(2.0), Some(3.0)]),
            of([Some(4.0), Some(5.0), Some(6.0)]),
            of([Some(7.0), None, Some(9.0)]),
            of([None, Some(5.0), Some(6.0)]),
            of([Some(1.0), Some(2.0), Some(3.0)]),
        ];
        for array in arrays.iter().chain(&arrays) {
            let stream = stream(array);
            let addresses = stream.as_ptr_range();
            let read = decoder.decode(stream.clone()).unwrap();
            assert_eq!(read.to_data(), array.to_data());
            assert!(addresses.contains(&read.to_data().buffers()[0].as_ptr()), "it was copied");
        }
    }

    #[test]
    fn nothing_is_copied() {
        let array: ArrayRef = Arc::new(UInt8Array::from(vec![7; 1000]));
        let stream = stream(&array);
        let addresses = stream.as_ptr_range();
        let read = Decoder::default().decode(stream.clone()).unwrap();
        assert!(addresses.contains(&read.to_data().buffers()[0].as_ptr()));
    }

    #[test]
    fn what_is_broken_is_an_error_and_harms_no_other() {
        let mut decoder = Decoder::default();
        let array: ArrayRef = Arc::new(StringArray::from(vec!["x", "yz"]));
        let good = stream(&array);
        assert!(decoder.decode(Buffer::from_slice_ref([0_u8; 64])).is_err());
        for length in [8, 64, good.len() / 2, good.len() - 64] {
            assert!(decoder.decode(good.slice_with_length(0, length)).is_err(), "{length}");
            assert_eq!(decoder.decode(good.clone()).unwrap().to_data(), array.to_data());
        }
    }
}
