//! Which outputs and inputs may take the lane, by the dataflow.
//!
//! Both ends of an output work it out by themselves, from the same descriptor and by the same rules, so they
//! agree without a word. What only the daemon of one end knows keeps that end off the lane; the other then
//! waits in vain for a moment and takes dora's path too.

use std::collections::{BTreeMap, BTreeSet};

use dora_core::descriptor::DescriptorExt;
use dora_message::config::{DEFAULT_QUEUE_SIZE, Input, InputMapping, QueuePolicy};
use dora_message::daemon_to_node::NodeConfig;
use dora_message::descriptor::{CoreNodeKind, CustomNode, DYNAMIC_SOURCE, Deploy, Descriptor, ResolvedNode};
use dora_message::id::{DataId, NodeId};

use super::setting::Setting;
use crate::error_text::one_line;

/// The longest queue of a receiver for which a producer keeps that many messages in shared memory.
const DEPTH_AT_MOST: usize = 1000;

/// What the two ends of an output's channel agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many inputs receive it.
    pub readers: usize,
    /// The longest of their queues.
    pub depth: usize,
}

/// An input that receives an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    pub node: String,
    pub input: String,
}

/// An output that may take the lane.
#[derive(Debug, PartialEq, Eq)]
pub struct OutputPlan {
    pub id: DataId,
    pub shape: Shape,
    pub readers: Vec<Reader>,
}

/// An input that may take the lane, and where its messages come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputPlan {
    pub id: DataId,
    pub node: String,
    pub output: String,
    /// How many messages wait before the oldest is dropped.
    pub queue: usize,
    pub shape: Shape,
}

/// What may take the lane, and what should but may not.
#[derive(Debug, Default)]
pub struct Plan {
    pub outputs: Vec<OutputPlan>,
    pub inputs: Vec<InputPlan>,
    pub refused: Vec<Refusal>,
}

/// An output or input for which the lane is wanted, and that stays on dora's path.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    pub id: DataId,
    pub is_output: bool,
    /// A clause that says what is in the way.
    pub why: String,
}

/// What may be, or what is in the way of it.
type Answer<T> = Result<T, String>;

impl Plan {
    pub fn of(config: &NodeConfig, setting: &Setting) -> Self {
        let mut plan = Self::default();
        if *setting == Setting::Off {
            return plan;
        }
        let dataflow = Dataflow::around(config);
        let outputs = config.run_config.outputs.iter().filter(|id| setting.wants(id));
        for id in outputs {
            let output = dataflow.as_ref().map_err(Clone::clone);
            match output.and_then(|dataflow| dataflow.output(config, id)) {
                Ok(output) => plan.outputs.push(output),
                Err(why) => plan.refused.push(Refusal { id: id.clone(), is_output: true, why }),
            }
        }
        let inputs = config.run_config.inputs.iter().filter(|(id, _)| setting.wants(id));
        for (id, input) in inputs.filter(|(_, input)| setting != &Setting::On || is_from_a_node(input)) {
            let planned = dataflow.as_ref().map_err(Clone::clone);
            match planned.and_then(|dataflow| dataflow.input(config, id, input)) {
                Ok(input) => plan.inputs.push(input),
                Err(why) => plan.refused.push(Refusal { id: id.clone(), is_output: false, why }),
            }
        }
        plan
    }

    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty() && self.inputs.is_empty()
    }
}

/// The nodes of a dataflow, in their final form.
struct Dataflow {
    nodes: BTreeMap<NodeId, ResolvedNode>,
    is_inspected: bool,
}

