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
//! | `form.rs` | how a message lies in shared memory |

mod form;
#[allow(dead_code, reason = "nothing asks for the lane yet")]
mod plan;
#[allow(dead_code, reason = "nothing asks for the lane yet")]
mod setting;
