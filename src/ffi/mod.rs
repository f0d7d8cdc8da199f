//! The boundary: everything that turns what C passes into Rust values, and Rust results into what C reads.
//!
//! Outside this module and `crate::arrow` no code dereferences a raw pointer. The types of an exported
//! function's parameters say what C promises:
//!
//! | parameter | in the header | what C promises |
//! |---|---|---|
//! | `Option<&T>` | `const T *` | NULL, or an object that nothing changes during the call |
//! | `Option<&mut T>` | `T *` | NULL, or an object that nothing else uses during the call |
//! | `Option<Box<T>>` | `T *` | NULL, or an object that the caller gives up |
//! | [`Shared<T>`](Shared) | `T *` | NULL, or an object that any thread may use |
//! | [`Exclusive<T>`](Exclusive) | `T *` | the same, but another argument may be that object |
//! | [`Out<T>`](Out) | `T *` | NULL, or a place that may be written |
//! | [`Text`] | `const char *` | NULL, or readable up to its NUL (or for the length that comes with it) |
//! | [`Bytes`], [`Integers`], … | `const void *`, … | NULL, or readable for the length beside it |
//! | [`TextList`] | `const char *const *` | NULL, or as many texts as the count beside it says |

mod args;
mod blocks;
mod callback;
mod door;
mod error;
mod exit;
mod files;
mod fork;
mod guard;
mod memory;
mod pipe;
mod shared;
mod symbols;
mod sys;
mod text;
mod threads;

pub use args::{Bytes, BytesMut, Floats, Integers, Lengths, Numbers, Octets, Out, required};
pub use blocks::{Slot, bytes_of, lend};
pub use callback::{Callback, User, call};
pub use door::Door;
pub use error::{last_message, set_last_error};
pub use exit::Alive;
pub use files::{close_at_exec, effective_user, is_locked, lock_file, reserve_descriptors};
pub use fork::{is_child, watch_forks};
pub use guard::{answer, guard, outcome, perform};
pub use memory::{mapping_at, page_size, populate};
pub use pipe::{Either, Pipe, wait_readable};
pub use shared::{Exclusive, Shared};
pub use sys::{
    Bell, CStdout, can_lock, free_space, futex_wait, futex_wake, keeping_errno, locked_memory_limit,
    memory_file, monotonic_now, set_environment,
};
pub use text::{Text, TextBuffer, TextList};
pub use threads::{CPUS_AT_MOST, Scheduling, clear_parent_death_signal, priorities, spawn_undisturbed};
