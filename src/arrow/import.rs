//! Arrays from C, checked while they are taken apart. arrow's own import trusts what it is given.

use std::ptr::NonNull;
use std::sync::Arc;

use arrow::array::{ArrayData, ArrayRef, BufferSpec, layout, make_array};
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow::datatypes::{DataType, UnionMode};

use super::check::{Path, children, count, data_type, dictionary, malformed, size};
use super::{ArrowArray, ArrowSchema};
use crate::status::Result;

/// A view refers to its buffer by a 32 bit number.
const MAX_BUFFERS: usize = i32::MAX as usize;

/// Takes an array over. It is released when the last part of the result is dropped, or on failure at once.
pub fn import(schema: &ArrowSchema, array: ArrowArray) -> Result<ArrayRef> {
    let data_type = data_type(schema)?;
    if array.release.is_none() {
        return Err(malformed("array was released before, or never filled"));
    }
    let owner = Arc::new(array);
    let mut data = Importer { owner: &owner }.array(&owner, &data_type, &Path::Root("array"))?;
    data.align_buffers();
    data.validate_full().map_err(|error| malformed(format!("`array`: {error}")))?;
    Ok(make_array(without_offsets(&data)?))
}

/// The same data with the offsets of structs and their like moved into their children.
///
/// arrow would slice the children of a nested struct twice: once as data, and again as an array.
fn without_offsets(data: &ArrayData) -> Result<ArrayData> {
    if data.child_data().is_empty() {
        return Ok(data.clone());
    }
    let (offset, length) = (data.offset(), data.len());
    let mut children = data.child_data().iter().map(without_offsets).collect::<Result<Vec<_>>>()?;
    let mut builder = data.clone().into_builder();
    let elements = match data.data_type() {
        DataType::Struct(_) | DataType::Union(_, UnionMode::Sparse) => Some(1),
        DataType::FixedSizeList(_, size) => usize::try_from(*size).ok(),
        _ => None,
    };
    if let Some(elements) = elements {
        for child in &mut children {
            // arrow's validation leaves the offset out of this comparison.
            let needed = (offset + length).saturating_mul(elements);
            if child.len() < needed {
                let found = child.len();
                return Err(malformed(format!(
                    "`array`: a child has {found} elements, but its parent refers to {needed}"
                )));
            }
            *child = make_array(child.clone()).slice(offset * elements, length * elements).to_data();
        }
        // Only a sparse union has a buffer here: its type ids, a byte each.
        let buffers = data.buffers().iter().map(|buffer| buffer.slice_with_length(offset, length)).collect();
        builder = builder.offset(0).nulls(data.nulls().cloned()).buffers(buffers);
    }
    // SAFETY: the whole tree was validated, and each child holds what its parent refers to.
    Ok(unsafe { builder.child_data(children).build_unchecked() })
}

/// The types of the children of a nested type.
pub fn child_types(data_type: &DataType) -> Vec<&DataType> {
    match data_type {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => vec![field.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        _ => vec![],
    }
}

struct Importer<'a> {
    owner: &'a Arc<ArrowArray>,
}

