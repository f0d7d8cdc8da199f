use iceoryx2::port::publisher::Publisher;
use iceoryx2::port::subscriber::Subscriber;
use iceoryx2::prelude::AllocationStrategy;

use super::super::place::Seat;
use super::super::place::tests::{Other, Spot, card};
use super::*;

type Sender = Publisher<Iox, [Block], Header>;
type Receiver = Subscriber<Iox, [Block], Header>;

fn channel(hub: &Hub) -> Channel {
    hub.channel("camera", "image", 1, 4, 8).unwrap()
}

fn sender(channel: &Channel) -> Sender {
    channel
        .publisher_builder()
        .initial_max_slice_len(4)
        .allocation_strategy(AllocationStrategy::PowerOfTwo)
        .create()
        .unwrap()
}

fn send(sender: &Sender, blocks: usize, byte: u8) {
    let mut sample = sender.loan_slice_uninit(blocks).unwrap();
    sample.user_header_mut().sequence = byte.into();
    sample.write_from_fn(|_| Block([byte; 64])).send().unwrap();
}

fn receive(receiver: &Receiver) -> Option<(u64, usize, u8)> {
    let sample = receiver.receive().unwrap()?;
    let payload = sample.payload();
    Some((sample.user_header().sequence, payload.len(), payload[payload.len() - 1].0[63]))
}

#[test]
fn messages_pass_between_hubs() {
    let spot = Spot::new();
    let hubs = ["camera", "viewer"].map(|node| Hub::open(&spot.0, "flow", node).unwrap());
    let channels = hubs.each_ref().map(channel);
    let receiver = channels[1].subscriber_builder().buffer_size(4).create().unwrap();
    let sender = sender(&channels[0]);
    send(&sender, 2, 5);
    // More than the first piece of memory has room for.
    send(&sender, 1000, 6);
    assert_eq!(receive(&receiver), Some((5, 2, 5)));
    assert_eq!(receive(&receiver), Some((6, 1000, 6)));
    assert_eq!(receive(&receiver), None);
    for byte in 0..6 {
        send(&sender, 1, byte);
    }
    // The oldest give way.
    assert_eq!(receive(&receiver), Some((2, 1, 2)));
}

#[test]
fn outputs_have_services_of_their_own() {
    let spot = Spot::new();
    let hub = Hub::open(&spot.0, "flow", "camera").unwrap();
    let other = Hub::open(&spot.0, "another", "camera").unwrap();
    let long = "x".repeat(300);
    let names = [
        hub.channel("camera", "image", 1, 4, 8),
        hub.channel("camera", "depth", 1, 4, 8),
        hub.channel("camera/image", "", 1, 4, 8),
        hub.channel("camera", &long, 1, 4, 8),
        hub.channel("camera", &format!("{long}y"), 1, 4, 8),
        other.channel("camera", "image", 1, 4, 8),
    ]
    .map(|channel| sender_name(&channel.unwrap()));
    for (index, name) in names.iter().enumerate() {
        assert!(name.contains(env!("CARGO_PKG_VERSION")), "{name}");
        assert_eq!(names.iter().position(|other| other == name), Some(index), "{name}");
    }
}

fn sender_name(channel: &Channel) -> String {
    use iceoryx2::service::port_factory::PortFactory;
    channel.name().to_string()
}

#[test]
fn more_than_was_said_at_first_is_refused() {
    let spot = Spot::new();
    let hub = Hub::open(&spot.0, "flow", "camera").unwrap();
    let _channel = channel(&hub);
    let reason = hub.channel("camera", "image", 1, 5, 8).map(drop).unwrap_err();
    assert!(reason.contains("'image' of 'camera'"), "{reason}");
}

/// What a process has in shared memory and in iceoryx2's directory, but for what stays.
fn remains(spot: &Spot) -> usize {
    let memories = spot.memories().iter().filter(|name| !name.contains("global_mgmt")).count();
    let nodes = fs::read_dir(spot.0.iceoryx_root().join("nodes")).map_or(0, Iterator::count);
    memories + nodes
}

#[test]
fn a_hub_leaves_nothing() {
    let spot = Spot::new();
    let hub = Hub::open(&spot.0, "flow", "camera").unwrap();
    let channel = channel(&hub);
    let sender = sender(&channel);
    assert!(remains(&spot) > 0);
    drop((sender, channel, hub));
    assert_eq!(remains(&spot), 0);
}

#[test]
fn what_a_killed_process_left_is_removed_when_nobody_lives_there() {
    if let Some(place) = Other::place() {
        // Two dataflows, of which one lives on.
        let parts = ["flow", "gone"].map(|dataflow| {
            let seat = Seat::take(&place, dataflow, "camera", &card(1)).unwrap();
            let hub = Hub::open(&place, dataflow, "camera").unwrap();
            let sender = sender(&channel(&hub));
            send(&sender, 2, 1);
            (seat, hub, sender)
        });
        Other::get_ready();
        drop(parts);
        return;
    }
    let spot = Spot::new();
    let test = "transport::lane::hub::tests::what_a_killed_process_left_is_removed_when_nobody_lives_there";
    let other = Other::start(test, &spot.0);
    let seat = Seat::take(&spot.0, "flow", "viewer", &card(2)).unwrap();
    let open = |node| Hub::open(&spot.0, "flow", node).unwrap();
    drop(open("viewer"));
    let while_it_lived = remains(&spot);
    other.kill();
    drop(open("viewer"));
    let while_one_lives = remains(&spot);
    // That of the other dataflow has gone, and that of the living one is still read.
    assert!(0 < while_one_lives && while_one_lives < while_it_lived, "{while_one_lives} of {while_it_lived}");
    // An earlier run of the same node.
    drop(open("camera"));
    assert_eq!(remains(&spot), 0);
    drop(seat);
}

#[test]
fn others_get_nothing_of_it() {
    let spot = Spot::new();
    let hub = Hub::open(&spot.0, "flow", "camera").unwrap();
    let channel = channel(&hub);
    let receiver = channel.subscriber_builder().create().unwrap();
    let sender = sender(&channel);
    send(&sender, 2, 1);
    assert!(receive(&receiver).is_some());
    hub.keep_from_children();
    for name in spot.memories() {
        let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(format!("/dev/shm/{name}")).unwrap());
        assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}");
    }
    let mut seen = 0;
    for entry in fs::read_dir("/proc/self/fd").unwrap().flatten() {
        let path = fs::read_link(entry.path()).unwrap_or_default();
        let path = path.to_string_lossy();
        if hub.files.iter().any(|begin| path.starts_with(begin)) {
            let info = format!("/proc/self/fdinfo/{}", entry.file_name().to_string_lossy());
            let info = fs::read_to_string(info).unwrap();
            let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap().trim();
            let flags = i32::from_str_radix(flags, 8).unwrap();
            assert_ne!(flags & libc::O_CLOEXEC, 0, "{path}");
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn memory_of_another_user_is_refused() {
    // Only root can give a file away.
    if crate::ffi::effective_user() != 0 {
        return;
    }
    let spot = Spot::new();
    let path = format!("/dev/shm/{}x", spot.0.iceoryx_prefix());
    fs::write(&path, "").unwrap();
    std::os::unix::fs::chown(&path, Some(12345), None).unwrap();
    let reason = Hub::open(&spot.0, "flow", "camera").unwrap_err();
    assert!(reason.contains(&path), "{reason}");
}
