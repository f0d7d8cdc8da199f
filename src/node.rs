//! Node
//!
//! A program is a node of a dataflow once `dora_node_init` succeeded. A node may be used from every thread
//! at any time: sending and receiving are behind separate locks, so a send never waits for a read.

mod life;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Waker;

use crate::ffi::{CStdout, Out, Shared, Text, answer, guard, perform};
use crate::receive::Receiver;
use crate::status::{DORA_ERROR_DISCONNECTED, DORA_ERROR_IO, Error, Result, dora_status_t};
use crate::transport::{Encoder, Outbox};
use crate::wait::{Call, Calls, Gate};

/// Something failed and the node cannot do its work. Since 0.1.0.
pub const DORA_LOG_ERROR: i32 = 1;
/// Something is not as it should be. Since 0.1.0.
pub const DORA_LOG_WARN: i32 = 2;
/// Something that an operator of the dataflow wants to know. Since 0.1.0.
pub const DORA_LOG_INFO: i32 = 3;
/// Something that a developer of the node wants to know. Since 0.1.0.
pub const DORA_LOG_DEBUG: i32 = 4;
/// Every step. Since 0.1.0.
pub const DORA_LOG_TRACE: i32 = 5;

/// A node of a dataflow. Opaque; ended with `dora_node_free`. Since 0.1.0.
#[allow(non_camel_case_types)]
pub struct dora_node_t {
    pub(crate) identity: Identity,
    /// For the node that dora started this process as.
    claim: Option<life::Claim>,
    /// Calls in progress, and whether the node is being freed.
    calls: Calls,
    /// Set when a send finds the daemon gone, or a read does.
    lost: AtomicBool,
    pub(crate) encoder: Encoder,
    /// The sending half. Held while a message is handed to dora.
    outbox: Mutex<Outbox>,
    /// The receiving half. Held while looking for an event, never while waiting for one.
    pub(crate) receiver: Mutex<Receiver>,
    /// The one receive call that may be in progress.
    pub(crate) reading: AtomicBool,
    /// Where that call waits.
    pub(crate) gate: Arc<Gate>,
    /// What dora gets to wake it.
    pub(crate) waker: Waker,
}

/// What a node is, as it was at its start. Asking for it waits for nothing.
#[derive(Debug)]
pub struct Identity {
    pub node_id: CString,
    pub dataflow_id: CString,
    pub outputs: BTreeSet<String>,
}

impl dora_node_t {
    /// Begins a call that does something with the node.
    pub fn enter(&self) -> Result<Call<'_>> {
        self.calls.enter().ok_or_else(being_freed)
    }

    /// Whether `dora_node_free` has begun.
    pub fn is_closing(&self) -> bool {
        self.calls.are_closing()
    }

    /// Notes that the daemon is gone.
    pub fn mark_lost(&self) {
        self.lost.store(true, Ordering::Release);
    }

    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Does something with the sending half.
    pub fn with_outbox<T>(&self, body: impl FnOnce(&mut Outbox) -> Result<T>) -> Result<T> {
        let mut outbox = crate::lock(&self.outbox);
        if self.calls.are_closing() {
            return Err(being_freed());
        }
        body(&mut outbox)
    }
}

fn being_freed() -> Error {
    Error::new(DORA_ERROR_DISCONNECTED, "the node is being freed: use it no more after dora_node_free")
}

