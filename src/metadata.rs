//! Metadata
//!
//! The parameters that travel beside a message. The metadata of an event is borrowed with
//! `dora_event_metadata` and may be passed on with any message; what belongs to dora's wire format stays
//! behind.

use dora_node_api::MetadataParameters;

/// The parameters of a message. Opaque; immutable while it belongs to an event. Since 0.1.0.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct dora_metadata_t {
    parameters: MetadataParameters,
}

impl dora_metadata_t {
    /// Wraps what came with a message, without the keys that describe its way here.
    pub fn received(mut parameters: MetadataParameters) -> Self {
        if parameters.keys().any(|key| is_internal(key)) {
            parameters.retain(|key, _| !is_internal(key));
        }
        Self { parameters }
    }

    pub fn count(&self) -> usize {
        self.parameters.len()
    }
}

/// What travels beside a message that is sent with `metadata`.
pub fn outgoing(metadata: Option<&dora_metadata_t>) -> MetadataParameters {
    metadata.map(|metadata| metadata.parameters.clone()).unwrap_or_default()
}

/// Whether a key belongs to dora's wire format: it describes one message on one way and would be wrong on
/// the next.
fn is_internal(key: &str) -> bool {
    matches!(key, "_framing" | "_schema_hash" | "_wire_size") || key.starts_with("__dora_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dora_node_api::Parameter;
    use dora_node_api::metadata;

    #[test]
    fn internal_keys_are_those_of_dora() {
        for key in [
            metadata::FRAMING,
            metadata::SCHEMA_HASH,
            metadata::WIRE_SIZE,
            metadata::STARTUP_MARKER_PARAM,
            metadata::STARTUP_ACK_PARAM,
        ] {
            assert!(is_internal(key), "{key}");
        }
        for key in [metadata::REQUEST_ID, metadata::SEQ, metadata::OPEN_TELEMETRY_CONTEXT, "width"] {
            assert!(!is_internal(key), "{key}");
        }
    }

    #[test]
    fn internal_keys_are_not_passed_on() {
        let received = dora_metadata_t::received(MetadataParameters::from([
            ("_schema_hash".to_owned(), Parameter::Integer(1)),
            ("width".to_owned(), Parameter::Integer(640)),
        ]));
        assert_eq!(
            outgoing(Some(&received)),
            MetadataParameters::from([("width".to_owned(), Parameter::Integer(640))])
        );
        assert!(outgoing(None).is_empty());
    }
}
