//! What dora tells only as text, recognised, and as sentences.
//!
//! Where an error carries more than a text (its place in dora's enumeration, an I/O error in its chain of
//! causes), that is used; what remains has a test that gets the text from dora itself.

use std::io::{self, ErrorKind};

use dora_node_api::NodeError;
use dora_node_api::dora_core::config::NodeId;

use crate::status::{
    DORA_ERROR_DISCONNECTED, DORA_ERROR_INIT, DORA_ERROR_INTERNAL, DORA_ERROR_INVALID_ARGUMENT,
    DORA_ERROR_NOT_FOUND, DORA_ERROR_OUT_OF_MEMORY, DORA_ERROR_TOO_LARGE, DORA_ERROR_TYPE_MISMATCH,
    DORA_ERROR_VERSION_MISMATCH, Error,
};

/// Begins the text of an event that this version of dora cannot name.
const UNKNOWN_EVENT: &str = "unrecognized node event: ";
/// Begins the text of the error that means: the daemon is gone.
const DAEMON_LOST: &str = "fatal event stream error: daemon channel broken";
/// How dora words that the daemon closed the connection.
const HUNG_UP: &str = "server disconnected unexpectedly";
/// Stands in front of what the daemon answers to a node that it refuses.
const REFUSED: &str = "failed to register node with dora-daemon: ";
/// Stands in front of what the daemon answers to a dynamic node that it does not know.
const NO_CONFIG: &str = "failed to get node config from daemon: ";
/// Begins the daemon's answer to a question for an extension that it does not have.
const NO_EXTENSION: &str = "no extension registered under ";
/// Stands in its answer to a value for a key that another node stored.
const OTHER_OWNER: &str = " may not overwrite it";
/// Begins its answer to a value beyond those that it keeps for a dataflow.
const TABLE_FULL: &str = "extension table full ";
/// Begin the daemon's answer to a node of another version.
const OTHER_VERSION: [&str; 2] = ["version mismatch: ", "message wire-format mismatch: "];

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
    } else if text.starts_with(DAEMON_LOST) {
        ErrorEvent::DaemonLost
    } else {
        ErrorEvent::Other
    }
}

