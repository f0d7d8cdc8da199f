//! A thread that owns something, and those who have it do jobs.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::slot::{Slot, caught};
use super::sync::{JoinHandle, Mutex};
use crate::ffi::{Scheduling, spawn_undisturbed};
use crate::status::Result;
use crate::wait::{Changes, Deadline};

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A thread that owns something and works on it for others, a job at a time.
#[derive(Debug)]
pub struct Worker<S> {
    shared: Arc<Desk<S>>,
    thread: Option<JoinHandle<()>>,
}

struct Desk<S> {
    tray: Mutex<Tray<S>>,
    /// Of the tray, and of the results that somebody waits for.
    changes: Arc<Changes>,
}

struct Tray<S> {
    job: Option<Job<S>>,
    working: bool,
    closed: bool,
}

impl<S> std::fmt::Debug for Desk<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Desk")
    }
}

/// Why a job gave nothing.
#[derive(Debug, PartialEq, Eq)]
pub enum Undone {
    /// The time was over. Where the job had begun, it goes on.
    TimedOut,
    /// The caller was interrupted; the same holds.
    Interrupted,
    /// The worker takes no jobs any more.
    Closed,
}

/// How long a job may take that would otherwise be left because of an interrupt: nothing that is under way
/// is lost, and nobody waits long for what is stuck.
const GRACE_NS: i64 = 100_000_000;

/// How long somebody waits for a job.
struct Patience<F> {
    deadline: Deadline,
    is_interrupted: F,
    is_cut: bool,
}

impl<F: Fn() -> bool> Patience<F> {
    /// The deadline, which an interrupt brings forward.
    fn deadline(&mut self) -> Deadline {
        if !self.is_cut && (self.is_interrupted)() {
            self.is_cut = true;
            self.deadline = self.deadline.or_sooner(Deadline::after_ns(GRACE_NS));
        }
        self.deadline
    }

    fn is_over(&mut self) -> Option<Undone> {
        let is_over = self.deadline().has_passed();
        is_over.then_some(if self.is_cut { Undone::Interrupted } else { Undone::TimedOut })
    }
}

