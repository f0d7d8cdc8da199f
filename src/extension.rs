//! Extensions
//!
//! A table of bytes that the daemon keeps for the nodes of a dataflow, each value under a namespace and a
//! key: a place to meet for transports and devices that dora does not know. dora looks at none of them. A
//! value ends with the dataflow, or with the node that stored it. There are 8,192 at most.

use std::collections::{HashMap, VecDeque};
use std::sync::{LazyLock, Mutex};

use dora_node_api::event_stream::extensions::drain_dropped_keys;

use crate::bytes::dora_bytes_t;
use crate::error_text::{daemon_lost, extension_error};
use crate::ffi::{Bytes, Out, Shared, Text, guard};
use crate::node::dora_node_t;
use crate::status::{DORA_ERROR_NOT_FOUND, DORA_ERROR_UNSUPPORTED, Error, Result, dora_status_t};
use crate::transport::Outbox;

/// Has the daemon do something.
fn ask<T: Send + 'static>(
    node: &dora_node_t,
    body: impl FnOnce(&mut Outbox) -> std::result::Result<T, dora_node_api::NodeError> + Send + 'static,
) -> Result<T> {
    let _call = node.enter()?;
    if !node.identity.is_in_dataflow {
        return Err(Error::new(
            DORA_ERROR_UNSUPPORTED,
            "extensions are the daemon's, and this node runs without one: start it in a dataflow",
        ));
    }
    if node.is_lost() {
        return Err(daemon_lost());
    }
    node.with_outbox(move |outbox| body(outbox).map_err(extension_error))
        .map_err(|error| node.note_loss(error))
}

/// Stores a value, in the place of what this node stored there. What another node stored is to be dropped
/// first.
///
/// @param node   Not NULL.
/// @param ns     Not NULL; UTF-8, terminated: the extension that the value belongs to.
/// @param key    Not NULL; UTF-8, terminated.
/// @param value  Copied; NULL only with size 0.
/// @param size   The bytes of the value.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: `size` is beyond any memory, or the value is another node's;
///          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_TOO_LARGE`; `DORA_ERROR_OUT_OF_MEMORY`: the table is
///          full; `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon; `DORA_ERROR_DISCONNECTED`: the
///          daemon is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_extension_store(
    node: Shared<'_, dora_node_t>,
    ns: Text<'_>,
    key: Text<'_>,
    value: Bytes<'_>,
    size: usize,
) -> dora_status_t {
    guard(|| {
        let node = node.required("node")?;
        let namespace = ns.required("ns")?.to_owned();
        let key = key.required("key")?.to_owned();
        let value = value.slice(size, "value", "size")?.to_vec();
        ask(node, move |outbox| outbox.extension_store(namespace, key, value))
    })
}

/// Ends a value. Every node that stored or loaded it learns so by `dora_extension_next_dropped`. A value
/// that is not there is fine.
///
/// @param node  Not NULL.
/// @param ns    Not NULL; UTF-8, terminated.
/// @param key   Not NULL; UTF-8, terminated.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon;
///          `DORA_ERROR_DISCONNECTED`: the daemon is lost, or the node is being freed;
///          `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_extension_drop(
    node: Shared<'_, dora_node_t>,
    ns: Text<'_>,
    key: Text<'_>,
) -> dora_status_t {
    guard(|| {
        let node = node.required("node")?;
        let namespace = ns.required("ns")?.to_owned();
        let key = key.required("key")?.to_owned();
        ask(node, move |outbox| outbox.extension_drop(namespace, key))
    })
}

