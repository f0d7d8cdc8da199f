//! The farewell of a node.

use std::thread;
use std::time::{Duration, Instant};

use super::*;

/// How long a farewell takes that waits for nobody, on a busy machine, and how long one at least that does in vain.
const SOON: Duration = Duration::from_millis(700);
const IN_VAIN: Duration = Duration::from_secs(1);

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

fn time(farewell: Farewell) -> Duration {
    let begin = Instant::now();
    farewell.say();
    begin.elapsed()
}

#[test]
fn a_live_reader_that_has_not_looked_is_waited_for() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..3);
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    thread::scope(|scope| {
        let farewell = scope.spawn(|| time(farewell));
        thread::sleep(Duration::from_millis(200));
        assert!(!farewell.is_finished(), "its messages would be gone");
        assert_eq!(numbers(&mut input, false), [0, 1, 2]);
        let time = farewell.join().unwrap();
        assert!(time < IN_VAIN, "it took {time:?}");
    });
}

#[test]
fn a_reader_that_never_looks_keeps_nobody_and_loses_nothing() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..3);
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    let time = time(farewell);
    assert!((IN_VAIN..2 * IN_VAIN).contains(&time), "it took {time:?}");
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
    let time = time(farewell);
    assert!(time < SOON, "it took {time:?}");
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
    let time = time(farewell);
    assert!((IN_VAIN..2 * IN_VAIN).contains(&time), "it took {time:?}");
    assert_eq!(numbers(&mut input, false), [1]);
}

#[test]
fn a_dead_reader_is_not_waited_for() {
    let world = World::new(4);
    let (input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..3);
    let End { farewell, viewer, _spot } = end(world, output);
    drop((input, viewer));
    let time = time(farewell);
    assert!(time < SOON, "it took {time:?}");
}

#[test]
fn who_has_sent_nothing_waits_for_nobody() {
    let world = World::new(4);
    let (_input, output) = (world.input(), world.output(EARLIER));
    output.probe().unwrap();
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    let time = time(farewell);
    assert!(time < SOON, "it took {time:?}");
}

#[test]
fn memory_in_which_nothing_was_sent_is_waited_for_by_nobody() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..1);
    assert_eq!(numbers(&mut input, false), [0]);
    drop(output.chunk(1_000_000).unwrap());
    let End { farewell, viewer: _viewer, _spot } = end(world, output);
    let time = time(farewell);
    assert!(time < SOON, "it took {time:?}");
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
    let time = time(farewell);
    assert!(time < SOON, "it took {time:?}");
}
