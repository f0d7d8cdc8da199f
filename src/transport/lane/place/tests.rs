use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// A place of a test's own, gone behind it with all that iceoryx2 made for it.
pub struct Spot(pub Place);

impl Spot {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = format!("/dev/shm/dora-lane-test-{}-{number}", std::process::id());
        Self(Place::open_at(Path::new(&path)).unwrap())
    }

    /// What iceoryx2 has in shared memory there.
    pub fn memories(&self) -> Vec<String> {
        let prefix = self.0.iceoryx_prefix();
        let entries = fs::read_dir("/dev/shm").unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap_or_default());
        names.filter(|name| name.starts_with(&prefix)).collect()
    }

    /// The files of a dataflow.
    fn files(&self, dataflow: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.dataflow(dataflow).unwrap()) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.flatten().map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Spot {
    fn drop(&mut self) {
        for name in self.memories() {
            let _ = fs::remove_file(Path::new("/dev/shm").join(name));
        }
        let _ = fs::remove_dir_all(&self.0.path);
    }
}

/// A process that runs the same test at the same place, until it is killed or this one ends.
pub struct Other(Child);

const MARK: &str = "DORA_TEST_PLACE";

impl Other {
    /// Returns when it has got ready.
    pub fn start(test: &str, place: &Place) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(MARK, &place.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.map_while(Result::ok).any(|line| line.contains("ready")), "it got not ready");
        Self(child)
    }

    /// The place, in that process.
    pub fn place() -> Option<Place> {
        std::env::var_os(MARK).map(|path| Place::open_at(Path::new(&path)).unwrap())
    }

    pub fn get_ready() {
        println!("ready");
        let _ = std::io::stdin().read(&mut [0]);
    }

    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

pub fn card(incarnation: u64) -> Card {
    Card { incarnation, inputs: vec!["tick".into()], outputs: vec!["a b".into(), "c/d".into()] }
}

