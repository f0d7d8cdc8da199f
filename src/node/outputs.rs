//! Outputs: which way their messages take, and ending them before the node ends.

use std::sync::Arc;

use dora_node_api::dora_core::config::DataId;

use super::dora_node_t;
use super::identity::{Identity, Output, list};
use crate::error_text::{close_error, daemon_lost};
use crate::ffi::{Out, Shared, Text, guard};
use crate::status::{
    DORA_ERROR_INVALID_ID, DORA_ERROR_OUTPUT_CLOSED, DORA_ERROR_UNKNOWN_OUTPUT, Error, Result, dora_status_t,
};

/// The way is not known, or one that this library does not know. Since 0.1.0.
pub const DORA_TRANSPORT_UNKNOWN: i32 = 0;
/// By the daemon, a copy at a time. Since 0.1.0.
pub const DORA_TRANSPORT_DAEMON: i32 = 1;
/// Straight to the nodes that receive, through shared memory for large messages. Since 0.1.0.
pub const DORA_TRANSPORT_DIRECT: i32 = 2;
/// The fast lane, which `dora_node_options_set_fast_lane` asks for. Since 0.1.0.
pub const DORA_TRANSPORT_LANE: i32 = 3;

/// The id that C passed as the parameter `output`.
pub fn output_id(output: Text<'_>) -> Result<DataId> {
    let output = output.required("output")?;
    output.parse().map_err(|error| {
        Error::new(DORA_ERROR_INVALID_ID, format!("`output` is \"{output}\", which is no id: {error}"))
    })
}

/// An output of a node, to send on.
pub enum OutputToSend {
    /// One that the dataflow declares, by its place.
    Declared(Arc<Identity>, usize),
    Any(Arc<Identity>, DataId),
}

impl OutputToSend {
    pub fn id(&self) -> &DataId {
        match self {
            Self::Declared(identity, at) => &identity.outputs[*at].data_id,
            Self::Any(_, id) => id,
        }
    }

    /// Whether it is one of a node.
    pub fn is_of(&self, node: &dora_node_t) -> bool {
        let (Self::Declared(identity, _) | Self::Any(identity, _)) = self;
        Arc::ptr_eq(identity, &node.identity)
    }

    fn declared(&self) -> Option<&Output> {
        match self {
            Self::Declared(identity, at) => Some(&identity.outputs[*at]),
            Self::Any(..) => None,
        }
    }

    pub fn is_closed(&self) -> bool {
        self.declared().is_some_and(Output::is_closed)
    }
}

impl dora_node_t {
    /// The output that C passed as the parameter `output`, on which messages may be sent: one that is declared
    /// and not closed, or any where no dataflow declares them.
    pub(crate) fn output_to_send(&self, output: Text<'_>) -> Result<OutputToSend> {
        let identity = self.identity.clone();
        let output = match identity.place_of_output(output.required("output")?) {
            Some(at) => OutputToSend::Declared(identity, at),
            None => OutputToSend::Any(identity, output_id(output)?),
        };
        if self.is_lost() {
            return Err(daemon_lost());
        }
        match &output {
            OutputToSend::Declared(..) if output.is_closed() => Err(closed(output.id())),
            OutputToSend::Declared(..) => Ok(output),
            OutputToSend::Any(_, id) => {
                let asked = id.clone();
                let is_taken = self.with_outbox(move |outbox| Ok(outbox.takes(&asked)))?;
                if is_taken { Ok(output) } else { Err(self.unknown_output(id)) }
            }
        }
    }

    fn declared_output(&self, output: Text<'_>) -> Result<&Output> {
        let id = output_id(output)?;
        self.identity.output(&id).ok_or_else(|| self.unknown_output(&id))
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
    fn close(&self, wanted: impl Fn(&Output) -> bool + Send + 'static) -> Result<()> {
        if self.is_lost() {
            return Err(daemon_lost());
        }
        self.let_last_message_arrive();
        let identity = self.identity.clone();
        self.with_outbox(move |outbox| {
            let open = |output: &&Output| !output.is_closed() && wanted(output);
            let open: Vec<&Output> = identity.outputs.iter().filter(open).collect();
            let ids = open.iter().map(|output| DataId::from(output.id.to_string_lossy().into_owned()));
            let result = outbox.close(ids.collect());
            // Also after a failure: dora has forgotten the outputs by then, and would drop messages silently.
            open.iter().for_each(|output| output.mark_closed());
            result.map_err(close_error)
        })
        .map_err(|error| self.note_loss(error))
    }
}

/// Says that an output was closed.
#[cold]
pub fn closed(id: &DataId) -> Error {
    Error::new(
        DORA_ERROR_OUTPUT_CLOSED,
        format!("`output` is \"{id}\", which this node has closed: send no more on it"),
    )
}

/// Which way the messages of an output take. dora settles it when the node begins, for the whole run: the
/// direct way where every receiver answers there in time, else the daemon's. A single message still goes by
/// the daemon when the direct way does not take it.
///
/// An output is on the fast lane from the beginning, where that is asked for and both ends can take it. It
/// leaves the lane, for the rest of the run, with the first message that the lane cannot carry, such as a
/// request. What is told is how it is at the moment.
///
/// @param node    Not NULL.
/// @param output  Not NULL; an output that the dataflow declares for this node.
/// @param out     Not NULL; gets one of `DORA_TRANSPORT_…`, or a value that this header does not name;
///                `DORA_TRANSPORT_UNKNOWN` on failure, and where dora does not tell, as for a dynamic
///                node's output that nobody receives.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`:
///          `output` is no id; `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_DISCONNECTED`: the node is being
///          freed.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_output_transport(
    node: Shared<'_, dora_node_t>,
    output: Text<'_>,
    out: Out<'_, i32>,
) -> dora_status_t {
    out.set(DORA_TRANSPORT_UNKNOWN);
    guard(|| {
        let node = node.required("node")?;
        let out = out.required("out")?;
        let _call = node.enter()?;
        let output = node.declared_output(output)?;
        let takes_lane = node.encoder.takes_lane(&output.data_id);
        out.set(if takes_lane { DORA_TRANSPORT_LANE } else { output.transport });
        Ok(())
    })
}

/// Ends an output: the nodes that receive it get `DORA_EVENT_INPUT_CLOSED`. Sending on it is
/// `DORA_ERROR_OUTPUT_CLOSED` from then on. All outputs end with the node anyway. Where the dataflow
/// restarts the node, receivers learn of it only when the node has ended for good.
///
/// @param node    Not NULL.
/// @param output  Not NULL; an output that the dataflow declares for this node; closed before is fine.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`: `output` is no id;
///          `DORA_ERROR_UNKNOWN_OUTPUT`; `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is
///          being freed; `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; waits for sends in progress, for 100 ms behind the last that went by dora, and for the daemon.
/// Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_close_output(node: Shared<'_, dora_node_t>, output: Text<'_>) -> dora_status_t {
    guard(|| {
        let node = node.required("node")?;
        let _call = node.enter()?;
        let id = node.declared_output(output)?.id.clone();
        node.close(move |output| output.id == id)
    })
}

/// Ends all outputs, as `dora_node_close_output` does.
///
/// @param node  Not NULL.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
///          `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; waits for sends in progress, for 100 ms behind the last that went by dora, and for the daemon.
/// Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_close_outputs(node: Shared<'_, dora_node_t>) -> dora_status_t {
    guard(|| {
        let node = node.required("node")?;
        let _call = node.enter()?;
        node.close(|_| true)
    })
}
