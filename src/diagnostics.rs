//! Diagnostics
//!
//! What dora, zenoh and this library say of their own work: why a node could not be set up, that a message
//! was dropped, each failing call. Nobody hears it unless somebody asks: a callback, or the environment
//! variable `RUST_LOG`, such as `RUST_LOG=info` or `RUST_LOG=warn,dora_node_api=debug`, by which lines go
//! to stderr.

mod delivery;
mod listener;

use std::sync::Once;

use self::delivery::Sink;
use self::listener::Filter;
use crate::ffi::{Text, User, guard};
use crate::node::{DORA_LOG_ERROR, DORA_LOG_TRACE};
use crate::status::{DORA_ERROR_UNSUPPORTED, Error, dora_status_t, status_name};

/// The environment variable that asks for lines on stderr, and says which.
const RUST_LOG: &str = "RUST_LOG";

/// Takes one message of the library: its `DORA_LOG_…` level, the part of the program that speaks, what it
/// says, and the pointer that was passed with the function. Both texts live during the call. It must not
/// call functions of this library. Since 0.1.0.
#[allow(non_camel_case_types)]
pub type dora_diagnostics_fn_t =
    Option<unsafe extern "C" fn(level: i32, target: Text<'_>, message: Text<'_>, user: User)>;

/// Starts writing to stderr where the environment asks for it and the program has not chosen otherwise.
pub fn follow_environment() {
    static ONCE: Once = Once::new();
    ONCE.call_once(read_environment);
}

fn read_environment() {
    let Some(filter) = std::env::var(RUST_LOG).ok().filter(|filter| !filter.trim().is_empty()) else {
        return;
    };
    match Filter::parse(&filter) {
        Ok(filter) => drop(listener::install_first(Sink::Stderr, filter)),
        Err(error) => eprintln!("dora: {RUST_LOG} cannot be understood: {error}"),
    }
}

/// Tells that a call failed; not when it is the callback's own, which would be told of without an end.
pub fn tell_failure(error: &Error) {
    follow_environment();
    if !delivery::is_on_its_thread() {
        tracing::debug!(target: "dora", "{}: {error}", status_name(error.status));
    }
}

/// Waits until what was said has been delivered.
pub fn flush() {
    delivery::flush();
}

/// Says where the diagnostics of this library go, for the whole process. Messages are delivered one at a
/// time, on a thread of the library's own, so that who speaks does not wait; when they come faster than
/// they are taken, some are lost, and their number is told.
///
/// @param max_level  `DORA_LOG_ERROR` to `DORA_LOG_TRACE`: the last level that is delivered. Where
///                   `RUST_LOG` is set, it chooses among these. Not looked at when the callback is NULL.
///                   With DEBUG and TRACE dora and zenoh speak for every message, which takes time.
/// @param callback   What is called; NULL for nothing, also where `RUST_LOG` asks for lines.
/// @param user       Passed to the callback; may be NULL.
/// @return  `DORA_OK`: the callback that was set before does not run any more;
///          `DORA_ERROR_INVALID_ARGUMENT`: there is no such level; `DORA_ERROR_UNSUPPORTED`: called from
///          the callback, or the Rust program that this library is part of listens itself. There is nothing
///          for which it returns `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, before or after nodes; waits for the callback that was set before, which first gets what was
/// said until now, for a second at most. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_diagnostics_set(
    max_level: i32,
    callback: dora_diagnostics_fn_t,
    user: User,
) -> dora_status_t {
    guard(|| {
        if delivery::is_on_its_thread() {
            return Err(Error::new(
                DORA_ERROR_UNSUPPORTED,
                "the callback for diagnostics cannot change what it is: do it on another thread",
            ));
        }
        let Some(callback) = callback else {
            listener::silence();
            return Ok(());
        };
        if !(DORA_LOG_ERROR..=DORA_LOG_TRACE).contains(&max_level) {
            return Err(Error::invalid(format!(
                "`max_level` is {max_level}, which is none of DORA_LOG_ERROR (1) to DORA_LOG_TRACE (5)"
            )));
        }
        let chosen = std::env::var(RUST_LOG).ok().and_then(|filter| Filter::parse(&filter).ok());
        let filter = chosen.unwrap_or_else(Filter::all).up_to(max_level);
        listener::install(Sink::Callback(callback, user), filter)
    })
}