impl<S: Send + 'static> Worker<S> {
    pub fn start(name: &str, scheduling: &Scheduling, mut owned: S) -> io::Result<Self> {
        let shared = Arc::new(Desk {
            tray: Mutex::new(Tray { job: None, working: false, closed: false }),
            changes: Arc::default(),
        });
        let thread = spawn_undisturbed(name, {
            let (shared, scheduling) = (shared.clone(), scheduling.clone());
            move || {
                // Where it is refused, the node had it refused already, for the threads of dora.
                let _ = scheduling.apply();
                while let Some(job) = shared.next_job() {
                    let _ = catch_unwind(AssertUnwindSafe(|| job(&mut owned)));
                    shared.finish_job();
                }
            }
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Has a job done. Callers that wait for the tray get it in no order, the jobs of one thread in theirs.
    /// The caller waits until the deadline, or not much longer than until it is interrupted.
    pub fn run<T: Send + 'static>(
        &self,
        deadline: Deadline,
        is_interrupted: impl Fn() -> bool,
        body: impl FnOnce(&mut S) -> Result<T> + Send + 'static,
    ) -> std::result::Result<Result<T>, Undone> {
        let mut patience = Patience { deadline, is_interrupted, is_cut: false };
        let slot = Arc::new(Slot::new(self.shared.changes.clone()));
        let job: Job<S> = Box::new({
            let slot = slot.clone();
            move |owned| {
                // Given up while it lay in the tray.
                if !slot.is_given_up() {
                    drop(slot.put(caught(|| body(owned))));
                }
            }
        });
        let mut job = Some(job);
        let changes = &self.shared.changes;
        loop {
            let seen = changes.seen();
            if job.is_some() {
                self.shared.hand_in(&mut job)?;
            } else if let Some(result) = slot.look() {
                return Ok(result);
            }
            if let Some(undone) = patience.is_over() {
                return slot.give_up().ok_or(undone);
            }
            changes.wait(seen, patience.deadline());
        }
    }

    /// Has who waits look again. Async-signal-safe.
    pub fn tell(&self) {
        self.shared.changes.tell();
    }

    /// Takes no further job, and turns those away that wait for their turn.
    pub fn close(&self) {
        crate::lock(&self.shared.tray).closed = true;
        self.tell();
    }
}

impl<S> Drop for Worker<S> {
    fn drop(&mut self) {
        crate::lock(&self.shared.tray).closed = true;
        self.shared.changes.tell();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl<S> Desk<S> {
    /// Puts a job into the tray, if that is empty.
    fn hand_in(&self, job: &mut Option<Job<S>>) -> std::result::Result<(), Undone> {
        let mut tray = crate::lock(&self.tray);
        if tray.closed {
            return Err(Undone::Closed);
        }
        if tray.job.is_none() && !tray.working {
            tray.job = job.take();
            drop(tray);
            self.changes.tell();
        }
        Ok(())
    }

    fn next_job(&self) -> Option<Job<S>> {
        self.changes.await_until(Deadline::Never, || {
            let mut tray = crate::lock(&self.tray);
            let job = tray.job.take();
            tray.working = job.is_some();
            (job.is_some() || tray.closed).then_some(job)
        })?
    }

    fn finish_job(&self) {
        crate::lock(&self.tray).working = false;
        self.changes.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    const SOON: i64 = 20_000_000;

    #[test]
    fn an_interrupt_leaves_what_is_stuck_and_nothing_else() {
        let worker = Worker::start("test", &Scheduling::default(), ()).unwrap();
        assert_eq!(worker.run(Deadline::Never, || true, |()| Ok(7)), Ok(Ok(7)), "that took no time");
        let (release, released) = mpsc::channel::<()>();
        let stuck = move |(): &mut ()| {
            let _ = released.recv();
            Ok(())
        };
        let is_interrupted = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                is_interrupted.store(true, std::sync::atomic::Ordering::Release);
                worker.tell();
            });
            let look = || is_interrupted.load(std::sync::atomic::Ordering::Acquire);
            assert_eq!(worker.run(Deadline::Never, look, stuck), Err(Undone::Interrupted));
        });
        assert_eq!(worker.run(Deadline::Never, || true, |()| Ok(7)), Err(Undone::Interrupted), "it waits");
        drop(release);
        assert_eq!(worker.run(Deadline::Never, || false, |()| Ok(7)), Ok(Ok(7)));
    }

    #[test]
    fn a_worker_that_is_stuck_lets_others_go_at_their_deadline() {
        let worker = Worker::start("test", &Scheduling::default(), Vec::new()).unwrap();
        let deadline = || Deadline::after_ns(SOON);
        let push = |number: i32| {
            move |list: &mut Vec<i32>| {
                list.push(number);
                Ok(())
            }
        };
        worker.run(Deadline::Never, || false, push(1)).unwrap().unwrap();
        let (release, released) = mpsc::channel::<()>();
        let stuck = worker.run(
            deadline(),
            || false,
            move |list| {
                let _ = released.recv();
                list.push(2);
                Ok(())
            },
        );
        assert_eq!(stuck, Err(Undone::TimedOut));
        assert_eq!(worker.run(deadline(), || false, push(3)), Err(Undone::TimedOut));
        drop(release);
        worker.run(Deadline::Never, || false, push(4)).unwrap().unwrap();
        // What had begun was finished, what had not was left out.
        let list = worker.run(Deadline::Never, || false, |list| Ok(list.clone())).unwrap().unwrap();
        assert_eq!(list, [1, 2, 4]);
        worker.close();
        assert_eq!(worker.run(Deadline::Never, || false, push(5)), Err(Undone::Closed));
    }
}
