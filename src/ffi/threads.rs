//! Threads that disturb nobody: what they take of the process's signals, how and where they run.

use std::fmt;
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::thread::JoinHandle;

/// Starts a thread that takes none of the process's signals and keeps neither the caller's scheduling
/// policy nor its choice of CPUs.
///
/// dora and zenoh start their threads from such a one, and threads inherit all three: a caller with
/// `SCHED_FIFO` on one CPU would otherwise make them real-time threads there, and its `sigwait` would lose
/// signals to them.
pub fn spawn_undisturbed<T: Send + 'static>(
    name: &str,
    body: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let before = block_all_signals();
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        // Giving up a real-time policy is allowed, and a refusal of the rest harmless.
        let _ = Scheduling::default().apply();
        body()
    });
    restore_signals(&before);
    thread
}

/// Takes back that the death of this thread's parent kills the process.
pub fn clear_parent_death_signal() {
    // SAFETY: it changes nothing but that setting of the calling thread.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, 0) };
}

/// How and where threads run.
#[derive(Clone, Debug, Default)]
pub struct Scheduling {
    /// A policy and its priority; `SCHED_OTHER` unless it is set.
    pub policy: Option<(i32, i32)>,
    /// By number; those that the process was started on unless they are set.
    pub cpus: Option<Vec<usize>>,
}

impl Scheduling {
    /// Has the calling thread run like that, and those that it starts. Where one thing is refused, the other
    /// is done all the same.
    pub fn apply(&self) -> io::Result<()> {
        let (policy, priority) = self.policy.unwrap_or((libc::SCHED_OTHER, 0));
        let priority = libc::sched_param { sched_priority: priority };
        // SAFETY: 0 is the calling thread, and the structure is read.
        let policy = done(unsafe { libc::sched_setscheduler(0, policy, &raw const priority) });
        let chosen = self.cpus.as_deref().map(set_of_cpus);
        let cpus = chosen.as_ref().or(CPUS_AT_START.get()).map_or(Ok(()), |cpus| {
            // SAFETY: as above.
            done(unsafe { libc::sched_setaffinity(0, size_of_val(cpus), cpus) })
        });
        policy.and(cpus)
    }
}

/// In words, what is set of it.
impl fmt::Display for Scheduling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((policy, priority)) = self.policy {
            write!(f, "with policy {policy} and priority {priority}")?;
        }
        if let Some(cpus) = &self.cpus {
            let space = if self.policy.is_some() { " " } else { "" };
            let cpus: Vec<_> = cpus.iter().map(ToString::to_string).collect();
            write!(f, "{space}on CPUs {}", cpus.join(", "))?;
        }
        Ok(())
    }
}

/// The CPUs that can be named: those below this number.
pub const CPUS_AT_MOST: usize = libc::CPU_SETSIZE as usize;

/// The least and the most that the priority of a policy can be, nothing for what is no policy.
pub fn priorities(policy: i32) -> Option<(i32, i32)> {
    // SAFETY: system calls without pointers.
    let (least, most) =
        unsafe { (libc::sched_get_priority_min(policy), libc::sched_get_priority_max(policy)) };
    (least >= 0 && most >= 0).then_some((least, most))
}

fn done(result: i32) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn no_cpus() -> libc::cpu_set_t {
    // SAFETY: an array of integers, for which zeros are a value.
    unsafe { std::mem::zeroed() }
}

fn set_of_cpus(cpus: &[usize]) -> libc::cpu_set_t {
    let mut set = no_cpus();
    for cpu in cpus.iter().filter(|cpu| **cpu < CPUS_AT_MOST) {
        // SAFETY: it is within the set.
        unsafe { libc::CPU_SET(*cpu, &mut set) };
    }
    set
}

fn block_all_signals() -> libc::sigset_t {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: both sets are written by the calls before they are read.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        before.assume_init()
    }
}

fn restore_signals(before: &libc::sigset_t) {
    // SAFETY: `before` is the mask that this thread had.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
}

/// The CPUs that the process was started on: what a dataflow's `cpu_affinity` or an operator chose,
/// whatever the program has chosen for its own threads since.
static CPUS_AT_START: OnceLock<libc::cpu_set_t> = OnceLock::new();

/// Runs when the library is loaded, which for a linked one is before `main`.
extern "C" fn note_cpus_at_start() {
    let mut cpus = no_cpus();
    // SAFETY: 0 is the calling thread, and the set is written as far as it reaches.
    if unsafe { libc::sched_getaffinity(0, size_of_val(&cpus), &raw mut cpus) } == 0 {
        let _ = CPUS_AT_START.set(cpus);
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = note_cpus_at_start;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_told_in_words() {
        let told = |policy, cpus| Scheduling { policy, cpus }.to_string();
        assert_eq!(told(Some((1, 3)), None), "with policy 1 and priority 3");
        assert_eq!(told(None, Some(vec![4, 5])), "on CPUs 4, 5");
        assert_eq!(told(Some((1, 3)), Some(vec![4])), "with policy 1 and priority 3 on CPUs 4");
    }

    #[test]
    fn a_spawned_thread_blocks_every_signal_and_the_caller_keeps_its_mask() {
        fn blocked() -> bool {
            let mut now = MaybeUninit::uninit();
            // SAFETY: the mask is written before it is read; nothing is changed.
            unsafe {
                libc::pthread_sigmask(libc::SIG_SETMASK, ptr::null(), now.as_mut_ptr());
                libc::sigismember(now.as_ptr(), libc::SIGTERM) == 1
            }
        }
        assert!(!blocked());
        assert!(spawn_undisturbed("test", blocked).unwrap().join().unwrap());
        assert!(!blocked());
    }
}
