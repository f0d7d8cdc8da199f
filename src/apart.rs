//! Work on a thread of its own, for which the caller waits no longer than it wants.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::ffi::spawn_undisturbed;
use crate::status::{Error, Result};
use crate::wait::Deadline;

/// What a caller waits for, and gives up at its deadline.
#[derive(Debug)]
pub struct Slot<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
enum State<T> {
    Awaited,
    Done(T),
    GivenUp,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { state: Mutex::new(State::Awaited), changed: Condvar::new() }
    }
}

impl<T> Slot<T> {
    /// Hands the result over; gives it back when nobody waits for it any more.
    fn put(&self, value: T) -> Option<T> {
        let mut state = crate::lock(&self.state);
        if matches!(*state, State::GivenUp) {
            return Some(value);
        }
        *state = State::Done(value);
        self.changed.notify_all();
        None
    }

    /// The result, or nothing at the deadline; it may be waited for again.
    pub fn wait(&self, deadline: Deadline) -> Option<T> {
        self.wait_or(deadline, State::Awaited)
    }

    /// The result, or nothing at the deadline, from which on nobody waits for it.
    pub fn take(&self, deadline: Deadline) -> Option<T> {
        self.wait_or(deadline, State::GivenUp)
    }

    fn wait_or(&self, deadline: Deadline, otherwise: State<T>) -> Option<T> {
        let mut state = crate::lock(&self.state);
        while matches!(*state, State::Awaited) && !deadline.has_passed() {
            state = wait(&self.changed, state, deadline);
        }
        match std::mem::replace(&mut *state, otherwise) {
            State::Done(value) => {
                *state = State::GivenUp;
                Some(value)
            }
            State::Awaited | State::GivenUp => None,
        }
    }

    fn is_given_up(&self) -> bool {
        matches!(*crate::lock(&self.state), State::GivenUp)
    }
}

fn wait<'a, T>(
    changed: &Condvar,
    guard: std::sync::MutexGuard<'a, T>,
    deadline: Deadline,
) -> std::sync::MutexGuard<'a, T> {
    match deadline.remaining() {
        None => changed.wait(guard).unwrap_or_else(PoisonError::into_inner),
        Some(time) => changed.wait_timeout(guard, time).unwrap_or_else(PoisonError::into_inner).0,
    }
}

/// Does `body` on a thread that disturbs nobody. What it gives when nobody waits any more is dropped over
/// there.
pub fn start<T: Send + 'static>(
    name: &str,
    body: impl FnOnce() -> Result<T> + Send + 'static,
) -> io::Result<Arc<Slot<Result<T>>>> {
    let slot = Arc::new(Slot::default());
    spawn_undisturbed(name, {
        let slot = slot.clone();
        move || drop(slot.put(caught(body)))
    })?;
    Ok(slot)
}

fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(Error::from_panic(panic.as_ref())))
}

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A thread that owns something and works on it for others, a job at a time.
#[derive(Debug)]
pub struct Worker<S> {
    shared: Arc<Desk<S>>,
    thread: Option<JoinHandle<()>>,
}

struct Desk<S> {
    tray: Mutex<Tray<S>>,
    changed: Condvar,
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
    /// The worker takes no jobs any more.
    Closed,
}

