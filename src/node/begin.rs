//! How a node begins: what it is to be, and what is set up for it.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use dora_message::config::{ByteSize, Input};
use dora_message::daemon_to_node::{NodeConfig, OutputRouting};
use dora_node_api::dora_core::config::{DataId, NodeId};
use dora_node_api::integration_testing::{TestingInput, TestingOptions, TestingOutput};
use dora_node_api::{DoraNode, EventStream, NodeResult};

use super::life::{Claim, assemble};
use super::outputs::DORA_TRANSPORT_UNKNOWN;
use super::settling::watch_settling;
use super::{Identity, dora_node_t, pool};
use crate::apart::Slot;
use crate::error_text::{init_error, malformed_config};
use crate::ffi::{Scheduling, clear_parent_death_signal, set_environment, watch_forks};
use crate::options::{TestInputs, dora_node_options_t, parse_test_inputs};
use crate::status::{DORA_ERROR_INIT, DORA_OK, Error, Result};
use crate::transport::{Halves, Preparation, Wish};
use crate::wait::Deadline;
use crate::{apart, diagnostics};

/// Set by the daemon, which starts a process as the node that stands in it.
const NODE_CONFIG: &str = "DORA_NODE_CONFIG";
/// Set by `dora run`, in the environment of the nodes that it must not leave behind.
const RUN_PARENT: &str = "DORA_RUN_PARENT_PID";
/// Where a daemon of this machine listens for dynamic nodes.
const DAEMON_PORT: &str = "DORA_DAEMON_LOCAL_LISTEN_PORT";
/// Names a script of inputs, for a node that runs alone.
const TEST_INPUTS: &str = "DORA_TEST_WITH_INPUTS";
/// Leaves out of what such a node writes when each message was sent.
const TEST_WITHOUT_TIMES: &str = "DORA_TEST_NO_OUTPUT_TIME_OFFSET";
/// From which size on messages travel in shared memory.
const ZERO_COPY_THRESHOLD: &str = "DORA_ZERO_COPY_THRESHOLD";

/// Whether this process has had a node, whose threads may read the environment at any time.
static HAS_HAD_NODE: AtomicBool = AtomicBool::new(false);

/// What a node is to be.
pub enum Role {
    /// The one that dora started this process as.
    Started(Box<NodeConfig>),
    /// A dynamic one, by its id.
    Dynamic(NodeId, Option<u16>),
    /// One that runs alone, on the inputs that its options script.
    Scripted(Box<TestingInput>, TestingOutput),
    /// One that runs alone, on the inputs that the environment scripts, or else the terminal gives.
    Alone { asks_terminal: bool },
}

/// A node of dora, with what is known beside.
pub struct Begun {
    pub halves: Halves,
    /// What the dataflow declares for it.
    pub inputs: BTreeMap<DataId, Input>,
    pub pool_size: usize,
    pub claim: Option<Claim>,
    pub identity: Identity,
}

/// What a node that dora started is waited for by, when an earlier call gave up: dora starts a process as that
/// node, so there is nothing else to begin.
static STARTED: Mutex<Option<Arc<Slot<Result<Begun>>>>> = Mutex::new(None);

/// Begins a node as its options and the environment say.
pub fn begin(options: &dora_node_options_t) -> Result<dora_node_t> {
    diagnostics::follow_environment();
    choose_and_begin(options).inspect_err(|error| {
        if error.status < DORA_OK {
            tracing::error!(target: "dora", "the node could not be set up: {error}");
            diagnostics::flush();
        }
    })
}

fn choose_and_begin(options: &dora_node_options_t) -> Result<dora_node_t> {
    let role = Role::choose(options)?;
    if let Role::Started(_) = role {
        let begun_before = crate::lock(&STARTED).take();
        if let Some(slot) = begun_before {
            return await_node(slot, true, options);
        }
    }
    let claim = Claim::take(role.claimed())?;
    begin_as(role, claim, options)
}

