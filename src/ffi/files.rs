//! Record locks, descriptors, the user: what a file that processes share is handled with.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

/// Whom the files of this process belong to.
pub fn effective_user() -> u32 {
    // SAFETY: a system call without pointers.
    unsafe { libc::geteuid() }
}

/// Locks a file for this process, until it closes any descriptor of that file; false when another one has it.
/// A child of `fork` does not have it.
pub fn lock_file(file: &File) -> io::Result<bool> {
    let lock = whole_file();
    // SAFETY: `lock` outlives the call, which only reads it.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLK, &raw const lock) } == 0 {
        return Ok(true);
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::EACCES | libc::EAGAIN) => Ok(false),
        _ => Err(error),
    }
}

/// Whether another process has locked the file. Of its own locks a process does not learn this way.
pub fn is_locked(file: &File) -> io::Result<bool> {
    let mut lock = whole_file();
    // SAFETY: `lock` is read and written.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETLK, &raw mut lock) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(i32::from(lock.l_type) != libc::F_UNLCK)
}

fn whole_file() -> libc::flock {
    // SAFETY: it consists of numbers; zeros say "from the beginning, all of it".
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = narrowed(libc::F_WRLCK);
    lock.l_whence = narrowed(libc::SEEK_SET);
    lock
}

/// The constants are wider than the members they are for.
fn narrowed(number: i32) -> i16 {
    i16::try_from(number).unwrap_or_default()
}

/// Keeps descriptors of files whose path begins with one of `prefixes` from programs that this process starts.
/// Removed files count.
pub fn close_at_exec(prefixes: &[&str]) {
    let Ok(descriptors) = fs::read_dir("/proc/self/fd") else { return };
    for entry in descriptors.flatten() {
        let is_meant = fs::read_link(entry.path()).is_ok_and(|path| {
            let path = path.as_os_str().as_bytes();
            prefixes.iter().any(|prefix| path.starts_with(prefix.as_bytes()))
        });
        let number = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        if let (true, Some(descriptor)) = (is_meant, number) {
            // SAFETY: a system call without pointers.
            unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
}

/// Has the kernel make room for so many descriptors, as far as the limit allows. It grows the table when it is
/// full, and then a process with several threads stands still for 10 to 20 ms.
pub fn reserve_descriptors(count: usize) {
    // SAFETY: a system call without pointers.
    let any = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) };
    if any < 0 {
        return;
    }
    // SAFETY: it was opened a line ago, and nobody else knows it.
    let any = unsafe { OwnedFd::from_raw_fd(any) };
    let number = i32::try_from(count.min(descriptor_limit().saturating_sub(1))).unwrap_or(i32::MAX);
    // SAFETY: a system call without pointers.
    let high = unsafe { libc::fcntl(any.as_raw_fd(), libc::F_DUPFD_CLOEXEC, number) };
    if high >= 0 {
        // SAFETY: it was opened a line ago, and nobody else knows it.
        drop(unsafe { OwnedFd::from_raw_fd(high) });
    }
}

fn descriptor_limit() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is written.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn spot(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("dora-files-{}-{name}", std::process::id()))
    }

    #[test]
    fn a_lock_is_seen_from_another_process_alone() {
        let path = spot("lock");
        let file = File::create(&path).unwrap();
        assert!(lock_file(&file).unwrap());
        assert!(!is_locked(&file).unwrap());
        // SAFETY: the child calls only what may be called between fork and the end.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let seen =
                is_locked(&file).is_ok_and(|locked| locked) && lock_file(&file).is_ok_and(|mine| !mine);
            // SAFETY: it ends the child without running anything of the test's.
            unsafe { libc::_exit(i32::from(seen)) };
        }
        let mut status = 0;
        // SAFETY: `status` is written.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        fs::remove_file(&path).unwrap();
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 1);
    }

    #[test]
    fn what_is_meant_is_kept_from_children() {
        let (meant, other) = (spot("meant"), spot("other"));
        let files = [&meant, &other].map(|path| File::create(path).unwrap());
        for file in &files {
            // SAFETY: a system call without pointers.
            unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFD, 0) };
        }
        fs::remove_file(&meant).unwrap();
        close_at_exec(&[meant.to_str().unwrap()]);
        let flags = files.each_ref().map(|file| {
            // SAFETY: a system call without pointers.
            unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFD) }
        });
        fs::remove_file(&other).unwrap();
        assert_eq!(flags, [libc::FD_CLOEXEC, 0]);
    }

    #[test]
    fn the_table_of_descriptors_is_grown() {
        // In a process of its own, as other tests open files meanwhile.
        const MARK: &str = "DORA_TEST_TABLE";
        if std::env::var_os(MARK).is_some() {
            let open = || fs::read_dir("/proc/self/fd").unwrap().count();
            let (size, before) = (table_size(), open());
            reserve_descriptors(900);
            assert!(size <= 900 && table_size() > 900, "{size} and {}", table_size());
            assert_eq!(open(), before);
            reserve_descriptors(usize::MAX);
            return;
        }
        let test = "ffi::files::tests::the_table_of_descriptors_is_grown";
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test])
            .env(MARK, "1")
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
    }

    fn table_size() -> usize {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let size = status.lines().find_map(|line| line.strip_prefix("FDSize:")).unwrap();
        size.trim().parse().unwrap()
    }
}
