//! What is made with iceoryx2: its node, a service for each output, and the cleaning behind nodes that died.
//!
//! Nothing here is read from iceoryx2's configuration files, and nothing is printed. All of it allocates, opens
//! files and may wait: it is for a thread of which nobody expects anything in time.

mod said;
#[cfg(test)]
mod tests;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use iceoryx2::node::NodeView;
use iceoryx2::prelude::{
    CallbackProgression, Config, FileName, Node, NodeBuilder, NodeName, NodeState, Path, SemanticString,
    ServiceName, SignalHandlingMode,
};
use iceoryx2::service::ipc_threadsafe;
use iceoryx2::service::port_factory::publish_subscribe::PortFactory;

use super::BORROWED_AT_ONCE;
use super::form::{Block, Header};
use super::place::{Place, RootLock, encoded, open_private, shortened};
use crate::ffi::{close_at_exec, effective_user};

pub type Iox = ipc_threadsafe::Service;
pub type Channel = PortFactory<Iox, [Block], Header>;

/// How long a service may take to appear that another node has begun to make.
const PATIENCE: Duration = Duration::from_millis(500);
/// Nodes have restarted ones and late leavers beside them.
const PUBLISHERS: usize = 4;
pub const SPARE_SUBSCRIBERS: usize = 2;
const SPARE_NODES: usize = 8;
/// Of how many senders that are gone a receiver may still have messages, held or unread. It holds some of
/// `BORROWED_AT_ONCE` senders at most, and with less room than that iceoryx2 would panic; what is unread of more
/// is discarded. iceoryx2 walks over all of the room at each look, so there is no more than that takes with ease.
const GONE_PUBLISHERS: usize = 32;
const _: () = assert!(GONE_PUBLISHERS > BORROWED_AT_ONCE);
/// What iceoryx2 takes: 255 bytes, and 128 for the name of a node.
const LONGEST_SERVICE: usize = 255;
const LONGEST_DATAFLOW: usize = 40;
const LONGEST_NODE: usize = 72;
/// Where iceoryx2 has its shared memory, whatever its root is.
const SHARED_MEMORY: &str = "/dev/shm";

/// This node's node of iceoryx2.
#[derive(Debug)]
pub struct Hub {
    node: Node<Iox>,
    dataflow: String,
    /// With what the paths of iceoryx2's files begin.
    files: [String; 2],
}

impl Hub {
    /// Makes the node, behind a cleaning. The error is a reason in words, as that of [`Place::open`].
    pub fn open(place: &Place, dataflow: &str, node: &str) -> Result<Self, String> {
        said::listen();
        let config = config(place)?;
        let name = name_of(dataflow, node);
        let lock = RootLock::take(place)?;
        // Who ended in order may have left memory on purpose: for a receiver that had not looked at it.
        let killed = place.has_seat_left(dataflow, node).then_some(name.as_str());
        sweep(place, &config, &lock, dataflow, killed);
        let full_name = format!("{name}/{}", std::process::id());
        let full_name = NodeName::new(&full_name)
            .map_err(|error| format!("iceoryx2 takes no node of the name '{full_name}' ({error})"))?;
        let node = NodeBuilder::new()
            .name(&full_name)
            .signal_handling_mode(SignalHandlingMode::Disabled)
            .config(&config)
            .create::<Iox>()
            .map_err(|error| format!("iceoryx2 cannot make a node ({error})"))?;
        keep_to_user(&place.iceoryx_prefix())?;
        let root = place.iceoryx_root().to_string_lossy().into_owned();
        let files = [format!("{SHARED_MEMORY}/{}", place.iceoryx_prefix()), root];
        let hub = Self { node, dataflow: encoded(dataflow), files };
        hub.keep_from_children();
        Ok(hub)
    }

    /// The service of an output. `readers`: subscribers that the dataflow has; `depth`: their longest queue;
    /// `borrowed`: messages that a subscriber may hold. All nodes pass the same.
    pub fn channel(
        &self,
        node: &str,
        output: &str,
        readers: usize,
        depth: usize,
        borrowed: usize,
    ) -> Result<Channel, String> {
        let refusal = |error: &dyn std::fmt::Display| {
            format!("iceoryx2 cannot make the service of the output '{output}' of '{node}' ({error})")
        };
        let name = service_name(&self.dataflow, node, output);
        let name = ServiceName::new(&name).map_err(|error| refusal(&error))?;
        let channel = self
            .node
            .service_builder(&name)
            .publish_subscribe::<[Block]>()
            .user_header::<Header>()
            .max_publishers(PUBLISHERS)
            .max_subscribers(readers + SPARE_SUBSCRIBERS)
            .max_nodes(readers + SPARE_NODES)
            .enable_safe_overflow(true)
            .subscriber_max_buffer_size(depth)
            .subscriber_max_borrowed_samples(borrowed)
            .history_size(0)
            .open_or_create()
            .map_err(|error| refusal(&error))?;
        self.keep_from_children();
        Ok(channel)
    }

