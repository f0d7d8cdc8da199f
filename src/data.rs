//! Data of an input
//!
//! A message is one Arrow array. Programs without an Arrow library read it here: numbers as a C array,
//! booleans as bits, texts and bytes element by element; `dora_event_arrow` gives everything else. Nothing
//! is copied but texts. What these functions give lives as long as the event. It is aligned as its type
//! needs; only large messages, which come through shared memory, are aligned to 64 bytes, unless the sender
//! sent a slice. An empty array gives NULL and 0.
//!
//! A message that dora calls bytes is an array of type `DORA_TYPE_UINT8`: read it with `dora_event_uint8`.
//! A timer tick is of type `DORA_TYPE_NULL` with length 0.

mod input;
#[cfg(test)]
mod tests;

use std::ffi::CStr;

use arrow::datatypes::DataType;

pub use self::input::Input;
use crate::event::dora_event_t;
use crate::ffi::{Bytes, Octets, Out, Text, answer, guard, required};
use crate::status::{DORA_ERROR_WRONG_TYPE, Error, Result, dora_status_t};
use crate::text::{Named, name_of, names};

/// Any other type of Arrow: read it with `dora_event_arrow`; fixed-width ones also with `dora_event_raw`.
/// Since 0.1.0.
pub const DORA_TYPE_OTHER: i32 = 0;
/// Nothing but a length: a timer tick, or a message that only has metadata. Since 0.1.0.
pub const DORA_TYPE_NULL: i32 = 1;
/// Booleans, a bit each. Since 0.1.0.
pub const DORA_TYPE_BOOL: i32 = 2;
/// `int8_t`. Since 0.1.0.
pub const DORA_TYPE_INT8: i32 = 3;
/// `int16_t`. Since 0.1.0.
pub const DORA_TYPE_INT16: i32 = 4;
/// `int32_t`. Since 0.1.0.
pub const DORA_TYPE_INT32: i32 = 5;
/// `int64_t`. Since 0.1.0.
pub const DORA_TYPE_INT64: i32 = 6;
/// `uint8_t`; what dora calls bytes. Since 0.1.0.
pub const DORA_TYPE_UINT8: i32 = 7;
/// `uint16_t`. Since 0.1.0.
pub const DORA_TYPE_UINT16: i32 = 8;
/// `uint32_t`. Since 0.1.0.
pub const DORA_TYPE_UINT32: i32 = 9;
/// `uint64_t`. Since 0.1.0.
pub const DORA_TYPE_UINT64: i32 = 10;
/// IEEE 754 half precision, passed as `uint16_t`, since C99 has no type for it. Since 0.1.0.
pub const DORA_TYPE_FLOAT16: i32 = 11;
/// `float`. Since 0.1.0.
pub const DORA_TYPE_FLOAT32: i32 = 12;
/// `double`. Since 0.1.0.
pub const DORA_TYPE_FLOAT64: i32 = 13;
/// UTF-8 texts, whichever of Arrow's layouts they have. Since 0.1.0.
pub const DORA_TYPE_TEXT: i32 = 14;
/// Byte strings, whichever of Arrow's layouts they have. Since 0.1.0.
pub const DORA_TYPE_BINARY: i32 = 15;

const NAMES: &[Named] = names![
    DORA_TYPE_OTHER,
    DORA_TYPE_NULL,
    DORA_TYPE_BOOL,
    DORA_TYPE_INT8,
    DORA_TYPE_INT16,
    DORA_TYPE_INT32,
    DORA_TYPE_INT64,
    DORA_TYPE_UINT8,
    DORA_TYPE_UINT16,
    DORA_TYPE_UINT32,
    DORA_TYPE_UINT64,
    DORA_TYPE_FLOAT16,
    DORA_TYPE_FLOAT32,
    DORA_TYPE_FLOAT64,
    DORA_TYPE_TEXT,
    DORA_TYPE_BINARY,
];

/// The types that are a C array, with what Arrow calls them.
static FIXED_WIDTH: [(i32, DataType); 11] = [
    (DORA_TYPE_INT8, DataType::Int8),
    (DORA_TYPE_INT16, DataType::Int16),
    (DORA_TYPE_INT32, DataType::Int32),
    (DORA_TYPE_INT64, DataType::Int64),
    (DORA_TYPE_UINT8, DataType::UInt8),
    (DORA_TYPE_UINT16, DataType::UInt16),
    (DORA_TYPE_UINT32, DataType::UInt32),
    (DORA_TYPE_UINT64, DataType::UInt64),
    (DORA_TYPE_FLOAT16, DataType::Float16),
    (DORA_TYPE_FLOAT32, DataType::Float32),
    (DORA_TYPE_FLOAT64, DataType::Float64),
];

