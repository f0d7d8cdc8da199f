//! Waiting for the answer to a request, or the result of a goal.

use std::task::Poll;

use dora_message::metadata::{
    GOAL_ID, GOAL_STATUS, GOAL_STATUS_ABORTED, GOAL_STATUS_CANCELED, GOAL_STATUS_SUCCEEDED, REQUEST_ID,
    get_string_param,
};
use dora_node_api::Event;
use dora_node_api::dora_core::config::NodeId;
use dora_node_api::uuid::Uuid;

use super::{AT_A_TIME, Receiver, Turn, receive};
use crate::event::dora_event_t;
use crate::ffi::{Out, Shared, Text, outcome};
use crate::node::{dora_node_t, list, node_id};
use crate::status::{
    DORA_CLOSED, DORA_ERROR_SERVER_RESTARTED, DORA_OK, DORA_TIMEOUT, Error, Result, dora_status_t,
};
use crate::wait::Deadline;

/// What a wait for a reply came across.
enum Found {
    Reply(Box<dora_event_t>),
    ServerRestarted,
    Closed,
    /// There may be more to look at.
    Others,
}

/// What is awaited.
struct Awaited<'a> {
    id: &'a str,
    server: Option<NodeId>,
}

impl Awaited<'_> {
    /// Whether an event is the response to the request, or the result of the goal; feedback is neither.
    fn is_answered_by(&self, event: &Event) -> bool {
        let Event::Input { metadata, .. } = event else { return false };
        let text = |key| get_string_param(&metadata.parameters, key);
        let is_over = || {
            matches!(
                text(GOAL_STATUS),
                Some(GOAL_STATUS_SUCCEEDED | GOAL_STATUS_ABORTED | GOAL_STATUS_CANCELED)
            )
        };
        text(REQUEST_ID) == Some(self.id) || (text(GOAL_ID) == Some(self.id) && is_over())
    }

    /// Whether the server was restarted behind the start of the request, as the ids that the library makes
    /// tell it; of others nothing is known.
    fn is_lost(&self, receiver: &Receiver) -> bool {
        let restarted = self.server.as_ref().and_then(|server| receiver.restarts.get(server));
        restarted.is_some_and(|restarted| started_ms(self.id).is_some_and(|started| *restarted > started))
    }

    fn is_lost_by(&self, event: &Event) -> bool {
        matches!((event, &self.server), (Event::NodeRestarted { id }, Some(server)) if id == server)
    }
}

/// When an id was made, in milliseconds since the Unix epoch: a UUID of version 7 begins with that.
fn started_ms(id: &str) -> Option<u64> {
    let id = Uuid::try_parse(id).ok().filter(|id| id.get_version_num() == 7)?;
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    Some(seconds * 1000 + u64::from(nanoseconds) / 1_000_000)
}

impl Receiver {
    /// Looks for a reply, and keeps everything else.
    fn look_for(&mut self, awaited: &Awaited<'_>, node: &dora_node_t) -> Poll<Found> {
        if let Some(event) = self.kept.take(|event| awaited.is_answered_by(event)) {
            return Poll::Ready(Found::Reply(self.deliver(event, node)));
        }
        for _ in 0..AT_A_TIME {
            let event = match self.take(node) {
                Poll::Ready(Some(event)) => event,
                Poll::Ready(None) => return Poll::Ready(Found::Closed),
                // An earlier wait, or a read, came across the restart.
                Poll::Pending if awaited.is_lost(self) => return Poll::Ready(Found::ServerRestarted),
                Poll::Pending => return Poll::Pending,
            };
            if awaited.is_answered_by(&event) {
                return Poll::Ready(Found::Reply(self.deliver(event, node)));
            }
            let is_lost = awaited.is_lost_by(&event);
            self.keep(event);
            if is_lost {
                return Poll::Ready(Found::ServerRestarted);
            }
        }
        Poll::Ready(Found::Others)
    }
}

