//! The end of a process that is still a node, or that was forked off one.
//!
//! zenoh takes its shared memory apart when the process ends, in a destructor of this library. Threads of its
//! own, and of the program, may be at it then: they panic, and where that meets another panic, the process
//! aborts. In a forked child that destructor may wait for threads which are not there, and what it removes is
//! the parent's. So it is passed over: whatever a process leaves in `/dev/shm`, the next one removes.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};

use super::fork::is_child;

/// How many nodes of dataflows have begun and not ended altogether.
static NODES: AtomicUsize = AtomicUsize::new(0);
/// Whether the process ends, and with which code.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
static CODE: AtomicI32 = AtomicI32::new(0);

/// A node of a dataflow that the end of the process may meet.
pub struct Alive(());

impl Alive {
    pub fn begin() -> Self {
        static NOTED: Once = Once::new();
        NOTED.call_once(|| {
            // SAFETY: the handler only sets two numbers, and the library is never unloaded.
            unsafe { on_exit(note_end, ptr::null_mut()) };
        });
        NODES.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        NODES.fetch_sub(1, Ordering::Relaxed);
    }
}

unsafe extern "C" {
    fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

extern "C" fn note_end(code: c_int, _: *mut c_void) {
    CODE.store(code, Ordering::Relaxed);
    IS_ENDING.store(true, Ordering::Relaxed);
}

/// Runs behind the exit handlers and destructors of the program, and in front of zenoh's.
extern "C" fn pass_over_destructors() {
    if IS_ENDING.load(Ordering::Relaxed) && (is_child() || NODES.load(Ordering::Relaxed) > 0) {
        // SAFETY: called again from within, glibc's goes on behind the destructors: it writes the streams out,
        // and ends the process.
        unsafe { libc::exit(CODE.load(Ordering::Relaxed)) }
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = pass_over_destructors;
