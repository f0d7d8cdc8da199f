//! A child of `fork` has the memory of a node and none of its threads.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::status::{DORA_ERROR_UNSUPPORTED, Error};

/// Whether this process was forked off one that had had a node.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

/// Has processes know that they are forked off this one. One that has had no node may fork as it likes:
/// its children can be nodes themselves.
pub fn watch_forks() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // SAFETY: the handler only sets a flag, and the library is never unloaded.
        unsafe { libc::pthread_atfork(None, None, Some(note_child)) };
    });
}

extern "C" fn note_child() {
    IS_CHILD.store(true, Ordering::Relaxed);
}

/// Whether nothing here may be touched: locks may be held by threads that are not there, and what a child
/// releases in shared memory would be gone for its parent.
pub fn is_child() -> bool {
    IS_CHILD.load(Ordering::Relaxed)
}

/// What a call is told there.
pub fn in_child() -> Error {
    Error::new(
        DORA_ERROR_UNSUPPORTED,
        "this process was forked off one that is a node, and has none of the node's threads: call exec in it, \
         or fork before the first node is made",
    )
}
