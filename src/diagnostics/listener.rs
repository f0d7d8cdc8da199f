//! Listens to what the parts of the library say, and picks what somebody wants to hear.

use std::fmt::{Debug, Write};
use std::str::FromStr;
use std::sync::{Mutex, RwLock};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::Targets;

use super::delivery::{self, Message, Sink};
use crate::node::{DORA_LOG_DEBUG, DORA_LOG_ERROR, DORA_LOG_INFO, DORA_LOG_TRACE, DORA_LOG_WARN};
use crate::status::{DORA_ERROR_UNSUPPORTED, Error, Result};

/// Which messages are wanted.
pub struct Filter {
    targets: Targets,
    level: LevelFilter,
}

impl Filter {
    pub fn all() -> Self {
        Self { targets: Targets::new().with_default(LevelFilter::TRACE), level: LevelFilter::TRACE }
    }

    /// By levels and targets, as `RUST_LOG` has them.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let targets = Targets::from_str(text).map_err(|error| error.to_string())?;
        Ok(Self { targets, level: LevelFilter::TRACE })
    }

    /// The same up to a `DORA_LOG_…`.
    pub fn up_to(self, level: i32) -> Self {
        let level = match level {
            DORA_LOG_ERROR => LevelFilter::ERROR,
            DORA_LOG_WARN => LevelFilter::WARN,
            DORA_LOG_INFO => LevelFilter::INFO,
            DORA_LOG_DEBUG => LevelFilter::DEBUG,
            _ => LevelFilter::TRACE,
        };
        Self { level, ..self }
    }

    fn wants(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level && self.targets.would_enable(metadata.target(), metadata.level())
    }
}

/// What is wanted at the moment.
static FILTER: RwLock<Option<Filter>> = RwLock::new(None);

/// Whether the listener was put into its place, which is there once a process; whether anybody has chosen.
static PLACE: Mutex<Place> = Mutex::new(Place { is_taken: false, is_chosen: false });

struct Place {
    is_taken: bool,
    is_chosen: bool,
}

/// Delivers what `filter` wants to `sink`, in the place of what was before.
pub fn install(sink: Sink, filter: Filter) -> Result<()> {
    put(&mut crate::lock(&PLACE), sink, filter)
}

/// Does so unless somebody has chosen before.
pub fn install_first(sink: Sink, filter: Filter) -> Result<()> {
    let mut place = crate::lock(&PLACE);
    if place.is_chosen { Ok(()) } else { put(&mut place, sink, filter) }
}

fn put(place: &mut Place, sink: Sink, filter: Filter) -> Result<()> {
    if !place.is_taken {
        tracing::subscriber::set_global_default(Listener).map_err(|_| {
            Error::new(
                DORA_ERROR_UNSUPPORTED,
                "the Rust program that this library is part of has a tracing subscriber: listen there",
            )
        })?;
        place.is_taken = true;
    }
    place.is_chosen = true;
    delivery::replace(Some(sink))?;
    want(Some(filter));
    Ok(())
}

/// Wants nothing any more.
pub fn silence() {
    crate::lock(&PLACE).is_chosen = true;
    want(None);
    // Cannot fail, since nothing has to be started for it.
    let _ = delivery::replace(None);
}

fn want(filter: Option<Filter>) {
    *FILTER.write().unwrap_or_else(std::sync::PoisonError::into_inner) = filter;
    tracing::callsite::rebuild_interest_cache();
}

struct Listener;

impl Listener {
    fn with_filter<T>(body: impl FnOnce(Option<&Filter>) -> T) -> T {
        body(FILTER.read().unwrap_or_else(std::sync::PoisonError::into_inner).as_ref())
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && Self::with_filter(|filter| filter.is_some_and(|filter| filter.wants(metadata)))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(Self::with_filter(|filter| filter.map_or(LevelFilter::OFF, |filter| filter.level)))
    }

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut text = Text::default();
        event.record(&mut text);
        delivery::deliver(Message {
            level: level_of(*metadata.level()),
            target: metadata.target().to_owned(),
            text: text.message + &text.fields,
        });
    }

    // Spans are not told.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn level_of(level: Level) -> i32 {
    match level {
        Level::ERROR => DORA_LOG_ERROR,
        Level::WARN => DORA_LOG_WARN,
        Level::INFO => DORA_LOG_INFO,
        Level::DEBUG => DORA_LOG_DEBUG,
        _ => DORA_LOG_TRACE,
    }
}

/// What is said, and the fields behind it.
#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
