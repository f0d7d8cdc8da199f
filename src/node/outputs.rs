//! Ending outputs before the node ends.

use dora_node_api::dora_core::config::DataId;

use super::dora_node_t;
use super::identity::{Output, list};
use crate::error_text::{close_error, daemon_lost};
use crate::ffi::{Shared, Text, guard};
use crate::status::{
    DORA_ERROR_INVALID_ID, DORA_ERROR_OUTPUT_CLOSED, DORA_ERROR_UNKNOWN_OUTPUT, Error, Result, dora_status_t,
};

/// The id that C passed as the parameter `output`.
pub fn output_id(output: Text<'_>) -> Result<DataId> {
    let output = output.required("output")?;
    output.parse().map_err(|error| {
        Error::new(DORA_ERROR_INVALID_ID, format!("`output` is \"{output}\", which is no id: {error}"))
    })
}

impl dora_node_t {
    /// A declared output that is not closed; nothing where dora takes any output.
    pub fn open_output(&self, id: &DataId) -> Result<Option<&Output>> {
        match self.identity.output(id) {
            Some(output) if output.is_closed() => Err(closed(id)),
            Some(output) => Ok(Some(output)),
            None if self.with_outbox(|outbox| Ok(outbox.takes(id)))? => Ok(None),
            None => Err(self.unknown_output(id)),
        }
    }

    fn unknown_output(&self, id: &DataId) -> Error {
        let node = self.identity.node_id.to_string_lossy();
        let declared = list(self.identity.outputs.iter().map(|output| &output.id));
        Error::new(
            DORA_ERROR_UNKNOWN_OUTPUT,
            format!(
                "`output` is \"{id}\", which the dataflow does not declare for node {node}: its `outputs` \
                 are {declared}"
            ),
        )
    }

    /// Closes outputs that are not closed yet. A send that began before has its place before it.
    fn close(&self, outputs: &[&Output]) -> Result<()> {
        if self.is_lost() {
            return Err(daemon_lost());
        }
        self.let_last_message_arrive();
        self.with_outbox(|outbox| {
            let open: Vec<&Output> = outputs.iter().copied().filter(|output| !output.is_closed()).collect();
            let ids = open.iter().map(|output| DataId::from(output.id.to_string_lossy().into_owned()));
            let result = outbox.close(ids.collect());
            // Also after a failure: dora has forgotten the outputs by then, and would drop messages silently.
            open.iter().for_each(|output| output.mark_closed());
            result.map_err(|error| self.note_loss(close_error(error)))
        })
    }
}

/// Says that an output was closed.
pub fn closed(id: &DataId) -> Error {
    Error::new(
        DORA_ERROR_OUTPUT_CLOSED,
        format!("`output` is \"{id}\", which this node has closed: send no more on it"),
    )
}

/// Ends an output: the nodes that receive it get `DORA_EVENT_INPUT_CLOSED`. Sending on it is
/// `DORA_ERROR_OUTPUT_CLOSED` from then on. All outputs end with the node anyway. Where the dataflow
/// restarts the node, receivers learn of it only when the node has ended for good.
///
/// @param node    Not NULL.
/// @param output  Not NULL; an output that the dataflow declares for this node; closed before is fine.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`:
///          `output` is no id; `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_DISCONNECTED`: the daemon is lost,
///          or the node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; waits for sends in progress, for 50 ms behind the last, and for the daemon. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_close_output(node: Shared<'_, dora_node_t>, output: Text<'_>) -> dora_status_t {
    guard(|| {
        let node = node.required("node")?;
        let _call = node.enter()?;
        let id = output_id(output)?;
        let output = node.identity.output(&id).ok_or_else(|| node.unknown_output(&id))?;
        node.close(&[output])
    })
}

/// Ends all outputs, as `dora_node_close_output` does.
///
/// @param node  Not NULL.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the
///          node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; waits for sends in progress, for 50 ms behind the last, and for the daemon. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_close_outputs(node: Shared<'_, dora_node_t>) -> dora_status_t {
    guard(|| {
        let node = node.required("node")?;
        let _call = node.enter()?;
        node.close(&node.identity.outputs.iter().collect::<Vec<_>>())
    })
}
