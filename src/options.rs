//! Options
//!
//! How a node is to be set up, where `dora_node_init` is not enough: a dynamic node, timeouts, the size of
//! shared memory, a run on scripted inputs. Options are for one thread at a time. `dora_node_init_with`
//! does not use them up, and later changes do not reach nodes that were made with them.

mod lane;
mod threads;

use std::path::PathBuf;

use dora_node_api::dora_core::config::NodeId;
use dora_node_api::integration_testing::IntegrationTestInput;
use dora_node_api::serde_json;

use crate::ffi::{Out, Scheduling, Text, guard, perform, required};
use crate::node::node_id;
use crate::status::{DORA_ERROR_INVALID_ARGUMENT, Error, Result, dora_status_t};

/// What a wait without a limit has: `DORA_FOREVER`.
const FOREVER: i64 = -1;

/// How a node is to be set up. Opaque; ended with `dora_node_options_free`. Since 0.1.0.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct dora_node_options_t {
    pub(crate) node_id: Option<NodeId>,
    pub(crate) daemon_port: Option<u16>,
    pub(crate) is_interactive: bool,
    pub(crate) init_timeout_ns: i64,
    pub(crate) send_timeout_ns: i64,
    pub(crate) pool_size: Option<usize>,
    pub(crate) zero_copy_threshold: Option<usize>,
    pub(crate) keeps_last_values: bool,
    pub(crate) fast_lane: Option<bool>,
    pub(crate) scheduling: Scheduling,
    pub(crate) test_inputs: Option<TestInputs>,
    pub(crate) test_outputs: Option<PathBuf>,
}

/// Where scripted inputs come from.
#[derive(Clone, Debug)]
pub enum TestInputs {
    File(PathBuf),
    /// Checked when it was set.
    Json(String),
}

impl Default for dora_node_options_t {
    fn default() -> Self {
        Self {
            node_id: None,
            daemon_port: None,
            is_interactive: false,
            init_timeout_ns: FOREVER,
            send_timeout_ns: FOREVER,
            pool_size: None,
            zero_copy_threshold: None,
            keeps_last_values: false,
            fast_lane: None,
            scheduling: Scheduling::default(),
            test_inputs: None,
            test_outputs: None,
        }
    }
}

/// What all setters share.
fn set(
    options: Option<&mut dora_node_options_t>,
    change: impl FnOnce(&mut dora_node_options_t) -> Result<()>,
) -> dora_status_t {
    guard(|| change(required(options, "options")?))
}

/// A size in bytes that fits this machine's memory.
fn size(bytes: u64) -> Result<usize> {
    usize::try_from(bytes)
        .ok()
        .filter(|size| isize::try_from(*size).is_ok())
        .ok_or_else(|| Error::invalid(format!("`bytes` is {bytes}, which is beyond any memory")))
}

/// A limit for a wait.
fn timeout(timeout_ns: i64) -> Result<i64> {
    match timeout_ns {
        0 => Err(Error::invalid(
            "`timeout_ns` is 0, which no call could keep; no limit, the default, is DORA_FOREVER",
        )),
        _ => Ok(timeout_ns),
    }
}

/// Reads scripted inputs.
pub fn parse_test_inputs(json: &str) -> Result<IntegrationTestInput> {
    serde_json::from_str(json).map_err(|error| {
        Error::new(
            DORA_ERROR_INVALID_ARGUMENT,
            format!(
                "`json` is no script of inputs: {error}; it begins like {{\"id\": \"any\", \"events\": \
                 [{{\"type\": \"Input\", \"id\": \"tick\", \"time_offset_secs\": 0.1}}]}}"
            ),
        )
    })
}

/// Makes options, all of them at their defaults, with which `dora_node_init_with` does what
/// `dora_node_init` does.
///
/// @param out  Not NULL; gets the options, NULL on failure. The caller ends them with
///             `dora_node_options_free`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread; the object is for one thread at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_new(out: Out<'_, Option<Box<dora_node_options_t>>>) -> dora_status_t {
    out.set(None);
    guard(|| {
        out.required("out")?.set(Some(Box::default()));
        Ok(())
    })
}

