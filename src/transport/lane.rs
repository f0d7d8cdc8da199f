//! The fast lane: messages between nodes of this library on one machine, through shared memory of iceoryx2.
//!
//! dora still starts, wires, watches and stops the nodes. `docs/fast-lane.md` tells what a user sees of it.
//!
//! | file | what it holds |
//! |---|---|
//! | `setting.rs` | whether, and for which outputs and inputs, the lane is wanted |
//! | `plan.rs` | which outputs and inputs may take it, by the dataflow |
//! | `place.rs` | the files of the lane: one directory a user, one a dataflow, one seat a node |
//! | `hub.rs` | what is made with iceoryx2: its node, its services, the cleaning behind dead ones |
//! | `settle.rs` | the decision, once when a node begins, and the end |
//! | `outputs.rs` | the sending half, with its shared memory in `memory.rs` |
//! | `inputs.rs` | the receiving half, with `decode.rs` |
//! | `acks.rs` | by which a sender knows who has its memory mapped |
//! | `form.rs` | how a message lies in shared memory |

mod acks;
mod decode;
mod form;
mod hub;
mod inputs;
mod memory;
mod outputs;
mod place;
mod plan;
mod setting;
mod settle;
#[cfg(test)]
pub mod tests;

pub use self::form::{Block, Header};
pub use self::inputs::{Input, Look};
pub use self::outputs::{Chunk, Output, Outputs, Unsent, needs_dora};
pub use self::setting::Setting;
pub use self::settle::{Farewell, Prepared};

/// How many messages of a sender a receiver reads where they lie; it gets copies of more.
const BORROWED: usize = 8;
/// What iceoryx2 lends a receiver: one more, for as long as it takes to copy it.
const BORROWED_AT_ONCE: usize = BORROWED + 1;
