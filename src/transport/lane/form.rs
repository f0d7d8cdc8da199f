//! How a message lies in shared memory: a header, the Arrow IPC stream, the parameters behind it.

use iceoryx2::prelude::ZeroCopySend;

/// Shared memory is given out in these, so that data lies as Arrow wants it.
#[derive(Clone, Copy, Debug, ZeroCopySend)]
#[repr(C)]
#[repr(align(64))]
pub struct Block(pub [u8; BLOCK]);

pub const BLOCK: usize = 64;

/// What stands in front of each message.
#[derive(Clone, Copy, Debug, Default, ZeroCopySend)]
#[repr(C)]
pub struct Header {
    pub magic: u32,
    pub version: u32,
    /// Which run of the sender it comes from; a later run has a greater number.
    pub incarnation: u64,
    /// Which message of that run on that output it is, from 0.
    pub sequence: u64,
    /// Which of the sender's segments of memory it lies in, from 0: with each the receiver maps one more.
    pub generation: u32,
    /// See the constants of `Header`.
    pub flags: u32,
    /// The bytes of the Arrow IPC stream, at the beginning.
    pub data: u64,
    /// Where its parameters stand, and how many bytes they have; 0 where there are none.
    pub parameters_at: u64,
    pub parameters: u64,
    /// When it was sent, by the sender's clock: the time as dora counts it, and which clock that is.
    pub time: u64,
    pub clock: [u8; 16],
}

impl Header {
    pub const MAGIC: u32 = u32::from_le_bytes(*b"dora");
    /// Grows with each change of what is written, also of how dora writes parameters.
    pub const VERSION: u32 = 2;
    /// No message: it shows the receiver where the memory of the sender is.
    pub const PROBE: u32 = 1;

    /// Whether this library can read what follows.
    pub fn is_known(&self) -> bool {
        self.magic == Self::MAGIC && self.version == Self::VERSION
    }
}
