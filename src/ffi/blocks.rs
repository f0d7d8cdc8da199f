//! Messages of the fast lane as bytes.

use std::mem::MaybeUninit;
use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow::buffer::Buffer;
use iceoryx2::port::SendError;
use iceoryx2::sample_mut::SampleMut;
use iceoryx2::sample_mut_uninit::SampleMutUninit;
use iceoryx2::service::ipc_threadsafe::Service;

use crate::transport::{Block, Header};

/// The bytes of blocks, which are nothing but bytes.
pub fn bytes_of(blocks: &[Block]) -> &[u8] {
    // SAFETY: a block is an array of bytes without padding, and the lifetime stays.
    unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), size_of_val(blocks)) }
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

/// A message in shared memory that is still to be sent. iceoryx2 takes two locks to tell where its bytes are, so
/// it is asked once.
#[derive(Debug)]
pub struct Slot {
    sample: SampleMut<Service, [Block], Header>,
    bytes: Bytes,
}

#[derive(Debug)]
struct Bytes(NonNull<[u8]>);

// SAFETY: they are the sample's alone, with which they go to another thread, if that may go.
unsafe impl Send for Bytes {}

impl Slot {
    /// Takes the memory as it is: what nobody has written there is zero, or of an earlier message.
    pub fn new(sample: SampleMutUninit<Service, [MaybeUninit<Block>], Header>) -> Self {
        // SAFETY: it lies in a mapping of a file, whose bytes all have values, and every value makes a block.
        let mut sample = unsafe { sample.assume_init() };
        let blocks = sample.payload_mut();
        let size = size_of_val(blocks);
        let bytes = NonNull::slice_from_raw_parts(NonNull::from(blocks).cast(), size);
        Self { sample, bytes: Bytes(bytes) }
    }

    /// Where its memory begins.
    pub fn start(&self) -> usize {
        std::ptr::from_ref(self.sample.header()).addr()
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a block is an array of bytes without padding; they stay where they are as long as the sample, and
        // nobody else has them before it is sent.
        unsafe { self.bytes.0.as_ref() }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and every value of the bytes makes a block.
        unsafe { self.bytes.0.as_mut() }
    }

    /// Sends it with a header.
    pub fn send(mut self, header: Header) -> Result<(), SendError> {
        *self.sample.user_header_mut() = header;
        self.sample.send().map(drop)
    }
}
