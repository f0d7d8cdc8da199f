//! What each kind of event carries, and how dora's events become it.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use dora_node_api::dora_core::config::DataId;
use dora_node_api::{Event, StopCause};

use super::{
    DORA_EVENT_ERROR, DORA_EVENT_INPUT, DORA_EVENT_INPUT_CLOSED, DORA_EVENT_INPUT_RECOVERED,
    DORA_EVENT_NODE_FAILED, DORA_EVENT_NODE_RESTARTED, DORA_EVENT_PARAM_DELETED, DORA_EVENT_PARAM_UPDATE,
    DORA_EVENT_RELOAD, DORA_EVENT_STOP, DORA_EVENT_UNKNOWN, DORA_STOP_ALL_INPUTS_CLOSED, DORA_STOP_MANUAL,
    DORA_STOP_UNKNOWN, kind_name,
};
use crate::data::Input;
use crate::error_text::{ErrorEvent, classify_event, one_line};
use crate::node::Told;
use crate::text::to_c_string;

/// What each kind carries.
#[derive(Debug)]
pub enum Body {
    Unknown { message: CString },
    Input(Input),
    InputClosed { input: Arc<InputId> },
    Stop { cause: i32 },
    Reload { operator: Option<CString> },
    Error { message: CString },
    InputRecovered { input: Arc<InputId> },
    NodeRestarted { node: CString },
    NodeFailed { node: CString, message: CString, affected: Vec<Arc<InputId>> },
    ParamUpdate { key: CString, value_json: CString },
    ParamDeleted { key: CString },
}

/// The id of an input as C reads it, and what was told of that input.
#[derive(Debug)]
pub struct InputId {
    text: CString,
    told: Told,
}

impl InputId {
    pub fn new(id: &str) -> Self {
        Self { text: to_c_string(id), told: Told::default() }
    }

    pub fn text(&self) -> &CStr {
        &self.text
    }

    pub fn told(&self) -> &Told {
        &self.told
    }
}

/// The ids of the inputs that have been seen: one allocation an input, not one an event.
#[derive(Debug, Default)]
pub struct InputIds {
    /// In their order.
    seen: Vec<Arc<InputId>>,
}

impl InputIds {
    fn get(&mut self, id: &DataId) -> Arc<InputId> {
        match self.seen.binary_search_by(|seen| seen.text.to_bytes().cmp(id.as_str().as_bytes())) {
            Ok(at) => self.seen[at].clone(),
            Err(at) => {
                let input = Arc::new(InputId::new(id));
                self.seen.insert(at, input.clone());
                input
            }
        }
    }
}

impl Body {
    /// Takes over an event of dora.
    pub fn new(event: Event, ids: &mut InputIds) -> Self {
        match event {
            Event::Input { id, metadata, data } => {
                Self::Input(Input::new(ids.get(&id), metadata, data.into_inner()))
            }
            Event::InputClosed { id } => Self::InputClosed { input: ids.get(&id) },
            Event::InputRecovered { id } => Self::InputRecovered { input: ids.get(&id) },
            Event::NodeRestarted { id } => Self::NodeRestarted { node: to_c_string(id.as_ref()) },
            Event::Stop(cause) => Self::Stop {
                cause: match cause {
                    StopCause::Manual => DORA_STOP_MANUAL,
                    StopCause::AllInputsClosed => DORA_STOP_ALL_INPUTS_CLOSED,
                    _ => DORA_STOP_UNKNOWN,
                },
            },
            Event::Reload { operator_id } => {
                Self::Reload { operator: operator_id.map(|id| to_c_string(id.as_ref())) }
            }
            Event::ParamUpdate { key, value } => {
                Self::ParamUpdate { key: to_c_string(&key), value_json: to_c_string(&value.to_string()) }
            }
            Event::ParamDeleted { key } => Self::ParamDeleted { key: to_c_string(&key) },
            Event::NodeFailed { affected_input_ids, error, source_node_id } => Self::NodeFailed {
                node: to_c_string(source_node_id.as_ref()),
                message: to_c_string(&error),
                affected: affected_input_ids.into_iter().map(|id| ids.get(&id)).collect(),
            },
            Event::Error(text) => {
                let line = one_line(&text);
                match classify_event(&text) {
                    ErrorEvent::Unknown => Self::Unknown { message: to_c_string(&line) },
                    ErrorEvent::Other => Self::Error { message: to_c_string(&line) },
                    ErrorEvent::DaemonLost => Self::Error {
                        message: to_c_string(&format!(
                            "the connection to the daemon is lost: free the node and end the program ({line})"
                        )),
                    },
                }
            }
            other => Self::Unknown { message: to_c_string(&format!("{other:?}")) },
        }
    }

