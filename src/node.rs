//! Node
//!
//! A program is a node of a dataflow once `dora_node_init` succeeded. A node may be used from every thread
//! at any time: sending and receiving are behind separate locks, so a send never waits for a read.

mod begin;
mod clock;
mod identity;
mod life;
mod log;
mod once;
mod outputs;
mod pool;
mod sender;
mod settling;
#[cfg(test)]
pub mod stand_in;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::time::Duration;

use self::clock::Clock;
pub use self::identity::{Identity, list, node_id};
pub use self::log::{
    DORA_LOG_DEBUG, DORA_LOG_ERROR, DORA_LOG_INFO, DORA_LOG_TRACE, DORA_LOG_WARN, log_level_name,
};
pub use self::once::Told;
pub use self::outputs::{OutputToSend, closed};
use self::sender::Sender;
use crate::ffi::{Out, Shared, guard, monotonic_now, perform};
use crate::loan::Spare;
use crate::options::dora_node_options_t;
use crate::receive::Receiver;
use crate::status::{DORA_ERROR_DISCONNECTED, Error, Result, dora_status_t};
use crate::transport::{Encoder, Farewell, LastByDora, Outbox};
use crate::wait::{Call, Calls, Gate};

/// What a message on dora's direct path is given to arrive; it takes a thousandth of that on an idle
/// machine.
const ARRIVAL_TIME: Duration = Duration::from_millis(100);

/// A node of a dataflow. Opaque; ended with `dora_node_free`. Since 0.1.0.
#[allow(non_camel_case_types)]
pub struct dora_node_t {
    pub(crate) identity: Arc<Identity>,
    /// What was told of it that is to be told once.
    told: Told,
    /// The bytes of shared memory to send from.
    pool_size: usize,
    /// For the node that dora started this process as.
    claim: Option<life::Claim>,
    pub(crate) clock: Clock,
    /// Calls in progress, and whether the node is being freed.
    calls: Calls,
    /// Set when a send finds the daemon gone, or a read does.
    lost: AtomicBool,
    pub(crate) encoder: Encoder,
    pub(crate) spare_loan: Spare,
    /// What the fast lane takes to end.
    farewell: Option<Farewell>,
    sender: Sender,
    last_by_dora: Arc<LastByDora>,
    /// The receiving half. Held while looking for an event, never while waiting for one.
    pub(crate) receiver: Mutex<Receiver>,
    /// The one receive call that may be in progress.
    pub(crate) reading: AtomicBool,
    /// Where that call waits.
    pub(crate) gate: Arc<Gate>,
    /// What dora gets to wake it.
    pub(crate) waker: Waker,
}

