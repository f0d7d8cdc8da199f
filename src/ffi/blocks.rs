//! Messages of the fast lane as bytes.

use std::mem::MaybeUninit;

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

/// Takes shared memory as it is: what nobody has written there is zero, or of an earlier message.
pub fn as_it_is(
    sample: SampleMutUninit<Service, [MaybeUninit<Block>], Header>,
) -> SampleMut<Service, [Block], Header> {
    // SAFETY: it lies in a mapping of a file, whose bytes all have values, and every value makes a block.
    unsafe { sample.assume_init() }
}