/// A report of dora in one line: without the place in its sources, causes behind colons.
pub fn one_line(text: &str) -> String {
    let text = text.split("\n\nLocation:").next().unwrap_or(text);
    let text = text.replace("\n\nCaused by:\n", ": ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a node could not be set up.
pub fn init_error(error: NodeError, dynamic: Option<&(NodeId, u16)>) -> Error {
    let cause = io_cause(&error);
    let text = chain(error);
    if let Some(answer) = version_refusal(&text) {
        return Error::new(
            DORA_ERROR_VERSION_MISMATCH,
            format!(
                "the daemon refused this node, because its dora is of another version: this library speaks \
                 dora {}; the daemon answered \"{answer}\". Install the dora command line of a fitting \
                 version, or the libdora that fits the daemon",
                env!("DORA_NODE_API_VERSION"),
            ),
        );
    }
    let hung_up = matches!(
        cause,
        Some(
            ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
                | ErrorKind::UnexpectedEof
        )
    ) || text.contains(HUNG_UP);
    let message = if text.contains("DORA_NODE_CONFIG env variable is not set") {
        "this program was not started by dora: the environment variable DORA_NODE_CONFIG is not set. Start \
         it as a node of a dataflow (`dora run dataflow.yml`), or set DORA_TEST_WITH_INPUTS to a file of \
         inputs to run it alone"
            .to_owned()
    } else if let (Some(ErrorKind::ConnectionRefused), Some((id, port))) = (cause, dynamic) {
        format!(
            "no daemon listens on port {port} of this machine, where the dynamic node \"{id}\" looks for one: \
             start it with `dora up`, and the dataflow with `dora start`; another port is told by the options, \
             or by DORA_DAEMON_LOCAL_LISTEN_PORT: {text}"
        )
    } else if let (Some((_, answer)), Some((id, _))) = (text.split_once(NO_CONFIG), dynamic) {
        format!(
            "the daemon does not take this program for the dynamic node \"{id}\": it answered \"{answer}\". \
             Start one dataflow that has this node, with `path: dynamic`, by `dora start`"
        )
    } else if let (true, Some((_, port))) = (text.contains(" exceeds maximum "), dynamic) {
        format!(
            "what listens on port {port} of this machine is no daemon of dora: start one with `dora up`, or \
             name its port: {text}"
        )
    } else if cause == Some(ErrorKind::ConnectionRefused) {
        format!("no daemon listens where DORA_NODE_CONFIG says; is it still running? {text}")
    } else if hung_up {
        format!(
            "the daemon hung up; it may have ended, or be of a dora that is too old to say that its version \
             does not fit: {text}"
        )
    } else {
        format!("the node could not be set up: {text}")
    };
    Error::new(DORA_ERROR_INIT, message)
}

/// Says that what dora passes to the processes that it starts cannot be read.
pub fn malformed_config(cause: &str) -> Error {
    Error::new(
        DORA_ERROR_INIT,
        format!(
            "the environment variable DORA_NODE_CONFIG is malformed, or from a dora of another version than \
             {}; only dora is meant to set it, so unset it or start the program with `dora run`: {cause}",
            env!("DORA_NODE_API_VERSION"),
        ),
    )
}

/// Which way dora settled on for the messages of an output.
#[derive(Debug, PartialEq, Eq)]
pub enum Settlement {
    Direct,
    Daemon,
}

/// What a line of dora's diagnostics says of that.
pub fn classify_settlement(text: &str) -> Option<Settlement> {
    if text.starts_with("startup handshake complete; ") {
        Some(Settlement::Direct)
    } else if text.starts_with("startup handshake incomplete after ")
        || text.starts_with("output pinned to the daemon path")
    {
        Some(Settlement::Daemon)
    } else {
        None
    }
}

/// Why a message could not be encoded or sent.
#[cold]
pub fn send_error(error: NodeError) -> Error {
    let cause = io_cause(&error);
    let is_output_error = matches!(&error, NodeError::Output(text) if text.starts_with("output \""));
    let text = chain(error);
    // The only invalid data that dora's connection refuses to send is too much of it.
    if cause == Some(ErrorKind::InvalidData) || text.contains("-byte daemon transport limit") {
        return too_large(&text);
    }
    if is_disconnection(cause, &text) {
        return disconnected(&text);
    }
    if is_output_error && text.contains(": expected Arrow type ") {
        return Error::new(
            DORA_ERROR_TYPE_MISMATCH,
            format!("the data is not of the type that the dataflow declares: {text}"),
        );
    }
    Error::new(DORA_ERROR_INTERNAL, format!("dora could not send the message: {text}"))
}

/// Why outputs could not be closed.
pub fn close_error(error: NodeError) -> Error {
    let cause = io_cause(&error);
    let text = chain(error);
    if is_disconnection(cause, &text) {
        return disconnected(&text);
    }
    Error::new(DORA_ERROR_INTERNAL, format!("dora could not close the outputs: {text}"))
}

/// Why the daemon's table of bytes could not be used.
pub fn extension_error(error: NodeError) -> Error {
    let cause = io_cause(&error);
    let text = chain(error);
    if cause == Some(ErrorKind::InvalidData) {
        return Error::new(
            DORA_ERROR_TOO_LARGE,
            format!("the value is too large for the daemon, which takes 64 MiB at most: {text}"),
        );
    }
    if is_disconnection(cause, &text) {
        return disconnected(&text);
    }
    let status = if text.contains(NO_EXTENSION) {
        DORA_ERROR_NOT_FOUND
    } else if text.contains(OTHER_OWNER) {
        DORA_ERROR_INVALID_ARGUMENT
    } else if text.contains(TABLE_FULL) {
        DORA_ERROR_OUT_OF_MEMORY
    } else {
        DORA_ERROR_INTERNAL
    };
    Error::new(status, format!("the daemon refused it: {text}"))
}

/// What a call gets once the daemon is known to be gone.
#[cold]
pub fn daemon_lost() -> Error {
    Error::new(
        DORA_ERROR_DISCONNECTED,
        "the connection to the daemon is lost: free the node and end the program",
    )
}

fn disconnected(text: &str) -> Error {
    Error::new(DORA_ERROR_DISCONNECTED, format!("the connection to the daemon is lost: {text}"))
}

/// Whether a failure means that the daemon is gone. dora words the end of the stream instead of passing it
/// on.
fn is_disconnection(cause: Option<ErrorKind>, text: &str) -> bool {
    cause.is_some() || text.contains(HUNG_UP)
}

fn too_large(text: &str) -> Error {
    Error::new(
        DORA_ERROR_TOO_LARGE,
        format!(
            "the message is too large for its way by the daemon; send it in parts, or give the node more \
             `shared_memory_pool_size` in the dataflow: {text}"
        ),
    )
}

/// The whole chain of causes in one line.
fn chain(error: NodeError) -> String {
    match error {
        NodeError::Internal(report) => one_line(&format!("{report:#}")),
        other => one_line(&other.to_string()),
    }
}

/// The kind of the I/O error among the causes, if one is there.
fn io_cause(error: &NodeError) -> Option<ErrorKind> {
    let NodeError::Internal(report) = error else { return None };
    report.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind)
}

/// What the daemon answered, when it refused the node for its version.
fn version_refusal(text: &str) -> Option<&str> {
    let (_, answer) = text.split_once(REFUSED)?;
    OTHER_VERSION.iter().any(|begin| answer.starts_with(begin)).then_some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dora_message::node_to_daemon::NodeRegisterRequest;
    use dora_node_api::uuid::Uuid;
    use eyre::{WrapErr, eyre};

    /// What a daemon answers to a node whose registration says something else in one field.
    fn daemon_answer_to(field: &str, value: serde_json::Value) -> String {
        let request = NodeRegisterRequest::new(Uuid::nil(), "camera".parse().unwrap());
        let mut request = serde_json::to_value(request).unwrap();
        request[field] = value;
        serde_json::from_value::<NodeRegisterRequest>(request).unwrap().check_version().unwrap_err()
    }

    /// A refusal as dora wraps it: see `DaemonChannel::register`.
    fn refusal(answer: String) -> NodeError {
        let report = Err::<(), _>(eyre!(answer)).wrap_err("failed to register node with dora-daemon");
        NodeError::Internal(report.wrap_err("failed to init event stream").unwrap_err())
    }

    fn io(kind: ErrorKind) -> NodeError {
        let report = Err::<(), _>(io::Error::from(kind)).wrap_err("failed to send DaemonRequest");
        NodeError::Internal(report.wrap_err("failed to send output").unwrap_err())
    }

    #[test]
    fn error_events_are_told_apart() {
        let report = eyre!("server disconnected unexpectedly").wrap_err("daemon channel broken");
        let text = format!("fatal event stream error: {report:?}");
        assert_eq!(classify_event(&text), ErrorEvent::DaemonLost);
        assert_eq!(
            one_line(&text),
            "fatal event stream error: daemon channel broken: server disconnected unexpectedly"
        );
        assert_eq!(classify_event("unrecognized node event: Foo { bar: 1 }"), ErrorEvent::Unknown);
        assert_eq!(
            classify_event("fatal event stream error: input `daemon channel broken`"),
            ErrorEvent::Other
        );
        assert_eq!(classify_event("daemon channel broken"), ErrorEvent::Other);
    }

    #[test]
    fn a_refusal_for_the_version_names_both() {
        let error = init_error(refusal(daemon_answer_to("dora_version", "0.5.0".into())), None);
        assert_eq!(error.status, DORA_ERROR_VERSION_MISMATCH);
        assert!(error.message.contains("this library speaks dora 1.1.0"), "{error}");
        assert!(error.message.contains("v0.5.0"), "{error}");
        let error = init_error(refusal(daemon_answer_to("metadata_version", 1.into())), None);
        assert_eq!(error.status, DORA_ERROR_VERSION_MISMATCH, "{error}");
        let error = init_error(refusal("no dataflow `version mismatch: `".to_owned()), None);
        assert_eq!(error.status, DORA_ERROR_INIT, "{error}");
    }

    #[test]
    fn a_file_name_is_no_version_mismatch() {
        let report = Err::<(), _>(io::Error::from(ErrorKind::NotFound));
        let report = report.wrap_err("failed to open /tmp/version mismatch: /x.json").unwrap_err();
        assert_eq!(init_error(NodeError::Internal(report), None).status, DORA_ERROR_INIT);
    }

    #[test]
    fn failures_of_the_connection_have_their_sentences() {
        for (kind, says) in [
            (ErrorKind::ConnectionRefused, "no daemon listens"),
            (ErrorKind::ConnectionReset, "the daemon hung up"),
            (ErrorKind::BrokenPipe, "the daemon hung up"),
            (ErrorKind::NotFound, "the node could not be set up"),
        ] {
            let error = init_error(io(kind), None);
            assert!(error.status == DORA_ERROR_INIT && error.message.starts_with(says), "{error}");
        }
        assert_eq!(send_error(io(ErrorKind::BrokenPipe)).status, DORA_ERROR_DISCONNECTED);
        assert_eq!(send_error(io(ErrorKind::ConnectionReset)).status, DORA_ERROR_DISCONNECTED);
        assert_eq!(send_error(io(ErrorKind::InvalidData)).status, DORA_ERROR_TOO_LARGE);
    }

    #[test]
    fn errors_of_an_output_are_told_apart() {
        let status = |text: &str| send_error(NodeError::Output(text.to_owned())).status;
        assert_eq!(status("output \"a\": expected Arrow type Float32, got UInt8"), DORA_ERROR_TYPE_MISMATCH);
        assert_eq!(
            status(
                "output \"a\": IPC-encoded message is 9 bytes, exceeding the 8-byte daemon transport limit"
            ),
            DORA_ERROR_TOO_LARGE
        );
        assert_eq!(status("something else: expected Arrow type"), DORA_ERROR_INTERNAL);
    }

    #[test]
    fn failures_of_extensions_are_told_apart() {
        let status = |text: &str| extension_error(NodeError::Internal(eyre!(text.to_owned()))).status;
        assert_eq!(status("no extension registered under \"maps\" on this daemon"), DORA_ERROR_NOT_FOUND);
        assert_eq!(status("the map has a hole"), DORA_ERROR_INTERNAL);
        assert_eq!(
            status("extension key maps/a is owned by node a; node b may not overwrite it"),
            DORA_ERROR_INVALID_ARGUMENT
        );
        assert_eq!(status("extension table full for this dataflow (8192 entries)"), DORA_ERROR_OUT_OF_MEMORY);
        assert_eq!(extension_error(io(ErrorKind::BrokenPipe)).status, DORA_ERROR_DISCONNECTED);
        assert_eq!(extension_error(io(ErrorKind::InvalidData)).status, DORA_ERROR_TOO_LARGE);
    }

    #[test]
    fn a_dynamic_node_is_told_what_it_needs() {
        let plot = ("plot".parse().unwrap(), 7);
        let error = init_error(io(ErrorKind::ConnectionRefused), Some(&plot));
        assert!(error.message.starts_with("no daemon listens on port 7 of this machine"), "{error}");
        let report = NodeError::Init(format!("{NO_CONFIG}no node with ID `plot`"));
        let error = init_error(report, Some(&plot));
        assert!(error.message.contains("dynamic node \"plot\": it answered \"no node with ID"), "{error}");
        let error = init_error(NodeError::Init("message size 9 exceeds maximum 8".into()), Some(&plot));
        assert!(error.message.starts_with("what listens on port 7"), "{error}");
    }

    #[test]
    fn what_dora_settled_is_read_from_its_words() {
        let classify = classify_settlement;
        assert_eq!(
            classify("startup handshake complete; output takes the direct zenoh path"),
            Some(Settlement::Direct)
        );
        assert_eq!(
            classify("startup handshake incomplete after 2000ms; output stays on the reliable daemon path"),
            Some(Settlement::Daemon)
        );
        assert_eq!(
            classify("output pinned to the daemon path by consumer routing requirements"),
            Some(Settlement::Daemon)
        );
        assert_eq!(classify("something else"), None);
    }
}