impl dora_node_t {
    /// Begins a call that does something with the node.
    pub(crate) fn enter(&self) -> Result<Call<'_>> {
        self.calls.enter().ok_or_else(being_freed)
    }

    /// Whether `dora_node_free` has begun.
    pub(crate) fn is_closing(&self) -> bool {
        self.calls.are_closing()
    }

    /// Notes that the daemon is gone.
    pub(crate) fn mark_lost(&self) {
        self.lost.store(true, Ordering::Release);
    }

    /// Notes it where an error says so.
    pub(crate) fn note_loss(&self, error: Error) -> Error {
        if error.status == DORA_ERROR_DISCONNECTED {
            self.mark_lost();
        }
        error
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Lets what was sent last arrive before the daemon tells its receivers that it was the last.
    ///
    /// A message on dora's direct path and the word of the daemon go different ways. A receiver whose
    /// inputs are all closed looks no further, so a message that comes behind that word would be lost.
    fn let_last_message_arrive(&self) {
        if let Some(last) = self.last_by_dora.time() {
            std::thread::sleep((last + ARRIVAL_TIME).saturating_sub(monotonic_now()));
        }
    }

    /// Has receive calls return, and sends that wait. Async-signal-safe.
    pub(crate) fn interrupt(&self) {
        // Where the node is being freed, everything returns anyhow.
        if let Some(_call) = self.calls.enter() {
            self.gate.interrupt();
            self.sender.interrupt();
        }
    }

    /// Does something with the sending half.
    pub(crate) fn with_outbox<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut Outbox) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.sender.with(self, body)
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
/// `DORA_TEST_WRITE_OUTPUTS_TO` names, by default `outputs.jsonl` beside the inputs; each line has the time
/// of its message, unless `DORA_TEST_NO_OUTPUT_TIME_OFFSET` is set. dora then takes every output and every
/// input, prints three lines of its own to stdout, and may let a send, and this call too, wait for the next
/// event of the file.
///
/// The call returns when all nodes of the dataflow are ready, and waits until then, without a limit; where
/// `DORA_FAST_LANE` asks for the fast lane, up to half a second more. The
/// threads that dora needs are started in it, with all signals blocked, the default scheduling policy and
/// the CPUs that the process was started on, whatever the calling thread has.
///
/// Where this process may lock too little memory for the shared memory of the nodes that it receives from
/// (`ulimit -l`), it does without, and large messages are copied. For that, `DORA_ZENOH_CONFIG_OVERLAY` is
/// in the environment during the call; no other thread should read it meanwhile.
///
/// `dora_node_init_with` does more: dynamic nodes, timeouts, shared memory.
///
/// @param node  Not NULL; gets the node, NULL on failure. The caller ends it with `dora_node_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INIT`: dora did not start this program, or
///          started it as a node that lives already, what it passed is malformed, no daemon listens, or it
///          refuses, or `DORA_FAST_LANE` is no list or names what the node does not have;
///          `DORA_ERROR_VERSION_MISMATCH`: the daemon is of another version.
///
/// Any thread. dora starts a process as one node, so a second call fails until the first node was freed;
/// nodes that run by `DORA_TEST_WITH_INPUTS` may be several. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_init(node: Out<'_, Option<Box<dora_node_t>>>) -> dora_status_t {
    node.set(None);
    guard(|| {
        let out = node.required("node")?;
        out.set(Some(Box::new(begin::begin(&dora_node_options_t::default())?)));
        Ok(())
    })
}

/// Makes this program a node as `dora_node_init` does, with options.
///
/// @param options  Borrowed for the call; NULL for those that `dora_node_init` has.
/// @param node     Not NULL; gets the node, NULL on failure and with `DORA_TIMEOUT`. The caller ends it
///                 with `dora_node_free`.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the node was not ready in the time that the options allow;
///          `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: options that do not fit together, or
///          one for the whole process after its first node; `DORA_ERROR_INIT`: see `dora_node_init`, or no
///          daemon has such a dynamic node; `DORA_ERROR_VERSION_MISMATCH`: the daemon is of another
///          version; `DORA_ERROR_OUT_OF_MEMORY`: the shared memory that they ask for cannot be had, and the
///          message names the limit.
///
/// Any thread; see `dora_node_init`. Dynamic nodes may be several. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_init_with(
    options: Option<&dora_node_options_t>,
    node: Out<'_, Option<Box<dora_node_t>>>,
) -> dora_status_t {
    node.set(None);
    guard(|| {
        let out = node.required("node")?;
        let defaults = dora_node_options_t::default();
        out.set(Some(Box::new(begin::begin(options.unwrap_or(&defaults))?)));
        Ok(())
    })
}

/// Ends a node: its outputs close, and the daemon learns that it is done.
///
/// Calls in progress on other threads end first: a read returns `DORA_CLOSED`, a send that has not begun
/// `DORA_ERROR_DISCONNECTED`. What was sent last gets 100 ms to arrive, because receivers look no further
/// once the daemon tells them that it was the last; what went by the fast lane is waited for until every node
/// that receives it has it in its memory, for a second at most. The call takes two seconds at most; what dora has not
/// finished by then goes on in the background until the process ends. Events and Arrow arrays from the node
/// stay valid.
///
/// @param node  The node, or NULL, which does nothing. No call on it may begin after this one.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_free(node: Shared<'static, dora_node_t>) {
    perform(|| life::end(node));
}