impl Dataflow {
    /// The dataflow that a node is in, unless none of its outputs and inputs may take the lane.
    fn around(config: &NodeConfig) -> Answer<Self> {
        if config.dynamic {
            return Err("this node is dynamic, so that nobody knows when it comes".to_owned());
        }
        if config.write_events_to.is_some() {
            return Err("what the nodes receive is recorded (DORA_WRITE_EVENTS_TO)".to_owned());
        }
        if config.dataflow_descriptor.is_null() {
            return Err("dora does not tell what the dataflow is".to_owned());
        }
        let dataflow = Self::parse(&config.dataflow_descriptor)?;
        dataflow.custom(&config.node_id)?;
        Ok(dataflow)
    }

    fn parse(descriptor: &serde_yaml::Value) -> Answer<Self> {
        let malformed = |error: String| format!("the dataflow cannot be read: {}", one_line(&error));
        let descriptor: Descriptor =
            serde_yaml::from_value(descriptor.clone()).map_err(|error| malformed(error.to_string()))?;
        let nodes =
            descriptor.resolve_aliases_and_set_defaults().map_err(|error| malformed(format!("{error:#}")))?;
        Ok(Self { nodes, is_inspected: descriptor.debug.enable_debug_inspection })
    }

    /// The plan for an output of the node itself.
    fn output(&self, config: &NodeConfig, id: &DataId) -> Answer<OutputPlan> {
        let (shape, readers) = self.channel(&config.node_id, id)?;
        let routing = config.output_routing.as_ref().and_then(|routing| routing.get(id));
        if let Some(routing) = routing {
            if routing.daemon_only {
                return Err(
                    "dora sends it by the daemon, for a receiver on another machine or one that came \
                            later"
                        .to_owned(),
                );
            }
            let named: BTreeSet<(&str, &str)> =
                readers.iter().map(|reader| (reader.node.as_str(), reader.input.as_str())).collect();
            let added = routing
                .required_ackers
                .iter()
                .find(|reader| !named.contains(&(reader.node_id.as_ref(), reader.input_id.as_str())));
            if let Some(added) = added {
                return Err(format!("node {} receives it since the dataflow was changed", added.node_id));
            }
        }
        Ok(OutputPlan { id: id.clone(), shape, readers })
    }

    /// The plan for an input of the node itself.
    fn input(&self, config: &NodeConfig, id: &DataId, input: &Input) -> Answer<InputPlan> {
        let InputMapping::User(source) = &input.mapping else {
            return Err("its messages come from dora itself, not from a node".to_owned());
        };
        if self.custom(&config.node_id)?.run_config.inputs.get(id) != Some(input) {
            return Err("it was connected otherwise since the dataflow began".to_owned());
        }
        let (shape, _) = self.channel(&source.source, &source.output)?;
        Ok(InputPlan {
            id: id.clone(),
            node: source.source.to_string(),
            output: source.output.to_string(),
            queue: queue_of(input),
            shape,
        })
    }

    /// What both ends know of an output. It is all or nothing: one receiver that has to stay on dora's path
    /// keeps all there.
    fn channel(&self, producer: &NodeId, output: &DataId) -> Answer<(Shape, Vec<Reader>)> {
        if self.is_inspected {
            return Err("the dataflow is run for inspection (`debug`, which `dora topic` needs)".to_owned());
        }
        let sender = self.custom(producer)?;
        check_node(producer, sender)?;
        check_output(producer, sender, output)?;
        let mut readers = Vec::new();
        let mut depth = 0;
        for (id, node) in &self.nodes {
            for (input_id, input) in inputs_reading(node, producer, output) {
                check_node(id, self.custom(id)?)?;
                self.check_same_machine(producer, id)?;
                check_input(id, input_id, input)?;
                depth = depth.max(queue_of(input));
                readers.push(Reader { node: id.to_string(), input: input_id.to_string() });
            }
        }
        if readers.is_empty() {
            return Err("no node receives it".to_owned());
        }
        Ok((Shape { readers: readers.len(), depth }, readers))
    }

    /// A node that is a program of its own.
    fn custom(&self, id: &NodeId) -> Answer<&CustomNode> {
        let node = self.nodes.get(id).ok_or_else(|| format!("the dataflow began without node {id}"))?;
        node.kind.as_custom().ok_or_else(|| format!("node {id} runs operators"))
    }