/// A node whose restart this one would learn of.
fn known_sender(node: &dora_node_t, id: &str) -> Result<NodeId> {
    let server = node_id(id, "server")?;
    let identity = &node.identity;
    // A script brings inputs that nobody declared.
    if identity.is_in_dataflow && !identity.receives_from(&server) {
        let sources = list(identity.inputs.iter().map(|input| &input.source));
        return Err(Error::invalid(format!(
            "`server` is \"{id}\", from which no input of this node comes, so its restart would not be \
             noticed: their sources are {sources}"
        )));
    }
    Ok(server)
}

fn read_reply(
    node: &dora_node_t,
    awaited: &Awaited<'_>,
    timeout_ns: i64,
) -> Result<std::result::Result<Box<dora_event_t>, dora_status_t>> {
    let deadline = Deadline::after_ns(timeout_ns);
    let mut looks = 0_usize;
    loop {
        match receive(node, deadline, |receiver| receiver.look_for(awaited, node)) {
            Ok(Found::Reply(event)) => return Ok(Ok(event)),
            Ok(Found::Closed) => return Ok(Err(DORA_CLOSED)),
            Ok(Found::ServerRestarted) => {
                return Err(Error::new(
                    DORA_ERROR_SERVER_RESTARTED,
                    format!(
                        "the node \"{}\" was restarted and will not answer \"{}\": send the \
                         request anew, and again until it answers",
                        awaited.server.as_ref().map_or_else(String::new, ToString::to_string),
                        awaited.id
                    ),
                ));
            }
            // What waits is looked at also when the time is over, but not for ever.
            Ok(Found::Others) if looks > AT_A_TIME && deadline.has_passed() => return Ok(Err(DORA_TIMEOUT)),
            Ok(Found::Others) => looks += 1,
            Err(outcome) => return Ok(Err(outcome)),
        }
    }
}

/// Waits for the answer to a request, or for the result of a goal, and leaves everything else to the reads
/// that follow: those get it in the order in which it came, feedback of the goal included. What came while
/// earlier replies were awaited is looked at too.
///
/// Of each input is kept what its `queue_size` and `queue_policy` allow; what has to go is counted by
/// `dora_node_dropped`. A stop does not end the wait as long as inputs are queued behind it. Nor does a
/// server that has failed for good, while other inputs are open: wait with a timeout.
///
/// @param node            Not NULL.
/// @param correlation_id  Not NULL; the id that `dora_metadata_start_request` or `dora_metadata_start_goal`
///                        gave.
/// @param server          The id of the node that is to answer, so that its restart ends the wait; NULL for
///                        a wait that only an answer, the time or the end of the node ends.
/// @param timeout_ns      Nanoseconds; 0 looks at what waits and returns at once, a negative value such as
///                        `DORA_FOREVER` waits for ever.
/// @param event           Not NULL; gets the answer with `DORA_OK`, else NULL. The caller ends it with
///                        `dora_event_free`.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: no answer came in time; `DORA_INTERRUPTED`: `dora_node_interrupt` was
///          called; `DORA_CLOSED`: none will come, and the reads tell why; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: `correlation_id` is empty, or no input comes from `server`;
///          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_INVALID_ID`: `server` is no id of a node;
///          `DORA_ERROR_SERVER_RESTARTED`: that node was restarted, so send the request anew;
///          `DORA_ERROR_BUSY`: another thread is in a receive call of this node.
///
/// Any thread, one receive call at a time; a send on another thread does not wait for it. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_read_reply(
    node: Shared<'_, dora_node_t>,
    correlation_id: Text<'_>,
    server: Text<'_>,
    timeout_ns: i64,
    event: Out<'_, Option<Box<dora_event_t>>>,
) -> dora_status_t {
    event.set(None);
    outcome(|| {
        let node = node.required("node")?;
        let id = correlation_id.required("correlation_id")?;
        if id.is_empty() {
            return Err(Error::invalid("`correlation_id` is empty: pass the id of a request or a goal"));
        }
        let server = server.optional("server")?.map(|id| known_sender(node, id)).transpose()?;
        let out = event.required("event")?;
        let Ok(_call) = node.enter() else { return Ok(DORA_CLOSED) };
        let _turn = Turn::take(&node.reading)?;
        match read_reply(node, &Awaited { id, server }, timeout_ns)? {
            Ok(event) => {
                out.set(Some(event));
                Ok(DORA_OK)
            }
            Err(outcome) => Ok(outcome),
        }
    })
}
