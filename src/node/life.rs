//! What makes a node of its parts, and how it ends.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};

use super::begin::Begun;
use super::clock::Clock;
use super::sender::Sender;
use super::{Told, dora_node_t};
use crate::ffi::{Alive, Shared, spawn_undisturbed};
use crate::loan::Spare;
use crate::options::dora_node_options_t;
use crate::receive::Receiver;
use crate::status::{DORA_ERROR_INIT, Error, Result};
use crate::transport::{Farewell, Halves};
use crate::wait::{Calls, Deadline, Gate};

/// How long the end of a node takes at most.
const END_TIMEOUT_NS: i64 = 2_000_000_000;

/// The ids under which this process is a node.
static TAKEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The right to be the node with an id.
pub struct Claim {
    id: String,
    _alive: Alive,
}

impl Claim {
    /// Takes it. A second node of that name would get the events of the first, which would then be closed.
    pub fn take(id: Option<String>) -> Result<Option<Self>> {
        let Some(id) = id else { return Ok(None) };
        if !crate::lock(&TAKEN).insert(id.clone()) {
            return Err(Error::new(
                DORA_ERROR_INIT,
                format!(
                    "this process is the node \"{id}\" already: use the node that the first call gave, or free \
                     it before"
                ),
            ));
        }
        Ok(Some(Self { id, _alive: Alive::begin() }))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        crate::lock(&TAKEN).remove(&self.id);
    }
}

/// Puts the parts of a node together.
pub fn assemble(begun: Begun, options: &dora_node_options_t) -> Result<dora_node_t> {
    let Begun { halves, inputs, pool_size, claim, identity } = begun;
    let Halves { inbox, encoder, outbox, last_by_dora, door, farewell } = halves;
    let gate = Arc::new(Gate::new(door));
    Ok(dora_node_t {
        identity: Arc::new(identity),
        told: Told::default(),
        pool_size,
        claim,
        clock: Clock::default(),
        calls: Calls::default(),
        lost: AtomicBool::new(false),
        encoder,
        spare_loan: Spare::default(),
        farewell,
        sender: Sender::new(outbox, options.send_timeout_ns, &options.scheduling)?,
        last_by_dora,
        receiver: Mutex::new(Receiver::new(inbox, &inputs, options.keeps_last_values)),
        reading: AtomicBool::new(false),
        waker: Waker::from(gate.clone()),
        gate,
    })
}

/// Ends a node within [`END_TIMEOUT_NS`]; what takes longer goes on without the caller.
pub fn end(handle: Shared<'static, dora_node_t>) {
    let Some(node) = handle.get() else { return };
    node.calls.close();
    node.gate.close();
    node.sender.close();
    let done = Arc::new(Gate::default());
    let when_done = WakeOnDrop(done.clone());
    let teardown = spawn_undisturbed("dora-end", move || {
        let _when_done = when_done;
        node.calls.wait_until_done();
        node.let_last_message_arrive();
        // SAFETY: handles of nodes come from a box, no call is in progress, and none may begin any more.
        let Some(node) = (unsafe { handle.reclaim() }) else { return };
        let dora_node_t { encoder, sender, receiver, claim, farewell, .. } = *node;
        drop(encoder);
        drop(receiver);
        drop(sender);
        farewell.map(Farewell::say);
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
