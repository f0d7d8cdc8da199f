//! Metadata
//!
//! The parameters that travel beside a message, each a key and a value of one of eight kinds. The metadata
//! of an event is borrowed with `dora_event_metadata` and never changes; one's own is made with
//! `dora_metadata_new` or `dora_metadata_copy`. Both may be passed to every function that sends. What
//! belongs to dora's wire format is neither listed nor passed on.
//!
//! Receivers match the kind exactly: a width that is sent as a float is no integer for them. A parameter
//! `timestamp` hides the time of the message from Python nodes.

mod parameters;
mod read;
mod write;

use std::collections::BTreeMap;

use dora_node_api::{MetadataParameters, Parameter};

use self::parameters::{Parameters, kind_of, text_of};
use crate::ffi::{Out, Text, answer, guard, perform, required};
use crate::status::{Result, dora_status_t};
use crate::text::{Named, name_of, names};

/// No parameter under that key, or one of a kind that this library does not know. Since 0.1.0.
pub const DORA_METADATA_UNKNOWN: i32 = 0;
/// A boolean. Since 0.1.0.
pub const DORA_METADATA_BOOL: i32 = 1;
/// `int64_t`. Since 0.1.0.
pub const DORA_METADATA_INTEGER: i32 = 2;
/// `double`. Since 0.1.0.
pub const DORA_METADATA_FLOAT: i32 = 3;
/// A text, which may hold NULs. Since 0.1.0.
pub const DORA_METADATA_STRING: i32 = 4;
/// A time, in nanoseconds since the Unix epoch. Since 0.1.0.
pub const DORA_METADATA_TIMESTAMP: i32 = 5;
/// A list of `int64_t`. Since 0.1.0.
pub const DORA_METADATA_INTEGERS: i32 = 6;
/// A list of `double`. Since 0.1.0.
pub const DORA_METADATA_FLOATS: i32 = 7;
/// A list of texts. Since 0.1.0.
pub const DORA_METADATA_STRINGS: i32 = 8;

const NAMES: &[Named] = names![
    DORA_METADATA_UNKNOWN,
    DORA_METADATA_BOOL,
    DORA_METADATA_INTEGER,
    DORA_METADATA_FLOAT,
    DORA_METADATA_STRING,
    DORA_METADATA_TIMESTAMP,
    DORA_METADATA_INTEGERS,
    DORA_METADATA_FLOATS,
    DORA_METADATA_STRINGS,
];

/// The parameters of a message. Opaque; one's own is ended with `dora_metadata_free`, an event's ends with
/// the event. Since 0.1.0.
#[allow(non_camel_case_types)]
#[derive(Clone, Debug, Default)]
pub struct dora_metadata_t {
    parameters: Parameters,
}

impl dora_metadata_t {
    /// Wraps what came with a message.
    pub(crate) fn received(parameters: MetadataParameters) -> Self {
        Self { parameters: Parameters::received(parameters) }
    }

    pub(crate) fn count(&self) -> usize {
        self.parameters.count()
    }

    pub(crate) fn parameters(&self) -> &MetadataParameters {
        self.parameters.map()
    }

    /// A text, with a NUL behind it.
    pub(crate) fn text(&self, key: &str) -> Option<&[u8]> {
        self.parameters.string(key).ok()
    }

    pub(crate) fn set(&mut self, key: &str, value: Parameter) -> Result<()> {
        self.parameters.set(key, value)
    }

    /// Removes what may be there.
    pub(crate) fn forget(&mut self, key: &str) {
        let _ = self.parameters.remove(key);
    }

    /// Every value as a text, for the log.
    pub(crate) fn as_texts(&self) -> BTreeMap<String, String> {
        self.parameters.map().iter().map(|(key, value)| (key.clone(), text_of(value))).collect()
    }
}

/// What travels beside a message that is sent with `metadata`.
pub fn outgoing(metadata: Option<&dora_metadata_t>) -> MetadataParameters {
    metadata.map(|metadata| metadata.parameters.map().clone()).unwrap_or_default()
}

fn kind_name(kind: i32) -> &'static str {
    name_of(NAMES, kind).and_then(|name| name.to_str().ok()).unwrap_or("an unknown kind")
}

/// Makes metadata without parameters.
///
/// @param out  Not NULL; gets the metadata, NULL on failure. The caller ends it with `dora_metadata_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread; the object is for one thread at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_new(out: Out<'_, Option<Box<dora_metadata_t>>>) -> dora_status_t {
    out.set(None);
    guard(|| {
        out.required("out")?.set(Some(Box::default()));
        Ok(())
    })
}

/// Copies metadata, such as an event's to add to it.
///
/// @param metadata  Not NULL; one's own or an event's.
/// @param out       Not NULL; gets the copy, NULL on failure. The caller ends it with `dora_metadata_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread; the copy is for one thread at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_metadata_copy(
    metadata: Option<&dora_metadata_t>,
    out: Out<'_, Option<Box<dora_metadata_t>>>,
) -> dora_status_t {
    out.set(None);
    guard(|| {
        let metadata = required(metadata, "metadata")?;
        out.required("out")?.set(Some(Box::new(metadata.clone())));
        Ok(())
    })
}

/// Ends metadata of one's own, and every pointer borrowed from it. An event's is not ended by it.
///
/// @param metadata  From `dora_metadata_new` or `dora_metadata_copy`; NULL does nothing.
///
/// Any thread, when no other uses it. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_free(metadata: Option<Box<dora_metadata_t>>) {
    perform(|| drop(metadata));
}

/// How many parameters there are.
///
/// @param metadata  May be NULL.
/// @return  The count; 0 for NULL.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_count(metadata: Option<&dora_metadata_t>) -> usize {
    answer(0, || Some(metadata?.count()))
}

/// A key by its index, in the order of the keys. A key that holds a NUL, which only other languages can
/// send, is listed and passed on but cannot be asked for.
///
/// @param metadata  May be NULL.
/// @param index     Below `dora_metadata_count`.
/// @param length    The bytes of the key without its NUL, 0 where there is none; may be NULL.
/// @return  The key, terminated; NULL beyond the last. Lives until the metadata is changed or ends.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_key<'a>(
    metadata: Option<&'a dora_metadata_t>,
    index: usize,
    length: Out<'_, usize>,
) -> Text<'a> {
    length.set(0);
    answer(Text::null(), || {
        let key = metadata?.parameters.key(index)?;
        length.set(key.len() - 1);
        Some(Text::of_terminated(key))
    })
}

/// The kind of a parameter.
///
/// @param metadata  May be NULL.
/// @param key       May be NULL.
/// @return  One of `DORA_METADATA_…`, or a value that this header does not name; `DORA_METADATA_UNKNOWN`
///          when there is no such parameter.
///
/// Any thread, one at a time while it is one's own. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_metadata_kind(metadata: Option<&dora_metadata_t>, key: Text<'_>) -> i32 {
    answer(DORA_METADATA_UNKNOWN, || {
        Some(kind_of(metadata?.parameters.map().get(key.required("key").ok()?)?))
    })
}
