//! A node whose sends have a timeout, with what of it takes part in waiting.

use std::sync::{self, Arc};

use loom::sync::{Condvar, Mutex};

use crate::apart::{Undone, Worker};
use crate::ffi::Scheduling;
use crate::lock;
use crate::node::Node;
use crate::status::Result;
use crate::wait::Deadline;

/// What became of a send.
pub type Sent<T = u32> = std::result::Result<Result<T>, Undone>;

/// The sending half of dora: the numbers that were sent, in order. It is there to be looked at, and not a part of
/// the model: loom knows nothing of its lock.
#[derive(Clone, Default)]
pub struct Outbox(Arc<sync::Mutex<Vec<u32>>>);

impl Outbox {
    pub fn push(&self, number: u32) {
        self.0.lock().expect("nobody panics with it").push(number);
    }

    pub fn numbers(&self) -> Vec<u32> {
        self.0.lock().expect("nobody panics with it").clone()
    }

    /// Whether the thread that sends has ended.
    pub fn is_left(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

pub struct Sender {
    pub node: Node,
    worker: Worker<Outbox>,
}

impl Sender {
    pub fn new() -> (Arc<Self>, Outbox) {
        let outbox = Outbox::default();
        let worker = Worker::start("dora-send", &Scheduling, outbox.clone());
        let worker = worker.expect("the model has threads enough");
        (Arc::new(Self { node: Node::default(), worker }), outbox)
    }

    /// Does something with the sending half.
    pub fn with<T: Send + 'static>(
        &self,
        deadline: Deadline,
        body: impl FnOnce(&mut Outbox) -> Result<T> + Send + 'static,
    ) -> Sent<T> {
        let gate = &self.node.gate;
        let before = gate.interrupts();
        self.worker.run(deadline, || gate.is_interrupted() || gate.interrupts() != before, body)
    }

    /// A send that takes no time.
    pub fn send(&self, deadline: Deadline, number: u32) -> Sent {
        self.with(deadline, move |outbox| {
            outbox.push(number);
            Ok(number)
        })
    }

    /// A send that is stuck in dora until it is let go.
    pub fn send_stuck(&self, deadline: Deadline, number: u32, latch: &Arc<Latch>) -> Sent {
        let latch = latch.clone();
        self.with(deadline, move |outbox| {
            outbox.push(number);
            latch.wait();
            Ok(number)
        })
    }

    /// `dora_node_interrupt`.
    pub fn interrupt(&self) {
        self.node.call(|node| {
            node.gate.interrupt();
            self.worker.tell();
        });
    }

    /// What `dora_node_free` does to sends.
    pub fn close(&self) {
        self.worker.close();
    }
}

/// What holds somebody up.
#[derive(Default)]
pub struct Latch {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Latch {
    pub fn open(&self) {
        *lock(&self.is_open) = true;
        self.opened.notify_all();
    }

    pub fn wait(&self) {
        let mut is_open = lock(&self.is_open);
        while !*is_open {
            is_open = self.opened.wait(is_open).expect("nobody panics with it");
        }
    }
}
