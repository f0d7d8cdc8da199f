//! Sending
//!
//! Five forms of one thing: a message on an output, which reaches every node that the dataflow connects to
//! it. What is passed is copied before the call returns. An output that nobody receives takes messages too.
//!
//! A message holds 256 MiB at most, framing included: a few hundred bytes for numbers, and for Arrow arrays
//! and booleans up to one bit a value besides. It holds 64 MiB at most where it goes by the daemon: when it
//! does not fit dora's shared memory at the moment (8 MiB, unless the dataflow's `shared_memory_pool_size`
//! says more), when a receiver is on another machine, and when an input that receives it has `queue_policy:
//! backpressure`.
//!
//! Sending waits for nobody who receives. It waits for other sends and log lines of the node, and, without
//! a limit, while the daemon does not take what goes by it.
//!
//! A message on the fast lane goes to the nodes that receive it without anything of dora's. A node that only
//! sends, and by the lane alone, therefore does not learn that the daemon is lost.
//!
//! Parameters may go beside the data: metadata of one's own, that of an event, or NULL for none. What dora
//! keeps there for the way of a message is not passed on.

use ::arrow::array::{ArrayRef, NullArray};
use ::arrow::datatypes::DataType;
use std::sync::Arc;

use crate::arrow::{self, ArrowArray, ArrowSchema};
use crate::data::{DORA_TYPE_BOOL, fixed_width_type};
use crate::error_text::{daemon_lost, send_error};
use crate::ffi::{Bytes, Shared, Text, guard};
use crate::metadata::{dora_metadata_t, outgoing};
use crate::node::{OutputToSend, closed, dora_node_t};
use crate::status::{Error, Result, dora_status_t};
use crate::transport::{Message, OutputEncoder};

/// Everything that all forms of sending share: checks first, then the encoding without a lock, then the
/// sending.
fn send(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    metadata: Option<&dora_metadata_t>,
    encode: impl FnOnce(OutputEncoder<'_>) -> Result<Message>,
) -> Result<()> {
    let node = node.required("node")?;
    let _call = node.enter()?;
    let output = node.output_to_send(output)?;
    let message = encode(node.encoder.on(output.id()))?;
    hand_over(node, output, message, metadata)
}

/// Gives a message to dora, in a call of the node.
pub fn hand_over(
    node: &dora_node_t,
    output: OutputToSend,
    message: Message,
    metadata: Option<&dora_metadata_t>,
) -> Result<()> {
    if node.is_lost() {
        return Err(daemon_lost());
    }
    let parameters = outgoing(metadata);
    node.with_outbox(move |outbox| {
        // Looked at here, since another thread may close it at any time before.
        if output.is_closed() {
            return Err(closed(output.id()));
        }
        outbox.send(output.id(), parameters, message).map_err(send_error)
    })
    .map_err(|error| node.note_loss(error))
}

/// Sends a message without data: its arrival and its metadata are what it says. It is received as
/// `DORA_TYPE_NULL` with length 0.
///
/// @param node      Not NULL.
/// @param output    Not NULL; an output that the dataflow declares for this node.
/// @param metadata  May be NULL; parameters to send along.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
///          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_DISCONNECTED`: the daemon
///          is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_send_empty(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    metadata: Option<&dora_metadata_t>,
) -> dora_status_t {
    guard(|| {
        send(node, output, metadata, |encoder| {
            let nothing: ArrayRef = Arc::new(NullArray::new(0));
            arrow::encode(encoder, &nothing)
        })
    })
}

/// Sends bytes. They are received as an array of `DORA_TYPE_UINT8`.
///
/// @param node      Not NULL.
/// @param output    Not NULL; an output that the dataflow declares for this node.
/// @param data      The bytes, copied before the call returns; NULL only with size 0.
/// @param size      Their number; 0 sends an empty array.
/// @param metadata  May be NULL; parameters to send along.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: `size` is beyond any memory; `DORA_ERROR_INVALID_UTF8` or
///          `DORA_ERROR_INVALID_ID`: `output` is no id; `DORA_ERROR_UNKNOWN_OUTPUT`;
///          `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the dataflow declares another type, and
///          `DORA_RUNTIME_TYPE_CHECK=error` asks for the check; `DORA_ERROR_TOO_LARGE`;
///          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
///          `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_send_bytes(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    data: Bytes<'_>,
    size: usize,
    metadata: Option<&dora_metadata_t>,
) -> dora_status_t {
    guard(|| {
        send(node, output, metadata, |encoder| {
            arrow::encode_numbers(encoder, &DataType::UInt8, size, data.slice(size, "data", "size")?)
        })
    })
}

