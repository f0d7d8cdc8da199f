//! What an input carries, and how its data is read without an Arrow library.

use std::ffi::{CStr, CString};
use std::sync::{Arc, OnceLock};

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, FixedSizeBinaryArray, FixedSizeListArray,
    downcast_primitive_array,
};
use arrow::datatypes::DataType;
use arrow::ffi::FFI_ArrowSchema;
use dora_node_api::Metadata;

use super::{
    DORA_TYPE_BINARY, DORA_TYPE_BOOL, DORA_TYPE_NULL, DORA_TYPE_OTHER, DORA_TYPE_TEXT, DORA_TYPE_UINT8,
    fixed_width_type, kind_of_type, type_name,
};
use crate::event::{InputId, nanoseconds_of};
use crate::metadata::dora_metadata_t;
use crate::node::Told;
use crate::status::{DORA_ERROR_HAS_NULLS, DORA_ERROR_WRONG_TYPE, Error, Result};
use crate::text::to_c_string;

/// A message that arrived.
#[derive(Debug)]
pub struct Input {
    id: Arc<InputId>,
    metadata: dora_metadata_t,
    ntp64: u64,
    array: ArrayRef,
    texts: OnceLock<Texts>,
    format: OnceLock<Option<CString>>,
}

/// Where the nulls of an array stand: a bit for each element, 1 for a value.
pub struct Validity<'a> {
    pub bits: &'a [u8],
    pub offset: usize,
}

impl Input {
    pub fn new(id: Arc<InputId>, metadata: Metadata, array: ArrayRef) -> Self {
        let ntp64 = metadata.timestamp().get_time().as_u64();
        let metadata = dora_metadata_t::received(metadata.parameters);
        Self { id, metadata, ntp64, array, texts: OnceLock::new(), format: OnceLock::new() }
    }

    pub fn id(&self) -> &CStr {
        self.id.text()
    }

    /// What was told of the input that is to be told once.
    pub fn told(&self) -> &Told {
        self.id.told()
    }

    pub fn metadata(&self) -> &dora_metadata_t {
        &self.metadata
    }

    pub fn array(&self) -> &ArrayRef {
        &self.array
    }

    pub fn timestamp_ntp64(&self) -> u64 {
        self.ntp64
    }

    pub fn timestamp_ns(&self) -> i64 {
        nanoseconds_of(self.ntp64)
    }

    pub fn data_type(&self) -> i32 {
        kind_of_type(self.array.data_type())
    }

    /// Arrow's format string, where the C Data Interface has one for the type.
    pub fn format(&self) -> Option<&CStr> {
        self.format
            .get_or_init(|| {
                let schema = FFI_ArrowSchema::try_from(self.array.data_type()).ok()?;
                Some(to_c_string(schema.format()))
            })
            .as_deref()
    }

    /// Nulls as a reader sees them: every element of the null type is one.
    pub fn null_count(&self) -> usize {
        self.array.logical_null_count()
    }

    /// The values of a fixed-width type, as bytes. Nulls are an error.
    pub fn values(&self, kind: i32) -> Result<&[u8]> {
        let values = self.typed(kind)?;
        self.without_nulls("dora_event_values_nullable")?;
        Ok(values)
    }

    /// The values of a fixed-width type, as bytes, and where the nulls among them are.
    pub fn values_nullable(&self, kind: i32) -> Result<(&[u8], Option<Validity<'_>>)> {
        let values = self.typed(kind)?;
        let nulls = self.array.nulls().filter(|nulls| nulls.null_count() > 0);
        Ok((values, nulls.map(|nulls| Validity { bits: nulls.validity(), offset: nulls.offset() })))
    }

