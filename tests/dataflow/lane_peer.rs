//! The Rust node of the tests of the fast lane, on dora's own Rust interface, which takes no part in the lane. Its
//! arguments, settings and reports are those of `lane_peer.py`; the messages are those of `lane_frame.h`.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;
use std::{env, thread};

use dora_node_api::dora_core::config::DataId;
use dora_node_api::{DoraNode, Event, EventStream, MetadataParameters};

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// dora's direct way drops what comes too fast.
const PACE: Duration = Duration::from_millis(2);
/// And what was sent last, where its sender ends at once.
const REST: Duration = Duration::from_millis(300);

/// What a message says of itself, in the order in which messages are sent.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Head {
    incarnation: u16,
    number: u32,
    output: u8,
}

impl Head {
    /// The first eight bytes of a message, but for their check.
    fn word(self) -> u64 {
        u64::from(self.number) | u64::from(self.incarnation) << 32 | u64::from(self.output) << 48
    }

    fn of(frame: &[u8]) -> Self {
        let word = u64::from_le_bytes(*frame.first_chunk().expect("a message has eight bytes"));
        Self {
            number: (word & 0xffff_ffff) as u32,
            incarnation: (word >> 32 & 0xffff) as u16,
            output: (word >> 48 & 0xff) as u8,
        }
    }

    fn frame(self, size: usize) -> Vec<u8> {
        let mixed = (self.word() ^ (size as u64).wrapping_mul(STEP)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let seed = (mixed ^ mixed >> 31).wrapping_mul(0x94d0_49bb_1331_11eb);
        let words = (0_u64..).map(|i| seed.wrapping_add(i.wrapping_mul(STEP)));
        std::iter::once(self.word() | seed >> 56 << 56)
            .chain(words)
            .flat_map(u64::to_le_bytes)
            .take(size)
            .collect()
    }
}

/// What came in on an input.
#[derive(Default)]
struct Book {
    received: u64,
    first: u32,
    last: Option<Head>,
    gaps: u64,
    duplicates: u64,
    disorder: u64,
    damaged: u64,
}

impl Book {
    fn take(&mut self, frame: &[u8]) {
        let head = Head::of(frame);
        self.damaged += u64::from(frame != head.frame(frame.len()));
        match self.last {
            None => self.first = head.number,
            Some(last) if head.incarnation > last.incarnation => self.gaps += u64::from(head.number),
            Some(last) if head > last => self.gaps += u64::from(head.number - last.number - 1),
            Some(last) if head == last => self.duplicates += 1,
            Some(_) => self.disorder += 1,
        }
        self.received += 1;
        if self.last.is_none_or(|last| last < head) {
            self.last = Some(head);
        }
    }

    fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "received": self.received, "first": self.first, "last": self.last.map(|head| head.number),
            "gaps": self.gaps, "duplicates": self.duplicates, "disorder": self.disorder, "damaged": self.damaged,
        })
    }
}

/// A file that a setting names, to which this process adds.
fn open(setting: &str) -> Option<File> {
    let path = env::var_os(setting)?;
    Some(OpenOptions::new().append(true).create(true).open(path).expect("the file can be written"))
}

fn report(line: &str) {
    let mut file = open("DORA_TEST_REPORT").expect("DORA_TEST_REPORT names a file");
    file.write_all(format!("{line}\n").as_bytes()).expect("the report can be written");
}

fn run_of(node: &DoraNode) -> u16 {
    u16::try_from(node.restart_count()).expect("a test restarts a node seldom")
}

/// Adds to the trace; see `lane_process.h`.
fn trace(file: Option<&mut File>, head: Head, run: u16) {
    let Some(file) = file else { return };
    let [low, high] = run.to_le_bytes();
    let mut record = head.word().to_le_bytes().to_vec();
    record.extend([low, high, 0, 0, 0, 0, 0, 0]);
    file.write_all(&record).expect("the trace can be written");
}

/// Reads all messages, and passes them on, on the outputs.
fn take(node: &mut DoraNode, mut events: EventStream, outputs: &[DataId]) {
    let (mut books, mut file, run) = (BTreeMap::<String, Book>::new(), open("DORA_TEST_TRACE"), run_of(node));
    while let Some(event) = events.recv() {
        let Event::Input { id, data, .. } = &event else { continue };
        let Ok(frame) = <&[u8]>::try_from(data) else { continue };
        let book = books.entry(id.to_string()).or_default();
        if book.received == 0 {
            report(&format!("first {id}"));
        }
        book.take(frame);
        trace(file.as_mut(), Head::of(frame), run);
        for output in outputs {
            node.send_output(output.clone(), MetadataParameters::default(), frame.to_vec()).expect("sent");
        }
    }
    let inputs: serde_json::Map<_, _> = books.iter().map(|(id, book)| (id.clone(), book.to_json())).collect();
    report(&format!("result {}", serde_json::json!({ "inputs": inputs })));
}

/// Sends so many messages, or for -1 until there is the file of `DORA_TEST_DONE`.
fn send(node: &mut DoraNode, count: i64, size: usize) {
    let (incarnation, done) = (run_of(node), env::var("DORA_TEST_DONE").unwrap_or_default());
    // Which output its messages say that they are of.
    let output = env::var("DORA_TEST_TAG").map_or(0, |tag| tag.parse().expect("a small number"));
    let mut number = 0;
    while if count < 0 { !Path::new(&done).exists() } else { i64::from(number) < count } {
        let frame = Head { incarnation, number, output }.frame(size);
        node.send_output("out".into(), MetadataParameters::default(), frame).expect("sent");
        if number == 0 {
            report("first");
        }
        number += 1;
        thread::sleep(PACE);
    }
    thread::sleep(REST);
    report(&format!("sent {number} 0"));
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (mut node, events) = DoraNode::init_from_env().expect("a node");
    report(&format!("run {}", node.restart_count()));
    match arguments[..] {
        ["sends", count, size] => {
            send(&mut node, count.parse().expect("a count"), size.parse().expect("a size"));
        }
        ["relays"] => take(&mut node, events, &["out".into()]),
        // `dora record` gives its node no arguments.
        ["takes"] | [] => take(&mut node, events, &[]),
        _ => panic!("the arguments are {arguments:?}"),
    }
}