/// Loads a value. When it is taken out of the table, every node that stored or loaded it learns so, as when
/// it is dropped.
///
/// @param node    Not NULL.
/// @param ns      Not NULL; UTF-8, terminated.
/// @param key     Not NULL; UTF-8, terminated.
/// @param remove  Whether to take it out of the table too, at one: 0 for no, anything else for yes.
/// @param out     Not NULL; gets the value, NULL on failure. The caller ends it with `dora_bytes_free`.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_NOT_FOUND`: there is no such value;
///          `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon; `DORA_ERROR_DISCONNECTED`: the daemon
///          is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: dora failed.
///
/// Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_extension_load(
    node: Shared<'_, dora_node_t>,
    ns: Text<'_>,
    key: Text<'_>,
    remove: i32,
    out: Out<'_, Option<Box<dora_bytes_t>>>,
) -> dora_status_t {
    out.set(None);
    guard(|| {
        let node = node.required("node")?;
        let namespace = ns.required("ns")?;
        let key = key.required("key")?;
        let out = out.required("out")?;
        let (in_namespace, under_key) = (namespace.to_owned(), key.to_owned());
        let value = ask(node, move |outbox| outbox.extension_load(in_namespace, under_key, remove != 0))?;
        let value = value.ok_or_else(|| {
            Error::new(
                DORA_ERROR_NOT_FOUND,
                format!("no value has the key {key:?} in the namespace {namespace:?}"),
            )
        })?;
        out.set(Some(Box::new(dora_bytes_t::new(value))));
        Ok(())
    })
}

/// Asks the extension that the daemon has for a namespace, and waits for its answer.
///
/// @param node     Not NULL.
/// @param ns       Not NULL; UTF-8, terminated.
/// @param payload  What to ask, copied; NULL only with size 0.
/// @param size     Its bytes.
/// @param out      Not NULL; gets the answer, NULL on failure. The caller ends it with `dora_bytes_free`.
/// @return  `DORA_OK`; `DORA_TIMEOUT`: the options' send timeout was over; `DORA_ERROR_NULL_POINTER`;
///          `DORA_ERROR_INVALID_ARGUMENT`: `size` is beyond any memory; `DORA_ERROR_INVALID_UTF8`;
///          `DORA_ERROR_NOT_FOUND`: the daemon has no extension for it; `DORA_ERROR_TOO_LARGE`;
///          `DORA_ERROR_UNSUPPORTED`: the node runs without a daemon; `DORA_ERROR_DISCONNECTED`: the daemon
///          is lost, or the node is being freed; `DORA_ERROR_INTERNAL`: the extension or dora failed.
///
/// Any thread; waits for sends in progress and for the daemon. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_extension_request(
    node: Shared<'_, dora_node_t>,
    ns: Text<'_>,
    payload: Bytes<'_>,
    size: usize,
    out: Out<'_, Option<Box<dora_bytes_t>>>,
) -> dora_status_t {
    out.set(None);
    guard(|| {
        let node = node.required("node")?;
        let namespace = ns.required("ns")?.to_owned();
        let payload = payload.slice(size, "payload", "size")?.to_vec();
        let out = out.required("out")?;
        let reply = ask(node, move |outbox| outbox.extension_request(namespace, payload))?;
        out.set(Some(Box::new(dora_bytes_t::new(reply))));
        Ok(())
    })
}

/// What dora told of dropped keys and nobody has asked for yet; dora tells all of a namespace at once.
static DROPPED: LazyLock<Mutex<HashMap<String, VecDeque<String>>>> = LazyLock::new(Mutex::default);

/// Gives the next key of a namespace whose value was dropped, taken out or ended with its node, since this
/// process stored or loaded it. Call it until nothing is left, whenever the extension comes by. dora
/// remembers 4,096 of all namespaces.
///
/// @param ns   Not NULL; UTF-8, terminated.
/// @param key  Not NULL; gets the key, NULL on failure. The caller ends it with `dora_bytes_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_NOT_FOUND`: no
///          further one.
///
/// Any thread, for all nodes of the process together; never waits. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_extension_next_dropped(
    ns: Text<'_>,
    key: Out<'_, Option<Box<dora_bytes_t>>>,
) -> dora_status_t {
    key.set(None);
    guard(|| {
        let namespace = ns.required("ns")?;
        let out = key.required("key")?;
        let mut dropped = crate::lock(&DROPPED);
        let told = drain_dropped_keys(namespace);
        if !told.is_empty() {
            dropped.entry(namespace.to_owned()).or_default().extend(told);
        }
        let next = dropped.get_mut(namespace).and_then(VecDeque::pop_front).ok_or_else(|| {
            Error::new(
                DORA_ERROR_NOT_FOUND,
                format!("no further key of the namespace {namespace:?} was dropped"),
            )
        })?;
        if dropped.get(namespace).is_some_and(VecDeque::is_empty) {
            dropped.remove(namespace);
        }
        out.set(Some(Box::new(dora_bytes_t::new(next.into_bytes()))));
        Ok(())
    })
}