/// Ends options. Nodes that were made with them live on.
///
/// @param options  The options, or NULL, which does nothing.
///
/// Any thread, when no other uses them. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_options_free(options: Option<Box<dora_node_options_t>>) {
    perform(|| drop(options));
}

/// Names the node, for a program that dora does not start: a dynamic node, with `path: dynamic` in a
/// dataflow that runs by `dora up` and `dora start` on this machine. Its id must be the only one among all
/// running dataflows. A program that dora did start is the node that dora says, and one that runs by
/// `DORA_TEST_WITH_INPUTS` needs no daemon; both leave the name aside, so one program may be all three.
///
/// @param options  Not NULL.
/// @param node_id  The id, copied; NULL takes it back.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8` or `DORA_ERROR_INVALID_ID`:
///          `node_id` is no id.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_node_id(
    options: Option<&mut dora_node_options_t>,
    node_id: Text<'_>,
) -> dora_status_t {
    set(options, |options| {
        options.node_id = node_id.optional("node_id")?.map(|id| self::node_id(id, "node_id")).transpose()?;
        Ok(())
    })
}

/// Says where the daemon listens for dynamic nodes. By default it is the port in
/// `DORA_DAEMON_LOCAL_LISTEN_PORT`, or else dora's own, 53291.
///
/// @param options  Not NULL.
/// @param port     The port, on this machine; 0 means the default.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_daemon_port(
    options: Option<&mut dora_node_options_t>,
    port: u16,
) -> dora_status_t {
    set(options, |options| {
        options.daemon_port = (port != 0).then_some(port);
        Ok(())
    })
}

/// Lets the node ask the terminal for its inputs, when dora did not start it and its stdin is a terminal.
/// dora then prompts for an id and for data as JSON, and prints what the node sends. Off by default.
///
/// @param options      Not NULL.
/// @param interactive  0 for no, anything else for yes.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_interactive(
    options: Option<&mut dora_node_options_t>,
    interactive: i32,
) -> dora_status_t {
    set(options, |options| {
        options.is_interactive = interactive != 0;
        Ok(())
    })
}

/// Limits how long `dora_node_init_with` waits for the daemon and the other nodes. After that it returns
/// `DORA_TIMEOUT`. For a node that dora started, a further call goes on with the wait. A dynamic node that
/// gets ready later ends at once.
///
/// @param options     Not NULL.
/// @param timeout_ns  Nanoseconds; negative, such as `DORA_FOREVER`, for no limit, which is the default.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is 0.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_init_timeout_ns(
    options: Option<&mut dora_node_options_t>,
    timeout_ns: i64,
) -> dora_status_t {
    set(options, |options| {
        options.init_timeout_ns = timeout(timeout_ns)?;
        Ok(())
    })
}

/// Limits how long a call waits that needs the node's sending half: every form of sending, of closing
/// outputs, of logging and of extensions. After that it returns `DORA_TIMEOUT`. What had begun by then goes
/// on, so the message may still arrive; what had not is left out.
///
/// With a limit these calls work on a thread of the node's own, to which each is handed over.
///
/// @param options     Not NULL.
/// @param timeout_ns  Nanoseconds; negative, such as `DORA_FOREVER`, for no limit, which is the default.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is 0.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_send_timeout_ns(
    options: Option<&mut dora_node_options_t>,
    timeout_ns: i64,
) -> dora_status_t {
    set(options, |options| {
        options.send_timeout_ns = timeout(timeout_ns)?;
        Ok(())
    })
}

