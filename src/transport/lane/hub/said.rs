//! What iceoryx2 says goes to the diagnostics, and never to stderr.

use std::fmt::Arguments;
use std::sync::Once;

use iceoryx2_log::{Log, LogLevel, set_log_level, set_logger};

pub const TARGET: &str = "dora::lane";

/// Passes on what iceoryx2 says. In a Rust program that has a logger of its own for iceoryx2, that one stays.
pub fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        if set_logger(&Listener) {
            // What is finer than that, it says for each message.
            set_log_level(LogLevel::Debug);
        }
    });
}

struct Listener;

impl Log for Listener {
    /// A level lower: what fails here has the message take another way, and the library says so itself.
    fn log(&self, level: LogLevel, origin: Arguments<'_>, text: Arguments<'_>) {
        match level {
            LogLevel::Fatal | LogLevel::Error => tracing::warn!(target: TARGET, "{text}"),
            LogLevel::Warn => tracing::info!(target: TARGET, "{text}"),
            LogLevel::Info | LogLevel::Debug => tracing::debug!(target: TARGET, "{text} [{origin}]"),
            LogLevel::Trace => tracing::trace!(target: TARGET, "{text} [{origin}]"),
        }
    }
}
