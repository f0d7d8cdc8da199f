//! Brings messages to who wants them, on a thread of its own.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, OnceLock};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use crate::ffi::{Callback, User, call, spawn_undisturbed};
use crate::node::{DORA_LOG_WARN, log_level_name};
use crate::status::{DORA_ERROR_INTERNAL, Error, Result};
use crate::text::to_c_string;

/// How many messages wait for their delivery at most.
const QUEUE: usize = 1024;

/// How long a flush waits for a reader of stderr who does not read.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// How long it waits before it looks again whether the queue has room.
const MOMENT: Duration = Duration::from_millis(1);

/// Where messages go.
pub enum Sink {
    Stderr,
    Callback(Callback, User),
}

/// One of them.
pub struct Message {
    pub level: i32,
    pub target: String,
    pub text: String,
}

enum Item {
    Message(Message),
    /// Answered when everything in front of it was delivered.
    Flush(SyncSender<()>),
}

struct Courier {
    queue: SyncSender<Item>,
    thread: ThreadId,
}

static COURIER: OnceLock<Courier> = OnceLock::new();
/// Held during a delivery, so that who replaces it knows that the old one does not run.
static SINK: Mutex<Option<Sink>> = Mutex::new(None);
static LOST: AtomicU64 = AtomicU64::new(0);

/// Puts a sink in the place of what was there, which gets what was said until now, and nothing after.
pub fn replace(sink: Option<Sink>) -> Result<()> {
    if sink.is_some() && COURIER.get().is_none() {
        let (queue, messages) = sync_channel(QUEUE);
        let thread = spawn_undisturbed("dora-diagnostics", move || carry(&messages))
            .map_err(|error| Error::new(DORA_ERROR_INTERNAL, format!("no thread can be started: {error}")))?;
        let _ = COURIER.set(Courier { queue, thread: thread.thread().id() });
    }
    flush();
    *crate::lock(&SINK) = sink;
    Ok(())
}

/// Hands a message over; nobody waits for its delivery.
pub fn deliver(message: Message) {
    if let Some(courier) = COURIER.get()
        && let Err(TrySendError::Full(_)) = courier.queue.try_send(Item::Message(message))
    {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

/// Waits until what was handed over is delivered.
pub fn flush() {
    if let Some(courier) = COURIER.get()
        && !is_on_its_thread()
    {
        let (answer, answered) = sync_channel(1);
        let end = Instant::now() + FLUSH_TIMEOUT;
        let mut item = Item::Flush(answer);
        // A queue that stays full is one that nobody takes from.
        while let Err(TrySendError::Full(back)) = courier.queue.try_send(item) {
            if Instant::now() >= end {
                return;
            }
            std::thread::sleep(MOMENT);
            item = back;
        }
        let _ = answered.recv_timeout(end.saturating_duration_since(Instant::now()));
    }
}

/// Whether the caller is called by a delivery.
pub fn is_on_its_thread() -> bool {
    COURIER.get().is_some_and(|courier| courier.thread == std::thread::current().id())
}

fn carry(items: &Receiver<Item>) {
    for item in items {
        match item {
            Item::Message(message) => {
                bring(&message);
                tell_lost();
            }
            // What was lost until then belongs to who listened until then.
            Item::Flush(answer) => {
                tell_lost();
                let _ = answer.send(());
            }
        }
    }
}

fn tell_lost() {
    let lost = LOST.swap(0, Ordering::Relaxed);
    if lost > 0 {
        let text = format!("{lost} messages came faster than they were taken, and are lost");
        bring(&Message { level: DORA_LOG_WARN, target: "dora".to_owned(), text });
    }
}

fn bring(message: &Message) {
    match &*crate::lock(&SINK) {
        Some(Sink::Stderr) => {
            let level = log_level_name(message.level).unwrap_or_default().to_uppercase();
            let line = format!("{level:5} {}: {}\n", message.target, message.text);
            // Nobody is left to tell when this fails.
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
        Some(Sink::Callback(callback, user)) => {
            let (target, text) = (to_c_string(&message.target), to_c_string(&message.text));
            call(*callback, message.level, &target, &text, *user);
        }
        None => {}
    }
}
