//! The shared memory that an output sends from, and whether it is there.

use std::collections::HashMap;
use std::ops::Range;

use super::BORROWED_AT_ONCE;
use super::hub::SPARE_SUBSCRIBERS;
use super::plan::{Plan, Shape};
use crate::ffi::{free_space, mapping_at, page_size, populate};

/// Where shared memory lives.
const SHARED_MEMORY: &std::ffi::CStr = c"/dev/shm";
/// A segment of memory up to this is populated as a whole when it comes.
const SMALL: usize = 4 << 20;
/// What a new segment takes beside a message, at most: tables, and the first page of each message.
const BESIDE: u64 = 1 << 20;

/// What iceoryx2 takes for a slot of the first segment, and for each receiver of it. Measured: 4,230 and 263.
const SLOT: u64 = 4400;
const SLOT_OF_RECEIVER: u64 = 300;

/// How many messages of an output there is room for: all that can wait, be held or be lent at once.
pub fn slots(shape: Shape, lent: usize) -> usize {
    // iceoryx2 counts as many receivers as there may be, restarted ones beside those that they replace.
    (shape.readers + SPARE_SUBSCRIBERS) * (shape.depth + BORROWED_AT_ONCE) + lent
}

/// Checks that what a node needs at once is there. Where it is not, iceoryx2 would end the process.
pub fn check(plan: &Plan, lent: usize) -> Result<(), String> {
    let sent = plan.outputs.iter().map(|output| {
        slots(output.shape, lent) as u64 * (SLOT + output.shape.readers as u64 * SLOT_OF_RECEIVER)
    });
    let received = plan.inputs.iter().map(|input| slots(input.shape, lent) as u64 * SLOT_OF_RECEIVER);
    let needed = sent.chain(received).fold(BESIDE, u64::saturating_add);
    match free_space(SHARED_MEMORY) {
        Some(free) if free < needed => Err(format!(
            "/dev/shm has {free} bytes left, and it takes {needed}: give it more (in a container: `--shm-size`)"
        )),
        _ => Ok(()),
    }
}

/// What is known of the segments of memory. iceoryx2 makes a larger one when a message does not fit; the pages
/// of a segment come when they are first written, by which a full file system would end the process. So they
/// are populated before.
#[derive(Debug)]
pub struct Memory {
    /// How many messages a segment has room for.
    slots: usize,
    /// The largest message so far.
    largest: usize,
    /// The newest segment, and which one it is.
    segment: Range<usize>,
    generation: u32,
    is_whole: bool,
    /// The slots that are populated, each from its address up to another.
    populated: HashMap<usize, usize>,
}

impl Memory {
    pub fn new(slots: usize) -> Self {
        Self { slots, largest: 0, segment: 0..0, generation: 0, is_whole: false, populated: HashMap::new() }
    }

    /// The newest segment's number, from 0.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Whether a message of a size may be asked for: what a new segment takes at once is there.
    pub fn may_hold(&mut self, size: usize) -> bool {
        if size <= self.largest {
            return true;
        }
        let needed = (size as u64).saturating_add(BESIDE);
        let is_there = free_space(SHARED_MEMORY).is_none_or(|free| free >= needed);
        if is_there {
            self.largest = size;
        }
        is_there
    }

    /// Has the memory of a message be there: its slot begins at `start`, its data has the addresses
    /// `data`. False when the file system is full.
    pub fn provide(&mut self, start: usize, data: &Range<usize>) -> bool {
        if !self.segment.contains(&start) && !self.begin_segment(start) {
            return false;
        }
        let from = self.populated.get(&start).copied().unwrap_or(start);
        if self.is_whole || data.end <= from {
            return true;
        }
        let is_there = populate(&(from..data.end)).is_ok();
        if is_there {
            self.populated.insert(start, data.end);
        }
        is_there
    }

    #[cold]
    fn begin_segment(&mut self, start: usize) -> bool {
        let Some(segment) = mapping_at(start).map(|mapping| mapping.addresses) else { return false };
        let is_whole = segment.len() <= SMALL;
        let is_there = if is_whole {
            populate(&segment).is_ok()
        } else {
            // iceoryx2 writes to the first page of a slot when it is given out.
            self.slots_in(&segment, start).all(|begin| {
                let end = (begin + page_size()).min(segment.end);
                populate(&(begin..end)).is_ok()
            })
        };
        if is_there {
            self.generation += u32::from(!self.segment.is_empty());
            self.populated.clear();
            (self.segment, self.is_whole) = (segment, is_whole);
        }
        is_there
    }

    /// Where the slots of a segment begin, one of which does at `start`. They are a power of two apart.
    fn slots_in(&self, segment: &Range<usize>, start: usize) -> impl Iterator<Item = usize> {
        let apart = 1_usize << (segment.len() / self.slots.max(1)).max(1).ilog2();
        let first = segment.start + (start - segment.start) % apart;
        (first..segment.end).step_by(apart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_found_from_one_of_them() {
        let memory = Memory::new(10);
        let apart = 1 << 20;
        let segment = 0x1000..0x1000 + 300 + 10 * apart;
        let start = 0x1000 + 300 + 7 * apart;
        let slots: Vec<_> = memory.slots_in(&segment, start).collect();
        assert_eq!(slots, (0..10).map(|slot| 0x1000 + 300 + slot * apart).collect::<Vec<_>>());
    }

    #[test]
    fn what_cannot_be_had_is_not_asked_for() {
        let mut memory = Memory::new(10);
        assert!(memory.may_hold(64));
        assert!(!memory.may_hold(usize::MAX / 2));
        assert!(memory.may_hold(64), "a smaller one still fits");
    }

    #[test]
    fn a_slot_is_populated_as_far_as_it_is_used() {
        let mut memory = Memory::new(4);
        let segment = vec![0_u8; 8 * SMALL];
        let start = segment.as_ptr().addr();
        for size in [SMALL, 2 * SMALL, SMALL] {
            assert!(memory.provide(start, &(start + 64..start + size)));
        }
        assert_eq!(memory.populated.get(&start), Some(&(start + 2 * SMALL)));
        assert!(!memory.provide(1, &(65..128)), "nothing is mapped there");
    }
}
