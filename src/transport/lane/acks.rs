//! Acknowledgements: by them a sender knows who has its memory mapped.

use std::collections::HashMap;

use dora_node_api::dora_core::config::DataId;

use super::plan::Reader;
use crate::ffi::Pipe;

/// What a receiver writes to its sender, one atomic write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// The channel and the input, as [`key`] makes it.
    pub key: u64,
    /// The sender's run.
    pub incarnation: u64,
    /// The receiver's run.
    pub run: u64,
    /// Up to which segment.
    pub generation: u32,
}

const SIZE: usize = 32;

impl Ack {
    pub fn write(&self, letters: &Pipe) -> std::io::Result<()> {
        let mut record = [0_u8; SIZE];
        record[..8].copy_from_slice(&self.key.to_le_bytes());
        record[8..16].copy_from_slice(&self.incarnation.to_le_bytes());
        record[16..24].copy_from_slice(&self.run.to_le_bytes());
        record[24..28].copy_from_slice(&self.generation.to_le_bytes());
        letters.write_record(&record)
    }

    fn read(letters: &Pipe) -> Option<Self> {
        let record = letters.read_record::<SIZE>()?;
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&record[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let generation = u32::try_from(number(24) & u64::from(u32::MAX)).ok()?;
        Some(Self { key: number(0), incarnation: number(8), run: number(16), generation })
    }
}

/// Names a channel and one of its receivers.
pub fn key(output: &str, node: &str, input: &str) -> u64 {
    dora_message::metadata::fnv1a(format!("{output}\n{node}\n{input}").as_bytes())
}

/// The latest of each receiver.
#[derive(Debug, Default)]
pub struct Acks(HashMap<u64, Ack>);

impl Acks {
    /// Takes in what has come.
    pub fn read(&mut self, letters: &Pipe) {
        while let Some(ack) = Ack::read(letters) {
            self.0.insert(ack.key, ack);
        }
    }

    /// Whether a run of a receiver has all memory of a run of the sender.
    pub fn have(
        &self,
        output: &DataId,
        reader: &Reader,
        incarnation: u64,
        run: u64,
        generation: u32,
    ) -> bool {
        self.0.get(&key(output, &reader.node, &reader.input)).is_some_and(|ack| {
            ack.incarnation == incarnation && ack.run == run && ack.generation >= generation
        })
    }
}
