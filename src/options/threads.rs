//! How and where dora's threads run.

use super::{dora_node_options_t, set};
use crate::ffi::{CPUS_AT_MOST, Numbers, priorities};
use crate::status::{Error, Result, dora_status_t};

fn policy_of(policy: i32, priority: i32) -> Result<(i32, i32)> {
    let Some((least, most)) = priorities(policy) else {
        return Err(Error::invalid(format!(
            "`policy` is {policy}, which this system does not have: pass one of <sched.h>, such as SCHED_OTHER"
        )));
    };
    if !(least..=most).contains(&priority) {
        return Err(Error::invalid(format!(
            "`priority` is {priority}, but those of policy {policy} are {least} to {most}"
        )));
    }
    Ok((policy, priority))
}

fn cpus_of(cpus: &[i32]) -> Result<Vec<usize>> {
    let number = |cpu: &i32| {
        usize::try_from(*cpu).ok().filter(|cpu| *cpu < CPUS_AT_MOST).ok_or_else(|| {
            Error::invalid(format!("`cpus` has {cpu}, but CPUs are 0 to {}", CPUS_AT_MOST - 1))
        })
    };
    cpus.iter().map(number).collect()
}

/// Sets the scheduling policy and priority of the threads that dora starts for the node, which is
/// `SCHED_OTHER` unless it is set, whatever the calling thread has.
///
/// Threads that dora starts once for the whole process have what the first node of the process asks for;
/// `docs/threads.md` lists them. With a real-time policy dora's threads can keep each other, and the program,
/// from running: dora's direct path between nodes was seen to fail that way, and messages to take the
/// daemon's path. Where the receiving thread of a control loop is real-time, give these a lower priority than
/// its own.
///
/// @param options   Not NULL.
/// @param policy    One of `<sched.h>`: `SCHED_OTHER`, `SCHED_BATCH`, `SCHED_IDLE`, `SCHED_FIFO`,
///                  `SCHED_RR`.
/// @param priority  1 to 99 for the last two, else 0.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: there is no such policy, or
///          it has no such priority. Whether the process may use it turns out in `dora_node_init_with`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_thread_policy(
    options: Option<&mut dora_node_options_t>,
    policy: i32,
    priority: i32,
) -> dora_status_t {
    set(options, |options| {
        options.scheduling.policy = Some(policy_of(policy, priority)?);
        Ok(())
    })
}

/// Sets the CPUs on which the threads run that dora starts for the node, by default those that the process
/// was started on, whatever the calling thread has. For threads of the whole process the same holds as in
/// `dora_node_options_set_thread_policy`.
///
/// @param options  Not NULL.
/// @param cpus     The numbers of the CPUs, from 0; copied. NULL only where `count` is 0.
/// @param count    How many; 0 for the default.
/// @return  `DORA_OK`; `DORA_ERROR_NULL_POINTER`; `DORA_ERROR_INVALID_ARGUMENT`: a number is none of a CPU.
///          Whether the process may run there turns out in `dora_node_init_with`.
///
/// Any thread, one at a time. Since 0.1.0.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn dora_node_options_set_thread_cpus(
    options: Option<&mut dora_node_options_t>,
    cpus: Numbers<'_>,
    count: usize,
) -> dora_status_t {
    set(options, |options| {
        let cpus = cpus_of(&cpus.to_vec(count, "cpus", "count")?)?;
        options.scheduling.cpus = (!cpus.is_empty()).then_some(cpus);
        Ok(())
    })
}
