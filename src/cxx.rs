//! For Rust nodes that hand what they receive to C++ code, across a bridge of the crate cxx; the feature `cxx`.
//!
//! A bridge can name each handle of `dora.h`, and what dora's Rust interface gives becomes such a handle:
//!
//! ```ignore
//! use dora::cxx::dora_event_t;
//!
//! #[cxx::bridge]
//! #[allow(non_camel_case_types)]
//! mod bridge {
//!     unsafe extern "C++" {
//!         include!("my_node/filter.h"); // void filter(const dora_event_t &event);
//!         type dora_event_t = dora::cxx::dora_event_t;
//!         fn filter(event: &dora_event_t);
//!     }
//! }
//!
//! while let Some(event) = events.recv() {
//!     bridge::filter(&Box::<dora_event_t>::from(event));
//! }
//! ```
//!
//! The C++ code calls the functions of `dora.h`, which are in the node by this crate: it links no `libdora.so`.
//! An event that it is to own goes across as a pointer, `Box::into_raw(event)`, from which it makes a
//! `dora::Event`. The headers are found by the `DEP_DORA_INCLUDE` of the node's `build.rs`.

use std::sync::{LazyLock, Mutex};

use cxx::{ExternType, kind, type_id};
use dora_node_api::{Event, MetadataParameters};

pub use dora_node_api;

pub use crate::bytes::dora_bytes_t;
pub use crate::event::dora_event_t;
pub use crate::loan::dora_loan_t;
pub use crate::metadata::dora_metadata_t;
pub use crate::node::dora_node_t;
pub use crate::options::dora_node_options_t;
pub use crate::stream::dora_stream_t;

use crate::event::InputIds;
use crate::lock;

/// What was told once of an input is told once in the process, though the events of each node come here.
static IDS: LazyLock<Mutex<InputIds>> = LazyLock::new(Mutex::default);

/// Lets a bridge name handles. The names are what `dora.h` declares.
macro_rules! handles {
    ($($handle:ident $name:literal)*) => {$(
        // SAFETY: C++ knows the type by that name, never complete, and sees it behind a pointer only.
        unsafe impl ExternType for $handle {
            type Id = type_id!($name);
            type Kind = kind::Opaque;
        }
    )*};
}

handles! {
    dora_node_t "dora_node_t"
    dora_node_options_t "dora_node_options_t"
    dora_event_t "dora_event_t"
    dora_metadata_t "dora_metadata_t"
    dora_loan_t "dora_loan_t"
    dora_stream_t "dora_stream_t"
    dora_bytes_t "dora_bytes_t"
}

/// Takes over an event. Its data stays where it is, in shared memory too.
impl From<Event> for Box<dora_event_t> {
    fn from(event: Event) -> Self {
        Self::new(dora_event_t::new(event, &mut lock(&IDS)))
    }
}

/// Takes over the parameters of a message, but for those by which dora frames it.
impl From<MetadataParameters> for Box<dora_metadata_t> {
    fn from(parameters: MetadataParameters) -> Self {
        Self::new(dora_metadata_t::received(parameters))
    }
}

/// Copies what C++ wrote, to be sent.
impl From<&dora_metadata_t> for MetadataParameters {
    fn from(metadata: &dora_metadata_t) -> Self {
        metadata.parameters().clone()
    }
}