/// Sends a C array of numbers or booleans.
///
/// @param node      Not NULL.
/// @param output    Not NULL; an output that the dataflow declares for this node.
/// @param type      `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`, or `DORA_TYPE_BOOL`: what `values` points to.
///                  Booleans are a byte each, and every byte that is not 0 is true.
/// @param values    The values, copied before the call returns, of any alignment; NULL only with length 0.
/// @param length    Their number; 0 sends an empty array.
/// @param metadata  May be NULL; parameters to send along.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type, or `length` is beyond any memory;
///          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
///          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the
///          dataflow declares another type, and `DORA_RUNTIME_TYPE_CHECK=error` asks for the check;
///          `DORA_ERROR_TOO_LARGE`; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being
///          freed; `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_send_values(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    r#type: i32,
    values: Bytes<'_>,
    length: usize,
    metadata: Option<&dora_metadata_t>,
) -> dora_status_t {
    guard(|| {
        send(node, output, metadata, |encoder| {
            if r#type == DORA_TYPE_BOOL {
                return arrow::encode_booleans(encoder, values.slice(length, "values", "length")?);
            }
            let data_type = fixed_width_type(r#type, " or DORA_TYPE_BOOL")?;
            let width = data_type.primitive_width().unwrap_or(1);
            let size = length.checked_mul(width).ok_or_else(|| {
                Error::invalid(format!("`length` is {length}, beyond any memory for values of {width} bytes"))
            })?;
            arrow::encode_numbers(encoder, data_type, length, values.slice(size, "values", "length")?)
        })
    })
}

/// Sends one text.
///
/// @param node      Not NULL.
/// @param output    Not NULL; an output that the dataflow declares for this node.
/// @param text      UTF-8, copied before the call returns; NULL only with length 0. It may hold NULs when
///                  it comes with its length.
/// @param length    Its bytes, or `DORA_NUL_TERMINATED`.
/// @param metadata  May be NULL; parameters to send along.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: `length` is beyond any memory; `DORA_ERROR_INVALID_UTF8`;
///          `DORA_ERROR_INVALID_ID`: `output` is no id; `DORA_ERROR_UNKNOWN_OUTPUT`;
///          `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the dataflow declares another type, and
///          `DORA_RUNTIME_TYPE_CHECK=error` asks for the check; `DORA_ERROR_TOO_LARGE`;
///          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
///          `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_send_text(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    text: Text<'_>,
    length: usize,
    metadata: Option<&dora_metadata_t>,
) -> dora_status_t {
    guard(|| {
        send(node, output, metadata, |encoder| arrow::encode_text(encoder, text.with_length(length, "text")?))
    })
}

/// Sends any Arrow array.
///
/// Both structures are taken in every case, also when the call fails and when another argument is wrong:
/// their `release` is NULL afterwards, and what they held was released.
///
/// @param node      Not NULL.
/// @param output    Not NULL; an output that the dataflow declares for this node.
/// @param schema    Not NULL; the type.
/// @param array     Not NULL; the values, copied before the call returns, of any alignment.
/// @param metadata  May be NULL; parameters to send along.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARROW`: a structure was released before, or is malformed as far as it
///          shows; `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
///          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the
///          dataflow declares another type, and `DORA_RUNTIME_TYPE_CHECK=error` asks for the check;
///          `DORA_ERROR_TOO_LARGE`; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being
///          freed; `DORA_ERROR_INTERNAL`: dora failed, or its wire format has no form for the type.
///
/// Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_send_arrow(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    schema: Option<&mut ArrowSchema>,
    array: Option<&mut ArrowArray>,
    metadata: Option<&dora_metadata_t>,
) -> dora_status_t {
    let schema = schema.map(ArrowSchema::take);
    let array = array.map(ArrowArray::take);
    guard(|| {
        send(node, output, metadata, |encoder| {
            let schema = crate::ffi::required(schema, "schema")?;
            let array = crate::ffi::required(array, "array")?;
            arrow::encode(encoder, &arrow::import(&schema, array)?)
        })
    })
}
