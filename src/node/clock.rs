//! The time of the dataflow.

use std::sync::atomic::{AtomicU64, Ordering};

use dora_node_api::uhlc::{HLC, NTP64, Timestamp};

use super::dora_node_t;
use crate::event::{TIME_ABSENT, nanoseconds_of};
use crate::ffi::{Shared, answer};

/// A hybrid logical clock of the node. dora's own stands behind the sending half, where who asks would wait
/// for a send; this one follows it by what arrives.
#[derive(Default)]
pub struct Clock {
    clock: HLC,
    /// The latest time that a message had. Following it takes a look at this machine's clock, so that is done
    /// when somebody asks, and not for each message.
    seen: AtomicU64,
}

impl Clock {
    /// Notes the time of a message: from then on it is past.
    pub fn note(&self, ntp64: u64) {
        if ntp64 > self.seen.load(Ordering::Relaxed) {
            self.seen.fetch_max(ntp64, Ordering::Relaxed);
        }
    }

    /// The time, as dora has it.
    pub fn now_ntp64(&self) -> u64 {
        let seen = self.seen.load(Ordering::Relaxed);
        let latest = Timestamp::new(NTP64(seen), *self.clock.get_id());
        if self.clock.update_with_timestamp(&latest).is_err() {
            // The sender's clock is far ahead. This machine's own time is the better answer, until it gets
            // there, and what others say matters again.
            let _ = self.seen.compare_exchange(seen, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
        self.clock.new_timestamp().get_time().as_u64()
    }

    fn now_ns(&self) -> i64 {
        nanoseconds_of(self.now_ntp64())
    }
}

/// The time of the dataflow: this machine's clock, kept behind every message that was read, also from
/// machines whose clocks are ahead by up to half a second. It never goes back. Subtract the time of a
/// message from it for how long that has been on its way.
///
/// @param node  May be NULL.
/// @return  Nanoseconds since the Unix epoch; `DORA_TIME_ABSENT` for NULL.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_now_ns(node: Shared<'_, dora_node_t>) -> i64 {
    answer(TIME_ABSENT, || Some(node.get()?.clock.now_ns()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_follows_what_arrives_and_never_goes_back() {
        let clock = Clock::default();
        let start = clock.now_ns();
        let ahead = clock.clock.new_timestamp().get_time().as_u64() + (1 << 30); // a quarter of a second
        clock.note(ahead);
        let after = clock.now_ns();
        assert!(after >= nanoseconds_of(ahead) && after > start);
        clock.note(1);
        assert!(clock.now_ns() >= after);
        clock.note(u64::MAX);
        assert!(clock.now_ns() < after + 10_000_000_000, "a clock far ahead is not followed");
        let ahead = clock.clock.new_timestamp().get_time().as_u64() + (1 << 30);
        clock.note(ahead);
        assert!(clock.now_ns() >= nanoseconds_of(ahead), "others are, behind it");
    }
}
