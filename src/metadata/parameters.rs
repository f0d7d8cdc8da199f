//! Parameters as C reads them: dora's own, with NUL-terminated copies of their texts made when first asked
//! for.

use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use dora_node_api::{MetadataParameters, Parameter};

use super::{
    DORA_METADATA_BOOL, DORA_METADATA_FLOAT, DORA_METADATA_FLOATS, DORA_METADATA_INTEGER,
    DORA_METADATA_INTEGERS, DORA_METADATA_STRING, DORA_METADATA_STRINGS, DORA_METADATA_TIMESTAMP, kind_name,
};
use crate::status::{DORA_ERROR_NOT_FOUND, DORA_ERROR_WRONG_TYPE, Error, Result};

/// The parameters of a message.
#[derive(Debug, Default)]
pub struct Parameters {
    map: MetadataParameters,
    /// An entry for each of `map`, in its order.
    texts: OnceLock<Vec<Texts>>,
}

/// The texts of an entry, each with a NUL behind it.
#[derive(Debug)]
struct Texts {
    key: Vec<u8>,
    /// Those of the value, made when it is asked for.
    values: OnceLock<Vec<Vec<u8>>>,
}

impl Clone for Parameters {
    fn clone(&self) -> Self {
        Self { map: self.map.clone(), texts: OnceLock::new() }
    }
}

impl Parameters {
    /// Wraps what came with a message, without the keys that describe its way here.
    pub fn received(mut map: MetadataParameters) -> Self {
        if map.keys().any(|key| is_internal(key)) {
            map.retain(|key, _| !is_internal(key));
        }
        Self { map, texts: OnceLock::new() }
    }

    pub fn map(&self) -> &MetadataParameters {
        &self.map
    }

    pub fn count(&self) -> usize {
        self.map.len()
    }

    /// The key of an entry, in the order of keys, with a NUL behind it.
    pub fn key(&self, index: usize) -> Option<&[u8]> {
        self.texts().get(index).map(|texts| texts.key.as_slice())
    }

    pub fn get(&self, key: &str) -> Result<&Parameter> {
        self.map.get(key).ok_or_else(|| {
            Error::new(
                DORA_ERROR_NOT_FOUND,
                format!("no parameter has the `key` {key:?}; there {}", list(self.map.keys())),
            )
        })
    }

    /// The text of a parameter, with a NUL behind it.
    pub fn string(&self, key: &str) -> Result<&[u8]> {
        match self.get(key)? {
            Parameter::String(_) => Ok(&self.values(key)[0]),
            other => Err(wrong_kind(key, other, DORA_METADATA_STRING)),
        }
    }

    /// The texts of a parameter, each with a NUL behind it.
    pub fn strings(&self, key: &str) -> Result<&[Vec<u8>]> {
        match self.get(key)? {
            Parameter::ListString(_) => Ok(self.values(key)),
            other => Err(wrong_kind(key, other, DORA_METADATA_STRINGS)),
        }
    }

    pub fn set(&mut self, key: &str, value: Parameter) -> Result<()> {
        if is_internal(key) {
            return Err(Error::invalid(format!(
                "the `key` \"{key}\" belongs to dora's wire format: take another name"
            )));
        }
        // C may have borrowed the key from here, and the change ends what was borrowed.
        let key = key.to_owned();
        self.change().insert(key, value);
        Ok(())
    }

    pub fn remove(&mut self, key: &str) -> Result<()> {
        self.get(key)?;
        self.map.remove(key);
        // Last, since C may have borrowed the key from here.
        self.texts.take();
        Ok(())
    }

    pub fn merge(&mut self, other: &Self) {
        self.change().extend(other.map.iter().map(|(key, value)| (key.clone(), value.clone())));
    }

    pub fn clear(&mut self) {
        self.change().clear();
    }

    fn change(&mut self) -> &mut MetadataParameters {
        self.texts.take();
        &mut self.map
    }

