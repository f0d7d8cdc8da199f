//! The shared memory from which a node sends.

use std::ops::Range;

use dora_node_api::DoraNode;

use crate::ffi::{can_lock, free_space, locked_memory_limit};
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

/// Whether a pool of that size can be had. dora would go on without one, and say nothing.
pub fn check(size: usize) -> Result<()> {
    if let Some(free) = free_space(SHARED_MEMORY).filter(|free| *free < size as u64) {
        return Err(Error::new(
            DORA_ERROR_OUT_OF_MEMORY,
            format!(
                "the pool size is {size} bytes, but /dev/shm has {free} left: ask for less, or give it more \
                 (in a container: `--shm-size`)"
            ),
        ));
    }
    if size == 0 || can_lock(size) {
        return Ok(());
    }
    Err(Error::new(
        DORA_ERROR_OUT_OF_MEMORY,
        format!(
            "the pool size is {size} bytes of locked memory, but RLIMIT_MEMLOCK allows this process {}: ask \
             for less, or raise it (`ulimit -l`, memlock in /etc/security/limits.conf, LimitMEMLOCK of a \
             service), here and for every node that receives from this one",
            locked_memory_limit()
        ),
    ))
}

/// Whether the pool that was asked for is there.
pub fn confirm(node: &DoraNode, wanted: Option<usize>) -> Result<()> {
    match wanted {
        Some(size) if size > 0 && !exists(node) => Err(Error::new(
            DORA_ERROR_OUT_OF_MEMORY,
            format!(
                "the shared memory pool of {size} bytes could not be made, though RLIMIT_MEMLOCK ({}) and \
                 /dev/shm seem to allow it: ask for less",
                locked_memory_limit()
            ),
        )),
        _ => Ok(()),
    }
}

/// Where a node's pool lies. This sends its first message into it, which also starts threads that watch over
/// shared memory; they are to come from here, not from the user's first large send.
pub fn find(node: &DoraNode) -> Pool {
    if !exists(node) {
        return Pool::None;
    }
    let threshold = node.zero_copy_threshold();
    if threshold > PROBE_AT_MOST {
        return Pool::Somewhere;
    }
    let Ok(probe) = node.sample_allocator().allocate(threshold.max(1)) else { return Pool::Somewhere };
    let mappings = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    shared_mapping(&mappings, probe.as_ptr().addr()).map_or(Pool::Somewhere, Pool::At)
}

/// The addresses of the mapping of shared memory around one of them.
fn shared_mapping(mappings: &str, address: usize) -> Option<Range<usize>> {
    mappings.lines().filter(|line| line.contains(" /dev/shm/")).find_map(|line| {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        let parse = |text| usize::from_str_radix(text, 16).ok();
        let addresses = parse(start)?..parse(end)?;
        addresses.contains(&address).then_some(addresses)
    })
}

/// The size of a node's pool, 0 where it has none.
pub fn size_of(node: &DoraNode) -> usize {
    if !exists(node) {
        return 0;
    }
    let in_dataflow = node.node_config().shared_memory_pool_size.map(|size| size.as_bytes());
    let in_environment = || std::env::var(SIZE).ok().and_then(|size| size.parse().ok());
    in_dataflow.or_else(in_environment).unwrap_or(DEFAULT_SIZE)
}

/// dora shows it nowhere but here.
fn exists(node: &DoraNode) -> bool {
    format!("{:?}", node.sample_allocator()).contains("shm: true")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mapping_of_an_address_is_found() {
        let mappings = "7f00-7f80 rw-p 00000000 00:00 0 [heap]\n\
                        8000-9000 rw-s 00000000 00:19 5 /dev/shm/12.zenoh\n";
        assert_eq!(shared_mapping(mappings, 0x8fff), Some(0x8000..0x9000));
        assert_eq!(shared_mapping(mappings, 0x9000), None);
        assert_eq!(shared_mapping(mappings, 0x7f00), None);
    }

    #[test]
    fn a_pool_that_cannot_be_is_refused_with_the_limit_that_forbids_it() {
        assert!(check(0).is_ok() && check(1 << 20).is_ok());
        let error = check(1 << 60).unwrap_err();
        assert_eq!(error.status, DORA_ERROR_OUT_OF_MEMORY);
        assert!(error.message.contains("/dev/shm has "), "{error}");
    }
}