/// Begins a node in a role, on a thread of its own, so that all of dora's threads come from there.
pub fn begin_as(role: Role, claim: Option<Claim>, options: &dora_node_options_t) -> Result<dora_node_t> {
    let (role, without_sharing) = plan_memory(role, options)?;
    if let Some(bytes) = options.zero_copy_threshold {
        pass_on(ZERO_COPY_THRESHOLD, bytes, "the zero-copy threshold")?;
    }
    HAS_HAD_NODE.store(true, Ordering::Release);
    watch_forks();
    let scheduling = options.scheduling.clone();
    let wish = role.wish(options)?;
    let is_started = matches!(role, Role::Started(_));
    let slot = apart::start("dora-init", move || {
        let _without = without_sharing.then(pool::Without::set_up);
        scheduling.apply().or_else(|error| refused(&scheduling, &error))?;
        role.begin(claim, wish.as_ref())
    });
    await_node(slot.map_err(|error| no_thread(&error))?, is_started, options)
}

fn await_node(
    slot: Arc<Slot<Result<Begun>>>,
    is_started: bool,
    options: &dora_node_options_t,
) -> Result<dora_node_t> {
    let deadline = Deadline::after_ns(options.init_timeout_ns);
    let begun = if is_started { slot.wait(deadline) } else { slot.take(deadline) };
    if is_started {
        if begun.is_none() {
            *crate::lock(&STARTED) = Some(slot);
        }
        if std::env::var_os(RUN_PARENT).is_some() {
            // dora did so too, but the signal is a thread's, and dora was on another one.
            clear_parent_death_signal();
        }
    }
    assemble(begun.ok_or_else(Error::timeout)??, options)
}

/// Decides on the shared memory of a node, and whether it has to do without any.
fn plan_memory(mut role: Role, options: &dora_node_options_t) -> Result<(Role, bool)> {
    let plan = match &role {
        Role::Started(config) => pool::Plan::of(config),
        Role::Dynamic(..) => pool::Plan::of_dynamic(options.pool_size),
        Role::Scripted(..) | Role::Alone { .. } => return Ok((role, false)),
    };
    if options.pool_size.is_some() {
        plan.check()?;
    }
    let wanted = plan.own;
    let (plan, without_sharing) = plan.fit();
    match &mut role {
        Role::Started(config) if plan.own != wanted => {
            config.run_config.shared_memory_pool_size = Some(ByteSize(plan.own));
        }
        Role::Dynamic(..) if options.pool_size.is_some() => {
            pass_on(pool::SIZE, plan.own, "the pool size of a dynamic node")?;
        }
        Role::Dynamic(..) if plan.own != wanted => {
            set_environment(pool::SIZE, Some(&plan.own.to_string()));
        }
        _ => {}
    }
    Ok((role, without_sharing))
}

/// Says that threads may not run as the options ask; that they may not run as ever harms nobody.
fn refused(scheduling: &Scheduling, error: &io::Error) -> Result<()> {
    let Scheduling { policy, cpus } = scheduling;
    if policy.is_none() && cpus.is_none() {
        return Ok(());
    }
    Err(Error::new(
        DORA_ERROR_INIT,
        format!(
            "the threads of dora cannot run as the options ask, {scheduling}: {error}; a real-time policy takes CAP_SYS_NICE or RLIMIT_RTPRIO (`ulimit -r`), and \
             CPUs must be there and allowed to this process"
        ),
    ))
}

/// Says that a thread could not be started.
pub fn no_thread(error: &io::Error) -> Error {
    Error::new(DORA_ERROR_INIT, format!("no thread can be started: {error}"))
}

impl Role {
    /// What only one node of the process can be: dora takes a second one of a name for the first.
    fn claimed(&self) -> Option<String> {
        match self {
            Self::Started(config) => Some(config.node_id.to_string()),
            Self::Dynamic(id, _) => Some(id.to_string()),
            Self::Scripted(..) | Self::Alone { .. } => None,
        }
    }

    fn choose(options: &dora_node_options_t) -> Result<Self> {
        if let Some(inputs) = &options.test_inputs {
            return Ok(Self::Scripted(Box::new(inputs.read()?), output_of(options)));
        }
        if options.test_outputs.is_some() {
            return Err(Error::invalid(
                "the options name test outputs but no test inputs: set those too, or set \
                 DORA_TEST_WRITE_OUTPUTS_TO beside DORA_TEST_WITH_INPUTS",
            ));
        }
        if let Some(config) = std::env::var_os(NODE_CONFIG) {
            let config = config.into_string().map_err(|_| malformed_config("it is not UTF-8"))?;
            let mut config: Box<NodeConfig> =
                serde_yaml::from_str(&config).map_err(|error| malformed_config(&error.to_string()))?;
            if let Some(size) = options.pool_size {
                config.run_config.shared_memory_pool_size = Some(ByteSize(size));
            }
            return Ok(Self::Started(config));
        }
        match &options.node_id {
            Some(id) if std::env::var_os(TEST_INPUTS).is_none() => {
                Ok(Self::Dynamic(id.clone(), options.daemon_port))
            }
            _ => Ok(Self::Alone { asks_terminal: options.is_interactive }),
        }
    }

