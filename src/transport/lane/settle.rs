//! The decision, once when a node begins, which outputs take the lane; and the end, when nobody may lose what
//! is still on its way.

use std::collections::BTreeMap;
use std::sync::Arc;

use dora_message::daemon_to_node::NodeConfig;

use super::acks::Acks;
use super::hub::Hub;
use super::inputs::{Input, Receiver};
use super::outputs::{MADE, Output, Outputs};
use super::place::{Card, Peer, Place, Seat};
use super::plan::Plan;
use super::setting::Setting;
use super::{BORROWED_AT_ONCE, memory};
use crate::ffi::{Door, monotonic_now, reserve_descriptors, wait_readable};
use crate::wait::Deadline;

/// How long the nodes that receive an output have to answer.
const ANSWER_NS: i64 = 500_000_000;
/// How long the end of a node waits for those that receive from it.
const FAREWELL_NS: i64 = 1_000_000_000;
/// More descriptors than a node of a large dataflow has.
const DESCRIPTORS: usize = 1024;

/// What a node that may use the lane has ready before dora begins it: from then on others see it.
pub struct Prepared {
    seat: Arc<Seat>,
    hub: Hub,
    run: u64,
    is_restarted: bool,
    outputs: Vec<Output>,
    inputs: Vec<Input>,
    door: Door,
}

/// An output that all its receivers can see, and the runs of the nodes that these are in.
struct Candidate {
    index: usize,
    runs: BTreeMap<String, u64>,
}

/// A node's part of the lane.
pub struct Lane {
    pub outputs: Arc<Outputs>,
    pub inputs: Vec<Input>,
    /// At which the node is woken.
    pub door: Door,
    pub farewell: Farewell,
}

/// What the end of a node needs.
pub struct Farewell {
    outputs: Arc<Outputs>,
    acks: Acks,
    hub: Hub,
    seat: Arc<Seat>,
}

impl Prepared {
    /// Makes everything ready that the setting and the dataflow ask for. The lane never keeps a node from
    /// beginning: what it lacks is told, and dora's path is taken.
    pub fn of(config: &NodeConfig, setting: &Setting) -> Option<Self> {
        let plan = Plan::of(config, setting);
        for refusal in &plan.refused {
            stays(if refusal.is_output { "output" } else { "input" }, &refusal.id, &refusal.why);
        }
        if plan.is_empty() {
            return None;
        }
        reserve_descriptors(DESCRIPTORS);
        Self::make(config, &plan).inspect_err(|error| warn(config, &plan, error)).ok()
    }

    fn make(config: &NodeConfig, plan: &Plan) -> Result<Self, String> {
        let (dataflow, node) = (config.dataflow_id.to_string(), config.node_id.to_string());
        let run = new_run();
        memory::check(plan, MADE)?;
        let place = Place::open()?;
        let card = Card {
            incarnation: run,
            inputs: plan.inputs.iter().map(|input| input.id.to_string()).collect(),
            outputs: plan.outputs.iter().map(|output| output.id.to_string()).collect(),
        };
        let hub = Hub::open(&place, &dataflow, &node)?;
        let seat = Arc::new(Seat::take(&place, &dataflow, &node, &card)?);
        let me = Arc::new(Receiver { seat: seat.clone(), node: node.clone(), run });
        let inputs = plan.inputs.iter().map(|input| {
            let (shape, output) = (input.shape, &input.output);
            let channel = hub.channel(&input.node, output, shape.readers, shape.depth, BORROWED_AT_ONCE)?;
            Input::new(input, &channel, me.clone())
        });
        let inputs = inputs.collect::<Result<_, String>>()?;
        let outputs = plan.outputs.iter().map(|output| {
            let shape = output.shape;
            let channel = hub.channel(&node, &output.id, shape.readers, shape.depth, BORROWED_AT_ONCE)?;
            Output::new(output, &channel, run)
        });
        let outputs = outputs.collect::<Result<_, String>>()?;
        hub.keep_from_children();
        let door = seat.bell().again().and_then(Door::new);
        let door = door.map_err(|error| format!("no descriptor can be had: {error}"))?;
        Ok(Self { seat, hub, run, is_restarted: config.restart_count > 0, outputs, inputs, door })
    }

    /// Decides, when dora has begun the node: an output takes the lane when every node that receives it has
    /// answered.
    pub fn settle(mut self) -> Lane {
        let deadline = Deadline::after_ns(ANSWER_NS);
        let candidates = self.show_outputs();
        let acks = self.await_answers(&candidates, &deadline);
        for candidate in &candidates {
            let is_answered = self.is_answered(candidate, &acks);
            let output = &self.outputs[candidate.index];
            if is_answered {
                output.begin();
            } else {
                stays("output", output.id(), "a node that receives it did not answer in 500 ms");
            }
        }
        self.into_lane(acks)
    }

    fn show_outputs(&mut self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (index, output) in self.outputs.iter_mut().enumerate() {
            match show(output, &self.seat) {
                Ok(runs) => candidates.push(Candidate { index, runs }),
                Err(why) => stays("output", output.id(), &why),
            }
        }
        candidates
    }