fn mode_of(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn the_place_is_its_users_alone() {
    let spot = Spot::new();
    assert_eq!(mode_of(&spot.0.path), 0o700);
    let seat = Seat::take(&spot.0, "flow", "camera", &card(1)).unwrap();
    let directory = spot.0.dataflow("flow").unwrap();
    assert_eq!(mode_of(&directory), 0o700);
    for name in ["camera.seat", "camera.bell", "camera.letters"] {
        assert_eq!(mode_of(&directory.join(name)), 0o600, "{name}");
    }
    assert_eq!(mode_of(&spot.0.path.join("lock")), 0o600);
    drop(seat);
    fs::set_permissions(&spot.0.path, Permissions::from_mode(0o500)).unwrap();
    Place::open_at(&spot.0.path).unwrap();
    assert_eq!(mode_of(&spot.0.path), 0o700);
}

#[test]
fn a_place_open_to_others_is_refused() {
    let spot = Spot::new();
    fs::set_permissions(&spot.0.path, Permissions::from_mode(0o750)).unwrap();
    let reason = Place::open_at(&spot.0.path).unwrap_err();
    assert!(reason.contains("mode 750"), "{reason}");
}

#[test]
fn a_place_of_another_user_is_refused() {
    let spot = Spot::new();
    let path = if effective_user() == 0 {
        std::os::unix::fs::chown(&spot.0.path, Some(12345), None).unwrap();
        &spot.0.path
    } else {
        Path::new("/")
    };
    let reason = Place::open_at(path).unwrap_err();
    assert!(reason.contains("belongs to user"), "{reason}");
}

#[test]
fn a_place_that_is_no_directory_is_refused() {
    let spot = Spot::new();
    let (link, file) = (spot.0.path.join("link"), spot.0.path.join("file"));
    symlink(&spot.0.path, &link).unwrap();
    fs::write(&file, "").unwrap();
    for path in [&link, &file] {
        let reason = Place::open_at(path).unwrap_err();
        assert!(reason.contains("no directory"), "{reason}");
    }
    let reason = Place::open_at(&spot.0.path.join("no/where")).unwrap_err();
    assert!(reason.starts_with("cannot make"), "{reason}");
}

#[test]
fn a_node_sees_others_and_itself() {
    let spot = Spot::new();
    let camera = Seat::take(&spot.0, "flow", "camera", &card(1)).unwrap();
    let viewer = Seat::take(&spot.0, "flow", "viewer", &card(2)).unwrap();
    let elsewhere = Seat::take(&spot.0, "other", "lidar", &card(3)).unwrap();
    let seen = camera.peer("viewer").unwrap();
    assert_eq!(seen.card, card(2));
    seen.bell.ring();
    seen.letters.write_record(&[1, 2]).unwrap();
    assert!(viewer.bell().drain());
    assert_eq!(viewer.letters().read_record(), Some([1, 2]));
    assert_eq!(camera.peer("camera").unwrap().card, card(1));
    assert!(camera.peer("lidar").is_none());
    assert!(elsewhere.peer("camera").is_none());
    drop(viewer);
    assert!(camera.peer("viewer").is_none());
}

#[test]
fn a_seat_is_taken_once() {
    let spot = Spot::new();
    let seat = Seat::take(&spot.0, "flow", "camera", &card(1)).unwrap();
    let reason = Seat::take(&spot.0, "flow", "camera", &card(2)).unwrap_err();
    assert!(reason.contains("camera.seat"), "{reason}");
    assert_eq!(seat.peer("camera").unwrap().card, card(1));
    drop(seat);
    Seat::take(&spot.0, "flow", "camera", &card(2)).unwrap();
}

#[test]
fn pipes_outlive_a_node_and_go_with_the_last() {
    let spot = Spot::new();
    let camera = Seat::take(&spot.0, "flow", "camera", &card(1)).unwrap();
    let viewer = Seat::take(&spot.0, "flow", "viewer", &card(1)).unwrap();
    let before = camera.peer("viewer").unwrap();
    drop(viewer);
    assert_eq!(
        spot.files("flow"),
        ["camera.bell", "camera.letters", "camera.seat", "viewer.bell", "viewer.letters"]
    );
    let viewer = Seat::take(&spot.0, "flow", "viewer", &card(2)).unwrap();
    before.bell.ring();
    assert!(viewer.bell().drain());
    drop(viewer);
    drop(camera);
    assert!(!spot.0.dataflow("flow").unwrap().exists());
}

#[test]
fn what_cannot_be_taken_leaves_nothing() {
    let spot = Spot::new();
    let long = "x".repeat(201);
    for (dataflow, node) in [("flow", long.as_str()), (long.as_str(), "camera")] {
        let reason = Seat::take(&spot.0, dataflow, node, &card(1)).unwrap_err();
        assert!(reason.contains("200"), "{reason}");
    }
    let directory = spot.0.dataflow("flow").unwrap();
    make_directory(&directory).unwrap();
    fs::create_dir(directory.join("camera.letters")).unwrap();
    let reason = Seat::take(&spot.0, "flow", "camera", &card(1)).unwrap_err();
    assert!(reason.contains("pipe"), "{reason}");
    assert!(!directory.exists());
}

#[test]
fn another_process_is_seen_until_it_dies() {
    if let Some(place) = Other::place() {
        let seat = Seat::take(&place, "flow", "camera", &card(7)).unwrap();
        let lone = Seat::take(&place, "lone", "camera", &card(7)).unwrap();
        // Whatever the process asks of its own seat, it keeps the lock.
        assert!(seat.peer("camera").is_some());
        assert!(Seat::take(&place, "flow", "camera", &card(8)).is_err());
        assert_eq!(place.live_dataflows(&RootLock::take(&place).unwrap(), "mine").len(), 2);
        Other::get_ready();
        drop((seat, lone));
        return;
    }
    let spot = Spot::new();
    let other = Other::start("transport::lane::place::tests::another_process_is_seen_until_it_dies", &spot.0);
    let viewer = Seat::take(&spot.0, "flow", "viewer", &card(1)).unwrap();
    assert_eq!(viewer.peer("camera").unwrap().card, card(7));
    // Looking at it has not freed it.
    let reason = Seat::take(&spot.0, "flow", "camera", &card(8)).unwrap_err();
    assert!(reason.contains("camera.seat"), "{reason}");
    let live = || {
        let mut live = spot.0.live_dataflows(&RootLock::take(&spot.0).unwrap(), "mine");
        live.sort();
        live
    };
    make_directory(&spot.0.dataflow("mine").unwrap()).unwrap();
    assert_eq!(live(), ["flow", "lone"]);
    other.kill();
    assert!(viewer.peer("camera").is_none());
    assert_eq!(live(), ["flow"]);
    assert!(spot.files("lone").is_empty() && spot.0.dataflow("mine").unwrap().exists());
    let camera = Seat::take(&spot.0, "flow", "camera", &card(8)).unwrap();
    assert_eq!(viewer.peer("camera").unwrap().card, card(8));
    drop((camera, viewer));
}

#[test]
fn who_waits_for_the_lock_gives_up_in_time() {
    if let Some(place) = Other::place() {
        let lock = RootLock::take(&place).unwrap();
        Other::get_ready();
        drop(lock);
        return;
    }
    let spot = Spot::new();
    let other =
        Other::start("transport::lane::place::tests::who_waits_for_the_lock_gives_up_in_time", &spot.0);
    let begin = Instant::now();
    let reason = Seat::take(&spot.0, "flow", "camera", &card(1)).unwrap_err();
    assert!(reason.contains("locked for 2 seconds"), "{reason}");
    assert!(begin.elapsed() >= PATIENCE);
    other.kill();
    Seat::take(&spot.0, "flow", "camera", &card(1)).unwrap();
}

#[test]
fn names_are_told_apart() {
    assert_eq!(file_name("a-Z_9.x").unwrap(), "a-Z_9.x");
    assert_eq!(file_name("a/b %é").unwrap(), "a%2Fb%20%25%C3%A9");
    assert_eq!(names::decoded("a%2Fb%20%25%C3%A9").unwrap(), "a/b %é");
    assert_eq!(names::decoded("%2"), None);
    assert_eq!(names::decoded("%zz"), None);
    assert_eq!(shortened("short", 5), "short");
    let long = [shortened(&"x".repeat(50), 40), shortened(&"x".repeat(51), 40)];
    assert!(long.iter().all(|name| name.len() == 40 && name.starts_with("xxxxxxx~")), "{long:?}");
    assert_ne!(long[0], long[1]);
}

#[test]
fn a_card_is_read_as_it_was_written() {
    let card = Card { incarnation: u64::MAX, inputs: vec!["a\nb".into(), String::new()], outputs: vec![] };
    assert_eq!(Card::parse(&card.text()), Some(card));
    for text in ["", "incarnation x", "incarnation 1\nwhat is", "incarnation 1\ninput", "input a"] {
        assert_eq!(Card::parse(text), None, "{text}");
    }
}
