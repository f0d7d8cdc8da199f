//! What a node is, asked for without waiting.

use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};

use dora_node_api::dora_core::config::{DataId, NodeId};
use dora_node_api::{DoraNode, serde_json};

use super::dora_node_t;
use crate::ffi::{Text, answer};
use crate::status::{DORA_ERROR_INVALID_ID, Error, Result};
use crate::text::to_c_string;

/// What a node is, as it was at its start; only that outputs are closed changes.
#[derive(Debug)]
pub struct Identity {
    pub node_id: CString,
    dataflow_id: CString,
    config_json: CString,
    descriptor_json: Option<CString>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    restart_count: u32,
    zero_copy_threshold: usize,
    /// Whether there is a daemon, rather than a script of inputs.
    pub is_in_dataflow: bool,
}

/// A declared input.
#[derive(Debug)]
pub struct Input {
    pub id: CString,
    pub source: CString,
}

impl Input {
    /// The id of the node that its messages come from.
    fn sender(&self) -> &[u8] {
        self.source.to_bytes().split(|byte| *byte == b'/').next().unwrap_or_default()
    }
}

/// A declared output.
#[derive(Debug)]
pub struct Output {
    pub id: CString,
    pub data_id: DataId,
    /// The `DORA_TRANSPORT_…` of dora's path.
    pub transport: i32,
    closed: AtomicBool,
}

impl Output {
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    pub fn mark_closed(&self) {
        self.closed.store(true, Ordering::Release);
    }
}

impl Identity {
    /// What `node` is, and which way the messages of each output take.
    pub fn of(node: &DoraNode, is_in_dataflow: bool, transport: impl Fn(&DataId) -> i32) -> Self {
        let config = node.node_config();
        let descriptor = node.dataflow_descriptor().ok();
        let descriptor = descriptor.and_then(|descriptor| serde_json::to_string(descriptor).ok());
        let inputs = config.inputs.iter().map(|(id, input)| Input {
            id: to_c_string(id),
            source: to_c_string(&input.mapping.to_string()),
        });
        let outputs = config.outputs.iter().map(|id| Output {
            id: to_c_string(id),
            data_id: id.clone(),
            transport: transport(id),
            closed: false.into(),
        });
        Self {
            node_id: to_c_string(node.id().as_ref()),
            dataflow_id: to_c_string(&node.dataflow_id().to_string()),
            config_json: to_c_string(&serde_json::to_string(config).unwrap_or_default()),
            descriptor_json: descriptor.map(|json| to_c_string(&json)),
            inputs: inputs.collect(),
            outputs: outputs.collect(),
            restart_count: node.restart_count(),
            zero_copy_threshold: node.zero_copy_threshold(),
            is_in_dataflow,
        }
    }

    /// A declared output; they stand in the order of their ids.
    pub fn output(&self, id: &str) -> Option<&Output> {
        self.place_of_output(id).map(|at| &self.outputs[at])
    }

    /// Where it stands.
    pub fn place_of_output(&self, id: &str) -> Option<usize> {
        self.outputs.binary_search_by(|output| output.id.to_bytes().cmp(id.as_bytes())).ok()
    }

    /// Whether an input gets its messages from a node.
    pub fn is_fed_by(&self, input: &str, node: &NodeId) -> bool {
        self.input(input).is_some_and(|input| input.sender() == AsRef::<str>::as_ref(node).as_bytes())
    }

    /// Whether any input does.
    pub fn receives_from(&self, node: &NodeId) -> bool {
        self.inputs.iter().any(|input| input.sender() == AsRef::<str>::as_ref(node).as_bytes())
    }

    /// A declared input; they stand in the order of their ids.
    pub fn input(&self, id: &str) -> Option<&Input> {
        let at = self.inputs.binary_search_by(|input| input.id.to_bytes().cmp(id.as_bytes()));
        at.ok().map(|at| &self.inputs[at])
    }
}

/// The id of a node that C passed as the parameter `name`.
pub fn node_id(id: &str, name: &str) -> Result<NodeId> {
    id.parse().map_err(|error| {
        Error::new(DORA_ERROR_INVALID_ID, format!("`{name}` is \"{id}\", which is no id of a node: {error}"))
    })
}

/// Ids for a message.
pub fn list<'a>(ids: impl Iterator<Item = &'a CString>) -> String {
    let ids: Vec<_> = ids.map(|id| id.to_string_lossy()).collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}

