//! The shared memory from which a node sends.

use std::collections::BTreeSet;
use std::fs::File;

use dora_message::config::{ByteSize, InputMapping};
use dora_message::daemon_to_node::NodeConfig;
use dora_node_api::DoraNode;

use crate::ffi::{can_lock, free_space, locked_memory_limit, mapping_at, memory_file, set_environment};
use crate::status::{DORA_ERROR_OUT_OF_MEMORY, Error, Result};
use crate::transport::Pool;

/// Where dora looks for the size, unless the dataflow tells it.
pub const SIZE: &str = "DORA_NODE_SHM_POOL_SIZE";

/// A zero-copy threshold above this means that shared memory is not wanted, and is too much to allocate for
/// nothing.
const PROBE_AT_MOST: usize = 1 << 20;

/// dora's own choice.
const DEFAULT_SIZE: usize = 8 << 20;

/// Where shared memory lives.
const SHARED_MEMORY: &std::ffi::CStr = c"/dev/shm";

/// What zenoh locks beside a pool, for one's own and for each that is received from: tables of chunks and
/// of watchdogs. Measured: 1,280 KiB and 12 KiB for each segment of them.
const BESIDE_A_POOL: usize = (1280 + 64) << 10;

/// What zenoh locks without any pool, for its own messages. Less was seen to be enough.
const IN_ANY_CASE: usize = 64 << 10;

/// Turns shared memory off in zenoh. What others have in theirs then reaches this process as a copy.
const WITHOUT: &str = "{transport: {shared_memory: {enabled: false}}}";

/// Names a file with settings of zenoh that dora puts on top of its own.
const OVERLAY: &str = "DORA_ZENOH_CONFIG_OVERLAY";
/// Names a file with all settings of zenoh.
const ZENOH_CONFIG: &str = "ZENOH_CONFIG";

/// The shared memory of a node before it begins, all of which this process has to lock. zenoh drops
/// messages silently that lie in memory which it may not lock.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The pool to send from.
    pub own: usize,
    /// Those of the nodes to receive from.
    pub others: Vec<usize>,
}

impl Plan {
    /// Of a node that dora started.
    pub fn of(config: &NodeConfig) -> Self {
        let inputs = config.run_config.inputs.values();
        let sources: BTreeSet<_> = inputs
            .filter_map(|input| match &input.mapping {
                InputMapping::User(mapping) => Some(mapping.source.to_string()),
                _ => None,
            })
            .collect();
        let others = sources.iter().filter(|source| **source != config.node_id.to_string());
        Self {
            own: config.run_config.shared_memory_pool_size.map_or_else(default_size, |size| size.as_bytes()),
            others: others.map(|source| size_in(&config.dataflow_descriptor, source)).collect(),
        }
    }

    /// Of a dynamic node, which learns from the daemon what it is to be: a pool, and one to receive from.
    pub fn of_dynamic(own: Option<usize>) -> Self {
        Self { own: own.unwrap_or_else(default_size), others: vec![DEFAULT_SIZE] }
    }

    /// What the pool to send from takes.
    fn own_locked(&self) -> usize {
        self.own.saturating_add(BESIDE_A_POOL)
    }

    /// All that is to be locked.
    fn locked(&self) -> usize {
        let pools = self.others.iter().chain((self.own > 0).then_some(&self.own));
        let sum = pools.fold(0_usize, |sum, pool| sum.saturating_add(*pool).saturating_add(BESIDE_A_POOL));
        sum.max(IN_ANY_CASE)
    }

    /// Checks the pool that was asked for. dora would go on without one, and say nothing.
    pub fn check(&self) -> Result<()> {
        let own = self.own;
        if own == 0 {
            return Ok(());
        }
        if let Some(free) = free_space(SHARED_MEMORY).filter(|free| *free < self.own_locked() as u64) {
            return Err(Error::new(
                DORA_ERROR_OUT_OF_MEMORY,
                format!(
                    "the pool size is {own} bytes, but /dev/shm has {free} left for it and {BESIDE_A_POOL} \
                     beside it: ask for less, or give it more (in a container: `--shm-size`)"
                ),
            ));
        }
        if can_lock(self.own_locked()) {
            return Ok(());
        }
        Err(Error::new(
            DORA_ERROR_OUT_OF_MEMORY,
            format!(
                "the pool size is {own} bytes of locked memory, and {BESIDE_A_POOL} beside it, but \
                 RLIMIT_MEMLOCK allows this process {}: ask for less, or raise it (`ulimit -l`, memlock in \
                 /etc/security/limits.conf, LimitMEMLOCK of a service), here and for every node that receives \
                 from this one",
                locked_memory_limit()
            ),
        ))
    }

    /// Cuts a plan to what this process can have: no pool where it does not fit; and whether zenoh is to do
    /// without shared memory, since what others have there could not be received.
    pub fn fit(mut self) -> (Self, bool) {
        let own = self.own_locked();
        let is_too_large = free_space(SHARED_MEMORY).is_some_and(|free| free < own as u64);
        if self.own > 0 && (is_too_large || !can_lock(own)) {
            self.own = 0;
        }
        let without = !can_lock(self.locked());
        if without {
            self.own = 0;
        }
        (self, without)
    }
}