    /// The bits of booleans.
    pub fn bits(&self) -> Result<Validity<'_>> {
        let array = self
            .array
            .as_any()
            .downcast_ref::<BooleanArray>()
            .ok_or_else(|| self.wrong_type("DORA_TYPE_BOOL"))?;
        self.without_nulls("dora_event_arrow")?;
        Ok(Validity { bits: array.values().values(), offset: array.values().offset() })
    }

    /// One text, with a NUL behind it.
    pub fn text(&self, index: usize) -> Result<&[u8]> {
        if self.data_type() != DORA_TYPE_TEXT {
            return Err(self.wrong_type("DORA_TYPE_TEXT"));
        }
        self.check_element(index)?;
        Ok(self.texts.get_or_init(|| Texts::new(self)).get(index))
    }

    /// The bytes of one element of a binary or text type.
    pub fn bytes(&self, index: usize) -> Result<&[u8]> {
        if !matches!(self.data_type(), DORA_TYPE_TEXT | DORA_TYPE_BINARY) {
            return Err(self.wrong_type("DORA_TYPE_BINARY or DORA_TYPE_TEXT"));
        }
        self.check_element(index)?;
        Ok(self.element(index))
    }

    /// The buffer of a type in which each element takes the same number of bytes.
    pub fn raw(&self) -> Result<&[u8]> {
        let bytes = fixed_width(self.array.as_ref()).ok_or_else(|| self.wrong_type("of a fixed width"))?;
        match nulls_inside(self.array.as_ref()) {
            0 => Ok(bytes),
            nulls => Err(self.has_nulls(nulls, "dora_event_values_nullable or dora_event_arrow")),
        }
    }

    /// One line for a log.
    pub fn describe(&self) -> String {
        let (id, length, nulls) = (self.id().to_string_lossy(), self.array.len(), self.null_count());
        let (data_type, parameters) = (self.array.data_type(), self.metadata.count());
        let time = self.timestamp_ns();
        format!("{id}: {length} x {data_type}, {nulls} nulls, {parameters} parameters, sent at {time} ns")
    }

    fn typed(&self, kind: i32) -> Result<&[u8]> {
        fixed_width_type(kind, "")?;
        if self.data_type() != kind {
            return Err(self.wrong_type(type_name(kind)));
        }
        fixed_width(self.array.as_ref()).ok_or_else(|| self.wrong_type(type_name(kind)))
    }

    /// Says that the data is of another type than the function reads, and which one reads it.
    fn wrong_type(&self, wanted: &str) -> Error {
        let (id, kind, data_type) = (self.id().to_string_lossy(), self.data_type(), self.array.data_type());
        let (kind, reader) = (type_name(kind), reader_of(kind));
        Error::new(
            DORA_ERROR_WRONG_TYPE,
            format!("the data of input `{id}` is {kind} (Arrow type {data_type}), not {wanted}: {reader}"),
        )
    }

    fn without_nulls(&self, remedy: &str) -> Result<()> {
        match self.null_count() {
            0 => Ok(()),
            nulls => Err(self.has_nulls(nulls, remedy)),
        }
    }

    fn has_nulls(&self, nulls: usize, remedy: &str) -> Error {
        let (id, length) = (self.id().to_string_lossy(), self.array.len());
        Error::new(
            DORA_ERROR_HAS_NULLS,
            format!("of the {length} elements of input `{id}`, {nulls} are null: read them with {remedy}"),
        )
    }

    fn check_element(&self, index: usize) -> Result<()> {
        let length = self.array.len();
        if index >= length {
            let id = self.id().to_string_lossy();
            return Err(Error::invalid(format!(
                "`index` is {index}, but input `{id}` has {length} elements"
            )));
        }
        if self.array.is_null(index) {
            let id = self.id().to_string_lossy();
            return Err(Error::new(
                DORA_ERROR_HAS_NULLS,
                format!("element {index} of input `{id}` is null: skip it, or use dora_event_arrow"),
            ));
        }
        Ok(())
    }

    /// The bytes of an element that is there, of a type that [`bytes`](Self::bytes) reads.
    fn element(&self, index: usize) -> &[u8] {
        let array = self.array.as_ref();
        match array.data_type() {
            DataType::Utf8 => array.as_string::<i32>().value(index).as_bytes(),
            DataType::LargeUtf8 => array.as_string::<i64>().value(index).as_bytes(),
            DataType::Utf8View => array.as_string_view().value(index).as_bytes(),
            DataType::Binary => array.as_binary::<i32>().value(index),
            DataType::LargeBinary => array.as_binary::<i64>().value(index),
            DataType::BinaryView => array.as_binary_view().value(index),
            DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(index),
            _ => &[],
        }
    }
}

/// Which function reads data of a type, as a remedy.
fn reader_of(kind: i32) -> &'static str {
    match kind {
        DORA_TYPE_NULL => "it has nothing but a length",
        DORA_TYPE_BOOL => "read it with dora_event_bits",
        DORA_TYPE_TEXT => "read it with dora_event_text",
        DORA_TYPE_BINARY => "read it with dora_event_bytes",
        DORA_TYPE_UINT8 => "read it with dora_event_uint8",
        DORA_TYPE_OTHER => "read it with dora_event_arrow",
        _ => "read it with dora_event_values and that type",
    }
}

/// The values of an array whose elements all take the same number of bytes, slices taken into account.
fn fixed_width(array: &dyn Array) -> Option<&[u8]> {
    if let Some(array) = array.as_any().downcast_ref::<FixedSizeBinaryArray>() {
        return Some(array.value_data());
    }
    if let Some(array) = array.as_any().downcast_ref::<FixedSizeListArray>() {
        return fixed_width(array.values().as_ref());
    }
    downcast_primitive_array!(
        array => Some(array.values().inner().as_slice()),
        _ => None
    )
}

/// The nulls of an array and of what its lists hold.
fn nulls_inside(array: &dyn Array) -> usize {
    let lists = array.as_any().downcast_ref::<FixedSizeListArray>();
    array.null_count() + lists.map_or(0, |lists| nulls_inside(lists.values().as_ref()))
}

/// The texts of an array with a NUL behind each, made in one go when the first is asked for.
#[derive(Debug)]
struct Texts {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl Texts {
    fn new(input: &Input) -> Self {
        let mut texts = Self { bytes: Vec::new(), starts: Vec::with_capacity(input.array.len() + 1) };
        for index in 0..input.array.len() {
            texts.starts.push(texts.bytes.len());
            if input.array.is_valid(index) {
                texts.bytes.extend_from_slice(input.element(index));
            }
            texts.bytes.push(0);
        }
        texts.starts.push(texts.bytes.len());
        texts
    }

    fn get(&self, index: usize) -> &[u8] {
        &self.bytes[self.starts[index]..self.starts[index + 1]]
    }
}
