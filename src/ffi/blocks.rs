//! Messages of the fast lane as bytes.

use std::mem::MaybeUninit;
use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow::buffer::Buffer;
use iceoryx2::sample_mut::SampleMut;
use iceoryx2::sample_mut_uninit::SampleMutUninit;
use iceoryx2::service::ipc_threadsafe::Service;

use crate::transport::{Block, Header};

/// The bytes of blocks, which are nothing but bytes.
pub fn bytes_of(blocks: &[Block]) -> &[u8] {
    // SAFETY: a block is an array of bytes without padding, and the lifetime stays.
    unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), size_of_val(blocks)) }
}

/// The same, to be written.
pub fn bytes_of_mut(blocks: &mut [Block]) -> &mut [u8] {
    // SAFETY: as above; every value of the bytes is one of the blocks.
    unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), size_of_val(blocks)) }
}

/// Bytes that stay where they are as long as their owner, as a buffer that owns it.
pub fn lend<T: AsRef<[u8]> + Send + 'static>(owner: T) -> Buffer {
    let owner = Arc::new(AssertUnwindSafe(Owner(owner)));
    let bytes = owner.0.0.as_ref();
    let (start, length) = (NonNull::from(bytes).cast(), bytes.len());
    // SAFETY: the owner is in its last place, and lives as long as the buffer, which is never written through.
    unsafe { Buffer::from_custom_allocation(start, length, owner) }
}

struct Owner<T>(T);

// SAFETY: nobody gets at what it holds through a reference; it is dropped by one thread.
unsafe impl<T: Send> Sync for Owner<T> {}

/// Takes shared memory as it is: what nobody has written there is zero, or of an earlier message.
pub fn as_it_is(
    sample: SampleMutUninit<Service, [MaybeUninit<Block>], Header>,
) -> SampleMut<Service, [Block], Header> {
    // SAFETY: it lies in a mapping of a file, whose bytes all have values, and every value makes a block.
    unsafe { sample.assume_init() }
}