    /// Waits until all that receive the outputs have answered, and this node has those that it receives from.
    fn await_answers(&mut self, candidates: &[Candidate], deadline: &Deadline) -> Acks {
        let mut senders = self.senders();
        let mut acks = Acks::default();
        loop {
            self.seat.bell().drain();
            senders.retain(|(index, run)| !self.inputs[*index].has_heard(*run));
            acks.read(self.seat.letters());
            let is_over = senders.is_empty() && candidates.iter().all(|one| self.is_answered(one, &acks));
            if is_over || deadline.has_passed() {
                return acks;
            }
            wait_readable([self.seat.bell().descriptor(), self.seat.letters().descriptor()], deadline.time());
        }
    }

    fn is_answered(&self, candidate: &Candidate, acks: &Acks) -> bool {
        let output = &self.outputs[candidate.index];
        output.readers().iter().all(|reader| {
            let run = candidate.runs.get(&reader.node);
            run.is_some_and(|run| acks.have(output.id(), reader, self.run, *run, 0))
        })
    }

    /// The inputs whose senders show their memory about now, and in which run those are.
    fn senders(&self) -> Vec<(usize, u64)> {
        // Those of a node that was restarted are in the middle of their work.
        let inputs = self.inputs.iter().enumerate().filter(|_| !self.is_restarted);
        let sender = |(index, input): (usize, &Input)| {
            let card = self.seat.peer(&input.plan().node)?.card;
            card.outputs.contains(&input.plan().output).then_some((index, card.incarnation))
        };
        inputs.filter_map(sender).collect()
    }

    fn into_lane(self, acks: Acks) -> Lane {
        for output in self.outputs.iter().filter(|output| output.is_open()) {
            tracing::info!(target: "dora", "output \"{}\" takes the fast lane", output.id());
        }
        self.hub.keep_from_children();
        let outputs = Arc::new(Outputs::new(self.outputs));
        let farewell = Farewell { outputs: outputs.clone(), acks, hub: self.hub, seat: self.seat };
        Lane { outputs, inputs: self.inputs, door: self.door, farewell }
    }
}

/// Tells that a node has no part of the lane.
fn warn(config: &NodeConfig, plan: &Plan, error: &str) {
    tracing::warn!(target: "dora", "the fast lane is off: {error}");
    // In the first run its senders see that it is not there.
    for input in plan.inputs.iter().filter(|_| config.restart_count > 0) {
        tracing::warn!(
            target: "dora",
            "input \"{}\" gets nothing from node \"{}\" if that is on the fast lane: restart it too",
            input.id, input.node
        );
    }
}

/// Shows an output's memory to the nodes that receive it. Gives their runs, or why it stays on dora's path.
fn show(output: &mut Output, seat: &Seat) -> Result<BTreeMap<String, u64>, String> {
    let mut peers: BTreeMap<String, Option<Peer>> = BTreeMap::new();
    let mut missing = None;
    for reader in output.readers() {
        let peer = peers.entry(reader.node.clone()).or_insert_with(|| seat.peer(&reader.node));
        let is_there = peer.as_ref().is_some_and(|peer| peer.card.inputs.contains(&reader.input));
        if !is_there {
            missing.get_or_insert_with(|| {
                format!("node \"{}\" has no fast lane for its input \"{}\"", reader.node, reader.input)
            });
        }
    }
    let mut runs = BTreeMap::new();
    for (node, peer) in peers {
        let Some(peer) = peer else { continue };
        runs.insert(node, peer.card.incarnation);
        output.add_bell(peer.bell);
    }
    if !runs.is_empty() {
        output.probe()?;
    }
    missing.map_or(Ok(runs), Err)
}

/// Tells why something that was wanted on the lane is not.
fn stays(what: &str, id: &str, why: &str) {
    tracing::info!(target: "dora", "{what} \"{id}\" stays on dora's path: {why}");
}

/// Tells runs apart, and which of two began later: a clock that all processes share and nobody sets.
fn new_run() -> u64 {
    u64::try_from(monotonic_now().as_nanos()).unwrap_or(u64::MAX)
}

impl Farewell {
    #[cfg(test)]
    pub fn of(outputs: Arc<Outputs>, hub: Hub, seat: Arc<Seat>) -> Self {
        Self { outputs, acks: Acks::default(), hub, seat }
    }

    /// Waits until every node that receives from this one has mapped what is on its way. Where one does not
    /// in time, the memory stays for it, and goes when the dataflow has ended. Whether all have.
    pub fn say(mut self) -> bool {
        let deadline = Deadline::after_ns(FAREWELL_NS);
        while !self.is_over() {
            if deadline.has_passed() {
                std::mem::forget((self.outputs, self.hub));
                return false;
            }
            wait_readable([self.seat.letters().descriptor()], deadline.time());
        }
        true
    }

    fn is_over(&mut self) -> bool {
        self.acks.read(self.seat.letters());
        let run = |node: &str| self.seat.peer(node).map(|peer| peer.card.incarnation);
        self.outputs.iter().all(|output| output.is_mapped(&self.acks, run))
    }
}
