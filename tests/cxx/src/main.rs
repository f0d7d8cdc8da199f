//! Hands each event that it reads by dora's Rust interface to C++ code, and reports what that makes of it; see
//! `tests/dataflow/test_cxx.py`.

use std::env;
use std::fs::File;
use std::io::Write as _;
use std::ops::Deref as _;
use std::pin::Pin;

use dora::cxx::dora_node_api::{DoraNode, Event, MetadataParameters, Parameter};
use dora::cxx::{dora_event_t, dora_metadata_t};

#[cxx::bridge(namespace = "cxx_node")]
#[allow(non_camel_case_types)]
mod bridge {
    unsafe extern "C++" {
        include!("filter.hpp");

        #[namespace = ""]
        type dora_event_t = dora::cxx::dora_event_t;
        #[namespace = ""]
        type dora_metadata_t = dora::cxx::dora_metadata_t;

        fn describe(event: &dora_event_t) -> String;
        fn is_first(event: &dora_event_t) -> bool;
        fn sum(event: &dora_event_t, metadata: Pin<&mut dora_metadata_t>) -> Result<u64>;
        /// # Safety
        ///
        /// The event is one that was a box, and is not used any more.
        unsafe fn keep(event: *mut dora_event_t) -> Result<()>;
        fn let_go() -> u64;
    }
}

/// What this node reads itself of an input.
fn sum_of(event: &Event) -> u64 {
    let Event::Input { data, .. } = event else { return 0 };
    <&[u8]>::try_from(data).map_or(0, |bytes| bytes.iter().copied().map(u64::from).sum())
}

fn main() {
    let path = env::var("DORA_TEST_REPORT").expect("DORA_TEST_REPORT names a file");
    let mut report = File::create(path).expect("the report can be written");
    let (_node, mut events) = DoraNode::init_from_env().expect("a node");
    let (mut inputs, mut total) = (0_u64, 0);
    while let Some(event) = events.recv() {
        let expected = sum_of(&event);
        let event = Box::<dora_event_t>::from(event);
        let description = bridge::describe(&event);
        if bridge::is_first(&event) {
            writeln!(report, "first {}", &description["DORA_EVENT_INPUT ".len()..])
                .expect("the report can be written");
        }
        let sent =
            MetadataParameters::from([("expected".to_owned(), Parameter::Integer(expected.cast_signed()))]);
        let mut metadata = Box::<dora_metadata_t>::from(sent);
        let found = bridge::sum(&event, Pin::new(&mut metadata)).expect("the sum can be written down");
        if !description.starts_with("DORA_EVENT_INPUT ") {
            writeln!(report, "event {description}").expect("the report can be written");
            continue;
        }
        let written = MetadataParameters::from(metadata.deref());
        // Ticks carry no bytes, of which C++ writes no sum.
        let expects = Parameter::Integer(expected.cast_signed());
        let sum = (expected > 0).then_some(&expects);
        if found != expected || written.get("sum") != sum || written.get("expected") != Some(&expects) {
            writeln!(report, "wrong {expected} {found} {written:?}").expect("the report can be written");
        }
        if expected > 0 {
            inputs += 1;
            total += expected;
            // SAFETY: C++ takes it over.
            unsafe { bridge::keep(Box::into_raw(event)) }.expect("an array of it");
        }
    }
    drop(events);
    writeln!(report, "result {inputs} {total} {}", bridge::let_go()).expect("the report can be written");
}
