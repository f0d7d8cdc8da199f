//! Reading parameters.

use dora_node_api::Parameter;

use super::parameters::{nanoseconds, wrong_kind};
use super::{
    DORA_METADATA_BOOL, DORA_METADATA_FLOAT, DORA_METADATA_FLOATS, DORA_METADATA_INTEGER,
    DORA_METADATA_INTEGERS, DORA_METADATA_TIMESTAMP, dora_metadata_t,
};
use crate::event::TIME_ABSENT;
use crate::ffi::{Floats, Integers, Out, Text, guard, required};
use crate::status::{Error, dora_status_t};

/// What all functions that read a parameter share; `pick` takes the value out of the kind that it is for.
fn get<'a, T>(
    metadata: Option<&'a dora_metadata_t>,
    key: Text<'_>,
    value: Out<'_, T>,
    kind: i32,
    pick: impl FnOnce(&'a Parameter) -> Option<T>,
) -> dora_status_t {
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let value = value.required("value")?;
        let found = parameters.get(key)?;
        value.set(pick(found).ok_or_else(|| wrong_kind(key, found, kind))?);
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
    get(metadata, key, value, DORA_METADATA_BOOL, |found| match found {
        Parameter::Bool(found) => Some(*found),
        _ => None,
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
    get(metadata, key, value, DORA_METADATA_INTEGER, |found| match found {
        Parameter::Integer(found) => Some(*found),
        _ => None,
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
    get(metadata, key, value, DORA_METADATA_FLOAT, |found| match found {
        Parameter::Float(found) => Some(*found),
        _ => None,
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
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let value = value.required("value")?;
        match parameters.get(key)? {
            Parameter::Timestamp(time) => value.set(nanoseconds(key, time)?),
            other => return Err(wrong_kind(key, other, DORA_METADATA_TIMESTAMP)),
        }
        Ok(())
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
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let value = value.required("value")?;
        let text = parameters.string(key)?;
        value.set(Text::of_terminated(text));
        length.set(text.len() - 1);
        Ok(())
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
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let values = values.required("values")?;
        match parameters.get(key)? {
            Parameter::ListInt(list) => {
                values.set(Integers::of_slice(list));
                count.set(list.len());
                Ok(())
            }
            other => Err(wrong_kind(key, other, DORA_METADATA_INTEGERS)),
        }
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
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let values = values.required("values")?;
        match parameters.get(key)? {
            Parameter::ListFloat(list) => {
                values.set(Floats::of_slice(list));
                count.set(list.len());
                Ok(())
            }
            other => Err(wrong_kind(key, other, DORA_METADATA_FLOATS)),
        }
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
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let count = count.required("count")?;
        count.set(parameters.strings(key)?.len());
        Ok(())
    })
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
    guard(|| {
        let parameters = &required(metadata, "metadata")?.parameters;
        let key = key.required("key")?;
        let value = value.required("value")?;
        let texts = parameters.strings(key)?;
        let text = texts.get(index).ok_or_else(|| {
            Error::invalid(format!("`index` is {index}, but the list \"{key}\" has {} texts", texts.len()))
        })?;
        value.set(Text::of_terminated(text));
        length.set(text.len() - 1);
        Ok(())
    })
}
