//! libdora: the C and C++ interface of dora dataflows.
//!
//! This crate is a shared library with a stable C ABI; its Rust interface is not one. The header
//! `include/dora/dora.h` is generated from the documentation of the exported functions, file by file:
//!
//! | file | what it holds |
//! |---|---|
//! | `status.rs` | statuses, their names, the last error |
//! | `version.rs` | versions of the library, its ABI, dora and Arrow |
//! | `node.rs` | `dora_node_t`: life, identity, log |
//! | `receive.rs` | `read_dora_event` |
//! | `event.rs` | `dora_event_t`: kinds and what each carries |
//! | `data.rs` | the data of an input, read without an Arrow library |
//! | `arrow.rs` | the Arrow C Data Interface, both ways |
//! | `metadata.rs` | `dora_metadata_t` |
//! | `send.rs` | the forms of sending |
//!
//! Behind them:
//!
//! | file | what it holds |
//! |---|---|
//! | `ffi/` | the boundary: the guard, the last error, argument checks, handles, system calls |
//! | `transport.rs` | what carries messages; nothing above it knows which way they take |
//! | `wait.rs` | where a read waits, and where the end of a node waits for calls in progress |
//! | `error_text.rs` | what dora tells only as text, recognised |
//! | `text.rs` | NUL-terminated copies, names of constants |
//! | `header/` | the parts of the header that are no Rust: its opening page and the inline functions |
//!
//! Raw pointers are dereferenced in `ffi/` and `arrow.rs` (with `arrow/`) only.

#![allow(clippy::doc_markdown, reason = "the documentation becomes a C header")]

mod arrow;
mod data;
mod error_text;
mod event;
mod ffi;
mod metadata;
mod node;
mod receive;
mod send;
mod status;
mod text;
mod transport;
mod version;
mod wait;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also behind a panic: the guard reported it, and dora's halves have no state that it could tear.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