    fn texts(&self) -> &[Texts] {
        self.texts.get_or_init(|| {
            let entry = |key: &String| Texts { key: terminated(key), values: OnceLock::new() };
            self.map.keys().map(entry).collect()
        })
    }

    /// The texts of an entry that is there.
    fn values(&self, key: &str) -> &[Vec<u8>] {
        let texts = self.texts();
        let index = texts.partition_point(|texts| &texts.key[..texts.key.len() - 1] < key.as_bytes());
        texts[index].values.get_or_init(|| match self.map.get(key) {
            Some(Parameter::String(text)) => vec![terminated(text)],
            Some(Parameter::ListString(texts)) => texts.iter().map(terminated).collect(),
            _ => vec![],
        })
    }
}

/// A copy with a NUL behind it.
fn terminated(text: &String) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}

/// Keys for a message: not more of them, nor of each, than one would read.
fn list<'a>(keys: impl ExactSizeIterator<Item = &'a String>) -> String {
    const SHOWN: usize = 10;
    let count = keys.len();
    let short = |key: &String| format!("{:?}", &key[..key.floor_char_boundary(40)]);
    let mut shown = keys.take(SHOWN).map(short).collect::<Vec<_>>().join(", ");
    match count {
        0 => return "are none".to_owned(),
        1..=SHOWN => {}
        _ => shown += &format!(" and {} more", count - SHOWN),
    }
    format!("are {shown}")
}

/// The `DORA_METADATA_…` of a value.
pub fn kind_of(value: &Parameter) -> i32 {
    match value {
        Parameter::Bool(_) => DORA_METADATA_BOOL,
        Parameter::Integer(_) => DORA_METADATA_INTEGER,
        Parameter::Float(_) => DORA_METADATA_FLOAT,
        Parameter::String(_) => DORA_METADATA_STRING,
        Parameter::Timestamp(_) => DORA_METADATA_TIMESTAMP,
        Parameter::ListInt(_) => DORA_METADATA_INTEGERS,
        Parameter::ListFloat(_) => DORA_METADATA_FLOATS,
        Parameter::ListString(_) => DORA_METADATA_STRINGS,
    }
}

/// A value as a text: a text as it is, lists in brackets, a time as RFC 3339 has it.
pub fn text_of(value: &Parameter) -> String {
    match value {
        Parameter::Bool(value) => value.to_string(),
        Parameter::Integer(value) => value.to_string(),
        Parameter::Float(value) => value.to_string(),
        Parameter::String(value) => value.clone(),
        Parameter::Timestamp(value) => value.to_rfc3339(),
        Parameter::ListInt(values) => format!("{values:?}"),
        Parameter::ListFloat(values) => format!("{values:?}"),
        Parameter::ListString(values) => format!("{values:?}"),
    }
}

/// Says that a parameter is of another kind than the function reads.
pub fn wrong_kind(key: &str, value: &Parameter, wanted: i32) -> Error {
    let (kind, wanted) = (kind_name(kind_of(value)), kind_name(wanted));
    Error::new(DORA_ERROR_WRONG_TYPE, format!("the parameter \"{key}\" is a {kind}, not a {wanted}"))
}

/// A time in nanoseconds since the Unix epoch, which reach from the year 1677 to 2262.
pub fn nanoseconds(key: &str, time: &DateTime<Utc>) -> Result<i64> {
    time.timestamp_nanos_opt().ok_or_else(|| {
        Error::new(
            DORA_ERROR_WRONG_TYPE,
            format!("the parameter \"{key}\" is the time {time}, which 64 bits of nanoseconds do not reach"),
        )
    })
}

