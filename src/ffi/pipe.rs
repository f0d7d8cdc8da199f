//! Named pipes between processes of one user, and waiting for several descriptors at once.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::ptr;
use std::time::Duration;

use super::files::effective_user;
use super::sys::{monotonic_now, timespec};

/// As much as a pipe gives out in one call. Reading little of a large buffer would touch its pages nevertheless.
const CHUNK: usize = 4096;

/// A named pipe. Whoever has it holds both ends, so that writing into it never raises SIGPIPE; nothing blocks.
#[derive(Debug)]
pub struct Pipe(OwnedFd);

impl Pipe {
    /// Opens the pipe, which is made where there is none.
    pub fn make(path: &Path) -> io::Result<Self> {
        let name = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the name is terminated.
        if unsafe { libc::mkfifo(name.as_ptr(), 0o600) } == 0 {
            // By its path, as a strange umask may have left nothing by which it could be opened.
            fs::set_permissions(path, Permissions::from_mode(0o600))?;
        } else {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::AlreadyExists {
                return Err(error);
            }
        }
        Self::open(path)
    }

    /// Opens a pipe that is there.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW)
            .open(path)?;
        Self::checked(file)
    }

    fn checked(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if !metadata.file_type().is_fifo() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no named pipe"));
        }
        if metadata.uid() != effective_user() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user"));
        }
        Ok(Self(file.into()))
    }

    /// The same pipe once more.
    pub fn again(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    pub fn descriptor(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// One system call, so it may be called from a signal handler. A full pipe is rung already.
    pub fn ring(&self) {
        let byte = 1_u8;
        // SAFETY: one byte is read.
        unsafe { libc::write(self.descriptor(), (&raw const byte).cast(), 1) };
    }

    /// Takes out what is in it; whether anything was.
    pub fn drain(&self) -> bool {
        let mut any = false;
        loop {
            let mut bytes = [const { MaybeUninit::<u8>::uninit() }; CHUNK];
            // SAFETY: so many bytes are written at most, and it does not block.
            let count = unsafe { libc::read(self.descriptor(), bytes.as_mut_ptr().cast(), CHUNK) };
            any |= count > 0;
            if count < CHUNK.cast_signed() {
                return any;
            }
        }
    }

    /// Puts in a record, whole or not at all: `PIPE_BUF` bytes at most. Full is [`io::ErrorKind::WouldBlock`].
    pub fn write_record(&self, record: &[u8]) -> io::Result<()> {
        if record.len() > libc::PIPE_BUF {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a record longer than PIPE_BUF"));
        }
        // SAFETY: as many bytes are read as there are.
        let count = unsafe { libc::write(self.descriptor(), record.as_ptr().cast(), record.len()) };
        if count < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Takes out a record; None when there is none. All writers write records of that size.
    pub fn read_record<const N: usize>(&self) -> Option<[u8; N]> {
        let mut record = [0; N];
        // SAFETY: so many bytes are written at most, and it does not block.
        let count = unsafe { libc::read(self.descriptor(), record.as_mut_ptr().cast(), N) };
        (count == N.cast_signed()).then_some(record)
    }
}

/// Waits until one of `descriptors` is readable or `monotonic` has come, a time since the start of
/// `CLOCK_MONOTONIC` (None: never); tells of each whether it is readable. A negative one is left out. Signals do
/// not end it.
pub fn wait_readable<const N: usize>(descriptors: [i32; N], monotonic: Option<Duration>) -> [bool; N] {
    let mut waited = descriptors.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    loop {
        let left = monotonic.map(|end| timespec(end.saturating_sub(monotonic_now())));
        let timeout = left.as_ref().map_or(ptr::null(), ptr::from_ref);
        // SAFETY: so many descriptors are passed; the time outlives the call; the mask of signals stays.
        let ready = unsafe { libc::ppoll(waited.as_mut_ptr(), N as libc::nfds_t, timeout, ptr::null()) };
        let is_interrupted = ready < 0 && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted;
        if !is_interrupted {
            return waited.map(|descriptor| ready > 0 && descriptor.revents != 0);
        }
    }
}

/// A descriptor that is readable while one of two is, for event loops.
#[derive(Debug)]
pub struct Either(OwnedFd);

impl Either {
    pub fn of(first: i32, second: i32) -> io::Result<Self> {
        // SAFETY: a system call without pointers.
        let descriptor = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was opened a line ago, and nobody else knows it.
        let either = Self(unsafe { OwnedFd::from_raw_fd(descriptor) });
        either.add(first)?;
        either.add(second)?;
        Ok(either)
    }

    fn add(&self, descriptor: i32) -> io::Result<()> {
        let mut event = libc::epoll_event { events: libc::EPOLLIN.cast_unsigned(), u64: 0 };
        // SAFETY: `event` outlives the call, which only reads it.
        let result =
            unsafe { libc::epoll_ctl(self.descriptor(), libc::EPOLL_CTL_ADD, descriptor, &raw mut event) };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    pub fn descriptor(&self) -> i32 {
        self.0.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Instant;

    use super::*;

    /// A path that is gone when the test is over.
    struct Spot(PathBuf);

    impl Spot {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("dora-pipe-{}-{name}", std::process::id())))
        }
    }

    impl Drop for Spot {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn after(time: Duration) -> Duration {
        monotonic_now() + time
    }

    #[test]
    fn is_rung_until_drained() {
        let spot = Spot::new("rung");
        let reader = Pipe::make(&spot.0).unwrap();
        let writer = Pipe::open(&spot.0).unwrap();
        assert!(!reader.drain());
        writer.ring();
        writer.ring();
        assert_eq!(wait_readable([reader.descriptor()], None), [true]);
        assert!(reader.drain());
        assert!(!reader.drain());
        assert_eq!(wait_readable([reader.descriptor()], Some(after(Duration::ZERO))), [false]);
    }

    #[test]
    fn a_full_one_is_drained_at_once() {
        let spot = Spot::new("full");
        let pipe = Pipe::make(&spot.0).unwrap();
        while pipe.write_record(&[0; CHUNK]).is_ok() {}
        assert_eq!(pipe.write_record(&[0]).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        pipe.ring();
        assert!(pipe.drain());
        assert!(!pipe.drain());
    }

    #[test]
    fn gives_records_back_in_order() {
        let spot = Spot::new("records");
        let pipe = Pipe::make(&spot.0).unwrap();
        pipe.write_record(&[1, 2, 3]).unwrap();
        pipe.write_record(&[4, 5, 6]).unwrap();
        assert_eq!(pipe.read_record(), Some([1, 2, 3]));
        assert_eq!(pipe.read_record(), Some([4, 5, 6]));
        assert_eq!(pipe.read_record::<3>(), None);
        assert!(pipe.write_record(&[0; libc::PIPE_BUF + 1]).is_err());
    }

    #[test]
    fn writing_goes_on_when_the_reader_has_gone() {
        let spot = Spot::new("alone");
        let reader = Pipe::make(&spot.0).unwrap();
        let writer = Pipe::open(&spot.0).unwrap();
        drop(reader);
        // SIGPIPE would end the process, or EPIPE be the error.
        writer.write_record(&[7]).unwrap();
        assert_eq!(Pipe::open(&spot.0).unwrap().read_record(), Some([7]));
    }

    #[test]
    fn is_its_users_alone_and_not_for_children() {
        let spot = Spot::new("mode");
        let pipe = Pipe::make(&spot.0).unwrap();
        assert_eq!(fs::metadata(&spot.0).unwrap().mode() & 0o777, 0o600);
        // SAFETY: a system call without pointers.
        let flags = unsafe { libc::fcntl(pipe.descriptor(), libc::F_GETFD) };
        assert_eq!(flags & libc::FD_CLOEXEC, libc::FD_CLOEXEC);
    }

    #[test]
    fn nothing_else_is_taken_for_one() {
        let (file, link, pipe) = (Spot::new("file"), Spot::new("link"), Spot::new("pipe"));
        fs::write(&file.0, "").unwrap();
        assert!(Pipe::make(&file.0).is_err());
        assert!(Pipe::open(&Spot::new("nothing").0).is_err());
        Pipe::make(&pipe.0).unwrap();
        std::os::unix::fs::symlink(&pipe.0, &link.0).unwrap();
        assert!(Pipe::open(&link.0).is_err());
        assert!(Pipe::make(&link.0).is_err());
    }

    #[test]
    fn waits_as_long_as_it_is_told() {
        let spot = Spot::new("wait");
        let pipe = Pipe::make(&spot.0).unwrap();
        let begin = Instant::now();
        assert_eq!(
            wait_readable([pipe.descriptor(), -1], Some(after(Duration::from_millis(30)))),
            [false; 2]
        );
        assert!(begin.elapsed() >= Duration::from_millis(30));
    }

    #[test]
    fn tells_which_one_it_was() {
        let (first, second) = (Spot::new("first"), Spot::new("second"));
        let pipes = [Pipe::make(&first.0).unwrap(), Pipe::make(&second.0).unwrap()];
        let either = Either::of(pipes[0].descriptor(), pipes[1].descriptor()).unwrap();
        assert_eq!(wait_readable([either.descriptor()], Some(after(Duration::ZERO))), [false]);
        pipes[1].ring();
        assert_eq!(wait_readable(pipes.each_ref().map(Pipe::descriptor), None), [false, true]);
        assert_eq!(wait_readable([either.descriptor()], None), [true]);
        pipes[1].drain();
        pipes[0].ring();
        assert_eq!(wait_readable([either.descriptor()], None), [true]);
    }

    extern "C" fn do_nothing(_: i32) {}

    #[test]
    fn a_signal_does_not_end_the_wait() {
        let spot = Spot::new("signal");
        let pipe = Pipe::make(&spot.0).unwrap();
        // SAFETY: the handler does nothing, and no other test uses this signal.
        unsafe { libc::signal(libc::SIGWINCH, do_nothing as extern "C" fn(i32) as libc::sighandler_t) };
        // SAFETY: a system call without pointers.
        let waiter = unsafe { libc::pthread_self() };
        let begin = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                // SAFETY: that thread waits for this one.
                unsafe { libc::pthread_kill(waiter, libc::SIGWINCH) };
            });
            assert_eq!(wait_readable([pipe.descriptor()], Some(after(Duration::from_millis(80)))), [false]);
        });
        assert!(begin.elapsed() >= Duration::from_millis(80));
    }
}
