//! Whether the node may take the fast lane.

use super::{dora_node_options_t, set};
use crate::status::dora_status_t;

/// Asks for the fast lane, by which messages between nodes of this library on one machine travel through
/// shared memory of their own, past dora's data plane. Off by default. `docs/fast-lane.md` is its manual.
///
/// Its limits first: an output on the lane does not notice consumers that are added, connected or replaced
/// while the dataflow runs, so one that comes without the lane gets none of its messages. The remedy is to
/// leave the lane off for that output.
///
/// Both ends need it: the node that sends, and every one that receives from that output. dora starts, wires,
/// watches and stops them as ever. An output that cannot take the lane, or one of whose receivers cannot,
/// goes dora's way; the diagnostics tell why, and `dora_node_output_transport` which way it is.
///
/// What is said here goes before the environment variable `DORA_FAST_LANE`: 1 for all outputs and inputs, 0
/// for none, or a list of their ids with commas between them. `dora_node_init_with` returns `DORA_ERROR_INIT`
/// where that is no such list, or names what the node does not have.
///
/// @param options  Not NULL.
/// @param is_on    0 for no, anything else for yes.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_fast_lane(
    options: Option<&mut dora_node_options_t>,
    is_on: i32,
) -> dora_status_t {
    set(options, |options| {
        options.fast_lane = Some(is_on != 0);
        Ok(())
    })
}
