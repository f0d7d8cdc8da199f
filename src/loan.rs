//! Loans
//!
//! Memory to write a message into, from which it is sent without a copy: shared memory, where the message
//! is large enough and the node's pool has room, else the heap. A loan is a C array of one type for one
//! output. It belongs to one thread at a time, and may outlive its node.

use std::sync::Mutex;

use crate::data::{DORA_TYPE_OTHER, fixed_width_type};
use crate::ffi::{BytesMut, Out, Shared, Text, answer, guard, perform, required};
use crate::metadata::dora_metadata_t;
use crate::node::{OutputToSend, dora_node_t};
use crate::send::hand_over;
use crate::status::{Error, Result, dora_status_t};
use crate::transport::{Draft, Memory};

/// The kind of memory is not known, or one that this library does not know. Since 0.1.0.
pub const DORA_MEMORY_UNKNOWN: i32 = 0;
/// Memory of this process: sending copies it once. Since 0.1.0.
pub const DORA_MEMORY_HEAP: i32 = 1;
/// Memory that receivers on this machine read where it lies. Since 0.1.0.
pub const DORA_MEMORY_SHARED: i32 = 2;

/// Memory for a message. Opaque; ended with `dora_node_send_loan` or `dora_loan_free`. Since 0.1.0.
#[allow(non_camel_case_types)]
pub struct dora_loan_t(Option<Lent>);

/// What is lent; gone when the loan was sent.
struct Lent {
    draft: Draft,
    output: OutputToSend,
    kind: i32,
}

/// A loan of a node that was sent: the next one takes its place, and no memory is asked for.
#[derive(Default)]
pub struct Spare(Mutex<Option<Box<dora_loan_t>>>);

impl Spare {
    fn lend(&self, lent: Lent) -> Box<dora_loan_t> {
        let mut loan = crate::lock(&self.0).take().unwrap_or_else(|| Box::new(dora_loan_t(None)));
        loan.0 = Some(lent);
        loan
    }

    fn keep(&self, loan: Box<dora_loan_t>) {
        *crate::lock(&self.0) = Some(loan);
    }
}

// A loan may be filled by any thread.
const _: () = {
    const fn movable<T: Send>() {}
    movable::<dora_loan_t>();
};

/// Lends memory for a message on an output. Its values are whatever was there: write them all, or shorten
/// it with `dora_loan_set_length`. Nothing is waited for; where shared memory is exhausted, the loan is on
/// the heap, and costs a copy when it is sent. On the fast lane a loan of any size is in its shared memory, up
/// to eight at a time for an output.
///
/// @param node    Not NULL.
/// @param output  Not NULL; an output that the dataflow declares for this node.
/// @param type    `DORA_TYPE_INT8` to `DORA_TYPE_FLOAT64`.
/// @param length  How many values; 0 is fine.
/// @param out     Not NULL; gets the loan, NULL on failure. The caller ends it with `dora_node_send_loan`
///                or `dora_loan_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: `type` is no such type;
///          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
///          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TOO_LARGE`: more than 256
///          MiB; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed.
///
/// Any thread; waits for no send. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_loan(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    r#type: i32,
    length: usize,
    out: Out<'_, Option<Box<dora_loan_t>>>,
) -> dora_status_t {
    out.set(None);
    guard(|| {
        let node = node.required("node")?;
        let _call = node.enter()?;
        let data_type = fixed_width_type(r#type, "")?;
        let out = out.required("out")?;
        let output = node.output_to_send(output)?;
        let draft = node.encoder.on(output.id()).draft(data_type, length)?;
        out.set(Some(node.spare_loan.lend(Lent { draft, output, kind: r#type })));
        Ok(())
    })
}

/// The first value of a loan.
///
/// @param loan  May be NULL.
/// @return  Where to write, aligned to 64 bytes; NULL for NULL and for length 0. Lives as long as the loan.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_loan_data(loan: Option<&mut dora_loan_t>) -> BytesMut<'_> {
    answer(BytesMut::null(), || Some(BytesMut::of(loan?.0.as_mut()?.draft.data())))
}

/// How many values a loan has.
///
/// @param loan  May be NULL.
/// @return  The count; 0 for NULL.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_loan_length(loan: Option<&dora_loan_t>) -> usize {
    answer(0, || Some(loan?.0.as_ref()?.draft.length()))
}

/// How many bytes the values of a loan take.
///
/// @param loan  May be NULL.
/// @return  Bytes; 0 for NULL.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_loan_size(loan: Option<&dora_loan_t>) -> usize {
    answer(0, || Some(loan?.0.as_ref()?.draft.size()))
}

/// The type of a loan's values.
///
/// @param loan  May be NULL.
/// @return  One of `DORA_TYPE_…`; `DORA_TYPE_OTHER` for NULL.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_loan_type(loan: Option<&dora_loan_t>) -> i32 {
    answer(DORA_TYPE_OTHER, || Some(loan?.0.as_ref()?.kind))
}

/// What kind of memory a loan lies in.
///
/// @param loan  May be NULL.
/// @return  One of `DORA_MEMORY_…`, or a value that this header does not name; `DORA_MEMORY_UNKNOWN` for
///          NULL, and where dora does not tell: with a zero-copy threshold of more than 1 MiB.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_loan_memory(loan: Option<&dora_loan_t>) -> i32 {
    answer(DORA_MEMORY_UNKNOWN, || {
        Some(match loan?.0.as_ref()?.draft.memory() {
            Memory::Unknown => DORA_MEMORY_UNKNOWN,
            Memory::Heap => DORA_MEMORY_HEAP,
            Memory::Shared => DORA_MEMORY_SHARED,
        })
    })
}