    /// Checks that nothing sends two nodes to different machines. Where they really run is seen when they
    /// begin.
    fn check_same_machine(&self, producer: &NodeId, consumer: &NodeId) -> Answer<()> {
        let machine = |id| self.nodes.get(id).and_then(|node| machine_of(node.deploy.as_ref()));
        if machine(producer) == machine(consumer) {
            return Ok(());
        }
        Err(format!("nodes {producer} and {consumer} are not deployed to the same machine"))
    }
}

fn is_from_a_node(input: &Input) -> bool {
    matches!(input.mapping, InputMapping::User(_))
}

/// The inputs of a node that receive an output, those of operators among them.
fn inputs_reading<'a>(
    node: &'a ResolvedNode,
    producer: &'a NodeId,
    output: &'a DataId,
) -> impl Iterator<Item = (&'a DataId, &'a Input)> {
    let inputs: Vec<_> = match &node.kind {
        CoreNodeKind::Custom(custom) => vec![&custom.run_config.inputs],
        CoreNodeKind::Runtime(runtime) => {
            runtime.operators.iter().map(|operator| &operator.config.inputs).collect()
        }
    };
    inputs.into_iter().flatten().filter(move |(_, input)| {
        matches!(&input.mapping, InputMapping::User(source)
            if source.source == *producer && source.output == *output)
    })
}

/// Checks a node at either end.
fn check_node(id: &NodeId, node: &CustomNode) -> Answer<()> {
    if node.path == DYNAMIC_SOURCE {
        return Err(format!("node {id} is dynamic, so that nobody knows when it comes"));
    }
    if node.health_check_timeout.is_some() {
        // The daemon counts as a sign of life what a node asks of it, which a node on the lane does not.
        return Err(format!("node {id} has a `health_check_timeout`"));
    }
    Ok(())
}

/// Checks what the producer says of an output.
fn check_output(id: &NodeId, node: &CustomNode, output: &DataId) -> Answer<()> {
    if !node.run_config.outputs.contains(output) {
        return Err(format!("node {id} did not have the output {output} when the dataflow began"));
    }
    for (key, named) in [("send_stdout_as", &node.send_stdout_as), ("send_logs_as", &node.send_logs_as)] {
        if named.as_deref() == Some(output.as_str()) {
            return Err(format!("the daemon sends on it what node {id} prints (`{key}`)"));
        }
    }
    Ok(())
}

/// Checks what a consumer says of an input.
fn check_input(id: &NodeId, input_id: &DataId, input: &Input) -> Answer<()> {
    let refused = |why: &str| Err(format!("node {id} receives it with {why}, as `{input_id}`"));
    if input.input_timeout.is_some() {
        return refused("an `input_timeout`");
    }
    if input.queue_policy == Some(QueuePolicy::Backpressure) {
        return refused("`queue_policy: backpressure`");
    }
    let queue = queue_of(input);
    if queue > DEPTH_AT_MOST {
        return refused(&format!("a queue of {queue} messages, and {DEPTH_AT_MOST} are the most"));
    }
    Ok(())
}

/// How many messages wait at an input before the oldest is dropped.
fn queue_of(input: &Input) -> usize {
    let size = input.queue_size.unwrap_or(DEFAULT_QUEUE_SIZE);
    input.queue_policy.unwrap_or_default().effective_cap(size)
}

/// On which machine a node is to run, as far as the dataflow says.
fn machine_of(deploy: Option<&Deploy>) -> Option<(Option<&String>, &BTreeMap<String, String>)> {
    let machine = deploy.map(|deploy| (deploy.machine.as_ref(), &deploy.labels));
    machine.filter(|(machine, labels)| machine.is_some() || !labels.is_empty())
}

#[cfg(test)]
mod tests;