    pub fn kind(&self) -> i32 {
        match self {
            Self::Unknown { .. } => DORA_EVENT_UNKNOWN,
            Self::Input(_) => DORA_EVENT_INPUT,
            Self::InputClosed { .. } => DORA_EVENT_INPUT_CLOSED,
            Self::Stop { .. } => DORA_EVENT_STOP,
            Self::Reload { .. } => DORA_EVENT_RELOAD,
            Self::Error { .. } => DORA_EVENT_ERROR,
            Self::InputRecovered { .. } => DORA_EVENT_INPUT_RECOVERED,
            Self::NodeRestarted { .. } => DORA_EVENT_NODE_RESTARTED,
            Self::NodeFailed { .. } => DORA_EVENT_NODE_FAILED,
            Self::ParamUpdate { .. } => DORA_EVENT_PARAM_UPDATE,
            Self::ParamDeleted { .. } => DORA_EVENT_PARAM_DELETED,
        }
    }

    /// What an input carries.
    pub fn input(&self) -> Option<&Input> {
        match self {
            Self::Input(input) => Some(input),
            _ => None,
        }
    }

    pub fn input_id(&self) -> Option<&CStr> {
        match self {
            Self::Input(input) => Some(input.id()),
            Self::InputClosed { input } | Self::InputRecovered { input } => Some(input.text()),
            _ => None,
        }
    }

    pub fn node_id(&self) -> Option<&CStr> {
        match self {
            Self::NodeRestarted { node } | Self::NodeFailed { node, .. } => Some(node),
            _ => None,
        }
    }

    pub fn operator_id(&self) -> Option<&CStr> {
        match self {
            Self::Reload { operator } => operator.as_deref(),
            _ => None,
        }
    }

    pub fn key(&self) -> Option<&CStr> {
        match self {
            Self::ParamUpdate { key, .. } | Self::ParamDeleted { key } => Some(key),
            _ => None,
        }
    }

    pub fn message(&self) -> Option<&CStr> {
        match self {
            Self::Unknown { message } | Self::Error { message } | Self::NodeFailed { message, .. } => {
                Some(message)
            }
            _ => None,
        }
    }

    pub fn value_json(&self) -> Option<&CStr> {
        match self {
            Self::ParamUpdate { value_json, .. } => Some(value_json),
            _ => None,
        }
    }

    pub fn affected(&self) -> &[Arc<InputId>] {
        match self {
            Self::NodeFailed { affected, .. } => affected,
            _ => &[],
        }
    }

    /// One line for a log.
    pub fn describe(&self) -> String {
        let mut line = kind_name(self.kind()).to_string_lossy().into_owned();
        if let Self::Input(input) = self {
            return format!("{line} {}", input.describe());
        }
        if let Self::Stop { cause } = self {
            line += match *cause {
                DORA_STOP_MANUAL => " by hand",
                DORA_STOP_ALL_INPUTS_CLOSED => " because all inputs are closed",
                _ => " for an unknown cause",
            };
        }
        let parts = [self.input_id(), self.node_id(), self.operator_id(), self.key()];
        for part in parts.into_iter().flatten() {
            line = format!("{line} {}", part.to_string_lossy());
        }
        for text in [self.value_json(), self.message()].into_iter().flatten() {
            line = format!("{line}: {}", text.to_string_lossy());
        }
        let affected: Vec<_> = self.affected().iter().map(|input| input.text().to_string_lossy()).collect();
        if !affected.is_empty() {
            line = format!("{line} (affected inputs: {})", affected.join(", "));
        }
        line.replace(['\n', '\r'], " ")
    }
}
