//! The log of the dataflow.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::dora_node_t;
use crate::ffi::{CStdout, Shared, Text, guard};
use crate::metadata::dora_metadata_t;
use crate::status::{DORA_ERROR_IO, Error, Result, dora_status_t};

/// Something failed and the node cannot do its work. Since 0.1.0.
pub const DORA_LOG_ERROR: i32 = 1;
/// Something is not as it should be. Since 0.1.0.
pub const DORA_LOG_WARN: i32 = 2;
/// Something that an operator of the dataflow wants to know. Since 0.1.0.
pub const DORA_LOG_INFO: i32 = 3;
/// Something that a developer of the node wants to know. Since 0.1.0.
pub const DORA_LOG_DEBUG: i32 = 4;
/// Every step. Since 0.1.0.
pub const DORA_LOG_TRACE: i32 = 5;

fn log(
    node: Shared<'_, dora_node_t>,
    level: i32,
    target: Option<&str>,
    message: &str,
    fields: Option<BTreeMap<String, String>>,
) -> Result<()> {
    let node = node.required("node")?;
    let _call = node.enter()?;
    let level = level_name(level)?;
    // Before the sending half, since a program may hold stdout while it sends.
    let _stdout = CStdout::take().map_err(not_written)?;
    let (target, message) = (target.map(str::to_owned), message.to_owned());
    node.with_outbox(move |outbox| {
        // dora prints the line, and its printing panics when that fails.
        catch_unwind(AssertUnwindSafe(|| outbox.log(level, &message, target.as_deref(), fields.as_ref())))
            .map_err(|panic| not_written(Error::from_panic(panic.as_ref())))
    })
}

/// Writes a line to the log of the dataflow, which travels by stdout. What C has printed so far is written
/// out first, and C's prints on other threads wait, so that lines do not mix; a print without a newline at
/// its end does run into the line.
///
/// @param node     Not NULL.
/// @param level    `DORA_LOG_ERROR` to `DORA_LOG_TRACE`.
/// @param message  Not NULL; UTF-8, terminated; may have several lines.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: there is no such level; `DORA_ERROR_INVALID_UTF8`;
///          `DORA_ERROR_IO`: the line could not be written; `DORA_ERROR_DISCONNECTED`: the node is being
///          freed.
///
/// Any thread; waits for sends and prints in progress. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_log(
    node: Shared<'_, dora_node_t>,
    level: i32,
    message: Text<'_>,
) -> dora_status_t {
    guard(|| {
        node.required("node")?;
        log(node, level, None, message.required("message")?, None)
    })
}

/// Writes a line to the log of the dataflow, as `dora_node_log` does, with more beside it.
///
/// @param node     Not NULL.
/// @param level    `DORA_LOG_ERROR` to `DORA_LOG_TRACE`.
/// @param target   The part of the program that speaks; may be NULL.
/// @param message  Not NULL; UTF-8, terminated; may have several lines.
/// @param fields   Keys and values to put beside the line, each value as a text; may be NULL. dora leaves
///                 them out when they are more than 60 KiB.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: there is no such level; `DORA_ERROR_INVALID_UTF8`;
///          `DORA_ERROR_IO`: the line could not be written; `DORA_ERROR_DISCONNECTED`: the node is being
///          freed.
///
/// Any thread; waits for sends and prints in progress. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_log_with(
    node: Shared<'_, dora_node_t>,
    level: i32,
    target: Text<'_>,
    message: Text<'_>,
    fields: Option<&dora_metadata_t>,
) -> dora_status_t {
    guard(|| {
        node.required("node")?;
        let target = target.optional("target")?;
        let fields = fields.map(dora_metadata_t::as_texts);
        log(node, level, target, message.required("message")?, fields)
    })
}

fn not_written(cause: impl Display) -> Error {
    Error::new(
        DORA_ERROR_IO,
        format!("the line could not be written to stdout, by which it travels: {cause}"),
    )
}

fn level_name(level: i32) -> Result<&'static str> {
    log_level_name(level).ok_or_else(|| {
        Error::invalid(format!(
            "`level` is {level}, which is none of DORA_LOG_ERROR (1) to DORA_LOG_TRACE (5)"
        ))
    })
}

/// What a `DORA_LOG_…` is called.
pub fn log_level_name(level: i32) -> Option<&'static str> {
    Some(match level {
        DORA_LOG_ERROR => "error",
        DORA_LOG_WARN => "warn",
        DORA_LOG_INFO => "info",
        DORA_LOG_DEBUG => "debug",
        DORA_LOG_TRACE => "trace",
        _ => return None,
    })
}
