//! What gets a reader's attention from outside: an event loop's descriptor, and the interrupt.

use crate::ffi::{Bell, Out, Shared, guard, is_child, keeping_errno};
use crate::node::dora_node_t;
use crate::status::{DORA_ERROR_IO, Error, dora_status_t};

/// Gives a descriptor for event loops: it is readable when a receive call would not time out, so when an
/// event waits, nothing will come any more, or the node was interrupted.
///
/// The one rule: when it is readable, read with timeout 0 until `DORA_TIMEOUT`, or until `DORA_CLOSED`. It
/// is level-triggered for `poll`, `select` and `epoll`; with `EPOLLET` the rule is what keeps events from
/// being missed. It is readable at first, and stays so until a receive call finds nothing. A program that
/// reads once each time it is readable is told once too often when it has read all; so is, rarely, one whose
/// read took an event before dora had woken it for that. After `DORA_CLOSED` it is readable for ever: take it
/// out of the loop.
///
/// The descriptor belongs to the node: never read, write or close it, and take it out of the loop before
/// `dora_node_free`. It is closed at `exec`. Every call gives the same one.
///
/// No thread stands behind it. Before the first call of this function receiving costs nothing more;
/// afterwards an event that comes alone costs two system calls, and one behind others none. On the fast lane a
/// look that finds nothing costs one, and the descriptor is an `epoll` one.
///
/// @param node  Not NULL.
/// @param fd    Not NULL; gets the descriptor, -1 on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_IO`: the system has no descriptor left;
///          `DORA_ERROR_DISCONNECTED`: the node is being freed.
///
/// Any thread, also beside a read, for which it does not wait. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_event_fd(node: Shared<'_, dora_node_t>, fd: Out<'_, i32>) -> dora_status_t {
    fd.set(-1);
    guard(|| {
        let node = node.required("node")?;
        let fd = fd.required("fd")?;
        let _call = node.enter()?;
        let no_descriptor = |error: std::io::Error| {
            Error::new(DORA_ERROR_IO, format!("no descriptor can be had for the event loop: {error}"))
        };
        let bell = node.gate.watch(Bell::new).map_err(no_descriptor)?;
        fd.set(node.gate.descriptor(bell).map_err(no_descriptor)?);
        Ok(())
    })
}

/// Has a receive call return `DORA_INTERRUPTED`: the one in progress, or the next one where there is none.
/// Interrupts before that call are one; it goes before events that wait, and takes none of them away. The
/// descriptor of `dora_node_event_fd` is readable meanwhile.
///
/// A sending call under a send timeout that has waited for 100 ms since the interrupt, or since it began,
/// returns `DORA_INTERRUPTED` too, without using it up. What had begun by then goes on. Without a send
/// timeout a sending call works in dora itself, and is not interrupted.
///
/// @param node  The node, or NULL, which does nothing.
///
/// Any thread, and signal handlers: it is async-signal-safe and leaves `errno` alone. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_interrupt(node: Option<&dora_node_t>) {
    // No guard: nothing in here panics, allocates, locks, or touches what belongs to a thread.
    // A forked child shares the descriptor with its parent.
    if let Some(node) = node.filter(|_| !is_child()) {
        keeping_errno(|| node.interrupt());
    }
}
