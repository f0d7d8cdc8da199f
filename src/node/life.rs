//! How a node begins and ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};

use dora_node_api::dora_core::config::DataId;
use dora_node_api::{DoraNode, EventStream, NodeResult};

use super::{Identity, dora_node_t};
use crate::error_text::init_error;
use crate::ffi::{Shared, spawn_undisturbed};
use crate::receive::Receiver;
use crate::status::{DORA_ERROR_INIT, Error, Result};
use crate::text::to_c_string;
use crate::transport::split;
use crate::wait::{Calls, Deadline, Gate, Woken};

/// How long the end of a node takes at most.
const END_TIMEOUT_NS: i64 = 2_000_000_000;

pub fn init_from_environment() -> Result<dora_node_t> {
    init(DoraNode::init_from_env_force)
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

/// The first message in shared memory starts threads that watch over it. They are to come from here, not from the
/// user's first large send.
fn warm_up(node: &DoraNode) {
    drop(node.sample_allocator().allocate(node.zero_copy_threshold()));
}

fn assemble(mut node: DoraNode, events: EventStream) -> dora_node_t {
    let identity = Identity {
        node_id: to_c_string(node.id().as_ref()),
        dataflow_id: to_c_string(&node.dataflow_id().to_string()),
        outputs: node.node_config().outputs.iter().map(ToString::to_string).collect(),
        takes_any_output: takes_any_output(&mut node),
    };
    let (inbox, encoder, outbox) = split(node, events);
    let gate = Arc::new(Gate::default());
    dora_node_t {
        identity,
        calls: Calls::default(),
        lost: AtomicBool::new(false),
        encoder,
        outbox: Mutex::new(outbox),
        receiver: Mutex::new(Receiver::new(inbox)),
        reading: AtomicBool::new(false),
        waker: Waker::from(gate.clone()),
        gate,
    }
}

/// A node that runs without a dataflow takes every output. dora does not tell; an id that no dataflow declares
/// shows it.
fn takes_any_output(node: &mut DoraNode) -> bool {
    let outputs = &node.node_config().outputs;
    let mut ids = (0..=outputs.len()).map(|n| DataId::from(format!("undeclared-{n}")));
    let undeclared = ids.find(|id| !outputs.contains(id));
    undeclared.is_some_and(|id| node.validate_output(&id))
}

/// Ends a node within [`END_TIMEOUT_NS`].
pub fn end(handle: Shared<'_, dora_node_t>) {
    let Some(node) = handle.get() else { return };
    let deadline = Deadline::after_ns(END_TIMEOUT_NS);
    node.calls.close();
    node.gate.close();
    if !node.calls.wait_until_done(deadline) {
        // Another thread is stuck in dora and still uses the node: its memory stays.
        return;
    }
    // SAFETY: handles of nodes come from a box, no call is in progress, and none may begin any more.
    let Some(node) = (unsafe { handle.reclaim() }) else { return };
    let dora_node_t { encoder, outbox, receiver, .. } = *node;
    let done = Arc::new(Gate::default());
    let teardown = spawn_undisturbed("dora-end", {
        let done = done.clone();
        move || {
            drop(encoder);
            drop(receiver);
            drop(outbox);
            done.wake();
        }
    });
    // Without a thread the halves were dropped right here, when the closure was.
    if let Ok(teardown) = teardown
        && done.wait(deadline) == Woken::Ready
    {
        let _ = teardown.join();
    }
}

impl dora_node_t {
    /// Notes that the daemon is gone.
    pub fn mark_lost(&self) {
        self.lost.store(true, Ordering::Release);
    }

    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Whether `dora_node_free` has begun.
    pub fn is_closing(&self) -> bool {
        self.calls.are_closing()
    }
}
