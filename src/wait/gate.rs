//! Where the one reader of a node waits.

use std::sync::{Arc, OnceLock};
use std::task::Wake;

use super::Deadline;
use super::atomic::{AtomicU32, Ordering};
use crate::ffi::{Bell, Door, futex_wait, futex_wake};

/// Why a wait at a [`Gate`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// Something may have arrived since [`Gate::arm`], or the reader was interrupted.
    Ready,
    /// The node is being freed.
    Closing,
    TimedOut,
}

impl Woken {
    pub fn is_ready(self) -> bool {
        self == Self::Ready
    }
}

/// Where the one reader of a node waits, and what tells it and an event loop that a look is worth while. It
/// is the waker that dora's receiving future gets.
///
/// An event loop watches the bell, a descriptor that is readable when a receive call would not time out. It
/// may be readable for nothing before the first look that finds nothing, and is exact from then on: it is
/// silenced by such looks alone, and [`RUNG`](Self::RUNG) without [`RINGING`](Self::RINGING) says what it
/// is. But dora signals behind the arrival of an event: where that was taken in between, the bell rings for
/// what is gone, and the next look silences it. Nobody who signals ever waits.
///
/// Other processes wake the reader at the door, where the node has one. What they leave there is taken away by
/// a look that finds nothing, which is then followed by another: whoever came between left something new. What
/// that look finds may not be all, and the bell is then rung for the rest.
///
/// `tests/model` runs all this through every order of its steps.
#[derive(Debug, Default)]
pub struct Gate {
    state: AtomicU32,
    /// How often the reader was interrupted, in all; it wraps.
    interrupts: AtomicU32,
    bell: OnceLock<Bell>,
    door: Option<Door>,
}

impl Gate {
    /// Something may have arrived.
    const READY: u32 = 1;
    /// The node is being freed; never taken back.
    const CLOSING: u32 = 2;
    /// The reader sleeps or is about to.
    const WAITING: u32 = 4;
    /// The reader is to return; taken back by the call that does.
    const INTERRUPTED: u32 = 8;
    /// There is a bell; never taken back.
    const WATCHED: u32 = 16;
    /// The bell is rung, or about to be by who set this.
    const RUNG: u32 = 32;
    /// Somebody is about to ring the bell.
    const RINGING: u32 = 64;
    /// Somebody was at the door when the reader slept.
    const CALLED: u32 = 128;

    /// A gate; at a door other processes wake the reader too.
    pub fn new(door: Option<Door>) -> Self {
        Self { door, ..Self::default() }
    }

    /// What an event loop watches: the bell, and the door where there is one.
    pub fn descriptor(&self, bell: &Bell) -> std::io::Result<i32> {
        self.door.as_ref().map_or_else(|| Ok(bell.descriptor()), |door| door.with(bell))
    }

    /// Takes away what was left at the door, behind a look that found nothing. True when there was something,
    /// and another look is due.
    pub fn answer_door(&self) -> bool {
        let Some(door) = &self.door else { return false };
        // A system call; where nobody was seen there, and nobody else looks, it can stay.
        if self.state.load(Ordering::Acquire) & (Self::CALLED | Self::WATCHED) == 0 {
            return false;
        }
        self.state.fetch_and(!Self::CALLED, Ordering::AcqRel);
        door.drain()
    }

    /// Says that something may be there: to the reader, and with the bell to an event loop.
    pub fn tell(&self) {
        self.signal(Self::READY);
    }

    /// Forgets earlier wakes. Called before looking for an event, so that what arrives behind the look is
    /// seen.
    pub fn arm(&self) {
        self.state.fetch_and(!Self::READY, Ordering::AcqRel);
    }

    /// Wakes the reader for good.
    pub fn close(&self) {
        self.signal(Self::CLOSING);
    }

    /// Has the reader return, now or at its next wait. Async-signal-safe: atomics, and a `write` where an
    /// event loop watches, a futex call where the reader sleeps, at a door a `write` besides.
    pub fn interrupt(&self) {
        self.interrupts.fetch_add(1, Ordering::AcqRel);
        self.signal(Self::INTERRUPTED);
    }