impl<S: Send + 'static> Worker<S> {
    pub fn start(name: &str, mut owned: S) -> io::Result<Self> {
        let shared = Arc::new(Desk {
            tray: Mutex::new(Tray { job: None, working: false, closed: false }),
            changed: Condvar::new(),
        });
        let thread = spawn_undisturbed(name, {
            let shared = shared.clone();
            move || {
                while let Some(job) = shared.next_job() {
                    let _ = catch_unwind(AssertUnwindSafe(|| job(&mut owned)));
                    shared.finish_job();
                }
            }
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Has a job done: those that came earlier first.
    pub fn run<T: Send + 'static>(
        &self,
        deadline: Deadline,
        body: impl FnOnce(&mut S) -> Result<T> + Send + 'static,
    ) -> std::result::Result<Result<T>, Undone> {
        let slot = Arc::new(Slot::default());
        let job: Job<S> = Box::new({
            let slot = slot.clone();
            move |owned| {
                // Given up while it lay in the tray.
                if !slot.is_given_up() {
                    drop(slot.put(caught(|| body(owned))));
                }
            }
        });
        self.shared.hand_in(job, deadline)?;
        slot.take(deadline).ok_or(Undone::TimedOut)
    }

    /// Takes no further job, and turns those away that wait for their turn.
    pub fn close(&self) {
        crate::lock(&self.shared.tray).closed = true;
        self.shared.changed.notify_all();
    }
}

impl<S> Drop for Worker<S> {
    fn drop(&mut self) {
        crate::lock(&self.shared.tray).closed = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl<S> Desk<S> {
    fn hand_in(&self, job: Job<S>, deadline: Deadline) -> std::result::Result<(), Undone> {
        let mut tray = crate::lock(&self.tray);
        loop {
            if tray.closed {
                return Err(Undone::Closed);
            }
            if tray.job.is_none() && !tray.working {
                tray.job = Some(job);
                self.changed.notify_all();
                return Ok(());
            }
            if deadline.has_passed() {
                return Err(Undone::TimedOut);
            }
            tray = wait(&self.changed, tray, deadline);
        }
    }

    fn next_job(&self) -> Option<Job<S>> {
        let mut tray = crate::lock(&self.tray);
        loop {
            if let Some(job) = tray.job.take() {
                tray.working = true;
                return Some(job);
            }
            if tray.closed {
                return None;
            }
            tray = wait(&self.changed, tray, Deadline::Never);
        }
    }

    fn finish_job(&self) {
        crate::lock(&self.tray).working = false;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    const SOON: i64 = 20_000_000;

    /// Tells where it is dropped.
    struct Tell(mpsc::Sender<std::thread::ThreadId>);

    impl Drop for Tell {
        fn drop(&mut self) {
            let _ = self.0.send(std::thread::current().id());
        }
    }

    #[test]
    fn a_result_in_time_is_taken_and_a_late_one_dropped_over_there() {
        let number = start("test", || Ok(7)).unwrap();
        assert_eq!(number.take(Deadline::Never), Some(Ok(7)));
        let (tell, told) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let late = start("test", move || {
            let _ = released.recv();
            Ok(Tell(tell))
        });
        let late = late.unwrap();
        assert!(
            late.wait(Deadline::after_ns(SOON)).is_none() && late.take(Deadline::after_ns(SOON)).is_none()
        );
        drop(release);
        assert_ne!(told.recv_timeout(Duration::from_secs(10)).unwrap(), std::thread::current().id());
    }

    #[test]
    fn a_result_may_be_waited_for_again() {
        let (release, released) = mpsc::channel::<()>();
        let slot = start("test", move || {
            let _ = released.recv();
            Ok(7)
        });
        let slot = slot.unwrap();
        assert_eq!(slot.wait(Deadline::after_ns(SOON)), None);
        drop(release);
        assert_eq!(slot.wait(Deadline::Never), Some(Ok(7)));
    }

    #[test]
    fn a_panic_over_there_is_an_error_here() {
        let result = start::<()>("test", || panic!("over there")).unwrap().take(Deadline::Never);
        assert!(result.unwrap().unwrap_err().message.contains("over there"));
    }

    #[test]
    fn a_worker_that_is_stuck_lets_others_go_at_their_deadline() {
        let worker = Worker::start("test", Vec::new()).unwrap();
        let deadline = || Deadline::after_ns(SOON);
        let push = |number: i32| {
            move |list: &mut Vec<i32>| {
                list.push(number);
                Ok(())
            }
        };
        worker.run(Deadline::Never, push(1)).unwrap().unwrap();
        let (release, released) = mpsc::channel::<()>();
        let stuck = worker.run(deadline(), move |list| {
            let _ = released.recv();
            list.push(2);
            Ok(())
        });
        assert_eq!(stuck, Err(Undone::TimedOut));
        assert_eq!(worker.run(deadline(), push(3)), Err(Undone::TimedOut));
        drop(release);
        worker.run(Deadline::Never, push(4)).unwrap().unwrap();
        // What had begun was finished, what had not was left out.
        let list = worker.run(Deadline::Never, |list| Ok(list.clone())).unwrap().unwrap();
        assert_eq!(list, [1, 2, 4]);
        worker.close();
        assert_eq!(worker.run(Deadline::Never, push(5)), Err(Undone::Closed));
    }
}
