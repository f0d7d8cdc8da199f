//! The seat of a node that takes the lane.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{Card, Place, RootLock, file_name, make_directory, open_private, reason};
use crate::ffi::{Pipe, is_child, is_locked, lock_file};

pub const SEAT: &str = "seat";
const BELL: &str = "bell";
const LETTERS: &str = "letters";

/// The seats that this process holds. It may not open them, and its own locks it cannot see.
static HELD: Mutex<BTreeMap<PathBuf, Card>> = Mutex::new(BTreeMap::new());

/// The seat of a node in its dataflow: the locked file with its card, and the two pipes which it reads.
#[derive(Debug)]
pub struct Seat {
    place: Place,
    directory: PathBuf,
    path: PathBuf,
    file: Option<File>,
    bell: Pipe,
    letters: Pipe,
}

/// Another node of the dataflow that lives and takes the lane, with its pipes to write to.
#[derive(Debug)]
pub struct Peer {
    pub card: Card,
    pub bell: Pipe,
    pub letters: Pipe,
}

impl Seat {
    /// Takes the seat of a node. Pipes that an earlier run had are used again, since others have them open.
    pub fn take(place: &Place, dataflow: &str, node: &str, card: &Card) -> Result<Self, String> {
        let directory = place.dataflow(dataflow)?;
        let name = file_name(node)?;
        let lock = RootLock::take(place)?;
        make_directory(&directory)?;
        let path = file_of(&directory, &name, SEAT);
        let taken = pipes(&directory, &name)
            .map_err(|error| reason("make the pipes beside", &path, &error))
            .and_then(|pipes| Ok((pipes, occupy(&path, card)?)));
        if taken.is_err() {
            remove_if_left(&directory, &lock);
        }
        let ((bell, letters), file) = taken?;
        Ok(Self { place: place.clone(), directory, path, file: Some(file), bell, letters })
    }

    /// Which this node reads, and who has a message for it rings.
    pub fn bell(&self) -> &Pipe {
        &self.bell
    }

    /// Which this node reads, and who has received a message of it writes to.
    pub fn letters(&self) -> &Pipe {
        &self.letters
    }

    /// A node of the same dataflow that lives and takes the lane; None when there is none of that name.
    pub fn peer(&self, node: &str) -> Option<Peer> {
        let name = file_name(node).ok()?;
        let card = live_card(&file_of(&self.directory, &name, SEAT))?;
        let open = |suffix| Pipe::open(&file_of(&self.directory, &name, suffix)).ok();
        Some(Peer { card, bell: open(BELL)?, letters: open(LETTERS)? })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // A child has neither the lock nor a right to what is its parent's.
        if is_child() {
            return;
        }
        let lock = RootLock::take(&self.place);
        {
            let mut held = crate::lock(&HELD);
            // Removed while it is locked: so it can be nobody else's.
            let _ = fs::remove_file(&self.path);
            self.file = None;
            held.remove(&self.path);
        }
        // The pipes stay while others live, who may have them open when this node starts again.
        if let Ok(lock) = lock {
            remove_if_left(&self.directory, &lock);
        }
    }
}

pub fn file_of(directory: &Path, name: &str, suffix: &str) -> PathBuf {
    directory.join(format!("{name}.{suffix}"))
}

fn pipes(directory: &Path, name: &str) -> io::Result<(Pipe, Pipe)> {
    Ok((Pipe::make(&file_of(directory, name, BELL))?, Pipe::make(&file_of(directory, name, LETTERS))?))
}

/// Puts the card there, locked. It comes by renaming, so that whoever sees it locked sees it whole.
fn occupy(path: &Path, card: &Card) -> Result<File, String> {
    let mut held = crate::lock(&HELD);
    if held.contains_key(path) || card_of_other(path).is_ok() {
        return Err(format!("a running node has the seat {}: it can start once only", path.display()));
    }
    let new = path.with_added_extension("new");
    let put = || -> io::Result<File> {
        if let Err(error) = fs::remove_file(&new)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error);
        }
        let mut file = open_private(&new, true)?;
        if !lock_file(&file)? {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        file.write_all(card.text().as_bytes())?;
        fs::rename(&new, path)?;
        Ok(file)
    };
    let file = put().map_err(|error| {
        let _ = fs::remove_file(&new);
        reason("write", path, &error)
    })?;
    held.insert(path.to_owned(), card.clone());
    Ok(file)
}

/// The card on a seat, when somebody sits there.
fn live_card(path: &Path) -> Option<Card> {
    // Held on to, lest this process takes that seat while it has the file open.
    let held = crate::lock(&HELD);
    held.get(path).cloned().or_else(|| Card::parse(&card_of_other(path).ok()?))
}

/// The text on a seat that another process holds.
fn card_of_other(path: &Path) -> io::Result<String> {
    let mut file = open_private(path, false)?;
    if !is_locked(&file)? {
        return Err(io::ErrorKind::NotFound.into());
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// Whether anybody has a seat there.
pub fn any_live(directory: &Path) -> bool {
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != SEAT) {
            return false;
        }
        let held = crate::lock(&HELD);
        // In doubt somebody has: nothing is taken from a live node.
        held.contains_key(&path)
            || card_of_other(&path).map_or_else(|error| error.kind() != io::ErrorKind::NotFound, |_| true)
    })
}

/// Removes the directory of a dataflow in which nobody is left.
fn remove_if_left(directory: &Path, _: &RootLock) {
    if !any_live(directory) {
        // What cannot be removed is left to who cleans next.
        let _ = fs::remove_dir_all(directory);
    }
}
