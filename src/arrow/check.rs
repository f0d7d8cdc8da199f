//! What the structures of the Arrow C Data Interface reveal about being malformed, checked before it is used.
//!
//! Wrong addresses cannot be seen; null pointers, counts, lengths and texts can.

use std::ffi::{CStr, c_char};
use std::fmt;
use std::panic::catch_unwind;

use arrow::datatypes::{
    DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    validate_decimal_precision_and_scale,
};
use arrow::ffi::FFI_ArrowSchema;

use super::{ArrowArray, ArrowSchema};
use crate::status::{DORA_ERROR_INVALID_ARROW, Error, Result};

/// Deeper nesting is taken for a structure that contains itself.
const MAX_DEPTH: usize = 64;

/// More bytes than a process can address; a buffer of that size cannot be there.
const MAX_BYTES: usize = 1 << 47;

pub fn malformed(what: impl AsRef<str>) -> Error {
    Error::new(DORA_ERROR_INVALID_ARROW, format!("malformed Arrow data: {}", what.as_ref()))
}

/// Where a part stands in its tree. It is put into words only when a message needs them.
#[derive(Clone, Copy)]
pub enum Path<'a> {
    Root(&'static str),
    Child(&'a Path<'a>, usize),
    Dictionary(&'a Path<'a>),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(argument) => f.write_str(argument),
            Self::Child(parent, index) => write!(f, "{parent}.children[{index}]"),
            Self::Dictionary(parent) => write!(f, "{parent}.dictionary"),
        }
    }
}

/// The type that a schema describes.
pub fn data_type(schema: &ArrowSchema) -> Result<DataType> {
    check_schema(schema, &Path::Root("schema"), MAX_DEPTH)?;
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
pub fn children<'a>(array: &'a ArrowArray, expected: usize, path: &Path<'_>) -> Result<Vec<&'a ArrowArray>> {
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
            live(child, |child| child.release.is_some(), &Path::Child(path, index))
        })
        .collect()
}

/// The array of a dictionary's values.
pub fn dictionary<'a>(array: &'a ArrowArray, path: &Path<'_>) -> Result<&'a ArrowArray> {
    // SAFETY: NULL, or an array that belongs to this one.
    let dictionary = unsafe { array.dictionary.as_ref() };
    live(dictionary, |values| values.release.is_some(), &Path::Dictionary(path))
}

/// A part that is there and was not released; of a released one nothing else may be looked at.
fn live<T>(part: Option<T>, is_live: impl Fn(&T) -> bool, path: &Path<'_>) -> Result<T> {
    match part {
        None => Err(malformed(format!("{path} is NULL"))),
        Some(part) if !is_live(&part) => {
            Err(malformed(format!("{path} was released before, or never filled")))
        }
        Some(part) => Ok(part),
    }
}

/// The size of a buffer, unless no process could hold it.
pub fn size(bytes: Option<usize>, path: &Path<'_>) -> Result<usize> {
    bytes
        .filter(|bytes| *bytes < MAX_BYTES)
        .ok_or_else(|| malformed(format!("{path}: a buffer is beyond any memory")))
}

/// A length, an offset, a number of parts: `what` says which, behind the path.
pub fn count(value: i64, path: &Path<'_>, what: &str) -> Result<usize> {
    usize::try_from(value).map_err(|_| malformed(format!("{path}{what} is {value}")))
}

fn check_schema(schema: &ArrowSchema, path: &Path<'_>, depth: usize) -> Result<()> {
    if depth == 0 {
        return Err(malformed(format!(
            "`schema` is nested deeper than {MAX_DEPTH} levels, or contains itself"
        )));
    }
    live(Some(schema), |schema| schema.release.is_some(), path)?;
    if schema.format.is_null() {
        return Err(malformed(format!("{path}.format is NULL")));
    }
    let format = check_text(schema.format, path, "format")?;
    check_text(schema.name, path, "name")?;
    check_metadata(schema, path)?;
    let children = count(schema.n_children, path, ".n_children")?;
    if let Some(expected) = child_count(format).filter(|expected| *expected != children) {
        return Err(malformed(format!(
            "{path}.n_children is {children}, but the format \"{format}\" has {expected}"
        )));
    }
    if children > 0 && schema.children.is_null() {
        return Err(malformed(format!("{path}.children is NULL")));
    }
    for index in 0..children {
        let path = Path::Child(path, index);
        // SAFETY: not NULL, and `n_children` pointers lie there.
        let child = unsafe { schema.children.add(index).read_unaligned().as_ref() };
        check_schema(live(child, |_| true, &path)?, &path, depth - 1)?;
    }
    // SAFETY: NULL, or a schema that belongs to this one.
    match unsafe { schema.dictionary.as_ref() } {
        Some(dictionary) => check_schema(dictionary, &Path::Dictionary(path), depth - 1),
        None => Ok(()),
    }
}

/// How many children a type has; `None` where the type does not tell.
fn child_count(format: &str) -> Option<usize> {
    match format {
        "+l" | "+L" | "+vl" | "+vL" | "+m" => Some(1),
        "+r" => Some(2),
        _ if format.starts_with("+w") => Some(1),
        _ if format.starts_with('+') => None,
        _ => Some(0),
    }
}

fn check_text<'a>(text: *const c_char, path: &Path<'_>, name: &str) -> Result<&'a str> {
    if text.is_null() {
        return Ok("");
    }
    // SAFETY: not NULL, and the specification makes it NUL-terminated.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| malformed(format!("{path}.{name} is not UTF-8")))
}

/// The counts in the metadata, which are native integers of any alignment in front of what they count.
fn check_metadata(schema: &ArrowSchema, path: &Path<'_>) -> Result<()> {
    if schema.metadata.is_null() {
        return Ok(());
    }
    let mut at = 0;
    let mut next = |skip: usize| {
        at += skip;
        // SAFETY: the specification puts an integer there, once all counts before it were sound.
        let number = unsafe { schema.metadata.add(at).cast::<i32>().read_unaligned() };
        at += size_of::<i32>();
        count(i64::from(number), path, ".metadata: a count")
    };
    let texts = 2 * next(0)?;
    let mut length = 0;
    for _ in 0..texts {
        length = next(length)?;
    }
    Ok(())
}

/// Sizes that stand in the format string and that nothing else checks.
fn check_type(data_type: &DataType) -> Result<()> {
    match data_type {
        DataType::FixedSizeBinary(size) | DataType::FixedSizeList(_, size) if *size < 0 => {
            return Err(malformed(format!("`schema` has a fixed-size type of size {size}")));
        }
        DataType::Decimal32(precision, scale) => check_decimal::<Decimal32Type>(*precision, *scale),
        DataType::Decimal64(precision, scale) => check_decimal::<Decimal64Type>(*precision, *scale),
        DataType::Decimal128(precision, scale) => check_decimal::<Decimal128Type>(*precision, *scale),
        DataType::Decimal256(precision, scale) => check_decimal::<Decimal256Type>(*precision, *scale),
        _ => Ok(()),
    }?;
    if let DataType::Dictionary(_, values) = data_type {
        check_type(values)?;
    }
    super::import::child_types(data_type).into_iter().try_for_each(check_type)
}

fn check_decimal<T: DecimalType>(precision: u8, scale: i8) -> Result<()> {
    validate_decimal_precision_and_scale::<T>(precision, scale)
        .map_err(|error| malformed(format!("`schema`: {error}")))
}
