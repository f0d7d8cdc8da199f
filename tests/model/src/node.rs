//! A node, with what of it takes part in waiting.

use std::sync::Arc;
use std::sync::atomic as plain;
use std::task::Wake;

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::ffi::{Bell, Door, Pipe, Sight, let_time_pass};
use crate::wait::{Calls, Deadline, Gate, Look, Unmet};

/// How a receive call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    Event,
    Interrupted,
    Closed,
    TimedOut,
}

#[derive(Default)]
pub struct Node {
    pub calls: Calls,
    pub gate: Arc<Gate>,
    channel: Channel,
    lane: Option<Lane>,
    /// How many events a wait for a reply has kept for reads.
    kept: AtomicU32,
    memory: Memory,
    looks: Looks,
}

impl Node {
    /// A node that other processes send to.
    pub fn with_lane() -> Arc<Self> {
        let lane = Lane::default();
        let gate = Arc::new(Gate::new(Some(Door::new(lane.pipe.clone()))));
        Arc::new(Self { gate, lane: Some(lane), ..Self::default() })
    }

    /// Such a node whose descriptor was asked for, and is quiet.
    pub fn watched_with_lane() -> Arc<Self> {
        let node = Self::with_lane();
        node.descriptor();
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
        assert!(!node.descriptor().is_readable(), "a read that finds nothing leaves it unreadable");
        node
    }

    /// A node whose bell was asked for, and silenced by a read that found nothing.
    pub fn watched() -> Arc<Self> {
        let node = Arc::new(Self::default());
        node.bell();
        assert_eq!(node.read(Deadline::Passed), Read::TimedOut);
        assert!(!node.bell().is_rung(), "a read that finds nothing silences the bell");
        node
    }

    /// `dora_node_event_fd`.
    pub fn bell(&self) -> &Bell {
        let _call = self.calls.enter();
        let new = || self.lane.as_ref().map_or_else(Bell::new, |lane| Bell::beside(&lane.pipe));
        self.gate.watch(new).expect("the model has descriptors enough")
    }

    /// What an event loop sees that was given the descriptor.
    pub fn descriptor(&self) -> Sight {
        let bell = self.bell();
        bell.seen_by(self.gate.descriptor(bell).expect("the model has descriptors enough"))
    }

    /// What dora does when an event arrives.
    pub fn arrive(&self) {
        if self.channel.push() {
            self.looks.allow();
            self.gate.wake_by_ref();
        }
    }

    /// What another process does that sends.
    pub fn send(&self) {
        self.looks.allow();
        self.lane().put();
        self.lane().pipe.ring();
    }

    /// Whether other processes' bytes are in the pipe.
    pub fn is_called(&self) -> bool {
        self.lane().pipe.is_rung()
    }

    /// How often the reader was at the door for nothing.
    pub fn idle_drains(&self) -> u32 {
        self.lane().pipe.idle_drains()
    }

    fn lane(&self) -> &Lane {
        self.lane.as_ref().expect("the node has a lane")
    }

    /// Lets the time come that the deadlines ahead of reads are at.
    pub fn let_time_pass(&self) {
        let_time_pass();
        self.lane().pipe.rouse();
    }

    /// A call, and what it gives; nothing where the node is being freed.
    pub fn call<T>(&self, body: impl FnOnce(&Self) -> T) -> Option<T> {
        self.calls.enter().map(|_call| {
            let result = body(self);
            self.memory.use_it();
            result
        })
    }

    /// `dora_node_interrupt`.
    pub fn interrupt(&self) {
        self.looks.allow();
        self.call(|node| node.gate.interrupt());
    }

    /// The first half of `dora_node_free`: what is in progress returns.
    pub fn close(&self) {
        self.calls.close();
        self.gate.close();
    }

    /// The second half.
    pub fn free(&self) {
        self.calls.wait_until_done();
        self.memory.free_it();
    }

    /// A receive call.
    pub fn read(&self, deadline: Deadline) -> Read {
        self.receive(deadline, || {
            let found = pop(&self.kept) || self.take();
            if found { Look::Found(Read::Event) } else { Look::Empty }
        })
    }

    /// A wait for a reply that never comes: what does come is kept for reads.
    pub fn await_reply(&self, deadline: Deadline) -> Read {
        self.receive(deadline, || {
            while self.take() {
                self.kept.fetch_add(1, Ordering::AcqRel);
            }
            if self.kept.load(Ordering::Acquire) == 0 { Look::Empty } else { Look::Kept }
        })
    }