/// The `DORA_TYPE_…` of an Arrow type.
fn kind_of_type(data_type: &DataType) -> i32 {
    match data_type {
        DataType::Null => DORA_TYPE_NULL,
        DataType::Boolean => DORA_TYPE_BOOL,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DORA_TYPE_TEXT,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            DORA_TYPE_BINARY
        }
        other => {
            FIXED_WIDTH.iter().find(|(_, arrow)| arrow == other).map_or(DORA_TYPE_OTHER, |(kind, _)| *kind)
        }
    }
}

/// The Arrow type of a `DORA_TYPE_…` that is a C array; `or_also` is what else the caller takes.
pub fn fixed_width_type(kind: i32, or_also: &str) -> Result<&'static DataType> {
    FIXED_WIDTH.iter().find(|(known, _)| *known == kind).map(|(_, arrow)| arrow).ok_or_else(|| {
        let name =
            name_of(NAMES, kind).map_or_else(|| kind.to_string(), |name| name.to_string_lossy().into());
        Error::invalid(format!("`type` is {name}, not one of DORA_TYPE_INT8 to DORA_TYPE_FLOAT64{or_also}"))
    })
}

fn type_name(kind: i32) -> &'static str {
    name_of(NAMES, kind).and_then(|name| name.to_str().ok()).unwrap_or("an unknown type")
}

/// Says that an event carries no data.
pub fn not_an_input(kind: &CStr) -> Error {
    Error::new(
        DORA_ERROR_WRONG_TYPE,
        format!(
            "the event is a {}, which has no data: look at dora_event_kind first",
            kind.to_string_lossy()
        ),
    )
}

fn input(event: Option<&dora_event_t>) -> Result<&Input> {
    required(event, "event")?.input()
}

/// The type of an input's data.
///
/// @param event  May be NULL.
/// @return  One of `DORA_TYPE_…`; `DORA_TYPE_OTHER` also for every event that is no `DORA_EVENT_INPUT`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_data_type(event: Option<&dora_event_t>) -> i32 {
    answer(DORA_TYPE_OTHER, || Some(event?.as_input()?.data_type()))
}

/// The type of an input's data as Arrow's C Data Interface writes it: `"f"` for float32, `"+s"` for a
/// struct.
///
/// @param event  May be NULL.
/// @return  The format string; NULL where Arrow has none for the type, and for every event that is no
///          `DORA_EVENT_INPUT`. Lives as long as the event.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_data_format(event: Option<&dora_event_t>) -> Text<'_> {
    answer(Text::null(), || event?.as_input()?.format().map(Text::of))
}

/// How many elements an input's data has.
///
/// @param event  May be NULL.
/// @return  The count, nulls included; 0 for every event that is no `DORA_EVENT_INPUT`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_length(event: Option<&dora_event_t>) -> usize {
    answer(0, || Some(event?.as_input()?.array().len()))
}

/// How many elements of an input's data are null.
///
/// @param event  May be NULL.
/// @return  The count; 0 for every event that is no `DORA_EVENT_INPUT`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_event_null_count(event: Option<&dora_event_t>) -> usize {
    answer(0, || Some(event?.as_input()?.null_count()))
}

