//! What is known of inputs beside their events: whether they are open, what they lost, whether anything
//! waits.

use std::collections::HashMap;

use dora_node_api::Event;
use dora_node_api::dora_core::config::DataId;

use crate::event::dora_event_t;
use crate::ffi::{Out, Shared, Text, guard};
use crate::node::{Identity, dora_node_t, list};
use crate::status::{
    DORA_ERROR_NOT_FOUND, DORA_ERROR_UNKNOWN_INPUT, DORA_ERROR_UNSUPPORTED, Error, Result, dora_status_t,
};
use crate::transport::Inbox;

/// No such state, or one that this library does not know. Since 0.1.0.
pub const DORA_INPUT_UNKNOWN: i32 = 0;
/// The input may bring messages. Since 0.1.0.
pub const DORA_INPUT_OPEN: i32 = 1;
/// The input's sender finished, failed, or was silent for too long. Since 0.1.0.
pub const DORA_INPUT_CLOSED: i32 = 2;

/// The name under which dora counts control events that were lost.
const CONTROL_EVENTS: &str = "dora.non_input_event";

/// What a node knows of its inputs, by the events that were read.
#[derive(Debug, Default)]
pub struct Inputs {
    /// With the time at which that was learnt.
    closed: HashMap<DataId, u64>,
    lost: HashMap<DataId, u64>,
}

impl Inputs {
    /// Notes what an event says about an input.
    pub fn note(&mut self, event: &Event, identity: &Identity, now: impl FnOnce() -> u64) {
        match event {
            Event::InputClosed { id } => {
                self.closed.insert(id.clone(), now());
            }
            // Those that were queued come behind the event that closes their input. One that was sent since
            // then is of a sender that came back.
            Event::Input { id, metadata, .. } if !self.closed.is_empty() => {
                let sent = metadata.timestamp().get_time().as_u64();
                if self.closed.get(id).is_some_and(|closed| sent > *closed) {
                    self.closed.remove(id);
                }
            }
            Event::InputRecovered { id } => {
                self.closed.remove(id);
            }
            Event::NodeRestarted { id } => self.closed.retain(|input, _| !identity.is_fed_by(input, id)),
            _ => {}
        }
    }

    /// Notes that an event of an input was lost, or one that is no input.
    pub fn note_lost(&mut self, input: Option<&DataId>) {
        let id = input.cloned().unwrap_or_else(|| DataId::from(CONTROL_EVENTS.to_owned()));
        *self.lost.entry(id).or_default() += 1;
    }

    fn state(&self, input: &str) -> i32 {
        if self.closed.contains_key(input) { DORA_INPUT_CLOSED } else { DORA_INPUT_OPEN }
    }

    /// All that an input has lost so far. dora forgets its counts at each look, for all inputs at once.
    fn lost(&mut self, inbox: &mut Inbox, input: &str) -> u64 {
        for (id, count) in inbox.take_dropped() {
            *self.lost.entry(id).or_default() += count;
        }
        self.lost.get(input).copied().unwrap_or(0)
    }
}

/// An input of the node.
fn input_id<'a>(node: &dora_node_t, input: Text<'a>) -> Result<&'a str> {
    let input = input.required("input")?;
    match node.identity.input(input) {
        Some(_) => Ok(input),
        // A script brings inputs that nobody declares.
        None if !node.identity.is_in_dataflow => Ok(input),
        None => Err(Error::new(
            DORA_ERROR_UNKNOWN_INPUT,
            format!(
                "`input` is \"{input}\", which the dataflow does not declare for node {}: its `inputs` are \
                 {}",
                node.identity.node_id.to_string_lossy(),
                list(node.identity.inputs.iter().map(|input| &input.id))
            ),
        )),
    }
}

/// Whether a read would return at once: an event waits, or nothing will come any more.
///
/// @param node  Not NULL.
/// @param out   Not NULL; gets the answer, false on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_DISCONNECTED`: the node is being freed.
///
/// Any thread, also beside a read, for which it does not wait. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_pending(node: Shared<'_, dora_node_t>, out: Out<'_, bool>) -> dora_status_t {
    out.set(false);
    guard(|| {
        let node = node.required("node")?;
        let out = out.required("out")?;
        let _call = node.enter()?;
        out.set(crate::lock(&node.receiver).is_pending());
        Ok(())
    })
}