    /// Which ways messages are to take beside dora's; others than a node that dora started have none.
    fn wish(&self, options: &dora_node_options_t) -> Result<Option<Wish>> {
        match self {
            Self::Started(config) => Wish::of(config, options.fast_lane).map(Some),
            Self::Dynamic(..) | Self::Scripted(..) | Self::Alone { .. } => Ok(None),
        }
    }

    fn begin(self, claim: Option<Claim>, wish: Option<&Wish>) -> Result<Begun> {
        let is_in_dataflow = matches!(self, Self::Started(_) | Self::Dynamic(..));
        let routing = self.routing();
        let dynamic = match &self {
            Self::Dynamic(id, port) => Some((id.clone(), port.unwrap_or_else(default_port))),
            _ => None,
        };
        let preparation = match (&self, wish) {
            (Self::Started(config), Some(wish)) => wish.prepare(config),
            _ => Preparation::default(),
        };
        let (halves, settled) = watch_settling(|| self.make());
        let (node, events) = halves.map_err(|error| init_error(error, dynamic.as_ref()))?;
        let pool = pool::find(&node);
        let identity = Identity::of(&node, is_in_dataflow, |output| {
            if is_in_dataflow { settled.transport(output, routing.as_ref()) } else { DORA_TRANSPORT_UNKNOWN }
        });
        let (inputs, pool_size) = (node.node_config().inputs.clone(), pool::size_of(&node));
        let halves = preparation.split(node, events, pool);
        Ok(Begun { halves, inputs, pool_size, claim, identity })
    }

    /// What the daemon says of the ways to the receivers.
    fn routing(&self) -> Option<BTreeMap<DataId, OutputRouting>> {
        match self {
            Self::Started(config) => config.output_routing.clone(),
            _ => None,
        }
    }

    fn make(self) -> NodeResult<(DoraNode, EventStream)> {
        match self {
            Self::Started(config) => DoraNode::init(*config),
            Self::Dynamic(id, port) => {
                let builder = DoraNode::builder().node_id(id);
                port.into_iter().fold(builder, dora_node_api::DoraNodeBuilder::daemon_port).build()
            }
            Self::Scripted(input, output) => {
                let skip_output_time_offsets = std::env::var_os(TEST_WITHOUT_TIMES).is_some();
                DoraNode::init_testing(*input, output, TestingOptions { skip_output_time_offsets })
            }
            Self::Alone { asks_terminal: true } => DoraNode::init_from_env(),
            Self::Alone { asks_terminal: false } => DoraNode::init_from_env_force(),
        }
    }
}

/// Where dora looks for a daemon unless it is told.
fn default_port() -> u16 {
    std::env::var(DAEMON_PORT).ok().and_then(|port| port.parse().ok()).unwrap_or(53291)
}

impl TestInputs {
    fn read(&self) -> Result<TestingInput> {
        Ok(match self {
            Self::File(path) => TestingInput::FromJsonFile(path.clone()),
            Self::Json(json) => TestingInput::Input(parse_test_inputs(json)?),
        })
    }
}

fn output_of(options: &dora_node_options_t) -> TestingOutput {
    match &options.test_outputs {
        Some(path) => TestingOutput::ToFile(path.clone()),
        None => TestingOutput::ToWriter(Box::new(io::sink())),
    }
}

/// Passes on what dora takes from the environment only; see [`HAS_HAD_NODE`].
fn pass_on(variable: &str, bytes: usize, name: &str) -> Result<()> {
    let value = bytes.to_string();
    if std::env::var(variable).is_ok_and(|now| now == value) {
        return Ok(());
    }
    if HAS_HAD_NODE.load(Ordering::Acquire) {
        return Err(Error::invalid(format!(
            "{name} counts for the whole process and cannot be changed once it has had a node: set it in \
             the options of the first one, or set {variable} before the program starts"
        )));
    }
    set_environment(variable, Some(&value));
    Ok(())
}
