//! What the nodes share: the plan, the pace, the stamp in a message, and the report. It does what
//! `nodes/bench.h` does, step by step; see there.

use std::fmt::Write as _;
use std::thread::sleep;
use std::time::Duration;
use std::{env, fs};

const TAIL_NS: i64 = 50_000_000;

fn clock(clock: libc::clockid_t) -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is there to be written.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

pub fn now() -> i64 {
    clock(libc::CLOCK_MONOTONIC)
}

fn cpu() -> i64 {
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn setting(name: &str, otherwise: i64) -> i64 {
    env::var(name).map_or(otherwise, |value| value.parse().expect("a setting is a number"))
}

fn write_report(lines: &str) {
    let mut report = format!("exec_ns {}\n", setting("BENCH_EXEC_NS", 0));
    let status = fs::read_to_string("/proc/self/status").expect("the kernel tells a process's memory");
    for line in status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("Rss")) {
        let _ = writeln!(report, "{line}");
    }
    let path = env::var("BENCH_REPORT").expect("BENCH_REPORT names a file");
    fs::write(path, report + lines).expect("the report can be written");
}

#[derive(Clone, Copy, Default)]
struct Mark {
    cpu_ns: i64,
    time_ns: i64,
    sent: u64,
}

pub struct Source {
    pub size: usize,
    interval_ns: i64,
    warm_up_ns: i64,
    window_ns: i64,
    begin_ns: i64,
    due_ns: i64,
    number: u64,
    late: u64,
    marks: Vec<Mark>,
}

impl Source {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self {
            size: setting("BENCH_SIZE", 64) as usize,
            interval_ns: setting("BENCH_INTERVAL_NS", 1_000_000),
            warm_up_ns: setting("BENCH_WARM_UP_NS", 500_000_000),
            window_ns: setting("BENCH_WINDOW_NS", 1_000_000_000),
            begin_ns: 0,
            due_ns: 0,
            number: 0,
            late: 0,
            marks: Vec::with_capacity(2),
        }
    }

    fn mark(&mut self, now: i64) {
        self.marks.push(Mark { cpu_ns: cpu(), time_ns: now, sent: self.number });
    }

    /// Waits until a message is due; false when there is none any more.
    pub fn next(&mut self) -> bool {
        let now = now();
        if self.begin_ns == 0 {
            (self.begin_ns, self.due_ns) = (now, now);
        } else {
            self.number += 1;
        }
        if self.interval_ns > 0 {
            if now < self.due_ns {
                sleep(Duration::from_nanos((self.due_ns - now) as u64));
            } else if self.number > 0 {
                self.late += 1;
                self.due_ns = now;
            }
            self.due_ns += self.interval_ns;
        }
        let elapsed = now - self.begin_ns;
        if self.marks.is_empty() && elapsed >= self.warm_up_ns {
            self.mark(now);
        }
        if self.marks.len() == 1 && elapsed >= self.warm_up_ns + self.window_ns {
            self.mark(now);
        }
        elapsed < self.warm_up_ns + self.window_ns + TAIL_NS
    }

    /// What a message is filled with.
    pub fn pattern(&self) -> u8 {
        (self.number & 0xff) as u8
    }

    pub fn end(self) {
        let [first, last] = self.marks[..] else { panic!("the run was cut short") };
        write_report(&format!(
            "sent {}\nlate {}\nwindow_ns {}\ncpu_ns {}\n",
            last.sent - first.sent,
            self.late,
            last.time_ns - first.time_ns,
            last.cpu_ns - first.cpu_ns
        ));
    }
}

pub struct Sink {
    warm_up_ns: i64,
    window_ns: i64,
    wants_one_event: bool,
    first_event_ns: i64,
    begin_ns: i64,
    received: u64,
    torn: u64,
    marks: Vec<Mark>,
    samples: Vec<[i64; 2]>,
    capacity: usize,
}

impl Sink {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let capacity = setting("BENCH_SAMPLES", 0) as usize;
        Self {
            warm_up_ns: setting("BENCH_WARM_UP_NS", 500_000_000),
            window_ns: setting("BENCH_WINDOW_NS", 1_000_000_000),
            wants_one_event: setting("BENCH_ONE_EVENT", 0) != 0,
            first_event_ns: 0,
            begin_ns: 0,
            received: 0,
            torn: 0,
            marks: Vec::with_capacity(2),
            samples: Vec::with_capacity(capacity),
            capacity,
        }
    }

    /// Notes an event; false when it was all that the run is about.
    pub fn event(&mut self) -> bool {
        if self.first_event_ns == 0 {
            self.first_event_ns = now();
        }
        !self.wants_one_event
    }

    fn mark(&mut self, now: i64) {
        self.marks.push(Mark { cpu_ns: cpu(), time_ns: now, sent: 0 });
    }

    /// Takes a message that can be read.
    pub fn message(&mut self, message: &[u8]) {
        let Some((begun, rest)) = message.split_first_chunk() else { return };
        let begun = i64::from_ne_bytes(*begun);
        let now = now();
        if self.begin_ns == 0 {
            self.begin_ns = begun;
        }
        let elapsed = now - self.begin_ns;
        if self.marks.is_empty() && elapsed >= self.warm_up_ns {
            self.mark(now);
        }
        if self.marks.len() == 1 && elapsed >= self.warm_up_ns + self.window_ns {
            self.mark(now);
        }
        if self.marks.len() == 1 {
            self.torn += u64::from(rest.first() != rest.last());
            if self.samples.len() < self.capacity {
                self.samples.push([begun, now]);
            }
            self.received += 1;
        }
    }

    pub fn end(mut self) {
        while self.marks.len() < 2 {
            self.mark(now());
        }
        let [first, last] = self.marks[..] else { unreachable!() };
        write_report(&format!(
            "first_event_ns {}\nreceived {}\ntorn {}\nwindow_ns {}\ncpu_ns {}\n",
            self.first_event_ns,
            self.received,
            self.torn,
            last.time_ns - first.time_ns,
            last.cpu_ns - first.cpu_ns
        ));
        if let Ok(path) = env::var("BENCH_SAMPLES_FILE") {
            let bytes: Vec<u8> = self.samples.iter().flatten().flat_map(|time| time.to_ne_bytes()).collect();
            fs::write(path, bytes).expect("the samples can be written");
        }
    }
}
