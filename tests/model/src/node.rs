//! A node, with what of it takes part in waiting.

use std::sync::Arc;
use std::task::Wake;

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::ffi::Bell;
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
    /// How many events a wait for a reply has kept for reads.
    kept: AtomicU32,
    memory: Memory,
}

impl Node {
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
        self.gate.watch(Bell::new).expect("the model has descriptors enough")
    }

    /// What dora does when an event arrives.
    pub fn arrive(&self) {
        if self.channel.push() {
            self.gate.wake_by_ref();
        }
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
            let found = pop(&self.kept) || self.channel.poll();
            if found { Look::Found(Read::Event) } else { Look::Empty }
        })
    }

    /// A wait for a reply that never comes: what does come is kept for reads.
    pub fn await_reply(&self, deadline: Deadline) -> Read {
        self.receive(deadline, || {
            while self.channel.poll() {
                self.kept.fetch_add(1, Ordering::AcqRel);
            }
            if self.kept.load(Ordering::Acquire) == 0 { Look::Empty } else { Look::Kept }
        })
    }

    fn receive(&self, deadline: Deadline, look: impl FnMut() -> Look<Read>) -> Read {
        self.gate.receive(deadline, look).unwrap_or_else(|unmet| match unmet {
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
        is_kept || self.channel.has_something() || self.gate.is_interrupted() || self.gate.is_closed()
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