impl Importer<'_> {
    /// One array of the tree; `path` names it in messages.
    fn array(&self, array: &ArrowArray, data_type: &DataType, path: &Path<'_>) -> Result<ArrayData> {
        let length = count(array.length, path, ".length")?;
        let offset = count(array.offset, path, ".offset")?;
        if array.null_count < -1 || array.null_count > array.length {
            return Err(malformed(format!("{path}.null_count is {}", array.null_count)));
        }
        let end = size(length.checked_add(offset), path)?;

        if length == 0 {
            // The specification lets an empty array leave out its buffers, offsets included.
            return Ok(ArrayData::new_empty(data_type));
        }
        let mut parts = self.parts(array, data_type, length, end, path)?;
        let mut child_data = Vec::new();
        let types = child_types(data_type);
        for (index, (child, child_type)) in
            children(array, types.len(), path)?.into_iter().zip(types).enumerate()
        {
            child_data.push(self.array(child, child_type, &Path::Child(path, index))?);
        }
        if let DataType::Dictionary(_, values) = data_type {
            child_data.push(self.array(dictionary(array, path)?, values, &Path::Dictionary(path))?);
        } else if !array.dictionary.is_null() {
            return Err(malformed(format!("{path}.dictionary is set, but its schema has none")));
        }
        let validity = parts.validity.take();
        let builder = ArrayData::builder(data_type.clone())
            .len(length)
            .offset(offset)
            .nulls(validity)
            .buffers(parts.buffers)
            .child_data(child_data);
        // SAFETY: the whole tree is aligned and then fully validated before anybody reads it.
        Ok(unsafe { builder.build_unchecked() })
    }

    /// The buffers of one array, with the sizes that its type, length and offsets imply.
    fn parts(
        &self,
        array: &ArrowArray,
        data_type: &DataType,
        length: usize,
        end: usize,
        path: &Path<'_>,
    ) -> Result<Parts> {
        let layout = layout(data_type);
        let first = usize::from(layout.can_contain_null_mask);
        let fixed = first + layout.buffers.len();
        let n_buffers = count(array.n_buffers, path, ".n_buffers")?;
        let expected = if layout.variadic { fixed + 1 } else { fixed };
        if n_buffers < expected || (n_buffers > expected && !layout.variadic) {
            return Err(malformed(format!("{path}.n_buffers is {n_buffers}, but its type has {expected}")));
        }
        if n_buffers > MAX_BUFFERS {
            return Err(malformed(format!("{path}.n_buffers is {n_buffers}, more than a view can refer to")));
        }
        if n_buffers > 0 && array.buffers.is_null() {
            return Err(malformed(format!("{path}.buffers is NULL")));
        }
        let source = Source { array, path };

        let mut parts = Parts { validity: None, buffers: Vec::with_capacity(layout.buffers.len()) };
        if layout.can_contain_null_mask {
            parts.validity = self.validity(&source, length, end)?;
        }
        for (index, spec) in layout.buffers.iter().enumerate() {
            let bytes = match spec {
                BufferSpec::FixedWidth { byte_width, .. } => {
                    let elements = end + usize::from(index == 0 && has_offsets(data_type));
                    elements.checked_mul(*byte_width)
                }
                BufferSpec::BitMap => Some(end.div_ceil(8)),
                BufferSpec::VariableWidth => Some(source.last_offset(first, end, data_type)?),
                BufferSpec::AlwaysNull => Some(0),
            };
            parts.buffers.push(self.sized(&source, first + index, bytes)?);
        }
        if layout.variadic {
            for (index, bytes) in source.variadic_sizes(n_buffers, fixed)?.into_iter().enumerate() {
                parts.buffers.push(self.sized(&source, fixed + index, Some(bytes))?);
            }
        }
        Ok(parts)
    }

    /// Where the nulls are; what the producer says of their number must be true.
    fn validity(&self, source: &Source<'_>, length: usize, end: usize) -> Result<Option<NullBuffer>> {
        let (told, path) = (source.array.null_count, source.path);
        let Some(start) = source.address(0) else {
            return match told {
                1.. => {
                    Err(malformed(format!("{path}.null_count is {told}, but its validity bitmap is NULL")))
                }
                _ => Ok(None),
            };
        };
        let bits = BooleanBuffer::new(self.buffer(start, end.div_ceil(8)), end - length, length);
        let nulls = NullBuffer::new(bits);
        if told >= 0 && usize::try_from(told) != Ok(nulls.null_count()) {
            let found = nulls.null_count();
            return Err(malformed(format!(
                "{path}.null_count is {told}, but its validity bitmap has {found}"
            )));
        }
        Ok(Some(nulls))
    }

    fn sized(&self, source: &Source<'_>, index: usize, bytes: Option<usize>) -> Result<Buffer> {
        let bytes = size(bytes, source.path)?;
        match source.address(index) {
            // A producer may leave anything in the place of a buffer without bytes.
            _ if bytes == 0 => Ok(Buffer::default()),
            Some(start) => Ok(self.buffer(start, bytes)),
            None => Err(malformed(format!(
                "{}.buffers[{index}] is NULL, but {bytes} bytes are needed",
                source.path
            ))),
        }
    }

    fn buffer(&self, start: NonNull<u8>, size: usize) -> Buffer {
        // SAFETY: the producer promises that its buffers have the sizes that the type and length imply, until
        // the structure is released; the buffer keeps it from that.
        unsafe { Buffer::from_custom_allocation(start, size, self.owner.clone()) }
    }
}

struct Parts {
    validity: Option<NullBuffer>,
    buffers: Vec<Buffer>,
}

/// An array whose `buffers` are known to be there.
struct Source<'a> {
    array: &'a ArrowArray,
    path: &'a Path<'a>,
}

impl Source<'_> {
    fn address(&self, index: usize) -> Option<NonNull<u8>> {
        // SAFETY: `index` is below `n_buffers`, and `buffers` is not NULL.
        let address = unsafe { self.array.buffers.add(index).read_unaligned() };
        NonNull::new(address.cast_mut().cast())
    }

    /// Where the values end of a type with offsets, whose offsets are buffer `index`.
    fn last_offset(&self, index: usize, end: usize, data_type: &DataType) -> Result<usize> {
        let Some(start) = self.address(index) else {
            return Err(malformed(format!("{}.buffers[{index}] is NULL, but holds the offsets", self.path)));
        };
        let wide = matches!(data_type, DataType::LargeUtf8 | DataType::LargeBinary);
        // SAFETY: there are `end + 1` offsets of that width, of any alignment.
        let last = unsafe {
            if wide {
                start.cast::<i64>().add(end).read_unaligned()
            } else {
                i64::from(start.cast::<i32>().add(end).read_unaligned())
            }
        };
        count(last, self.path, ": the last offset")
    }

    /// The sizes of the buffers of a view type; the last buffer lists them.
    fn variadic_sizes(&self, n_buffers: usize, fixed: usize) -> Result<Vec<usize>> {
        let sizes = n_buffers - 1 - fixed;
        let Some(start) = self.address(n_buffers - 1) else {
            return match sizes {
                0 => Ok(vec![]),
                _ => Err(malformed(format!("{}.buffers[{}] is NULL", self.path, n_buffers - 1))),
            };
        };
        (0..sizes)
            // SAFETY: the last buffer holds one size for each variadic buffer, of any alignment.
            .map(|index| unsafe { start.cast::<i64>().add(index).read_unaligned() })
            .map(|size| count(size, self.path, ": the size of a buffer"))
            .collect()
    }
}

/// Whether the first buffer holds one more element than the array: offsets have an end as well as a start.
fn has_offsets(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::List(_)
            | DataType::LargeList(_)
            | DataType::Map(_, _)
    )
}
