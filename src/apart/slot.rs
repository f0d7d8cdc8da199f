//! The result of work on another thread, and the one who waits for it.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::sync::Mutex;
use crate::ffi::spawn_undisturbed;
use crate::status::{Error, Result};
use crate::wait::{Changes, Deadline};

/// What a caller waits for, and gives up at its deadline.
#[derive(Debug)]
pub struct Slot<T> {
    state: Mutex<State<T>>,
    changes: Arc<Changes>,
}

#[derive(Debug)]
enum State<T> {
    Awaited,
    Done(T),
    GivenUp,
}

impl<T> Slot<T> {
    pub fn new(changes: Arc<Changes>) -> Self {
        Self { state: Mutex::new(State::Awaited), changes }
    }

    /// Hands the result over; gives it back when nobody waits for it any more.
    pub fn put(&self, value: T) -> Option<T> {
        {
            let mut state = crate::lock(&self.state);
            if matches!(*state, State::GivenUp) {
                return Some(value);
            }
            *state = State::Done(value);
        }
        self.changes.tell();
        None
    }

    /// The result, or nothing at the deadline; it may be waited for again.
    pub fn wait(&self, deadline: Deadline) -> Option<T> {
        self.changes.await_until(deadline, || self.look()).or_else(|| self.end_with(State::Awaited))
    }

    /// The result, or nothing at the deadline, from which on nobody waits for it.
    pub fn take(&self, deadline: Deadline) -> Option<T> {
        self.changes.await_until(deadline, || self.look()).or_else(|| self.give_up())
    }

    /// The result, if there is one.
    pub fn look(&self) -> Option<T> {
        let is_awaited = matches!(*crate::lock(&self.state), State::Awaited);
        if is_awaited { None } else { self.give_up() }
    }

    /// The result, if there is one; from here on nobody waits for it.
    pub fn give_up(&self) -> Option<T> {
        self.end_with(State::GivenUp)
    }

    fn end_with(&self, otherwise: State<T>) -> Option<T> {
        let mut state = crate::lock(&self.state);
        match std::mem::replace(&mut *state, otherwise) {
            State::Done(value) => {
                *state = State::GivenUp;
                Some(value)
            }
            State::Awaited | State::GivenUp => None,
        }
    }

    pub fn is_given_up(&self) -> bool {
        matches!(*crate::lock(&self.state), State::GivenUp)
    }
}

/// Does `body` on a thread that disturbs nobody. What it gives when nobody waits any more is dropped over
/// there.
pub fn start<T: Send + 'static>(
    name: &str,
    body: impl FnOnce() -> Result<T> + Send + 'static,
) -> io::Result<Arc<Slot<Result<T>>>> {
    let slot = Arc::new(Slot::new(Arc::default()));
    spawn_undisturbed(name, {
        let slot = slot.clone();
        move || drop(slot.put(caught(body)))
    })?;
    Ok(slot)
}

/// What `body` gives; its panic is an error.
pub fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(Error::from_panic(panic.as_ref())))
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
}
