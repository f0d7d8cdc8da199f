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
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dora_message::daemon_to_node::NodeConfig;
use dora_message::metadata::{FRAMING, FRAMING_ARROW_IPC, strip_internal_parameters};
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{
    DataSample, DoraNode, EventStream, Metadata, MetadataParameters, NodeError, NodeResult, Parameter,
};

pub use self::lane::{Block, Farewell, Header};
use self::lane::{Outputs, Prepared, Setting, Unsent, needs_dora};
pub use self::merge::Inbox;
use self::message::Form;
pub use self::message::{Draft, Encoder, Memory, Message, OutputEncoder, Pool};
use self::types::DeclaredTypes;
use crate::ffi::{Door, monotonic_now};
use crate::status::Result;

/// The largest message that receivers of dora take, framing included.
pub const MAX_MESSAGE: usize = 256 << 20;

/// The sending half of a node.
pub struct Outbox {
    node: DoraNode,
    types: DeclaredTypes,
    lane: Arc<Outputs>,
    last_by_dora: Arc<LastByDora>,
}

/// When a message was handed to dora last, on the monotonic clock; 0 before the first time. What takes the lane
/// has arrived when it is sent.
#[derive(Debug, Default)]
pub struct LastByDora(AtomicU64);

impl LastByDora {
    fn note(&self) {
        let now = u64::try_from(monotonic_now().as_nanos()).unwrap_or(u64::MAX);
        self.0.store(now, Ordering::Relaxed);
    }

    pub fn time(&self) -> Option<Duration> {
        let time = self.0.load(Ordering::Relaxed);
        (time > 0).then(|| Duration::from_nanos(time))
    }
}

impl Outbox {
    pub fn send(
        &mut self,
        output: &DataId,
        mut parameters: MetadataParameters,
        message: Message,
    ) -> NodeResult<()> {
        match self.send_by_lane(output, &mut parameters, message)? {
            None => Ok(()),
            Some(message) => self.send_by_dora(output, parameters, message),
        }
    }

    // A message of the lane does not pass over the code for those of dora.
    #[inline(never)]
    fn send_by_dora(
        &mut self,
        output: &DataId,
        parameters: MetadataParameters,
        message: Message,
    ) -> NodeResult<()> {
        match message.0 {
            Form::Encoded(encoded, _) => {
                self.node.send_output_encoded(output.clone(), parameters, encoded)?;
            }
            Form::Framed(sample, data_type) => {
                self.types.check(output, data_type, &parameters)?;
                self.send_framed(output, parameters, sample)?;
            }
            Form::InPlace(chunk, data_type) => {
                self.types.check(output, &data_type, &parameters)?;
                let mut sample = self.node.allocate_data_sample(chunk.as_bytes().len())?;
                sample.copy_from_slice(chunk.as_bytes());
                self.send_framed(output, parameters, sample)?;
            }
        }
        self.last_by_dora.note();
        Ok(())
    }

    fn send_framed(
        &mut self,
        output: &DataId,
        mut parameters: MetadataParameters,
        sample: DataSample,
    ) -> NodeResult<()> {
        parameters.insert(FRAMING.to_owned(), Parameter::String(FRAMING_ARROW_IPC.to_owned()));
        self.node.send_output_sample(output.clone(), parameters, Some(sample))
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
        self.types.check(output, &data_type, parameters)?;
        if !parameters.is_empty() {
            strip_internal_parameters(parameters);
        }
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

/// What is wanted of the ways that messages take, beside dora's.
#[derive(Clone, Debug)]
pub struct Wish(Setting);

impl Wish {
    /// What the options and the environment of a node ask for.
    pub fn of(config: &NodeConfig, fast_lane: Option<bool>) -> Result<Self> {
        let setting = Setting::choose(fast_lane)?;
        setting.check(config)?;
        Ok(Self(setting))
    }

    /// Makes ready what others are to see when dora lets them begin.
    pub fn prepare(&self, config: &NodeConfig) -> Preparation {
        Preparation(Prepared::of(config, &self.0))
    }
}

/// What is ready before dora begins a node.
#[derive(Default)]
pub struct Preparation(Option<Prepared>);

/// What a node of dora is divided into.
pub struct Halves {
    pub inbox: Inbox,
    pub encoder: Encoder,
    pub outbox: Outbox,
    pub last_by_dora: Arc<LastByDora>,
    /// Where other processes wake the node, if any do.
    pub door: Option<Door>,
    /// What the end of the node has to do beside, if anything.
    pub farewell: Option<Farewell>,
}

impl Preparation {
    /// Divides a node of dora into its halves, and decides which way the messages of each output take.
    pub fn split(self, node: DoraNode, stream: EventStream, pool: Pool) -> Halves {
        let lane = self.0.map(Prepared::settle);
        let (outputs, inputs, door, farewell) = match lane {
            Some(lane) => (lane.outputs, lane.inputs, Some(lane.door), Some(lane.farewell)),
            None => Default::default(),
        };
        let encoder = Encoder::new(node.sample_allocator(), pool, outputs.clone());
        let types = DeclaredTypes::of(&node);
        let last_by_dora = Arc::<LastByDora>::default();
        let outbox = Outbox { node, types, lane: outputs, last_by_dora: last_by_dora.clone() };
        Halves { inbox: Inbox::new(stream, inputs), encoder, outbox, last_by_dora, door, farewell }
    }
}
