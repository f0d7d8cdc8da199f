//! Which way the messages of an output take. dora settles it while a node begins, and tells it only to the
//! one who listens to its diagnostics on that thread.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use dora_message::daemon_to_node::OutputRouting;
use dora_node_api::dora_core::config::DataId;
use tracing::dispatcher::{self, Dispatch};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::outputs::{DORA_TRANSPORT_DAEMON, DORA_TRANSPORT_DIRECT, DORA_TRANSPORT_UNKNOWN};
use crate::error_text::{Settlement, classify_settlement};

/// The part of dora that speaks of it.
const TARGET: &str = "dora_node_api::node";

/// What dora said of outputs.
#[derive(Debug, Default)]
pub struct Settled {
    direct: BTreeSet<String>,
    daemon: BTreeSet<String>,
}

impl Settled {
    /// The `DORA_TRANSPORT_…` of an output, by what was said and what the daemon had planned.
    pub fn transport(&self, output: &DataId, routing: Option<&BTreeMap<DataId, OutputRouting>>) -> i32 {
        if self.direct.contains(output.as_str()) {
            return DORA_TRANSPORT_DIRECT;
        }
        if self.daemon.contains(output.as_str()) {
            return DORA_TRANSPORT_DAEMON;
        }
        match routing.and_then(|routing| routing.get(output)) {
            Some(plan) if !plan.daemon_only && plan.required_ackers.is_empty() => DORA_TRANSPORT_DIRECT,
            Some(_) => DORA_TRANSPORT_DAEMON,
            None => DORA_TRANSPORT_UNKNOWN,
        }
    }
}

/// Does `body`, and tells what dora settled on this thread meanwhile.
pub fn watch_settling<T>(body: impl FnOnce() -> T) -> (T, Settled) {
    let seen = Arc::new(Mutex::new(Settled::default()));
    let watch = Watch {
        seen: seen.clone(),
        others: dispatcher::get_default(Dispatch::clone),
        level: LevelFilter::current().max(LevelFilter::DEBUG),
    };
    let result = dispatcher::with_default(&Dispatch::new(watch), body);
    // Otherwise every event of dora would go on to be made, for nobody.
    tracing::callsite::rebuild_interest_cache();
    let settled = std::mem::take(&mut *crate::lock(&seen));
    (result, settled)
}

/// Listens, and passes everything on to whoever listens anyway.
struct Watch {
    seen: Arc<Mutex<Settled>>,
    others: Dispatch,
    level: LevelFilter,
}

impl Subscriber for Watch {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        (metadata.is_event() && metadata.target() == TARGET) || self.others.enabled(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level)
    }

    fn event(&self, event: &Event<'_>) {
        if event.metadata().target() == TARGET {
            let mut said = Said::default();
            event.record(&mut said);
            let mut seen = crate::lock(&self.seen);
            match classify_settlement(&said.message) {
                Some(Settlement::Direct) => drop(seen.direct.insert(said.output)),
                Some(Settlement::Daemon) => drop(seen.daemon.insert(said.output)),
                None => {}
            }
        }
        if self.others.enabled(event.metadata()) {
            self.others.event(event);
        }
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.others.new_span(span)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.others.record(span, values);
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        self.others.record_follows_from(span, follows);
    }

    fn enter(&self, span: &Id) {
        self.others.enter(span);
    }

    fn exit(&self, span: &Id) {
        self.others.exit(span);
    }
}

/// The fields of an event that matter here.
#[derive(Default)]
struct Said {
    output: String,
    message: String,
}

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "output" => self.output = format!("{value:?}"),
            "message" => self.message = format!("{value:?}"),
            _ => {}
        }
    }
}