/// Makes a loan shorter, for data whose size was not known before, such as a JPEG. The values stay where
/// they are; those behind the length are not received.
///
/// @param loan    Not NULL.
/// @param length  At most the length that it has.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: a loan cannot grow.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_loan_set_length(loan: Option<&mut dora_loan_t>, length: usize) -> dora_status_t {
    guard(|| {
        let draft = &mut required(required(loan, "loan")?.0.as_mut(), "loan")?.draft;
        if length > draft.length() {
            return Err(Error::invalid(format!(
                "`length` is {length}, but the loan has {} values and cannot grow: ask for as many as there \
                 may be",
                draft.length()
            )));
        }
        draft.shorten(length);
        Ok(())
    })
}

/// Gives a loan back without sending it.
///
/// @param loan  The loan, or NULL, which does nothing.
///
/// Any thread, when no other uses it, also after its node was freed. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_loan_free(loan: Option<Box<dora_loan_t>>) {
    perform(|| drop(loan));
}

/// Sends a loan on its output.
///
/// @param node      Not NULL; the node that lent it.
/// @param loan      Not NULL; the loan. It is gone and `*loan` NULL afterwards in every case, also when the
///                  call fails.
/// @param metadata  May be NULL; parameters to send along.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`: also
///          when `*loan` is NULL; `DORA_ERROR_INVALID_ARGUMENT`: another node lent it;
///          `DORA_ERROR_OUTPUT_CLOSED`; `DORA_ERROR_TYPE_MISMATCH`: the dataflow declares another type, and
///          `DORA_RUNTIME_TYPE_CHECK=error` asks for the check; `DORA_ERROR_TOO_LARGE`: for the daemon's
///          path; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
///          `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; sends of several threads follow each other, and no read is waited for. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_send_loan(
    node: Shared<'_, dora_node_t>,
    loan: Option<&mut Option<Box<dora_loan_t>>>,
    metadata: Option<&dora_metadata_t>,
) -> dora_status_t {
    let taken = loan.map(Option::take);
    guard(|| {
        let node = node.required("node")?;
        let loan = required(required(taken, "loan")?, "*loan")?;
        send(node, loan, metadata)
    })
}

fn send(node: &dora_node_t, mut loan: Box<dora_loan_t>, metadata: Option<&dora_metadata_t>) -> Result<()> {
    let _call = node.enter()?;
    let Lent { draft, output, .. } = required(loan.0.take(), "*loan")?;
    if !output.is_of(node) {
        return Err(Error::invalid("`loan` is of another node: send it with the node that lent it"));
    }
    node.spare_loan.keep(loan);
    let message = node.encoder.on(output.id()).finish(draft)?;
    hand_over(node, output, message, metadata)
}