/// How many messages an input has lost since the node began, because its queue in this node was full. What
/// waits on the daemon's path is only counted when a read looks at it, what was lost on the fast lane when the
/// message behind it is read. Not counted is what dora drops on
/// the way: on its direct path under congestion, and in the daemon beyond 1,000 events that wait for one
/// node.
///
/// @param node   Not NULL.
/// @param input  An input that the dataflow declares for this node; NULL asks for events that are no
///               inputs.
/// @param total  Not NULL; gets the number, 0 on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNKNOWN_INPUT`;
///          `DORA_ERROR_DISCONNECTED`: the node is being freed.
///
/// Any thread, also beside a read, for which it does not wait. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_dropped(
    node: Shared<'_, dora_node_t>,
    input: Text<'_>,
    total: Out<'_, u64>,
) -> dora_status_t {
    total.set(0);
    guard(|| {
        let node = node.required("node")?;
        let total = total.required("total")?;
        let _call = node.enter()?;
        let input = match input.optional("input")? {
            Some(_) => input_id(node, input)?,
            None => CONTROL_EVENTS,
        };
        let mut receiver = crate::lock(&node.receiver);
        let receiver = &mut *receiver;
        total.set(receiver.inputs.lost(&mut receiver.inbox, input));
        Ok(())
    })
}

/// Whether an input is open, as far as the events tell that were read.
///
/// @param node   Not NULL.
/// @param input  Not NULL; an input that the dataflow declares for this node.
/// @param out    Not NULL; gets one of `DORA_INPUT_…`, `DORA_INPUT_UNKNOWN` on failure.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNKNOWN_INPUT`;
///          `DORA_ERROR_DISCONNECTED`: the node is being freed.
///
/// Any thread, also beside a read, for which it does not wait. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_input_state(
    node: Shared<'_, dora_node_t>,
    input: Text<'_>,
    out: Out<'_, i32>,
) -> dora_status_t {
    out.set(DORA_INPUT_UNKNOWN);
    guard(|| {
        let node = node.required("node")?;
        let out = out.required("out")?;
        let _call = node.enter()?;
        let input = input_id(node, input)?;
        out.set(crate::lock(&node.receiver).inputs.state(input));
        Ok(())
    })
}

/// Gives the last message of an input once more, also when the input was closed since: something to go on
/// with while its sender is silent. It is kept where `dora_node_options_set_keep_last_values` asked for it.
///
/// @param node   Not NULL.
/// @param input  Not NULL; an input that the dataflow declares for this node.
/// @param event  Not NULL; gets the event with `DORA_OK`, else NULL. The caller ends it with
///               `dora_event_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNKNOWN_INPUT`;
///          `DORA_ERROR_NOT_FOUND`: no message of it was read so far; `DORA_ERROR_UNSUPPORTED`: the options
///          did not ask to keep it; `DORA_ERROR_DISCONNECTED`: the node is being freed.
///
/// Any thread, also beside a read, for which it does not wait. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_last_value(
    node: Shared<'_, dora_node_t>,
    input: Text<'_>,
    event: Out<'_, Option<Box<dora_event_t>>>,
) -> dora_status_t {
    event.set(None);
    guard(|| {
        let node = node.required("node")?;
        let out = event.required("event")?;
        let _call = node.enter()?;
        let mut receiver = crate::lock(&node.receiver);
        let receiver = &mut *receiver;
        let Some(last_values) = &receiver.last_values else {
            input_id(node, input)?;
            return Err(Error::new(
                DORA_ERROR_UNSUPPORTED,
                "this node keeps no last values: ask for it with dora_node_options_set_keep_last_values",
            ));
        };
        let input = input_id(node, input)?;
        let Some(Event::Input { id, metadata, data }) = last_values.get(input) else {
            return Err(Error::new(
                DORA_ERROR_NOT_FOUND,
                format!("`input` is \"{input}\", of which no message was read so far"),
            ));
        };
        let (id, metadata, data) = (id.clone(), metadata.clone(), data.clone());
        out.set(Some(Box::new(dora_event_t::new(Event::Input { id, metadata, data }, &mut receiver.ids))));
        Ok(())
    })
}