/// The numbers of an input as a C array, not copied. `dora_event_float32` and its siblings do the same
/// without a cast.
///
/// @param event   Not NULL.
/// @param type    `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`: what the array is expected to be.
/// @param values  Not NULL; gets the first value, or NULL when there is none or on failure. Lives as long
///                as the event.
/// @param length  The number of values, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type;
///          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its data is of another type;
///          `DORA_ERROR_HAS_NULLS`: some elements have no value, see `dora_event_values_nullable`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_event_values<'a>(
    event: Option<&'a dora_event_t>,
    r#type: i32,
    values: Out<'_, Bytes<'a>>,
    length: Out<'_, usize>,
) -> dora_status_t {
    values.set(Bytes::null());
    length.set(0);
    guard(|| {
        let input = input(event)?;
        let out = values.required("values")?;
        out.set(Bytes::of(input.values(r#type)?));
        length.set(input.array().len());
        Ok(())
    })
}

/// The numbers of an input as a C array, not copied, with the places of its nulls.
///
/// Element `i` is a value when `validity` is NULL or bit `bit_offset + i` of it is 1, counted from the
/// lowest bit of the first byte; otherwise it is null and what stands in `values` means nothing.
///
/// @param event       Not NULL.
/// @param type        `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`: what the array is expected to be.
/// @param values      Not NULL; gets the first value, or NULL when there is none or on failure. Lives as
///                    long as the event.
/// @param validity    Not NULL; gets the bits, or NULL when there are no nulls or on failure. Lives as long
///                    as the event.
/// @param bit_offset  Not NULL; gets the number of the first element's bit.
/// @param length      The number of elements, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type;
///          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its data is of another type.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_event_values_nullable<'a>(
    event: Option<&'a dora_event_t>,
    r#type: i32,
    values: Out<'_, Bytes<'a>>,
    validity: Out<'_, Octets<'a>>,
    bit_offset: Out<'_, usize>,
    length: Out<'_, usize>,
) -> dora_status_t {
    values.set(Bytes::null());
    validity.set(Octets::null());
    bit_offset.set(0);
    length.set(0);
    guard(|| {
        let input = input(event)?;
        let values = values.required("values")?;
        let validity = validity.required("validity")?;
        let bit_offset = bit_offset.required("bit_offset")?;
        let (found, nulls) = input.values_nullable(r#type)?;
        values.set(Bytes::of(found));
        if let Some(nulls) = nulls {
            validity.set(Octets::of(nulls.bits));
            bit_offset.set(nulls.offset);
        }
        length.set(input.array().len());
        Ok(())
    })
}

/// The booleans of an input, a bit each, not copied.
///
/// Element `i` is `bits[k / 8] >> k % 8 & 1`, with `k = bit_offset + i`.
///
/// @param event       Not NULL.
/// @param bits        Not NULL; gets the bits, or NULL when there is none or on failure. Lives as long as
///                    the event.
/// @param bit_offset  Not NULL; gets the number of the first element's bit.
/// @param length      The number of booleans, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: the event is no input, or its
///          data is no booleans; `DORA_ERROR_HAS_NULLS`: some elements have no value, see
///          `dora_event_arrow`.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_event_bits<'a>(
    event: Option<&'a dora_event_t>,
    bits: Out<'_, Octets<'a>>,
    bit_offset: Out<'_, usize>,
    length: Out<'_, usize>,
) -> dora_status_t {
    bits.set(Octets::null());
    bit_offset.set(0);
    length.set(0);
    guard(|| {
        let input = input(event)?;
        let bits = bits.required("bits")?;
        let bit_offset = bit_offset.required("bit_offset")?;
        let found = input.bits()?;
        if !input.array().is_empty() {
            bits.set(Octets::of(found.bits));
            bit_offset.set(found.offset);
        }
        length.set(input.array().len());
        Ok(())
    })
}

/// One text of an input. All texts of the event are copied the first time, so that each ends with a NUL.
///
/// @param event   Not NULL.
/// @param index   Below `dora_event_length`; 0 for a message that is one text.
/// @param out     Not NULL; gets the text, terminated; NULL on failure. Lives as long as the event.
/// @param length  Its bytes without the NUL, which is how one finds NULs inside; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such element;
///          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its data is no text; `DORA_ERROR_HAS_NULLS`:
///          that element is null.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_event_text<'a>(
    event: Option<&'a dora_event_t>,
    index: usize,
    out: Out<'_, Text<'a>>,
    length: Out<'_, usize>,
) -> dora_status_t {
    out.set(Text::null());
    length.set(0);
    guard(|| {
        let out = out.required("out")?;
        let terminated = input(event)?.text(index)?;
        out.set(Text::of_terminated(terminated));
        length.set(terminated.len() - 1);
        Ok(())
    })
}

/// The bytes of one element of an input whose elements are byte strings or texts, not copied and not
/// terminated.
///
/// @param event  Not NULL.
/// @param index  Below `dora_event_length`.
/// @param bytes  Not NULL; gets the first byte, or NULL when there is none or on failure. Lives as long as
///               the event.
/// @param size   The number of bytes, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such element;
///          `DORA_ERROR_WRONG_TYPE`: the event is no input, or its elements are neither (an array of bytes
///          is read with `dora_event_uint8`); `DORA_ERROR_HAS_NULLS`: that element is null.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_event_bytes<'a>(
    event: Option<&'a dora_event_t>,
    index: usize,
    bytes: Out<'_, Octets<'a>>,
    size: Out<'_, usize>,
) -> dora_status_t {
    bytes.set(Octets::null());
    size.set(0);
    guard(|| {
        let input = input(event)?;
        let out = bytes.required("bytes")?;
        let found = input.bytes(index)?;
        out.set(Octets::of(found));
        size.set(found.len());
        Ok(())
    })
}

/// The whole buffer of an input whose elements all take the same number of bytes, not copied: numbers,
/// times, decimals, fixed-size binary, and fixed-size lists of these.
///
/// @param event  Not NULL.
/// @param bytes  Not NULL; gets the first byte, or NULL when there is none or on failure. Lives as long as
///               the event.
/// @param size   The number of bytes, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_WRONG_TYPE`: the event is no input, or its
///          elements are of no fixed number of bytes; `DORA_ERROR_HAS_NULLS`: some elements have no value.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_event_raw<'a>(
    event: Option<&'a dora_event_t>,
    bytes: Out<'_, Bytes<'a>>,
    size: Out<'_, usize>,
) -> dora_status_t {
    bytes.set(Bytes::null());
    size.set(0);
    guard(|| {
        let input = input(event)?;
        let out = bytes.required("bytes")?;
        let found = input.raw()?;
        out.set(Bytes::of(found));
        size.set(found.len());
        Ok(())
    })
}
