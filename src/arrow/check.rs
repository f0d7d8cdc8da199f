//! What the structures of the Arrow C Data Interface reveal about being malformed, checked before it is used.
//!
//! Wrong addresses cannot be seen; null pointers, counts, lengths and texts can.

use std::ffi::{CStr, c_char};
use std::panic::catch_unwind;

use arrow::datatypes::DataType;
use arrow::ffi::FFI_ArrowSchema;

use super::{ArrowArray, ArrowSchema};
use crate::status::{DORA_ERROR_INVALID_ARROW, Error, Result};

/// Deeper nesting is taken for a structure that contains itself.
const MAX_DEPTH: usize = 64;

pub fn malformed(what: impl AsRef<str>) -> Error {
    Error::new(DORA_ERROR_INVALID_ARROW, format!("malformed Arrow data: {}", what.as_ref()))
}

/// The type that a schema describes.
pub fn data_type(schema: &ArrowSchema) -> Result<DataType> {
    if schema.release.is_none() {
        return Err(malformed("`schema` was released before"));
    }
    check_schema(schema, "schema", MAX_DEPTH)?;
    let schema: *const ArrowSchema = schema;
    // SAFETY: the same C structure under another name.
    let schema: &FFI_ArrowSchema = unsafe { &*schema.cast() };
    let data_type = catch_unwind(|| DataType::try_from(schema))
        .map_err(|_| malformed("`schema` has inconsistent children or metadata"))?
        .map_err(|error| malformed(format!("`schema` has an unknown type: {error}")))?;
    check_type(&data_type)?;
    Ok(data_type)
}

/// The children of an array, of which there must be `expected`.
pub fn children<'a>(array: &'a ArrowArray, expected: usize, path: &str) -> Result<Vec<&'a ArrowArray>> {
    if usize::try_from(array.n_children) != Ok(expected) {
        return Err(malformed(format!(
            "{path}.n_children is {}, but its type has {expected}",
            array.n_children
        )));
    }
    if expected > 0 && array.children.is_null() {
        return Err(malformed(format!("{path}.children is NULL")));
    }
    (0..expected)
        .map(|index| {
            // SAFETY: not NULL, and `n_children` pointers lie there.
            let child = unsafe { array.children.add(index).read_unaligned().as_ref() };
            child.ok_or_else(|| malformed(format!("{path}.children[{index}] is NULL")))
        })
        .collect()
}

/// A length or an offset.
pub fn count(value: i64, what: &str) -> Result<usize> {
    usize::try_from(value).map_err(|_| malformed(format!("{what} is {value}")))
}

fn check_schema(schema: &ArrowSchema, path: &str, depth: usize) -> Result<()> {
    if depth == 0 {
        return Err(malformed(format!("{path} is nested deeper than {MAX_DEPTH} levels")));
    }
    if schema.format.is_null() {
        return Err(malformed(format!("{path}.format is NULL")));
    }
    check_text(schema.format, path, "format")?;
    check_text(schema.name, path, "name")?;
    let children = count(schema.n_children, &format!("{path}.n_children"))?;
    if children > 0 && schema.children.is_null() {
        return Err(malformed(format!("{path}.children is NULL")));
    }
    for index in 0..children {
        let path = format!("{path}.children[{index}]");
        // SAFETY: not NULL, and `n_children` pointers lie there.
        let child = unsafe { schema.children.add(index).read_unaligned().as_ref() };
        check_schema(child.ok_or_else(|| malformed(format!("{path} is NULL")))?, &path, depth - 1)?;
    }
    // SAFETY: NULL, or a schema that belongs to this one.
    match unsafe { schema.dictionary.as_ref() } {
        Some(dictionary) => check_schema(dictionary, &format!("{path}.dictionary"), depth - 1),
        None => Ok(()),
    }
}

fn check_text(text: *const c_char, path: &str, name: &str) -> Result<()> {
    if text.is_null() {
        return Ok(());
    }
    // SAFETY: not NULL, and the specification makes it NUL-terminated.
    match unsafe { CStr::from_ptr(text) }.to_str() {
        Ok(_) => Ok(()),
        Err(_) => Err(malformed(format!("{path}.{name} is not UTF-8"))),
    }
}

/// Sizes that stand in the format string and that nothing else checks.
fn check_type(data_type: &DataType) -> Result<()> {
    match data_type {
        DataType::FixedSizeBinary(size) | DataType::FixedSizeList(_, size) if *size < 0 => {
            return Err(malformed(format!("a fixed-size type has size {size}")));
        }
        _ => {}
    }
    super::import::child_types(data_type).into_iter().try_for_each(check_type)
}
