//! What carries messages. Nothing above this module knows which way an event came or a message goes.
//!
//! There are two carriers, dora's own data plane and the fast lane. [`Inbox`] takes from both, [`Outbox`]
//! chooses for each output, and [`Encoder`] gives out the memory of the one that will carry it.

mod framing;
mod lane;
mod merge;
mod message;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

use dora_message::metadata::{FRAMING, FRAMING_ARROW_IPC, strip_internal_parameters};
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{DoraNode, EventStream, Metadata, MetadataParameters, NodeError, NodeResult, Parameter};

pub use self::lane::{Block, Farewell, Header, Lane, Prepared, Setting};
use self::lane::{Outputs, Unsent, needs_dora};
pub use self::merge::Inbox;
use self::message::Form;
pub use self::message::{Draft, Encoder, Memory, Message, OutputEncoder, Pool};
use self::types::DeclaredTypes;

/// The largest message that receivers of dora take, framing included.
pub const MAX_MESSAGE: usize = 256 << 20;

/// The sending half of a node.
pub struct Outbox {
    node: DoraNode,
    types: DeclaredTypes,
    lane: Arc<Outputs>,
}

/// Which way a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Dora,
    Lane,
}

impl Outbox {
    pub fn send(
        &mut self,
        output: &DataId,
        mut parameters: MetadataParameters,
        message: Message,
    ) -> NodeResult<Way> {
        let Some(message) = self.send_by_lane(output, &mut parameters, message)? else {
            return Ok(Way::Lane);
        };
        let output = output.clone();
        match message.0 {
            Form::Encoded(encoded, _) => self.node.send_output_encoded(output, parameters, encoded)?,
            Form::Framed(sample, data_type) => {
                self.types.check(&output, data_type, &parameters)?;
                parameters.insert(FRAMING.to_owned(), Parameter::String(FRAMING_ARROW_IPC.to_owned()));
                self.node.send_output_sample(output, parameters, Some(sample))?;
            }
            Form::InPlace(chunk, data_type) => {
                self.types.check(&output, &data_type, &parameters)?;
                let mut sample = self.node.allocate_data_sample(chunk.as_bytes().len())?;
                sample.copy_from_slice(chunk.as_bytes());
                parameters.insert(FRAMING.to_owned(), Parameter::String(FRAMING_ARROW_IPC.to_owned()));
                self.node.send_output_sample(output, parameters, Some(sample))?;
            }
        }
        Ok(Way::Dora)
    }

    /// Sends a message of an output that takes the lane. Gives back what is dora's to send: nothing may
    /// follow on the lane then, or it would come before.
    fn send_by_lane(
        &self,
        output: &DataId,
        parameters: &mut MetadataParameters,
        message: Message,
    ) -> NodeResult<Option<Message>> {
        let Some(lane) = self.lane.open(output) else { return Ok(Some(message)) };
        self.types.check(output, message.data_type(), parameters)?;
        if let Some(why) = needs_dora(parameters) {
            lane.leave(why);
            return Ok(Some(message));
        }
        let (chunk, data_type) = match message.placed(lane) {
            Form::InPlace(chunk, data_type) => (chunk, data_type),
            form => {
                lane.leave(NO_MEMORY);
                return Ok(Some(Message(form)));
            }
        };
        strip_internal_parameters(parameters);
        let metadata = Metadata::from_parameters(self.node.timestamp(), std::mem::take(parameters));
        match lane.send(chunk, &metadata) {
            Ok(()) => Ok(None),
            Err(Unsent::Failed(error)) => {
                lane.leave(&error);
                Err(NodeError::Output(error))
            }
            Err(Unsent::NoMemory(chunk)) => {
                lane.leave(NO_MEMORY);
                *parameters = metadata.parameters;
                Ok(Some(Message(Form::InPlace(chunk, data_type))))
            }
        }
    }

    /// Whether dora takes messages of an output: a declared one, or any where no dataflow declares them.
    pub fn takes(&mut self, output: &DataId) -> bool {
        self.node.validate_output(output)
    }

    pub fn close(&mut self, outputs: Vec<DataId>) -> NodeResult<()> {
        self.node.close_outputs(outputs)
    }

    pub fn log(
        &self,
        level: &str,
        message: &str,
        target: Option<&str>,
        fields: Option<&BTreeMap<String, String>>,
    ) {
        self.node.log_with_fields(level, message, target, fields);
    }
}

const NO_MEMORY: &str = "there is no shared memory for a message";

/// The daemon's table of bytes.
impl Outbox {
    pub fn extension_store(&mut self, namespace: String, key: String, value: Vec<u8>) -> NodeResult<()> {
        Ok(self.node.extension_store(namespace, key, value)?)
    }

    pub fn extension_load(
        &mut self,
        namespace: String,
        key: String,
        remove: bool,
    ) -> NodeResult<Option<Vec<u8>>> {
        Ok(self.node.extension_load(namespace, key, remove)?)
    }

    pub fn extension_drop(&mut self, namespace: String, key: String) -> NodeResult<()> {
        Ok(self.node.extension_drop(namespace, key)?)
    }

    pub fn extension_request(&mut self, namespace: String, payload: Vec<u8>) -> NodeResult<Vec<u8>> {
        Ok(self.node.extension_request(namespace, payload)?)
    }
}

/// What a node of dora is divided into.
pub struct Halves {
    pub inbox: Inbox,
    pub encoder: Encoder,
    pub outbox: Outbox,
}

/// Divides a node of dora into its halves, each with its part of the lane.
pub fn split(node: DoraNode, stream: EventStream, pool: Pool, lane: Option<&mut Lane>) -> Halves {
    let (outputs, inputs) =
        lane.map(|lane| (lane.outputs.clone(), std::mem::take(&mut lane.inputs))).unwrap_or_default();
    let encoder = Encoder::new(node.sample_allocator(), pool, outputs.clone());
    let types = DeclaredTypes::of(&node);
    Halves { inbox: Inbox::new(stream, inputs), encoder, outbox: Outbox { node, types, lane: outputs } }
}
