//! How a node begins and ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};

use dora_node_api::{DoraNode, EventStream, NodeResult};

use super::{Identity, dora_node_t};
use crate::error_text::init_error;
use crate::ffi::{Shared, clear_parent_death_signal, spawn_undisturbed};
use crate::receive::Receiver;
use crate::status::{DORA_ERROR_INIT, Error, Result};
use crate::transport::split;
use crate::wait::{Calls, Deadline, Gate};

/// How long the end of a node takes at most.
const END_TIMEOUT_NS: i64 = 2_000_000_000;

/// A threshold above this means that shared memory is not wanted, and is too much to allocate for nothing.
const WARM_UP_AT_MOST: usize = 1 << 20;

/// Set by the daemon, which starts a process as the node that stands in it.
const NODE_CONFIG: &str = "DORA_NODE_CONFIG";

/// Set by `dora run`, in the environment of the nodes that it must not leave behind.
const RUN_PARENT: &str = "DORA_RUN_PARENT_PID";

/// Whether a node lives in this process that dora started the process as.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The right to be the node that dora started this process as.
pub struct Claim(());

impl Claim {
    /// Takes it. A second node of that name would get the events of the first, which would then be closed.
    fn take() -> Result<Self> {
        if TAKEN.swap(true, Ordering::AcqRel) {
            return Err(Error::new(
                DORA_ERROR_INIT,
                "this process is a node already, and dora starts a process as one: use the node that the \
                 first dora_node_init gave",
            ));
        }
        Ok(Self(()))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        TAKEN.store(false, Ordering::Release);
    }
}

pub fn init_from_environment() -> Result<dora_node_t> {
    let claim = std::env::var_os(NODE_CONFIG).map(|_| Claim::take()).transpose()?;
    let mut node = init(DoraNode::init_from_env_force)?;
    node.claim = claim;
    if std::env::var_os(RUN_PARENT).is_some() {
        // dora did so too, but the signal is a thread's, and dora was on another one.
        clear_parent_death_signal();
    }
    Ok(node)
}

/// Sets a node up on a thread of its own, so that all of dora's threads come from there.
pub fn init(
    begin: impl FnOnce() -> NodeResult<(DoraNode, EventStream)> + Send + 'static,
) -> Result<dora_node_t> {
    let begin_and_warm_up = || begin().inspect(|(node, _)| warm_up(node));
    let thread = spawn_undisturbed("dora-init", begin_and_warm_up)
        .map_err(|error| Error::new(DORA_ERROR_INIT, format!("no thread can be started: {error}")))?;
    let halves = thread.join().map_err(|panic| Error::from_panic(panic.as_ref()))?;
    let (node, events) = halves.map_err(init_error)?;
    Ok(assemble(node, events))
}

/// The first message in shared memory starts threads that watch over it. They are to come from here, not
/// from the user's first large send.
fn warm_up(node: &DoraNode) {
    if node.zero_copy_threshold() <= WARM_UP_AT_MOST {
        drop(node.sample_allocator().allocate(node.zero_copy_threshold()));
    }
}

fn assemble(node: DoraNode, events: EventStream) -> dora_node_t {
    let identity = Identity::of(&node);
    let (inbox, encoder, outbox) = split(node, events);
    let gate = Arc::new(Gate::default());
    dora_node_t {
        identity,
        claim: None,
        calls: Calls::default(),
        lost: AtomicBool::new(false),
        encoder,
        outbox: Mutex::new(outbox),
        last_sent_ns: AtomicU64::new(0),
        receiver: Mutex::new(Receiver::new(inbox)),
        reading: AtomicBool::new(false),
        waker: Waker::from(gate.clone()),
        gate,
    }
}

/// Ends a node within [`END_TIMEOUT_NS`]; what takes longer goes on without the caller.
pub fn end(handle: Shared<'static, dora_node_t>) {
    let Some(node) = handle.get() else { return };
    node.calls.close();
    node.gate.close();
    let done = Arc::new(Gate::default());
    let when_done = WakeOnDrop(done.clone());
    let teardown = spawn_undisturbed("dora-end", move || {
        let _when_done = when_done;
        node.calls.wait_until_done();
        node.let_last_message_arrive();
        // SAFETY: handles of nodes come from a box, no call is in progress, and none may begin any more.
        let Some(node) = (unsafe { handle.reclaim() }) else { return };
        let dora_node_t { encoder, outbox, receiver, claim, .. } = *node;
        drop(encoder);
        drop(receiver);
        drop(outbox);
        drop(claim);
    });
    if let Ok(teardown) = teardown
        && done.wait(Deadline::after_ns(END_TIMEOUT_NS)).is_ready()
    {
        let _ = teardown.join();
    }
}

/// Tells that the end is over, also when it was one by a panic.
struct WakeOnDrop(Arc<Gate>);

impl Drop for WakeOnDrop {
    fn drop(&mut self) {
        self.0.wake_by_ref();
    }
}