    /// Keeps what iceoryx2 has opened from programs that this process starts. It opens more with each port, and
    /// with the first message from each publisher.
    pub fn keep_from_children(&self) {
        close_at_exec(&self.files.each_ref().map(String::as_str));
    }
}

/// Made of what is compiled in: a file of the user's for iceoryx2 is not meant for this.
fn config(place: &Place) -> Result<Config, String> {
    let root = place.iceoryx_root();
    let mut config = Config::default();
    let path = Path::new(root.as_os_str().as_encoded_bytes())
        .map_err(|error| format!("iceoryx2 takes no path such as {} ({error})", root.display()))?;
    config.global.set_root_path(&path);
    config.global.prefix = FileName::new(place.iceoryx_prefix().as_bytes())
        .map_err(|error| format!("iceoryx2 takes no path such as {} ({error})", root.display()))?;
    config.global.creation_timeout = PATIENCE;
    config.defaults.publish_subscribe.subscriber_expired_connection_buffer = GONE_PUBLISHERS;
    config.global.node.cleanup_dead_nodes_on_creation = false;
    config.global.node.cleanup_dead_nodes_on_destruction = false;
    config.global.service.cleanup_dead_nodes_on_open = false;
    Ok(config)
}

/// Removes what dead nodes have left: those of dataflows in which nobody lives, and earlier runs of the one that
/// was killed and comes again. Others stay, as receivers may still read from their memory.
fn sweep(place: &Place, config: &Config, lock: &RootLock, dataflow: &str, killed: Option<&str>) {
    let live: Vec<_> =
        place.live_dataflows(lock, dataflow).iter().map(|name| shortened(name, LONGEST_DATAFLOW)).collect();
    let mut dead = Vec::new();
    let listed = Node::<Iox>::list(config, |state| {
        if let NodeState::Dead(view) = state {
            dead.push(view);
        }
        CallbackProgression::Continue
    });
    if let Err(error) = listed {
        tracing::info!(target: said::TARGET, "iceoryx2 cannot list its nodes ({error})");
    }
    for view in dead {
        // Without details iceoryx2 would go by its own configuration files.
        let Some(name) = view.details().as_ref().map(|details| details.name().as_str().to_owned()) else {
            continue;
        };
        let is_left =
            name.split_once('/').is_some_and(|(dataflow, _)| live.iter().all(|live| live != dataflow));
        let is_killed = name.rsplit_once('/').is_some_and(|(name, _)| Some(name) == killed);
        if (is_left || is_killed)
            && let Err(error) = view.try_remove_stale_resources()
        {
            tracing::info!(target: said::TARGET, "what '{name}' has left cannot be removed ({error})");
        }
    }
}

/// iceoryx2 lets all users write to a counter of its own. Nobody else needs to, and what somebody else has made
/// could be taken away beneath this process.
fn keep_to_user(prefix: &str) -> Result<(), String> {
    let entries =
        fs::read_dir(SHARED_MEMORY).map_err(|error| format!("cannot read {SHARED_MEMORY}: {error}"))?;
    for entry in entries.flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes())
            && let Err(error) = keep_file_to_user(&entry.path())
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(format!("cannot use {}: {error}: have it removed", entry.path().display()));
        }
    }
    Ok(())
}

/// What others cannot open is left alone: iceoryx2 may be in the middle of making it.
fn keep_file_to_user(path: &std::path::Path) -> std::io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    let is_private =
        metadata.is_file() && metadata.uid() == effective_user() && metadata.mode().trailing_zeros() >= 6;
    if is_private { Ok(()) } else { open_private(path, false).map(drop) }
}

/// The dataflow and the node, as they stand in the name of iceoryx2's node.
fn name_of(dataflow: &str, node: &str) -> String {
    format!("{}/{}", shortened(&encoded(dataflow), LONGEST_DATAFLOW), shortened(&encoded(node), LONGEST_NODE))
}

/// Other versions of the library have other services: what they write need not be what this one reads.
fn service_name(dataflow: &str, node: &str, output: &str) -> String {
    let (version, form) = (env!("CARGO_PKG_VERSION"), Header::VERSION);
    let name = format!("dora-lane1/{version}.{form}/{dataflow}/{}/{}", encoded(node), encoded(output));
    shortened(&name, LONGEST_SERVICE)
}
