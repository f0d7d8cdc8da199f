//! Stand-ins for descriptors: the eventfd that event loops watch, and the door with its pipe.

use std::io;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use loom::sync::{Condvar, Mutex};

use super::time_is_over;
use crate::lock;

/// Where the descriptors of one node are, so that a thread can wait for several.
#[derive(Debug, Default)]
struct Tower {
    counts: Mutex<Counts>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Counts {
    /// What the bell of event loops has.
    rung: u64,
    /// How often that was rung; an edge-triggered loop is told of each.
    edges: u32,
    /// What is in the pipe.
    bytes: u32,
    /// How often the pipe became readable. Some kernels tell of no other write.
    pipe_edges: u32,
    /// How often there was nothing in it to take away.
    idle_drains: u32,
    /// What the bell of the door has.
    woken: u64,
    sleepers: u32,
}

impl Tower {
    /// Changes what is there, and has who sleeps look. Where nobody does, that is no step, as with futexes.
    fn change(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = lock(&self.counts);
        change(&mut counts);
        let has_sleepers = counts.sleepers > 0;
        drop(counts);
        if has_sleepers {
            self.changed.notify_all();
        }
    }

    /// Sleeps until there is something to be had.
    fn wait_for<T>(&self, mut look: impl FnMut(&mut Counts) -> Option<T>) -> T {
        let mut counts = lock(&self.counts);
        loop {
            if let Some(found) = look(&mut counts) {
                return found;
            }
            counts.sleepers += 1;
            counts = self.changed.wait(counts).unwrap_or_else(PoisonError::into_inner);
            counts.sleepers -= 1;
        }
    }
}

/// An eventfd.
#[derive(Debug)]
pub struct Bell(Arc<Tower>);

impl Bell {
    const DESCRIPTOR: i32 = 3;

    fn rung_in(tower: Arc<Tower>) -> Self {
        let bell = Self(tower);
        bell.ring();
        bell
    }

    /// A bell that is rung.
    pub fn new() -> io::Result<Self> {
        Ok(Self::rung_in(Arc::default()))
    }

    /// One that can be watched together with a pipe.
    pub fn beside(pipe: &Pipe) -> io::Result<Self> {
        Ok(Self::rung_in(pipe.0.clone()))
    }

    pub fn descriptor(&self) -> i32 {
        Self::DESCRIPTOR
    }

    pub fn ring(&self) {
        self.0.change(|counts| {
            counts.rung += 1;
            counts.edges += 1;
        });
    }

    pub fn silence(&self) {
        lock(&self.0.counts).rung = 0;
    }

    pub fn is_rung(&self) -> bool {
        lock(&self.0.counts).rung > 0
    }

    /// What an event loop sees that was given `descriptor`.
    pub fn seen_by(&self, descriptor: i32) -> Sight {
        Sight { tower: self.0.clone(), sees_pipe: descriptor == Door::EITHER }
    }
}

/// What an event loop sees.
#[derive(Debug)]
pub struct Sight {
    tower: Arc<Tower>,
    sees_pipe: bool,
}

impl Sight {
    fn sees(&self, counts: &Counts) -> bool {
        counts.rung > 0 || self.sees_pipe && counts.bytes > 0
    }

    pub fn is_readable(&self) -> bool {
        self.sees(&lock(&self.tower.counts))
    }

    /// What a level-triggered event loop does.
    pub fn wait_until_readable(&self) {
        self.tower.wait_for(|counts| self.sees(counts).then_some(()));
    }

    /// What an edge-triggered event loop does; `seen` are the edges that it was told of.
    pub fn wait_for_edge(&self, seen: &mut u32) {
        *seen = self.tower.wait_for(|counts| {
            let edges = counts.edges + if self.sees_pipe { counts.pipe_edges } else { 0 };
            (edges != *seen).then_some(edges)
        });
    }
}

/// A named pipe that never gets full: that would be rung already, and so no other.
#[derive(Clone, Debug, Default)]
pub struct Pipe(Arc<Tower>);

impl Pipe {
    /// What another process does.
    pub fn ring(&self) {
        self.0.change(|counts| {
            counts.pipe_edges += u32::from(counts.bytes == 0);
            counts.bytes += 1;
        });
    }

    pub fn is_rung(&self) -> bool {
        lock(&self.0.counts).bytes > 0
    }

    pub fn idle_drains(&self) -> u32 {
        lock(&self.0.counts).idle_drains
    }

    /// Has who sleeps here look at the clock.
    pub fn rouse(&self) {
        self.0.change(|_| ());
    }
}

/// The pipe, and an eventfd by which this process wakes the reader.
#[derive(Debug)]
pub struct Door(Pipe);

impl Door {
    const EITHER: i32 = 4;

    pub fn new(pipe: Pipe) -> Self {
        Self(pipe)
    }

    /// Sleeps until somebody wakes the reader, or the time is over where there is a limit. True when somebody is at
    /// the door.
    pub fn sleep(&self, limit: Option<Duration>) -> bool {
        self.0.0.wait_for(|counts| {
            let is_quiet = counts.bytes == 0 && counts.woken == 0;
            if is_quiet && !(limit.is_some() && time_is_over()) {
                return None;
            }
            counts.woken = 0;
            Some(counts.bytes > 0)
        })
    }

    pub fn wake(&self) {
        self.0.0.change(|counts| counts.woken += 1);
    }

    pub fn drain(&self) -> bool {
        let mut counts = lock(&self.0.0.counts);
        let any = std::mem::take(&mut counts.bytes) > 0;
        counts.idle_drains += u32::from(!any);
        any
    }

    pub fn with(&self, _bell: &Bell) -> io::Result<i32> {
        Ok(Self::EITHER)
    }
}