/// Whether a key belongs to dora's wire format: it describes one message on one way and would be wrong on
/// the next.
fn is_internal(key: &str) -> bool {
    matches!(key, "_framing" | "_schema_hash" | "_wire_size") || key.starts_with("__dora_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::DORA_ERROR_INVALID_ARGUMENT;
    use dora_node_api::metadata;

    #[test]
    fn internal_keys_are_those_of_dora() {
        for key in [
            metadata::FRAMING,
            metadata::SCHEMA_HASH,
            metadata::WIRE_SIZE,
            metadata::STARTUP_MARKER_PARAM,
            metadata::STARTUP_ACK_PARAM,
        ] {
            assert!(is_internal(key), "{key}");
            let error = Parameters::default().set(key, Parameter::Bool(true)).unwrap_err();
            assert_eq!(error.status, DORA_ERROR_INVALID_ARGUMENT);
        }
        for key in [metadata::REQUEST_ID, metadata::SEQ, metadata::OPEN_TELEMETRY_CONTEXT, "width"] {
            assert!(!is_internal(key), "{key}");
        }
    }

    #[test]
    fn internal_keys_are_neither_listed_nor_passed_on() {
        let received = Parameters::received(MetadataParameters::from([
            ("_schema_hash".to_owned(), Parameter::Integer(1)),
            ("width".to_owned(), Parameter::Integer(640)),
        ]));
        assert_eq!(received.count(), 1);
        assert_eq!(received.key(0), Some(&b"width\0"[..]));
        assert_eq!(
            *received.map(),
            MetadataParameters::from([("width".to_owned(), Parameter::Integer(640))])
        );
    }

    #[test]
    fn texts_follow_every_change() {
        let mut parameters = Parameters::default();
        parameters.set("b", Parameter::String("one\0two".into())).unwrap();
        parameters.set("a", Parameter::ListString(vec!["x".into(), String::new()])).unwrap();
        assert_eq!(parameters.string("b").unwrap(), b"one\0two\0");
        assert_eq!(parameters.strings("a").unwrap(), [b"x\0".to_vec(), b"\0".to_vec()]);
        assert_eq!(parameters.key(0), Some(&b"a\0"[..]));
        parameters.set("aa", Parameter::Bool(true)).unwrap();
        parameters.set("b", Parameter::String("three".into())).unwrap();
        assert_eq!(parameters.key(1), Some(&b"aa\0"[..]));
        assert_eq!(parameters.string("b").unwrap(), b"three\0");
        parameters.remove("a").unwrap();
        assert_eq!(parameters.key(0), Some(&b"aa\0"[..]));
        assert_eq!(parameters.remove("a").unwrap_err().status, DORA_ERROR_NOT_FOUND);
        assert_eq!(parameters.string("aa").unwrap_err().status, DORA_ERROR_WRONG_TYPE);
        let copy = parameters.clone();
        parameters.clear();
        assert_eq!((parameters.count(), parameters.key(0)), (0, None));
        assert_eq!(copy.string("b").unwrap(), b"three\0");
    }

    #[test]
    fn a_missing_key_is_told_with_those_that_are_there() {
        let message = |parameters: &Parameters| parameters.get("x").unwrap_err().message;
        let mut parameters = Parameters::default();
        assert_eq!(message(&parameters), "no parameter has the `key` \"x\"; there are none");
        for key in 'a'..'m' {
            parameters.set(&key.to_string(), Parameter::Bool(true)).unwrap();
        }
        assert!(message(&parameters).ends_with("\"i\", \"j\" and 2 more"), "{}", message(&parameters));
        parameters.clear();
        parameters.set(&"ä".repeat(1000), Parameter::Bool(true)).unwrap();
        assert!(message(&parameters).len() < 100);
    }

    #[test]
    fn times_reach_before_the_epoch() {
        let time = |ns| DateTime::<Utc>::from_timestamp_nanos(ns);
        for ns in [0, -1, i64::MIN, i64::MAX, 1_796_056_633_988_950_666] {
            assert_eq!(nanoseconds("t", &time(ns)).unwrap(), ns);
        }
        let error = nanoseconds("t", &DateTime::<Utc>::MAX_UTC).unwrap_err();
        assert_eq!(error.status, DORA_ERROR_WRONG_TYPE);
    }
}
