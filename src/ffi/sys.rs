//! What is asked of the operating system directly: futexes, descriptors, memory, C's stdout.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::AtomicU32;
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

/// A descriptor that is readable while it is rung, for event loops.
#[derive(Debug)]
pub struct Bell(OwnedFd);

impl Bell {
    /// A bell that is rung.
    pub fn new() -> io::Result<Self> {
        // SAFETY: a system call without pointers.
        let descriptor = unsafe { libc::eventfd(1, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was opened a line ago, and nobody else knows it.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(descriptor) }))
    }

    pub fn descriptor(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// One system call, so it may be called from a signal handler.
    pub fn ring(&self) {
        let one = 1_u64;
        // SAFETY: eight bytes are read.
        unsafe { libc::write(self.descriptor(), (&raw const one).cast(), size_of_val(&one)) };
    }

    pub fn silence(&self) {
        let mut count = 0_u64;
        // SAFETY: eight bytes are written, and it does not block.
        unsafe { libc::read(self.descriptor(), (&raw mut count).cast(), size_of_val(&count)) };
    }

    #[cfg(test)]
    pub fn is_rung(&self) -> bool {
        let mut bell = libc::pollfd { fd: self.descriptor(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor is passed, and nothing is waited for.
        unsafe { libc::poll(&raw mut bell, 1, 0) == 1 }
    }
}

/// Does something in a signal handler, whose program may be about to look at `errno`.
pub fn keeping_errno(body: impl FnOnce()) {
    // SAFETY: the location is the calling thread's own, and always there.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        body();
        *errno = before;
    }
}

/// The time since the start of `CLOCK_MONOTONIC`.
pub fn monotonic_now() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is written; the clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
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

pub(super) fn timespec(time: Duration) -> libc::timespec {
    libc::timespec {
        tv_sec: libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(time.subsec_nanos()),
    }
}