    /// Takes an event. The lane is looked at behind dora, which so has the waker already.
    fn take(&self) -> bool {
        self.channel.poll() || self.lane.as_ref().is_some_and(Lane::take)
    }

    fn receive(&self, deadline: Deadline, mut look: impl FnMut() -> Look<Read>) -> Read {
        self.looks.begin();
        let counted = || {
            self.looks.count();
            look()
        };
        self.gate.receive(deadline, counted).unwrap_or_else(|unmet| match unmet {
            Unmet::Closing => Read::Closed,
            Unmet::Interrupted => Read::Interrupted,
            Unmet::TimedOut => Read::TimedOut,
        })
    }

    /// The rule of event loops: reads until it times out or is closed, and gives what it read.
    pub fn read_all(&self) -> Vec<Read> {
        let mut reads = vec![];
        loop {
            let read = self.read(Deadline::Passed);
            if read == Read::TimedOut {
                return reads;
            }
            reads.push(read);
            if read == Read::Closed {
                return reads;
            }
        }
    }

    /// Whether a read would not time out.
    pub fn has_something(&self) -> bool {
        let is_kept = self.kept.load(Ordering::Acquire) > 0;
        let is_sent = self.lane.as_ref().is_some_and(Lane::has_something);
        is_kept
            || is_sent
            || self.channel.has_something()
            || self.gate.is_interrupted()
            || self.gate.is_closed()
    }
}

/// How often receive calls looked, and how often they may have. It is there to be looked at, and not a part of the
/// model: loom knows nothing of it.
#[derive(Default)]
struct Looks {
    done: plain::AtomicU32,
    allowed: plain::AtomicU32,
}

impl Looks {
    /// A receive call looks once.
    fn begin(&self) {
        self.allowed.fetch_add(1, plain::Ordering::Relaxed);
    }

    /// Whatever comes is worth two looks at most: one since it wakes the reader, and one since it was at the door.
    fn allow(&self) {
        self.allowed.fetch_add(2, plain::Ordering::Relaxed);
    }

    fn count(&self) {
        let done = self.done.fetch_add(1, plain::Ordering::Relaxed) + 1;
        assert!(done <= self.allowed.load(plain::Ordering::Relaxed), "the reader looks for nothing");
    }
}

/// The messages of other processes, and the pipe in which these leave a byte behind each. That alone puts them in
/// order with the reader.
#[derive(Default)]
struct Lane {
    messages: AtomicU32,
    pipe: Pipe,
}

impl Lane {
    fn put(&self) {
        self.messages.fetch_add(1, Ordering::Relaxed);
    }

    fn has_something(&self) -> bool {
        self.messages.load(Ordering::Relaxed) > 0
    }

    fn take(&self) -> bool {
        let has_something = self.has_something();
        if has_something {
            self.messages.fetch_sub(1, Ordering::Relaxed);
        }
        has_something
    }
}

/// What the end of a node takes away. loom fails where a use of it is not in order with that.
#[derive(Default)]
struct Memory(UnsafeCell<()>);

// SAFETY: that it is used by no other thread when it is freed is what the model checks.
unsafe impl Sync for Memory {}

impl Memory {
    fn use_it(&self) {
        self.0.with(|_| ());
    }

    fn free_it(&self) {
        self.0.with_mut(|_| ());
    }
}

/// tokio's channel, as far as the steps go that others see.
#[derive(Default)]
struct Channel {
    events: AtomicU32,
    has_waker: AtomicBool,
}

impl Channel {
    /// Puts an event into it, and then takes the waker, if there is one.
    fn push(&self) -> bool {
        self.events.fetch_add(1, Ordering::AcqRel);
        self.has_waker.swap(false, Ordering::AcqRel)
    }

    /// Takes an event. Leaves the waker, and looks again, where there is none.
    fn poll(&self) -> bool {
        pop(&self.events) || {
            self.has_waker.swap(true, Ordering::AcqRel);
            pop(&self.events)
        }
    }

    fn has_something(&self) -> bool {
        self.events.load(Ordering::Acquire) > 0
    }
}

/// Takes one of so many. There is one reader.
fn pop(count: &AtomicU32) -> bool {
    let has_something = count.load(Ordering::Acquire) > 0;
    if has_something {
        count.fetch_sub(1, Ordering::AcqRel);
    }
    has_something
}
