use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BinaryViewArray, BooleanArray, Decimal128Array, FixedSizeBinaryArray,
    FixedSizeListArray, Float16Array, Float64Array, Int32Array, Int64Array, LargeBinaryArray,
    LargeStringArray, NullArray, StringArray, StringViewArray, TimestampNanosecondArray, UInt8Array,
};
use arrow::datatypes::{Float16Type, Int16Type};
use dora_node_api::{Metadata, uhlc};

use super::*;
use crate::event::InputId;
use crate::status::{
    DORA_ERROR_HAS_NULLS, DORA_ERROR_INVALID_ARGUMENT, DORA_ERROR_WRONG_TYPE as WRONG_TYPE, dora_status_t,
};

fn input_of(array: impl Array + 'static) -> Input {
    input_at(array, uhlc::NTP64(0))
}

fn input_at(array: impl Array + 'static, time: uhlc::NTP64) -> Input {
    let clock = uhlc::HLC::default();
    let array: ArrayRef = Arc::new(array);
    let metadata = Metadata::new(uhlc::Timestamp::new(time, *clock.get_id()));
    Input::new(Arc::new(InputId::new("in")), metadata, array)
}

fn status<T>(result: Result<T>) -> dora_status_t {
    result.err().map_or(0, |error| error.status)
}

#[test]
fn numbers_are_read_where_they_lie_slices_too() {
    let array = Int32Array::from(vec![1, 2, 3, 4]);
    let start = array.values().as_ptr().cast::<u8>();
    let input = input_of(array.slice(1, 2));
    let values = input.values(DORA_TYPE_INT32).unwrap();
    assert_eq!(values, [2_i32.to_ne_bytes(), 3_i32.to_ne_bytes()].concat());
    assert_eq!(values.as_ptr().addr(), start.addr() + 4);
}

#[test]
fn another_type_is_an_error_that_names_both() {
    let input = input_of(Float64Array::from(vec![1.0]));
    let error = input.values(DORA_TYPE_FLOAT32).unwrap_err();
    assert_eq!(error.status, WRONG_TYPE);
    assert!(
        error.message.contains("`in` is DORA_TYPE_FLOAT64 (Arrow type Float64), not DORA_TYPE_FLOAT32"),
        "{error}"
    );
    for kind in [DORA_TYPE_BOOL, DORA_TYPE_TEXT, DORA_TYPE_OTHER, 99, -1] {
        assert_eq!(status(input.values(kind)), DORA_ERROR_INVALID_ARGUMENT, "{kind}");
    }
    assert_eq!(status(input.bits()), WRONG_TYPE);
    assert_eq!(status(input.text(0)), WRONG_TYPE);
    assert_eq!(status(input.bytes(0)), WRONG_TYPE);
}

#[test]
fn a_time_is_no_plain_integer_but_has_a_buffer() {
    let input = input_of(TimestampNanosecondArray::from(vec![5, 6]));
    assert_eq!(input.data_type(), DORA_TYPE_OTHER);
    assert_eq!(status(input.values(DORA_TYPE_INT64)), WRONG_TYPE);
    assert_eq!(input.raw().unwrap(), [5_i64.to_ne_bytes(), 6_i64.to_ne_bytes()].concat());
}

#[test]
fn nulls_are_never_read_as_values() {
    let input = input_of(Int64Array::from(vec![Some(1), None, Some(3)]).slice(1, 2));
    assert_eq!(input.null_count(), 1);
    assert_eq!(status(input.values(DORA_TYPE_INT64)), DORA_ERROR_HAS_NULLS);
    assert_eq!(status(input.raw()), DORA_ERROR_HAS_NULLS);
    let (values, validity) = input.values_nullable(DORA_TYPE_INT64).unwrap();
    let validity = validity.unwrap();
    let is_valid =
        |index: usize| validity.bits[(validity.offset + index) / 8] >> ((validity.offset + index) % 8) & 1;
    assert_eq!((is_valid(0), is_valid(1)), (0, 1));
    assert_eq!(values[8..], 3_i64.to_ne_bytes());
    assert!(input_of(Int64Array::from(vec![1])).values_nullable(DORA_TYPE_INT64).unwrap().1.is_none());
    assert_eq!(status(input_of(BooleanArray::from(vec![Some(true), None])).bits()), DORA_ERROR_HAS_NULLS);
    assert_eq!(status(input_of(StringArray::from(vec![None, Some("a")])).text(0)), DORA_ERROR_HAS_NULLS);
    assert_eq!(status(input_of(StringArray::from(vec![None, Some("a")])).bytes(0)), DORA_ERROR_HAS_NULLS);
    assert_eq!(input_of(NullArray::new(3)).null_count(), 3);
}

