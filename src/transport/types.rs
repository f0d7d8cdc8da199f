//! The types that a dataflow declares for outputs, checked where `DORA_RUNTIME_TYPE_CHECK` asks for it.
//!
//! dora checks what it sends and encodes itself; this checks the rest, by the same rules.

use std::collections::HashMap;

use arrow::datatypes::DataType;
use dora_core::types::TypeRegistry;
use dora_message::metadata::carries_pattern_correlation;
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{DoraNode, MetadataParameters, NodeError, NodeResult};

/// Turns the check on: `error` for failures, `warn` and its like for diagnostics.
const TYPE_CHECK: &str = "DORA_RUNTIME_TYPE_CHECK";

/// The types to check, none where nobody asked.
#[derive(Default)]
pub struct DeclaredTypes {
    types: HashMap<DataId, DataType>,
    is_failure: bool,
}

impl DeclaredTypes {
    pub fn of(node: &DoraNode) -> Self {
        let is_failure = match std::env::var(TYPE_CHECK).as_deref() {
            Ok("error") => true,
            Ok("1" | "warn" | "true" | "on") => false,
            _ => return Self::default(),
        };
        let registry = TypeRegistry::new();
        let declared = &node.node_config().output_types;
        let types = declared
            .iter()
            .filter_map(|(id, name)| Some((id.clone(), registry.resolve_arrow_type(name)?)))
            .collect();
        Self { types, is_failure }
    }

    /// Checks a message; what answers a request or a goal may be of any type, and nothing is of every type.
    pub fn check(
        &self,
        output: &DataId,
        data_type: &DataType,
        parameters: &MetadataParameters,
    ) -> NodeResult<()> {
        match self.types.get(output) {
            Some(expected)
                if expected != data_type
                    && *data_type != DataType::Null
                    && !carries_pattern_correlation(parameters) =>
            {
                let text =
                    format!("output \"{output}\": expected Arrow type {expected:?}, got {data_type:?}");
                if self.is_failure {
                    return Err(NodeError::Output(text));
                }
                tracing::warn!(target: "dora", "type mismatch: {text}");
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
