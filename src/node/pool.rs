//! The shared memory from which a node sends.

use dora_node_api::DoraNode;

use crate::ffi::{can_lock, free_space, locked_memory_limit};
use crate::status::{DORA_ERROR_OUT_OF_MEMORY, Error, Result};

/// Where dora looks for the size, unless the dataflow tells it.
pub const SIZE: &str = "DORA_NODE_SHM_POOL_SIZE";

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
    fn a_pool_that_cannot_be_is_refused_with_the_limit_that_forbids_it() {
        assert!(check(0).is_ok() && check(1 << 20).is_ok());
        let error = check(1 << 60).unwrap_err();
        assert_eq!(error.status, DORA_ERROR_OUT_OF_MEMORY);
        assert!(error.message.contains("/dev/shm has "), "{error}");
    }
}
