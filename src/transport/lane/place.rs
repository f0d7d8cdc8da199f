//! The files of the lane, below one directory a user:
//!
//! | file | what it is |
//! |---|---|
//! | `lock` | held while a seat is taken or left, and while somebody cleans |
//! | `iox2/` | what iceoryx2 keeps in files |
//! | `dataflow-<id>/<node>.seat` | locked while that node lives; the text says what it takes part in |
//! | `dataflow-<id>/<node>.bell`, `.letters` | the pipes which that node reads |
//!
//! The locks are those of POSIX: they belong to a process, and no child of `fork` keeps them. But they are gone as
//! soon as the process closes any descriptor of the file. So a process opens no seat that it holds itself.

mod card;
mod names;
mod seat;

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

pub use card::Card;
pub use names::{encoded, file_name, shortened};
pub use seat::{Peer, Seat};

use crate::ffi::{effective_user, lock_file};

/// How long somebody waits for another one that takes a seat, leaves or cleans: works of milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);
const MOMENT: Duration = Duration::from_millis(2);

/// What the directory of a dataflow is called, with its id behind.
const DATAFLOW: &str = "dataflow-";

/// The fast lane's directory of this user.
#[derive(Clone, Debug)]
pub struct Place {
    path: PathBuf,
}

impl Place {
    /// The directory, made where there is none. The error is a reason in words, as it can stand behind "the fast
    /// lane is off: ".
    pub fn open() -> Result<Self, String> {
        Self::open_at(Path::new(&format!("/dev/shm/dora-lane1-{}", effective_user())))
    }

    /// The same elsewhere.
    pub fn open_at(path: &Path) -> Result<Self, String> {
        make_directory(path)?;
        // One spelling, since seats are known by their paths.
        let path = fs::canonicalize(path).map_err(|error| reason("open", path, &error))?;
        Ok(Self { path })
    }

    /// Where iceoryx2 keeps its files.
    pub fn iceoryx_root(&self) -> PathBuf {
        self.path.join("iox2")
    }

    /// With what the names of its shared memory begin, in `/dev/shm` itself.
    pub fn iceoryx_prefix(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{}_", name.replace('-', "_"))
    }

    fn dataflow(&self, dataflow: &str) -> Result<PathBuf, String> {
        Ok(self.path.join(format!("{DATAFLOW}{}", file_name(dataflow)?)))
    }

    /// Whether a run of the node left its seat behind, as who is killed does.
    pub fn has_seat_left(&self, dataflow: &str, node: &str) -> bool {
        let (Ok(directory), Ok(name)) = (self.dataflow(dataflow), file_name(node)) else { return false };
        seat::file_of(&directory, &name, seat::SEAT).exists()
    }

    /// The dataflows that have a live seat, as [`file_name`] writes them. The files of others are removed, but for
    /// those of `own`.
    pub fn live_dataflows(&self, _: &RootLock, own: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let mut live = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(dataflow) = name.to_str().and_then(|name| name.strip_prefix(DATAFLOW)) else { continue };
            if seat::any_live(&entry.path()) {
                live.push(dataflow.to_owned());
            } else if file_name(own).as_deref() != Ok(dataflow) {
                // What cannot be removed is left to the next one.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        live
    }
}

/// Held by one thread of one process at a time.
pub struct RootLock {
    // Dropped in this order: the lock goes with the descriptor, and no other one may be open then.
    _file: File,
    _turn: MutexGuard<'static, ()>,
}

impl RootLock {
    pub fn take(place: &Place) -> Result<Self, String> {
        let path = place.path.join("lock");
        let lock = patiently(|| Self::attempt(&path).transpose());
        let seconds = PATIENCE.as_secs();
        lock.unwrap_or_else(|| Err(format!("{} has been locked for {seconds} seconds", path.display())))
    }

    /// None when somebody else has it. Nothing is held on to then: other places have locks of their own.
    fn attempt(path: &Path) -> Result<Option<Self>, String> {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = match TURN.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        let file = open_private(path, true).map_err(|error| reason("open", path, &error))?;
        let got = lock_file(&file).map_err(|error| reason("lock", path, &error))?;
        Ok(got.then_some(Self { _file: file, _turn: turn }))
    }
}

/// Tries until it has something, or [`PATIENCE`] is over.
fn patiently<T>(mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let got = attempt();
        if got.is_some() || Instant::now() >= deadline {
            return got;
        }
        thread::sleep(MOMENT);
    }
}

/// "cannot lock /dev/shm/…: No space left on device".
fn reason(what: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

/// A directory that only this user can look into, made where there is none.
fn make_directory(path: &Path) -> Result<(), String> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(reason("make", path, &error));
        }
        _ => {}
    }
    let name = path.display();
    let metadata = fs::symlink_metadata(path).map_err(|error| reason("look at", path, &error))?;
    if !metadata.is_dir() {
        return Err(format!("{name} is no directory: remove it"));
    }
    if metadata.uid() != effective_user() {
        return Err(format!("{name} belongs to user {}, and not to the one of this process", metadata.uid()));
    }
    let mode = metadata.mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(format!("{name} is open to other users (mode {mode:o}): remove it, or make it 700"));
    }
    if mode != 0o700 {
        // What a strange umask has left of it.
        fs::set_permissions(path, Permissions::from_mode(0o700))
            .map_err(|error| reason("set the mode of", path, &error))?;
    }
    Ok(())
}

/// A file of this user alone, whatever the umask.
pub fn open_private(path: &Path, create: bool) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(create)
        .truncate(false)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.uid() != effective_user() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is no file of this user"));
    }
    if metadata.mode() & 0o7777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

#[cfg(test)]
pub mod tests;
