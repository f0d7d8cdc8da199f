//! Gives an array away as the two structures.

use std::ffi::{CStr, c_void};
use std::ptr;

use arrow::array::{Array, ArrayRef, downcast_primitive_array};
use arrow::datatypes::{DataType, Field};
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema};

use super::{ArrowArray, ArrowSchema};
use crate::ffi::is_child;
use crate::status::{DORA_ERROR_UNSUPPORTED, Error, Result};

/// Whether there are nulls is told by the array; the schema allows them in either case.
const NULLABLE: i64 = 2;

/// The two structures of an array; they share its memory.
pub fn export(array: &ArrayRef) -> Result<(ArrowSchema, ArrowArray)> {
    if let Some(format) = number_format(array.data_type())
        && array.nulls().is_none()
    {
        return Ok((schema_of_numbers(format), array_of_numbers(array.clone())));
    }
    let field = Field::new("", array.data_type().clone(), true);
    let schema = FFI_ArrowSchema::try_from(&field).map_err(|error| {
        Error::new(DORA_ERROR_UNSUPPORTED, format!("the type cannot be exported: {error}"))
    })?;
    let array = FFI_ArrowArray::new(&array.to_data());
    // SAFETY: both pairs are the same C structures, of one layout, and ownership moves with the value.
    let (schema, array) = unsafe {
        (
            std::mem::transmute::<FFI_ArrowSchema, ArrowSchema>(schema),
            std::mem::transmute::<FFI_ArrowArray, ArrowArray>(array),
        )
    };
    Ok((schema, for_this_process(array)))
}

/// Puts a release of our own around that of an array, which a forked child passes over.
fn for_this_process(array: ArrowArray) -> ArrowArray {
    let array = Box::into_raw(Box::new(array));
    // SAFETY: it was a box a line ago; what is copied lives as long as what it is copied from.
    let copied = unsafe { &*array };
    ArrowArray { release: Some(release_array), private_data: array.cast(), ..*copied }
}

/// Arrow's format string of a type that is a C array. Such arrays are most of all messages, and need nothing
/// of what makes the general export five times as long.
fn number_format(data_type: &DataType) -> Option<&'static CStr> {
    Some(match data_type {
        DataType::Int8 => c"c",
        DataType::UInt8 => c"C",
        DataType::Int16 => c"s",
        DataType::UInt16 => c"S",
        DataType::Int32 => c"i",
        DataType::UInt32 => c"I",
        DataType::Int64 => c"l",
        DataType::UInt64 => c"L",
        DataType::Float16 => c"e",
        DataType::Float32 => c"f",
        DataType::Float64 => c"g",
        _ => return None,
    })
}

/// A schema that owns nothing.
fn schema_of_numbers(format: &'static CStr) -> ArrowSchema {
    ArrowSchema {
        format: format.as_ptr(),
        name: c"".as_ptr(),
        flags: NULLABLE,
        release: Some(forget_schema),
        ..ArrowSchema::empty()
    }
}

/// What an exported array of numbers owns.
struct Numbers {
    /// Keeps the values alive.
    _array: ArrayRef,
    /// No validity bitmap, and the values.
    buffers: [*const c_void; 2],
}

fn array_of_numbers(array: ArrayRef) -> ArrowArray {
    let length = array.len();
    let numbers = Box::new(Numbers { buffers: [ptr::null(), values_of(array.as_ref())], _array: array });
    let numbers = Box::into_raw(numbers);
    ArrowArray {
        // An array holds no more than memory does.
        length: (length as u64).cast_signed(),
        n_buffers: 2,
        // SAFETY: it was a box a line ago.
        buffers: unsafe { &raw mut (*numbers).buffers }.cast(),
        release: Some(release_numbers),
        private_data: numbers.cast(),
        ..ArrowArray::empty()
    }
}

/// Where the values of a primitive array begin, slices taken into account.
fn values_of(array: &dyn Array) -> *const c_void {
    downcast_primitive_array!(
        array => array.values().inner().as_ptr().cast(),
        _ => ptr::null()
    )
}

unsafe extern "C" fn forget_schema(schema: *mut ArrowSchema) {
    // SAFETY: the specification has a live structure passed here.
    unsafe { (*schema).release = None };
}

unsafe extern "C" fn release_numbers(array: *mut ArrowArray) {
    // SAFETY: `private_data` was made of that box.
    unsafe { release::<Numbers>(array) };
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as above.
    unsafe { release::<ArrowArray>(array) };
}

/// Frees what a structure owns; not in a forked child, whose shared memory is its parent's too.
///
/// # Safety
///
/// The specification has a live structure passed, once; its `private_data` is a box of `Owned`.
unsafe fn release<Owned>(array: *mut ArrowArray) {
    // SAFETY: see above.
    unsafe {
        (*array).release = None;
        if !is_child() {
            drop(Box::from_raw((*array).private_data.cast::<Owned>()));
        }
    }
}
