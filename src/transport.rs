//! What carries messages. Nothing above this module knows which way an event came or a message goes.
//!
//! Today there is one carrier, dora's own data plane. A second one joins here: [`Inbox`] then takes from
//! both, [`Outbox`] chooses for each output, and [`Encoder`] gives out the memory of the one that will
//! carry it.

use std::collections::{BTreeMap, HashMap};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use arrow::array::ArrayRef;
use dora_node_api::dora_core::config::DataId;
use dora_node_api::{
    DoraArray, DoraNode, EncodedSample, Event, EventStream, MetadataParameters, NodeResult, SampleAllocator,
};

/// The receiving half of a node.
pub struct Inbox {
    stream: EventStream,
}

impl Inbox {
    /// The next event, `None` at the end, or pending: `waker` is then woken when it is worth looking again.
    ///
    /// The future is polled once and dropped. That loses nothing: dora takes an event out of its channel
    /// only in a poll that gets it, and the channel keeps the waker.
    pub fn poll(&mut self, waker: &Waker) -> Poll<Option<Event>> {
        pin!(self.stream.recv_async()).poll(&mut Context::from_waker(waker))
    }

    /// Whether no event waits.
    pub fn is_empty(&self) -> bool {
        self.stream.is_empty()
    }

    /// How many messages each input has lost since the last call, control events under an id of dora's own.
    pub fn take_dropped(&mut self) -> HashMap<DataId, u64> {
        self.stream.drain_drop_counts()
    }
}

/// A message in the form in which it travels; it shares no memory with what it was made from.
pub struct Message(EncodedSample);

/// Makes messages, without the sending half.
#[derive(Clone)]
pub struct Encoder {
    allocator: SampleAllocator,
}

impl Encoder {
    pub fn encode(&self, array: ArrayRef) -> NodeResult<Message> {
        self.allocator.encode_arrow(&DoraArray::from(array)).map(Message)
    }
}

#[cfg(test)]
impl Encoder {
    /// An encoder without a node.
    pub fn heap() -> Self {
        Self { allocator: SampleAllocator::heap() }
    }
}

#[cfg(test)]
impl Message {
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The sending half of a node.
pub struct Outbox {
    node: DoraNode,
}

impl Outbox {
    pub fn send(
        &mut self,
        output: DataId,
        parameters: MetadataParameters,
        message: Message,
    ) -> NodeResult<()> {
        self.node.send_output_encoded(output, parameters, message.0)
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

/// Divides a node of dora into its halves.
pub fn split(node: DoraNode, stream: EventStream) -> (Inbox, Encoder, Outbox) {
    let encoder = Encoder { allocator: node.sample_allocator() };
    (Inbox { stream }, encoder, Outbox { node })
}
