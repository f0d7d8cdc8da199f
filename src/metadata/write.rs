//! Setting parameters.

use chrono::DateTime;
use dora_node_api::Parameter;

use super::dora_metadata_t;
use crate::ffi::{Exclusive, Floats, Integers, Lengths, Text, TextList, guard, perform, required};
use crate::status::{Result, dora_status_t};

/// What all functions that set a parameter share.
fn set(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    value: impl FnOnce() -> Result<Parameter>,
) -> dora_status_t {
    guard(|| {
        let metadata = required(metadata, "metadata")?;
        let key = key.required("key")?;
        metadata.parameters.set(key, value()?)
    })
}

/// Sets a boolean, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param value     Every value but 0 is true.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_bool(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    value: i32,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::Bool(value != 0)))
}

/// Sets an integer, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param value     Any.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_integer(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    value: i64,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::Integer(value)))
}

/// Sets a number, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param value     Any; NaN and the infinities too.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_float(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    value: f64,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::Float(value)))
}

/// Sets a time, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param value     Nanoseconds since the Unix epoch, before it negative.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_timestamp_ns(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    value: i64,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::Timestamp(DateTime::from_timestamp_nanos(value))))
}

/// Sets a text, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param value     UTF-8, copied; NULL only with length 0.
/// @param length    Its bytes, or `DORA_NUL_TERMINATED`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key or the value;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or `length` is beyond any memory.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_string(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    value: Text<'_>,
    length: usize,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::String(value.with_length(length, "value")?.to_owned())))
}

/// Sets a list of integers, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param values    Copied; NULL only with count 0.
/// @param count     The number of values; 0 sets an empty list.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or `count` is beyond any memory.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_integers(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    values: Integers<'_>,
    count: usize,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::ListInt(values.to_vec(count, "values", "count")?)))
}

/// Sets a list of numbers, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param values    Copied; NULL only with count 0.
/// @param count     The number of values; 0 sets an empty list.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or `count` is beyond any memory.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_floats(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    values: Floats<'_>,
    count: usize,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::ListFloat(values.to_vec(count, "values", "count")?)))
}

/// Sets a list of texts, in the place of what was there.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL; copied.
/// @param values    The texts, UTF-8, copied; NULL only with count 0, and one of them only with length 0.
/// @param lengths   The bytes of each, `DORA_NUL_TERMINATED` for one that ends with a NUL; NULL when all
///                  do.
/// @param count     The number of texts; 0 sets an empty list.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key or a text;
///          `DORA_ERROR_INVALID_ARGUMENT`: the key belongs to dora, or a length is beyond any memory.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_set_strings(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
    values: TextList<'_>,
    lengths: Lengths<'_>,
    count: usize,
) -> dora_status_t {
    set(metadata, key, || Ok(Parameter::ListString(values.to_vec(lengths, count)?)))
}

/// Sets every parameter of `from`, in the place of what was there under its key.
///
/// @param metadata  Not NULL; one's own.
/// @param from      Not NULL; one's own or an event's; the same object is fine.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_merge(
    metadata: Exclusive<'_, dora_metadata_t>,
    from: Option<&dora_metadata_t>,
) -> dora_status_t {
    guard(|| {
        let from = required(from, "from")?;
        if !metadata.is(from) {
            metadata.required("metadata")?.parameters.merge(&from.parameters);
        }
        Ok(())
    })
}

/// Removes a parameter.
///
/// @param metadata  Not NULL; one's own.
/// @param key       Not NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_remove(
    metadata: Option<&mut dora_metadata_t>,
    key: Text<'_>,
) -> dora_status_t {
    guard(|| required(metadata, "metadata")?.parameters.remove(key.required("key")?))
}

/// Removes every parameter.
///
/// @param metadata  One's own; NULL does nothing.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_clear(metadata: Option<&mut dora_metadata_t>) {
    perform(|| {
        if let Some(metadata) = metadata {
            metadata.parameters.clear();
        }
    });
}