fn default_size() -> usize {
    std::env::var(SIZE).ok().and_then(|size| size.parse().ok()).unwrap_or(DEFAULT_SIZE)
}

/// The pool of a node of the dataflow.
fn size_in(descriptor: &serde_yaml::Value, node: &str) -> usize {
    let nodes = descriptor.get("nodes").and_then(serde_yaml::Value::as_sequence);
    let node = nodes.and_then(|nodes| nodes.iter().find(|each| each.get("id").is_some_and(|id| id == node)));
    node.and_then(|node| node.get("shared_memory_pool_size"))
        .and_then(|size| serde_yaml::from_value::<ByteSize>(size.clone()).ok())
        .map_or(DEFAULT_SIZE, |size| size.as_bytes())
}

/// Settings of zenoh by which a node does without shared memory, while it begins.
pub struct Without(Option<File>);

impl Without {
    /// Leaves alone what somebody has set.
    pub fn set_up() -> Self {
        let is_set = |variable| std::env::var_os(variable).is_some();
        let file = if is_set(OVERLAY) || is_set(ZENOH_CONFIG) { None } else { memory_file(WITHOUT) };
        let follows =
            if file.is_some() { "are copied" } else { "may be lost, unless zenoh's settings forbid it" };
        tracing::warn!(
            target: "dora",
            "this process may not lock the shared memory of the nodes that it receives from (RLIMIT_MEMLOCK \
             allows {}), so large messages {follows}; raise it with `ulimit -l`",
            locked_memory_limit()
        );
        if let Some((_, path)) = &file {
            set_environment(OVERLAY, Some(path));
        }
        Self(file.map(|(file, _)| file))
    }
}

impl Drop for Without {
    fn drop(&mut self) {
        if self.0.is_some() {
            set_environment(OVERLAY, None);
        }
    }
}

/// Where a node's pool lies. This puts a first message into it, which also starts threads that watch over
/// shared memory; they are to come from here, not from the user's first large send. A node that sends
/// nothing is spared them, and the memory of their tables.
pub fn find(node: &DoraNode) -> Pool {
    if !exists(node) || node.node_config().outputs.is_empty() {
        return Pool::None;
    }
    let threshold = node.zero_copy_threshold();
    if threshold > PROBE_AT_MOST {
        return Pool::Somewhere;
    }
    let Ok(probe) = node.sample_allocator().allocate(threshold.max(1)) else { return Pool::Somewhere };
    let mapping = mapping_at(probe.as_ptr().addr()).filter(|mapping| mapping.is_shared);
    mapping.map_or(Pool::Somewhere, |mapping| Pool::At(mapping.addresses))
}

/// The size of a node's pool, 0 where it has none.
pub fn size_of(node: &DoraNode) -> usize {
    if !exists(node) {
        return 0;
    }
    let in_dataflow = node.node_config().shared_memory_pool_size.map(|size| size.as_bytes());
    in_dataflow.unwrap_or_else(default_size)
}

/// dora shows it nowhere but here.
fn exists(node: &DoraNode) -> bool {
    format!("{:?}", node.sample_allocator()).contains("shm: true")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(own: usize, others: &[usize]) -> Plan {
        Plan { own, others: others.to_vec() }
    }

    #[test]
    fn a_pool_that_cannot_be_is_refused_with_the_limit_that_forbids_it() {
        assert!(plan(0, &[usize::MAX]).check().is_ok() && plan(1 << 20, &[]).check().is_ok());
        let error = plan(1 << 60, &[]).check().unwrap_err();
        assert_eq!(error.status, DORA_ERROR_OUT_OF_MEMORY);
        assert!(error.message.contains("/dev/shm has "), "{error}");
        assert!(plan(1 << 20, &[1 << 60]).check().is_ok(), "that is the other one's affair");
    }

    #[test]
    fn what_nobody_asked_for_is_cut_to_what_can_be_had() {
        assert_eq!(plan(1 << 20, &[]).fit(), (plan(1 << 20, &[]), false));
        for size in [1 << 60, usize::MAX] {
            assert_eq!(plan(size, &[]).fit(), (plan(0, &[]), false));
        }
        assert_eq!(plan(1 << 20, &[1 << 60]).fit(), (plan(0, &[1 << 60]), true));
    }

    #[test]
    fn the_pools_of_senders_are_read_from_the_dataflow() {
        let descriptor = serde_yaml::from_str(
            "nodes: [{id: a, shared_memory_pool_size: 64MB}, {id: b, shared_memory_pool_size: 4096}, {id: c}]",
        )
        .unwrap();
        assert_eq!(size_in(&descriptor, "a"), 64 << 20);
        assert_eq!(size_in(&descriptor, "b"), 4096);
        assert_eq!(size_in(&descriptor, "c"), DEFAULT_SIZE);
        assert_eq!(size_in(&serde_yaml::Value::Null, "a"), DEFAULT_SIZE);
    }
}