fn text_of<'a>(
    node: Option<&'a dora_node_t>,
    pick: impl FnOnce(&'a Identity) -> Option<&'a CStr>,
) -> Text<'a> {
    answer(Text::null(), || pick(&node?.identity).map(Text::of))
}

/// The id of this node, as the dataflow names it.
///
/// @param node  May be NULL.
/// @return  The id, `"test-node"` when run by `DORA_TEST_WITH_INPUTS`; NULL for NULL. Lives as long as the
///          node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_id(node: Option<&dora_node_t>) -> Text<'_> {
    text_of(node, |identity| Some(&identity.node_id))
}

/// The id of the running dataflow, a UUID that dora makes at each start.
///
/// @param node  May be NULL.
/// @return  The id; NULL for NULL. Lives as long as the node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_dataflow_id(node: Option<&dora_node_t>) -> Text<'_> {
    text_of(node, |identity| Some(&identity.dataflow_id))
}

/// The configuration of this node, with its inputs and outputs, as JSON text.
///
/// @param node  May be NULL.
/// @return  The JSON; NULL for NULL. Lives as long as the node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_config_json(node: Option<&dora_node_t>) -> Text<'_> {
    text_of(node, |identity| Some(&identity.config_json))
}

/// The whole dataflow, as JSON text. It holds the `env` of every node, and with it what may be secret
/// there.
///
/// @param node  May be NULL.
/// @return  The JSON; NULL for NULL, and for a node without a dataflow. Lives as long as the node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_descriptor_json(node: Option<&dora_node_t>) -> Text<'_> {
    text_of(node, |identity| identity.descriptor_json.as_deref())
}

/// How many inputs the dataflow declares for this node.
///
/// @param node  May be NULL.
/// @return  The count; 0 for NULL.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_input_count(node: Option<&dora_node_t>) -> usize {
    answer(0, || Some(node?.identity.inputs.len()))
}

/// The id of an input, in the order of the ids.
///
/// @param node   May be NULL.
/// @param index  Below `dora_node_input_count`.
/// @return  The id; NULL beyond the last. Lives as long as the node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_input_id(node: Option<&dora_node_t>, index: usize) -> Text<'_> {
    text_of(node, |identity| Some(&identity.inputs.get(index)?.id))
}

/// Where the messages of an input come from.
///
/// @param node   May be NULL.
/// @param index  Below `dora_node_input_count`.
/// @return  `"node/output"`, or a source of dora's own such as `"dora/timer/millis/100"`; NULL beyond the
///          last. Lives as long as the node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_input_source(node: Option<&dora_node_t>, index: usize) -> Text<'_> {
    text_of(node, |identity| Some(&identity.inputs.get(index)?.source))
}

/// How many outputs the dataflow declares for this node, closed ones included.
///
/// @param node  May be NULL.
/// @return  The count; 0 for NULL.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_output_count(node: Option<&dora_node_t>) -> usize {
    answer(0, || Some(node?.identity.outputs.len()))
}

/// The id of an output, in the order of the ids.
///
/// @param node   May be NULL.
/// @param index  Below `dora_node_output_count`.
/// @return  The id; NULL beyond the last. Lives as long as the node.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_output_id(node: Option<&dora_node_t>, index: usize) -> Text<'_> {
    text_of(node, |identity| Some(&identity.outputs.get(index)?.id))
}

/// How often dora has started this node anew, after it ended or failed.
///
/// @param node  May be NULL.
/// @return  0 in the first run; 0 for NULL.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_restart_count(node: Option<&dora_node_t>) -> u32 {
    answer(0, || Some(node?.identity.restart_count))
}

/// The size from which on messages travel in shared memory, in bytes, as `DORA_ZERO_COPY_THRESHOLD` sets
/// it.
///
/// @param node  May be NULL.
/// @return  The size; 0 for NULL.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_zero_copy_threshold(node: Option<&dora_node_t>) -> u64 {
    answer(0, || u64::try_from(node?.identity.zero_copy_threshold).ok())
}

/// The size of the shared memory from which the node sends, as the options, the dataflow or the environment
/// set it.
///
/// @param node  May be NULL.
/// @return  Bytes; 0 for NULL, for a node that runs without a daemon, and where dora could not get it and
///          copies every message.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_pool_size(node: Option<&dora_node_t>) -> u64 {
    answer(0, || u64::try_from(node?.pool_size).ok())
}
