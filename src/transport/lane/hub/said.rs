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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    use super::*;

    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<(Level, &'static str)>>>);

    impl Subscriber for Heard {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn event(&self, event: &Event<'_>) {
            crate::lock(&self.0).push((*event.metadata().level(), event.metadata().target()));
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn what_iceoryx2_says_is_said_a_level_lower() {
        listen();
        let heard = Heard::default();
        tracing::subscriber::with_default(heard.clone(), || {
            iceoryx2_log::error!("a");
            iceoryx2_log::warn!("b");
            iceoryx2_log::info!("c");
            iceoryx2_log::debug!("d");
            // Said for each message, and so not even put into words.
            iceoryx2_log::trace!("e");
        });
        let levels = [Level::WARN, Level::INFO, Level::DEBUG, Level::DEBUG];
        assert_eq!(*crate::lock(&heard.0), levels.map(|level| (level, "dora::lane")));
    }
}
