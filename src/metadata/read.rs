//! Reading parameters.

use dora_node_api::Parameter;

use super::parameters::{Parameters, nanoseconds, wrong_kind};
use super::{
    DORA_METADATA_BOOL, DORA_METADATA_FLOAT, DORA_METADATA_FLOATS, DORA_METADATA_INTEGER,
    DORA_METADATA_INTEGERS, DORA_METADATA_TIMESTAMP, dora_metadata_t,
};
use crate::event::TIME_ABSENT;
use crate::ffi::{Floats, Integers, Out, Text, guard, required};
use crate::status::{Error, Result, dora_status_t};

/// What all functions that read a parameter share; `pick` takes the value out, `name` is what its place is
/// called.
fn read<'a, T>(
    metadata: Option<&'a dora_metadata_t>,
    key: Text<'_>,
    value: Out<'_, T>,
    name: &str,
    pick: impl FnOnce(&'a Parameters, &str) -> Result<T>,
) -> dora_status_t {
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let value = value.required(name)?;
        value.set(pick(parameters, key)?);
        Ok(())
    })
}

/// Reads a boolean.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param value     Not NULL; gets the value, false on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_bool(
    metadata: Option<&dora_metadata_t>,
    key: Text<'_>,
    value: Out<'_, bool>,
) -> dora_status_t {
    value.set(false);
    read(metadata, key, value, "value", |parameters, key| match parameters.get(key)? {
        Parameter::Bool(found) => Ok(*found),
        other => Err(wrong_kind(key, other, DORA_METADATA_BOOL)),
    })
}

/// Reads an integer.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param value     Not NULL; gets the value, 0 on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_integer(
    metadata: Option<&dora_metadata_t>,
    key: Text<'_>,
    value: Out<'_, i64>,
) -> dora_status_t {
    value.set(0);
    read(metadata, key, value, "value", |parameters, key| match parameters.get(key)? {
        Parameter::Integer(found) => Ok(*found),
        other => Err(wrong_kind(key, other, DORA_METADATA_INTEGER)),
    })
}

/// Reads a number.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param value     Not NULL; gets the value, 0 on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_float(
    metadata: Option<&dora_metadata_t>,
    key: Text<'_>,
    value: Out<'_, f64>,
) -> dora_status_t {
    value.set(0.0);
    read(metadata, key, value, "value", |parameters, key| match parameters.get(key)? {
        Parameter::Float(found) => Ok(*found),
        other => Err(wrong_kind(key, other, DORA_METADATA_FLOAT)),
    })
}

/// Reads a time.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param value     Not NULL; gets the value, `DORA_TIME_ABSENT` on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind, or a time
///          before 1677 or after 2262.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_timestamp_ns(
    metadata: Option<&dora_metadata_t>,
    key: Text<'_>,
    value: Out<'_, i64>,
) -> dora_status_t {
    value.set(TIME_ABSENT);
    read(metadata, key, value, "value", |parameters, key| match parameters.get(key)? {
        Parameter::Timestamp(time) => nanoseconds(key, time),
        other => Err(wrong_kind(key, other, DORA_METADATA_TIMESTAMP)),
    })
}

/// Reads a text.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param value     Not NULL; gets the text, terminated, NULL on failure. Lives until the metadata is
///                  changed or ends.
/// @param length    Its bytes without the NUL, which is how one finds NULs inside, 0 on failure; may be
///                  NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_string<'a>(
    metadata: Option<&'a dora_metadata_t>,
    key: Text<'_>,
    value: Out<'_, Text<'a>>,
    length: Out<'_, usize>,
) -> dora_status_t {
    value.set(Text::null());
    length.set(0);
    read(metadata, key, value, "value", |parameters, key| {
        let text = parameters.string(key)?;
        length.set(text.len() - 1);
        Ok(Text::of_terminated(text))
    })
}

/// Reads a list of integers.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param values    Not NULL; gets the first value, NULL when there is none or on failure. Lives until the
///                  metadata is changed or ends.
/// @param count     The number of values, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_integers<'a>(
    metadata: Option<&'a dora_metadata_t>,
    key: Text<'_>,
    values: Out<'_, Integers<'a>>,
    count: Out<'_, usize>,
) -> dora_status_t {
    values.set(Integers::null());
    count.set(0);
    read(metadata, key, values, "values", |parameters, key| match parameters.get(key)? {
        Parameter::ListInt(list) => {
            count.set(list.len());
            Ok(Integers::of_slice(list))
        }
        other => Err(wrong_kind(key, other, DORA_METADATA_INTEGERS)),
    })
}

/// Reads a list of numbers.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param values    Not NULL; gets the first value, NULL when there is none or on failure. Lives until the
///                  metadata is changed or ends.
/// @param count     The number of values, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_floats<'a>(
    metadata: Option<&'a dora_metadata_t>,
    key: Text<'_>,
    values: Out<'_, Floats<'a>>,
    count: Out<'_, usize>,
) -> dora_status_t {
    values.set(Floats::null());
    count.set(0);
    read(metadata, key, values, "values", |parameters, key| match parameters.get(key)? {
        Parameter::ListFloat(list) => {
            count.set(list.len());
            Ok(Floats::of_slice(list))
        }
        other => Err(wrong_kind(key, other, DORA_METADATA_FLOATS)),
    })
}

/// How many texts a list has.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param count     Not NULL; gets the number, 0 on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_strings_count(
    metadata: Option<&dora_metadata_t>,
    key: Text<'_>,
    count: Out<'_, usize>,
) -> dora_status_t {
    count.set(0);
    read(metadata, key, count, "count", |parameters, key| Ok(parameters.strings(key)?.len()))
}

/// Reads one text of a list.
///
/// @param metadata  Not NULL.
/// @param key       Not NULL.
/// @param index     Below what `dora_metadata_get_strings_count` gives.
/// @param value     Not NULL; gets the text, terminated, NULL on failure. Lives until the metadata is
///                  changed or ends.
/// @param length    Its bytes without the NUL, 0 on failure; may be NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`: of the key;
///          `DORA_ERROR_NOT_FOUND`; `DORA_ERROR_WRONG_TYPE`: the parameter is of another kind;
///          `DORA_ERROR_INVALID_ARGUMENT`: there is no such text.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_get_strings_at<'a>(
    metadata: Option<&'a dora_metadata_t>,
    key: Text<'_>,
    index: usize,
    value: Out<'_, Text<'a>>,
    length: Out<'_, usize>,
) -> dora_status_t {
    value.set(Text::null());
    length.set(0);
    read(metadata, key, value, "value", |parameters, key| {
        let texts = parameters.strings(key)?;
        let text = texts.get(index).ok_or_else(|| {
            Error::invalid(format!("`index` is {index}, but the list \"{key}\" has {} texts", texts.len()))
        })?;
        length.set(text.len() - 1);
        Ok(Text::of_terminated(text))
    })
}
