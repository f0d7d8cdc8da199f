//! The farewell of a node.

use std::thread;
use std::time::Duration;

use super::*;

/// A camera about to end, and what it leaves behind.
struct End {
    farewell: Farewell,
    // Dropped in this order.
    viewer: (Hub, Arc<Seat>),
    _spot: Spot,
}

fn end(world: World, output: Output) -> End {
    let World { camera, viewer, spot, .. } = world;
    let farewell = Farewell::of(Arc::new(Outputs::new(vec![output])), camera.0, camera.1);
    End { farewell, viewer, _spot: spot }
}

#[test]
fn a_live_reader_that_has_not_looked_is_waited_for() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..3);
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    thread::scope(|scope| {
        let farewell = scope.spawn(|| farewell.say());
        thread::sleep(Duration::from_millis(50));
        assert!(!farewell.is_finished(), "its messages would be gone");
        assert_eq!(numbers(&mut input, false), [0, 1, 2]);
        assert!(farewell.join().unwrap());
    });
}

#[test]
fn a_reader_that_never_looks_keeps_nobody_and_loses_nothing() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..3);
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    assert!(!farewell.say());
    assert_eq!(numbers(&mut input, false), [0, 1, 2]);
}

#[test]
fn a_reader_that_has_mapped_all_is_not_waited_for() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..1);
    assert_eq!(numbers(&mut input, false), [0]);
    send_each(&output, 1..4);
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    assert!(farewell.say());
    assert_eq!(numbers(&mut input, false), [1, 2, 3]);
}

#[test]
fn a_new_piece_is_waited_for_again() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send(&output, &[0]);
    assert_eq!(numbers(&mut input, false), [0]);
    send(&output, &vec![1; 100_000]);
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    assert!(!farewell.say());
    assert_eq!(numbers(&mut input, false), [1]);
}

#[test]
fn a_dead_reader_is_not_waited_for() {
    let world = World::new(4);
    let (input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..3);
    let End { farewell, viewer, _spot } = end(world, output);
    drop((input, viewer));
    assert!(farewell.say());
}

#[test]
fn who_has_sent_nothing_waits_for_nobody() {
    let world = World::new(4);
    let (_input, output) = (world.input(), world.output(EARLIER));
    output.probe().unwrap();
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    assert!(farewell.say());
}

#[test]
fn memory_in_which_nothing_was_sent_is_waited_for_by_nobody() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..1);
    assert_eq!(numbers(&mut input, false), [0]);
    drop(output.chunk(1_000_000).unwrap());
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    assert!(farewell.say());
}

#[test]
fn a_reader_that_leaves_is_not_waited_for() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send(&output, &[0]);
    assert_eq!(numbers(&mut input, false), [0]);
    send(&output, &vec![1; 100_000]);
    // Its node goes on.
    drop(input);
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    assert!(farewell.say());
}
