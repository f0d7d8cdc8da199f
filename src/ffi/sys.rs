//! What is asked of the operating system directly: futexes, threads that disturb nobody, C's stdout.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::FromRawFd;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::thread::JoinHandle;
use std::time::Duration;

/// Sleeps while `word` is `expected`, until [`futex_wake`], or until `monotonic`, a time since the start of
/// `CLOCK_MONOTONIC`. It may return for no reason; the caller looks again.
pub fn futex_wait(word: &AtomicU32, expected: u32, monotonic: Option<Duration>) {
    let deadline = monotonic.map(timespec);
    let timeout = deadline.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: `word` and `timeout` outlive the call, which reads no more; the time is absolute.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG,
            expected,
            timeout,
            ptr::null::<u32>(),
            u32::MAX,
        );
    }
}

/// Wakes who sleeps on `word`. One system call, so it may be called from a signal handler.
pub fn futex_wake(word: &AtomicU32) {
    // SAFETY: the kernel only uses the address as a key.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, i32::MAX);
    }
}

/// The time since the start of `CLOCK_MONOTONIC`.
pub fn monotonic_now() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is written; the clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

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
        use_default_scheduling();
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

unsafe extern "C" {
    static stdout: *mut libc::FILE;
    fn flockfile(stream: *mut libc::FILE);
    fn funlockfile(stream: *mut libc::FILE);
}

/// C's stdout, which this thread alone writes to while it holds it.
pub struct CStdout(());

impl CStdout {
    /// Takes it, with what C has printed so far written out; an error when nobody can read it.
    pub fn take() -> io::Result<Self> {
        // SAFETY: `stdout` is a valid stream for the whole life of the process.
        unsafe { flockfile(stdout) };
        let held = Self(());
        let mut output = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
        // SAFETY: one descriptor is passed, and nothing is waited for.
        unsafe { libc::poll(&raw mut output, 1, 0) };
        // Looked at before flushing: writing to a pipe without a reader would end the program with SIGPIPE.
        if output.revents & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        // SAFETY: as above, and the stream is locked by this thread.
        if unsafe { libc::fflush(stdout) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(held)
    }
}

impl Drop for CStdout {
    fn drop(&mut self) {
        // SAFETY: this thread locked it.
        unsafe { funlockfile(stdout) };
    }
}

/// Sets a variable of the environment, or takes it away.
pub fn set_environment(name: &str, value: Option<&str>) {
    // SAFETY: dora reads the environment by the standard library, which keeps others out; and the
    // documentation obliges the caller to let no thread of its own read it meanwhile.
    unsafe {
        match value {
            Some(value) => std::env::set_var(name, value),
            None => std::env::remove_var(name),
        }
    }
}

/// A file of this process alone, and a path by which this process opens it.
pub fn memory_file(text: &str) -> Option<(File, String)> {
    // SAFETY: the name is terminated.
    let descriptor = unsafe { libc::memfd_create(c"dora".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return None;
    }
    // SAFETY: it was opened a line ago, and nobody else knows it.
    let mut file = unsafe { File::from_raw_fd(descriptor) };
    file.write_all(text.as_bytes()).ok()?;
    let path = format!("/proc/self/fd/{descriptor}");
    Some((file, path))
}

/// Whether this process may lock so much memory, beside what it has locked. Tried, since privileges and
/// containers have their say besides the limit; the memory itself is not touched.
pub fn can_lock(size: usize) -> bool {
    if size == 0 {
        return true;
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a mapping of its own, which is given back before anything else can know it.
    unsafe {
        let memory = libc::mmap(ptr::null_mut(), size, libc::PROT_READ, flags, -1, 0);
        if memory == libc::MAP_FAILED {
            return false;
        }
        let locked = libc::mlock2(memory, size, libc::MLOCK_ONFAULT) == 0;
        let error = io::Error::last_os_error();
        libc::munmap(memory, size);
        // A system that cannot be asked this way has nothing but the limit to go by.
        locked
            || (error.raw_os_error() == Some(libc::ENOSYS)
                && memory_limit().is_some_and(|limit| size as u64 <= limit))
    }
}

/// How much memory this process may lock, in words.
pub fn locked_memory_limit() -> String {
    match memory_limit() {
        Some(libc::RLIM_INFINITY) => "any amount".to_owned(),
        Some(limit) => format!("{limit} bytes"),
        None => "an unknown amount".to_owned(),
    }
}

fn memory_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is written.
    (unsafe { libc::getrlimit(libc::RLIMIT_MEMLOCK, &raw mut limit) } == 0).then_some(limit.rlim_cur)
}

/// The bytes that a file system has left for this user.
pub fn free_space(path: &CStr) -> Option<u64> {
    let mut system = MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path is terminated, and the structure read only when it was written.
    let system =
        unsafe { (libc::statvfs(path.as_ptr(), system.as_mut_ptr()) == 0).then(|| system.assume_init())? };
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

fn timespec(time: Duration) -> libc::timespec {
    libc::timespec {
        tv_sec: libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(time.subsec_nanos()),
    }
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

fn use_default_scheduling() {
    let priority = libc::sched_param { sched_priority: 0 };
    // SAFETY: 0 is the calling thread. Giving up a real-time policy is allowed, and a refusal harmless.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const priority) };
    if let Some(cpus) = CPUS_AT_START.get() {
        // SAFETY: as above; the set is one that the kernel gave.
        unsafe { libc::sched_setaffinity(0, size_of_val(cpus), cpus) };
    }
}

/// The CPUs that the process was started on: what a dataflow's `cpu_affinity` or an operator chose,
/// whatever the program has chosen for its own threads since.
static CPUS_AT_START: OnceLock<libc::cpu_set_t> = OnceLock::new();

/// Runs when the library is loaded, which for a linked one is before `main`.
extern "C" fn note_cpus_at_start() {
    // SAFETY: an array of integers, for which zeros are a value.
    let mut cpus: libc::cpu_set_t = unsafe { std::mem::zeroed() };
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