/// Sets the size of the shared memory from which the node sends. What does not fit at the moment is copied
/// and goes a slower way. The default is what the dataflow's `shared_memory_pool_size` says for the node,
/// then the environment's `DORA_NODE_SHM_POOL_SIZE`, then 8 MiB, which holds one picture in full HD. Set no
/// more than is needed: dora goes through all of it before it uses a place again, so more is slower.
///
/// The memory is locked, and 1,280 KiB beside it, in this process and in every node that receives from it:
/// it counts against `ulimit -l` (`RLIMIT_MEMLOCK`) there, and must fit `/dev/shm`. A size that was set
/// here and cannot be had is an error. dora itself loses messages in memory that their receiver may not
/// lock: a node that may not lock what it receives by the dataflow does without shared memory, so that
/// large messages are copied, and `dora_node_pool_size` is 0. What it cannot know of are sizes that other
/// nodes set here: give such sizes in the dataflow.
///
/// The fast lane has memory of its own beside this, and takes messages of every size there.
///
/// For a dynamic node the size is passed in the environment, where it counts for the whole process and is
/// to be set before its first node; what the dataflow says goes first there.
///
/// @param options  Not NULL.
/// @param bytes    The size; 0 does without shared memory.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is beyond any memory.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_pool_size(
    options: Option<&mut dora_node_options_t>,
    bytes: u64,
) -> dora_status_t {
    set(options, |options| {
        options.pool_size = Some(size(bytes)?);
        Ok(())
    })
}

/// Sets from which size on messages travel in shared memory; 4,096 bytes by default. dora takes it from the
/// environment variable `DORA_ZERO_COPY_THRESHOLD` alone, so `dora_node_init_with` sets that, for the whole
/// process, and refuses to change it once the process has had a node. No other thread should read the
/// environment meanwhile.
///
/// @param options  Not NULL.
/// @param bytes    The size.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: it is beyond any memory.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_zero_copy_threshold(
    options: Option<&mut dora_node_options_t>,
    bytes: u64,
) -> dora_status_t {
    set(options, |options| {
        options.zero_copy_threshold = Some(size(bytes)?);
        Ok(())
    })
}

/// Lets the node keep the last message of each input, for `dora_node_last_value`. Off by default, since a
/// message that is kept holds its place in the sender's shared memory; on the fast lane it is one of the eight
/// that an input reads where they lie.
///
/// @param options           Not NULL.
/// @param keep_last_values  0 for no, anything else for yes.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_keep_last_values(
    options: Option<&mut dora_node_options_t>,
    keep_last_values: i32,
) -> dora_status_t {
    set(options, |options| {
        options.keeps_last_values = keep_last_values != 0;
        Ok(())
    })
}

/// Runs the node alone, on the inputs that a file scripts, as `DORA_TEST_WITH_INPUTS` does; see
/// `dora_node_init`. These options go before the environment. What the node sends is dropped unless
/// `dora_node_options_set_test_outputs` says where to write it.
///
/// @param options  Not NULL.
/// @param path     The file, copied, in the place of inputs that were set before; NULL takes them back.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_test_inputs(
    options: Option<&mut dora_node_options_t>,
    path: Text<'_>,
) -> dora_status_t {
    set(options, |options| {
        options.test_inputs = path.optional("path")?.map(|path| TestInputs::File(path.into()));
        Ok(())
    })
}

/// Runs the node alone, on scripted inputs, as `dora_node_options_set_test_inputs` does with a file.
///
/// @param options  Not NULL.
/// @param json     Not NULL; the script, copied, in the place of inputs that were set before.
/// @param length   Its bytes, or `DORA_NUL_TERMINATED`.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`; `DORA_ERROR_INVALID_ARGUMENT`:
///          it is no script, and the message tells where.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_test_inputs_json(
    options: Option<&mut dora_node_options_t>,
    json: Text<'_>,
    length: usize,
) -> dora_status_t {
    set(options, |options| {
        let json = json.not_null("json")?.with_length(length, "json")?;
        parse_test_inputs(json)?;
        options.test_inputs = Some(TestInputs::Json(json.to_owned()));
        Ok(())
    })
}

/// Writes what a node sends that runs on scripted inputs of these options: a line of JSON for each message,
/// in the place of what the file held.
///
/// @param options  Not NULL.
/// @param path     The file, copied; NULL takes it back.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_UTF8`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_test_outputs(
    options: Option<&mut dora_node_options_t>,
    path: Text<'_>,
) -> dora_status_t {
    set(options, |options| {
        options.test_outputs = path.optional("path")?.map(PathBuf::from);
        Ok(())
    })
}