/// Makes this program the node that dora started it as.
///
/// The daemon of dora passes what is needed in the environment. A terminal is never asked for anything.
///
/// Without a daemon, set `DORA_TEST_WITH_INPUTS` to a JSON file such as `{"id": "any", "events": [{"type":
/// "Input", "id": "tick", "time_offset_secs": 0.1, "data": [1.5], "data_type": "Float64"}, {"type": "Stop",
/// "time_offset_secs": 0.3}]}`, and the node runs alone. What it sends overwrites the file that
/// `DORA_TEST_WRITE_OUTPUTS_TO` names, by default `outputs.jsonl` beside the inputs. dora then takes every
/// output, prints three lines of its own to stdout, and may let a send wait for the next event of the file.
///
/// Without a daemon, set `DORA_TEST_WITH_INPUTS` to a JSON file such as `{"id": "any", "events": [{"type":
/// "Input", "id": "tick", "time_offset_secs": 0.1, "data": [1.5], "data_type": "Float64"}, {"type": "Stop",
/// "time_offset_secs": 0.3}]}`, and the node runs alone. What it sends overwrites the file that
/// `DORA_TEST_WRITE_OUTPUTS_TO` names, by default `outputs.jsonl` beside the inputs. dora then takes every
/// output, prints three lines of its own to stdout, and may let a send wait for the next event of the file.
///
/// The call returns when all nodes of the dataflow are ready, and waits until then, without a limit. The
/// threads that dora needs are started in it, with all signals blocked, the default scheduling policy and
/// the CPUs that the process was started on, whatever the calling thread has.
///
/// @param node  Not NULL; gets the node, NULL on failure. The caller ends it with `dora_node_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INIT`: dora did not start this program, or
///          started it as a node that lives already, what it passed is malformed, no daemon listens, or it
///          refuses; `DORA_ERROR_VERSION_MISMATCH`: the daemon is of another version.
///
/// Any thread. dora starts a process as one node, so a second call fails until the first node was freed;
/// nodes that run by `DORA_TEST_WITH_INPUTS` may be several. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_init(node: Out<'_, Option<Box<dora_node_t>>>) -> dora_status_t {
    node.set(None);
    guard(|| {
        let out = node.required("node")?;
        out.set(Some(Box::new(life::init_from_environment()?)));
        Ok(())
    })
}

/// Ends a node: its outputs close, and the daemon learns that it is done.
///
/// Calls in progress on other threads end first: a read returns `DORA_CLOSED`, a send that has not begun
/// `DORA_ERROR_DISCONNECTED`. The call takes two seconds at most; what dora has not finished by then goes
/// on in the background until the process ends. Events and Arrow arrays from the node stay valid.
///
/// @param node  The node, or NULL, which does nothing. No call on it may begin after this one.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_free(node: Shared<'static, dora_node_t>) {
    perform(|| life::end(node));
}

/// The id of this node, as the dataflow names it.
///
/// @param node  May be NULL.
/// @return  The id, `"test-node"` when run by `DORA_TEST_WITH_INPUTS`; NULL for NULL. Lives as long as the
///          node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_id(node: Option<&dora_node_t>) -> Text<'_> {
    answer(Text::null(), || Some(Text::of(&node?.identity.node_id)))
}

/// The id of the running dataflow, a UUID that dora makes at each start.
///
/// @param node  May be NULL.
/// @return  The id; NULL for NULL. Lives as long as the node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_dataflow_id(node: Option<&dora_node_t>) -> Text<'_> {
    answer(Text::null(), || Some(Text::of(&node?.identity.dataflow_id)))
}

/// Writes a line to the log of the dataflow, which travels by stdout. What C has printed so far is written
/// out first, and C's prints on other threads wait, so that lines do not mix; a print without a newline at
/// its end does run into the line.
///
/// @param node     Not NULL.
/// @param level    `DORA_LOG_ERROR` to `DORA_LOG_TRACE`.
/// @param message  Not NULL; UTF-8, terminated; may have several lines.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such level;
///          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_IO`: the line could not be written;
///          `DORA_ERROR_DISCONNECTED`: the node is being freed.
///
/// Any thread; waits for sends and prints in progress. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_log(
    node: Shared<'_, dora_node_t>,
    level: i32,
    message: Text<'_>,
) -> dora_status_t {
    guard(|| {
        let node = node.required("node")?;
        let _call = node.enter()?;
        let level = level_name(level)?;
        let message = message.required("message")?;
        // Before the sending half, since a program may hold stdout while it sends.
        let _stdout = CStdout::take().map_err(not_written)?;
        node.with_outbox(|outbox| {
            // dora prints the line, and its printing panics when that fails.
            catch_unwind(AssertUnwindSafe(|| outbox.log(level, message)))
                .map_err(|panic| not_written(Error::from_panic(panic.as_ref())))
        })
    })
}

fn not_written(cause: impl Display) -> Error {
    Error::new(
        DORA_ERROR_IO,
        format!("the line could not be written to stdout, by which it travels: {cause}"),
    )
}

fn level_name(level: i32) -> Result<&'static str> {
    Ok(match level {
        DORA_LOG_ERROR => "error",
        DORA_LOG_WARN => "warn",
        DORA_LOG_INFO => "info",
        DORA_LOG_DEBUG => "debug",
        DORA_LOG_TRACE => "trace",
        _ => {
            return Err(Error::invalid(format!(
                "`level` is {level}, which is none of DORA_LOG_ERROR (1) to DORA_LOG_TRACE (5)"
            )));
        }
    })
}