#[test]
fn bits_start_where_the_slice_starts() {
    let input = input_of(BooleanArray::from((0..20).map(|n| n % 3 == 0).collect::<Vec<_>>()).slice(9, 4));
    let bits = input.bits().unwrap();
    let bit = |index: usize| bits.bits[(bits.offset + index) / 8] >> ((bits.offset + index) % 8) & 1;
    assert_eq!((0..4).map(bit).collect::<Vec<_>>(), [1, 0, 0, 1]);
}

#[test]
fn texts_are_terminated_in_every_layout() {
    fn check(input: &Input) {
        assert_eq!(input.data_type(), DORA_TYPE_TEXT);
        assert_eq!(input.text(0).unwrap(), b"b\0c\0");
        assert_eq!(input.text(1).unwrap(), b"\0");
        assert_eq!(input.text(2).unwrap(), "\u{1f916} longer than an inlined view\0".as_bytes());
        assert_eq!(status(input.text(3)), DORA_ERROR_INVALID_ARGUMENT);
        assert_eq!(input.bytes(0).unwrap(), b"b\0c");
        assert_eq!(input.bytes(1).unwrap(), b"");
    }
    let texts = vec!["a", "b\0c", "", "\u{1f916} longer than an inlined view", "e"];
    check(&input_of(StringArray::from(texts.clone()).slice(1, 3)));
    check(&input_of(LargeStringArray::from(texts.clone()).slice(1, 3)));
    check(&input_of(StringViewArray::from(texts).slice(1, 3)));
}

#[test]
fn byte_strings_are_read_in_every_layout() {
    let bytes: Vec<&[u8]> = vec![b"\0\xff", b"", b"longer than an inlined view"];
    for input in [
        input_of(arrow::array::BinaryArray::from(bytes.clone())),
        input_of(LargeBinaryArray::from(bytes.clone())),
        input_of(BinaryViewArray::from(bytes.clone())),
    ] {
        assert_eq!(input.data_type(), DORA_TYPE_BINARY);
        for (index, expected) in bytes.iter().enumerate() {
            assert_eq!(input.bytes(index).unwrap(), *expected);
        }
        assert_eq!(status(input.bytes(3)), DORA_ERROR_INVALID_ARGUMENT);
        assert_eq!(status(input.text(0)), WRONG_TYPE);
    }
    let fixed = FixedSizeBinaryArray::try_from_iter([*b"ab", *b"cd", *b"ef"].iter()).unwrap().slice(1, 2);
    let input = input_of(fixed);
    assert_eq!(input.bytes(1).unwrap(), b"ef");
    assert_eq!(input.raw().unwrap(), b"cdef");
}

#[test]
fn fixed_width_buffers_of_other_types_are_raw() {
    let list = FixedSizeListArray::from_iter_primitive::<Int16Type, _, _>(
        [[1, 2], [3, 4], [5, 6]].map(|pair| Some(pair.map(Some))),
        2,
    );
    let expected: Vec<u8> = [3_i16, 4, 5, 6].iter().flat_map(|value| value.to_ne_bytes()).collect();
    assert_eq!(input_of(list.slice(1, 2)).raw().unwrap(), expected);
    assert_eq!(input_of(Decimal128Array::from(vec![7])).raw().unwrap(), 7_i128.to_ne_bytes());
    let holes = FixedSizeListArray::from_iter_primitive::<Int16Type, _, _>([Some([Some(1), None])], 2);
    assert_eq!(status(input_of(holes).raw()), DORA_ERROR_HAS_NULLS);
    assert_eq!(status(input_of(BooleanArray::from(vec![true])).raw()), WRONG_TYPE);
    assert_eq!(status(input_of(StringArray::from(vec!["a"])).raw()), WRONG_TYPE);
}

#[test]
fn types_have_their_arrow_formats() {
    let half =
        Float16Array::from_iter_values([<Float16Type as arrow::datatypes::ArrowPrimitiveType>::Native::ONE]);
    for (input, kind, format) in [
        (input_of(UInt8Array::from(vec![1])), DORA_TYPE_UINT8, c"C"),
        (input_of(half), DORA_TYPE_FLOAT16, c"e"),
        (input_of(NullArray::new(0)), DORA_TYPE_NULL, c"n"),
        (input_of(BooleanArray::from(vec![true])), DORA_TYPE_BOOL, c"b"),
        (input_of(TimestampNanosecondArray::from(vec![1])), DORA_TYPE_OTHER, c"tsn:"),
        (input_of(StringArray::from(vec!["a"])), DORA_TYPE_TEXT, c"u"),
    ] {
        assert_eq!(input.data_type(), kind);
        assert_eq!(input.format(), Some(format));
    }
}

#[test]
fn times_are_nanoseconds_since_the_epoch() {
    let at = |time| input_at(NullArray::new(0), uhlc::NTP64(time)).timestamp_ns();
    assert_eq!(at(0), 0);
    assert_eq!(at(1 << 32), 1_000_000_000);
    assert_eq!(at((1_700_000_000 << 32) | (1 << 31)), 1_700_000_000_500_000_000);
    assert_eq!(at(u64::MAX), 4_294_967_295_999_999_999);
}