    /// How often that was; for who is to return as well, and must not miss one that the reader has taken already.
    pub fn interrupts(&self) -> u32 {
        self.interrupts.load(Ordering::Acquire)
    }

    pub fn is_closed(&self) -> bool {
        self.state.load(Ordering::Acquire) & Self::CLOSING != 0
    }

    pub fn is_interrupted(&self) -> bool {
        self.state.load(Ordering::Acquire) & Self::INTERRUPTED != 0
    }

    /// Whether the reader is to return, which is used up by asking.
    pub fn take_interrupt(&self) -> bool {
        // Looked at first: an atomic write for each event would be dear.
        self.is_interrupted()
            && self.state.fetch_and(!Self::INTERRUPTED, Ordering::AcqRel) & Self::INTERRUPTED != 0
    }

    /// The bell that an event loop watches. It begins rung.
    pub fn watch(&self, new: impl FnOnce() -> std::io::Result<Bell>) -> std::io::Result<&Bell> {
        let bell = if let Some(bell) = self.bell.get() {
            bell
        } else {
            let made = new()?;
            // Another thread may have been faster; then its bell is the one.
            self.bell.get_or_init(|| made)
        };
        // Also where another thread made the bell and has not come to this yet: nobody is to leave with a
        // bell that signals do not ring.
        let watched = |state| (state & Self::WATCHED == 0).then_some(state | Self::WATCHED | Self::RUNG);
        let _ = self.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, watched);
        Ok(bell)
    }

    /// Silences the bell behind a look that found nothing. False when something came since
    /// [`arm`](Self::arm), and another look is due.
    pub fn quiet(&self) -> bool {
        let mut is_silenced = false;
        loop {
            let state = self.state.load(Ordering::Acquire);
            if state & Self::WATCHED == 0 {
                return true;
            }
            if state & Self::RINGING != 0 {
                self.wait_until_rung();
                continue;
            }
            if state & (Self::READY | Self::CLOSING | Self::INTERRUPTED) != 0 {
                if is_silenced {
                    self.ring();
                }
                return false;
            }
            if state & Self::RUNG == 0 {
                return true;
            }
            if !is_silenced {
                self.silence();
                is_silenced = true;
            }
            let quiet = state & !Self::RUNG;
            if self.state.compare_exchange(state, quiet, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                return true;
            }
        }
    }

    /// Sleeps until something may have arrived since [`arm`](Self::arm), the node closes or the time has
    /// come.
    pub fn wait(&self, deadline: Deadline) -> Woken {
        loop {
            let state = self.state.fetch_or(Self::WAITING, Ordering::AcqRel) | Self::WAITING;
            let woken = if state & Self::CLOSING != 0 {
                Some(Woken::Closing)
            } else if state & (Self::READY | Self::INTERRUPTED) != 0 {
                Some(Woken::Ready)
            } else if deadline.has_passed() {
                Some(Woken::TimedOut)
            } else {
                None
            };
            if let Some(woken) = woken {
                self.state.fetch_and(!Self::WAITING, Ordering::AcqRel);
                return woken;
            }
            match &self.door {
                None => futex_wait(&self.state, state, deadline.time()),
                // Where the look behind the last sleep left the door alone, it would not let the reader sleep.
                Some(door) if state & Self::CALLED != 0 => {
                    self.state.fetch_and(!Self::CALLED, Ordering::AcqRel);
                    if door.drain() {
                        self.signal(Self::READY);
                    }
                }
                Some(door) if door.sleep(deadline.time()) => {
                    self.state.fetch_or(Self::CALLED | Self::READY, Ordering::AcqRel);
                }
                Some(_) => {}
            }
        }
    }

    fn signal(&self, bit: u32) {
        let with_bell = |state: u32| {
            let rings = state & Self::WATCHED != 0 && state & Self::RUNG == 0;
            Some(state | bit | if rings { Self::RUNG | Self::RINGING } else { 0 })
        };
        let before = self.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, with_bell);
        // It never declines.
        let (Ok(before) | Err(before)) = before;
        if before & Self::WATCHED != 0 && before & Self::RUNG == 0 {
            self.ring();
            self.state.fetch_and(!Self::RINGING, Ordering::AcqRel);
            // The reader may wait for this bit, whatever it waited for before.
            if self.state.load(Ordering::Acquire) & Self::WAITING != 0 {
                self.wake_reader();
            }
        } else if before & Self::WAITING != 0 && before & bit == 0 {
            self.wake_reader();
        }
    }

    fn wake_reader(&self) {
        if let Some(door) = &self.door {
            door.wake();
        }
        // Also where it sleeps at the door: it may wait for the bell.
        futex_wake(&self.state);
    }

    /// Who rings is between two instructions, or was put aside by the kernel there.
    fn wait_until_rung(&self) {
        let state = self.state.fetch_or(Self::WAITING, Ordering::AcqRel) | Self::WAITING;
        if state & Self::RINGING != 0 {
            futex_wait(&self.state, state, None);
        }
        self.state.fetch_and(!Self::WAITING, Ordering::AcqRel);
    }

    fn ring(&self) {
        if let Some(bell) = self.bell.get() {
            bell.ring();
        }
    }

    fn silence(&self) {
        if let Some(bell) = self.bell.get() {
            bell.silence();
        }
    }
}

