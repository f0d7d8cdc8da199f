//! What dora tells only as text, recognised. Each text here has a test that gets it from dora itself or quotes it.

use dora_node_api::NodeError;

use crate::status::{
    DORA_ERROR_DISCONNECTED, DORA_ERROR_INIT, DORA_ERROR_INTERNAL, DORA_ERROR_TOO_LARGE,
    DORA_ERROR_TYPE_MISMATCH, DORA_ERROR_VERSION_MISMATCH, Error,
};

/// Begins the text of an event that this version of dora cannot name.
const UNKNOWN_EVENT: &str = "unrecognized node event: ";
/// Begins the text of an error that ends a source of events.
const FATAL: &str = "fatal event stream error: ";
/// Stands in the text of the fatal error that means: the daemon is gone.
const DAEMON_GONE: &str = "daemon channel broken";

/// What dora's error event stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum ErrorEvent {
    /// An event of a kind that this version of dora does not know.
    Unknown,
    /// The connection to the daemon is lost; dora itself would wait for ever behind it.
    DaemonLost,
    Other,
}

pub fn classify_event(text: &str) -> ErrorEvent {
    if text.starts_with(UNKNOWN_EVENT) {
        ErrorEvent::Unknown
    } else if text.starts_with(FATAL) && text.contains(DAEMON_GONE) {
        ErrorEvent::DaemonLost
    } else {
        ErrorEvent::Other
    }
}

/// The text without the place in dora's sources that follows it.
pub fn without_location(text: &str) -> &str {
    text.split("\n\nLocation:").next().unwrap_or(text)
}

/// The whole chain of causes in one line.
fn chain(error: NodeError) -> String {
    match error {
        NodeError::Internal(report) => format!("{report:#}"),
        other => other.to_string(),
    }
}

/// Why a node could not be set up.
pub fn init_error(error: NodeError) -> Error {
    let text = chain(error);
    if text.contains("version mismatch") || text.contains("wire-format mismatch") {
        return Error::new(
            DORA_ERROR_VERSION_MISMATCH,
            format!(
                "the daemon refused this node, because its dora is of another version: this library speaks dora \
                 {}; the daemon answered \"{}\". Install the dora command line of a fitting version, or the \
                 libdora that fits the daemon",
                env!("DORA_NODE_API_VERSION"),
                innermost(&text),
            ),
        );
    }
    let message = if text.contains("DORA_NODE_CONFIG env variable is not set") {
        "this program was not started by dora: the environment variable DORA_NODE_CONFIG is not set. Start it \
         as a node of a dataflow (`dora run dataflow.yml`), or set DORA_TEST_WITH_INPUTS to a file of inputs to \
         run it alone"
            .to_owned()
    } else if text.contains("failed to deserialize node config") {
        format!(
            "the environment variable DORA_NODE_CONFIG is malformed; only dora is meant to set it, so unset it \
             or start the program with `dora run`: {text}"
        )
    } else if text.contains("Connection refused") {
        format!("no daemon answers where DORA_NODE_CONFIG says; is it still running? {text}")
    } else if text.contains("server disconnected unexpectedly") {
        format!(
            "the daemon hung up; it may have ended, or be of a dora that is too old to say that its version does not \
             fit: {text}"
        )
    } else {
        format!("the node could not be set up: {text}")
    };
    Error::new(DORA_ERROR_INIT, message)
}

/// Why a message could not be encoded or sent.
pub fn send_error(error: NodeError) -> Error {
    let text = chain(error);
    if text.contains("expected Arrow type") {
        Error::new(
            DORA_ERROR_TYPE_MISMATCH,
            format!("the data is not of the type that the dataflow declares: {text}"),
        )
    } else if text.contains("daemon transport limit") || text.contains("exceeds maximum") {
        Error::new(DORA_ERROR_TOO_LARGE, format!("the message is too large, send it in parts: {text}"))
    } else if text.contains("failed to send DaemonRequest") {
        Error::new(DORA_ERROR_DISCONNECTED, format!("the connection to the daemon is lost: {text}"))
    } else {
        Error::new(DORA_ERROR_INTERNAL, format!("dora could not send the message: {text}"))
    }
}

/// The cause that lies deepest in a chain; it is what the daemon itself said.
fn innermost(text: &str) -> &str {
    text.find("version mismatch").or_else(|| text.find("message wire-format")).map_or(text, |at| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn internal(text: &'static str) -> NodeError {
        NodeError::Internal(eyre::eyre!(text))
    }

    #[test]
    fn error_events_are_told_apart() {
        assert_eq!(classify_event("unrecognized node event: Foo { bar: 1 }"), ErrorEvent::Unknown);
        assert_eq!(
            classify_event("fatal event stream error: daemon channel broken\n\nCaused by:\n    0: server"),
            ErrorEvent::DaemonLost
        );
        assert_eq!(classify_event("fatal event stream error: input `x` panicked"), ErrorEvent::Other);
        assert_eq!(classify_event("daemon channel broken"), ErrorEvent::Other);
    }

    #[test]
    fn the_place_in_doras_sources_is_left_out() {
        let report = eyre::eyre!("server disconnected").wrap_err("daemon channel broken");
        let text = format!("fatal event stream error: {report:?}");
        assert_eq!(classify_event(&text), ErrorEvent::DaemonLost);
        assert!(without_location(&text).ends_with("server disconnected"), "{text}");
        assert_eq!(without_location("plain"), "plain");
    }

    #[test]
    fn a_version_mismatch_names_both_versions() {
        let error = init_error(internal(
            "failed to register node with dora-daemon: version mismatch: message format v1.1.0 is not \
             compatible with expected message format v0.5.0",
        ));
        assert_eq!(error.status, DORA_ERROR_VERSION_MISMATCH);
        assert!(error.message.contains("this library speaks dora 1.1.0"), "{error}");
        assert!(error.message.contains("expected message format v0.5.0"), "{error}");
    }

    #[test]
    fn a_wire_format_mismatch_is_one_of_versions_too() {
        let error = init_error(internal(
            "failed to register node: message wire-format mismatch: node speaks metadata format v2 but this \
             daemon speaks v1",
        ));
        assert_eq!(error.status, DORA_ERROR_VERSION_MISMATCH);
    }

    #[test]
    fn send_errors_are_told_apart() {
        let status = |text| send_error(internal(text)).status;
        assert_eq!(status("output \"a\": expected Arrow type Float32, got UInt8"), DORA_ERROR_TYPE_MISMATCH);
        assert_eq!(
            status(
                "output \"a\": IPC-encoded message is 9 bytes, exceeding the 8-byte daemon transport limit"
            ),
            DORA_ERROR_TOO_LARGE
        );
        assert_eq!(
            status(
                "failed to send output: failed to send DaemonRequest: outgoing message size 67108891 exceeds maximum \
                 67108864"
            ),
            DORA_ERROR_TOO_LARGE
        );
        assert_eq!(
            status("failed to send output: failed to send DaemonRequest: Broken pipe (os error 32)"),
            DORA_ERROR_DISCONNECTED
        );
        assert_eq!(status("something else"), DORA_ERROR_INTERNAL);
    }
}
