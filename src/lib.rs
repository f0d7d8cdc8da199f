//! libdora: the C and C++ interface of dora dataflows.
//!
//! This crate is a shared library with a stable C ABI; its Rust interface is not one. The header
//! `include/dora/dora.h` is generated from the documentation of the exported functions, file by file:
//!
//! | file | what it holds |
//! |---|---|
//! | `status.rs` | statuses, their names, the last error |
//! | `version.rs` | versions of the library, its ABI, dora and Arrow |
//! | `diagnostics.rs` | what the library says of its own work |
//! | `options.rs` | `dora_node_options_t`: how a node is to be set up |
//! | `node.rs` | `dora_node_t`: life, identity, outputs, clock, log |
//! | `receive.rs` | `read_dora_event`, `dora_node_read_reply`, the state of inputs |
//! | `event.rs` | `dora_event_t`: kinds and what each carries |
//! | `data.rs` | the data of an input, read without an Arrow library |
//! | `arrow.rs` | the Arrow C Data Interface, both ways |
//! | `metadata.rs` | `dora_metadata_t` |
//! | `send.rs` | the forms of sending |
//! | `loan.rs` | `dora_loan_t`: memory to write a message into |
//! | `pattern.rs` | services and actions: the parameters that say what belongs together |
//! | `stream.rs` | `dora_stream_t`: chunks in segments |
//! | `extension.rs` | the daemon's table of bytes |
//! | `bytes.rs` | `dora_bytes_t` |
//!
//! Behind them:
//!
//! | file | what it holds |
//! |---|---|
//! | `ffi/` | the boundary: the guard, the last error, argument checks, handles, system calls |
//! | `transport.rs` | what carries messages, dora's data plane and the fast lane; nothing above it knows which |
//! | `transport/lane.rs` | the fast lane, with a map of its own |
//! | `apart.rs` | work on another thread, for which nobody waits longer than wanted |
//! | `wait.rs` | where a read waits, and where the end of a node waits for calls in progress |
//! | `error_text.rs` | what dora tells only as text, recognised |
//! | `text.rs` | NUL-terminated copies, names of constants |
//! | `cxx.rs` | handles for C++ code in a Rust node; the one part for Rust, behind the feature `cxx` |
//! | `header/` | the parts of the header that are no Rust: its opening page and the inline functions |
//!
//! Raw pointers are dereferenced in `ffi/` and `arrow.rs` (with `arrow/`) only.

#![allow(clippy::doc_markdown, reason = "the documentation becomes a C header")]

mod apart;
mod arrow;
mod bytes;
#[cfg(feature = "cxx")]
pub mod cxx;
mod data;
mod diagnostics;
mod error_text;
mod event;
mod extension;
mod ffi;
mod loan;
mod metadata;
mod node;
mod options;
mod pattern;
mod receive;
mod send;
mod status;
mod stream;
mod text;
mod transport;
mod version;
mod wait;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also behind a panic: the guard reported it, and dora's halves have no state that it could tear.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