impl Wake for Gate {
    fn wake(self: Arc<Self>) {
        self.signal(Self::READY);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.signal(Self::READY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_wake_before_the_wait_is_seen() {
        let gate = Arc::new(Gate::default());
        gate.arm();
        gate.wake_by_ref();
        assert_eq!(gate.wait(Deadline::Never), Woken::Ready);
        gate.arm();
        assert_eq!(gate.wait(Deadline::after_ns(0)), Woken::TimedOut);
    }

    #[test]
    fn a_wake_from_another_thread_ends_the_wait() {
        let gate = Arc::new(Gate::default());
        gate.arm();
        let other = std::thread::spawn({
            let gate = gate.clone();
            move || {
                std::thread::sleep(Duration::from_millis(20));
                gate.wake();
            }
        });
        assert_eq!(gate.wait(Deadline::Never), Woken::Ready);
        other.join().unwrap();
    }

    #[test]
    fn a_closed_gate_stays_closed() {
        let gate = Arc::new(Gate::default());
        gate.close();
        gate.wake_by_ref();
        for _ in 0..3 {
            gate.arm();
            assert_eq!(gate.wait(Deadline::Never), Woken::Closing);
        }
    }

    #[test]
    fn a_timeout_is_kept() {
        let gate = Gate::default();
        let start = Instant::now();
        assert_eq!(gate.wait(Deadline::after_ns(20_000_000)), Woken::TimedOut);
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn an_interrupt_lasts_until_it_is_taken_and_counts_once() {
        let gate = Arc::new(Gate::default());
        gate.interrupt();
        gate.interrupt();
        gate.arm();
        assert_eq!(gate.wait(Deadline::Never), Woken::Ready);
        assert!(gate.is_interrupted() && gate.take_interrupt());
        assert!(!gate.take_interrupt());
        assert_eq!(gate.wait(Deadline::after_ns(0)), Woken::TimedOut);
    }

    #[test]
    fn the_bell_is_rung_from_a_signal_to_an_empty_look() {
        let gate = Arc::new(Gate::default());
        gate.wake_by_ref();
        assert!(gate.quiet(), "nobody watches");
        let bell = gate.watch(Bell::new).unwrap();
        assert!(bell.is_rung(), "it begins rung");
        gate.arm();
        assert!(gate.quiet() && !bell.is_rung());
        for signal in [Gate::interrupt, |gate: &Gate| gate.signal(Gate::READY)] {
            signal(&gate);
            signal(&gate);
            assert!(bell.is_rung());
            assert!(!gate.quiet() && bell.is_rung(), "another look is due");
            gate.arm();
            gate.take_interrupt();
            assert!(bell.is_rung(), "only an empty look silences it");
            assert!(gate.quiet() && !bell.is_rung());
        }
        gate.close();
        gate.arm();
        assert!(!gate.quiet() && bell.is_rung(), "a closed node is readable for ever");
    }
}
