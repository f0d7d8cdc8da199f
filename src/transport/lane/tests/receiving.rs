//! What an input gives, counts and holds.

use std::thread;

use super::*;

fn is_new_run(input: &mut Input) -> bool {
    matches!(input.look(false), Look::NewRun)
}

#[test]
fn lost_messages_are_counted_in_each_run() {
    let world = World::new(4);
    let mut input = world.input();
    let first = world.output(EARLIER);
    send_each(&first, 0..10);
    assert_eq!(numbers(&mut input, false), [6, 7, 8, 9]);
    assert_eq!(input.take_lost(), 0, "what was sent before the node came is not lost to it");
    send_each(&first, 10..20);
    assert_eq!(numbers(&mut input, false), [16, 17, 18, 19]);
    assert_eq!((input.take_lost(), input.take_lost()), (6, 0));
    drop(first);
    let second = world.output(LATER);
    send_each(&second, 100..107);
    assert_eq!(numbers(&mut input, true), [103, 104, 105, 106]);
    assert_eq!(input.take_lost(), 3, "a run that begins later has lost what came before its first message");
    send_each(&second, 107..109);
    assert_eq!((numbers(&mut input, true), input.take_lost()), (vec![107, 108], 0));
}

#[test]
fn a_new_run_waits_until_it_may_begin() {
    let world = World::new(4);
    let mut input = world.input();
    let first = world.output(EARLIER);
    send_each(&first, 0..2);
    assert_eq!(numbers(&mut input, false), [0, 1]);
    drop(first);
    let second = world.output(LATER);
    send_each(&second, 10..13);
    for _ in 0..3 {
        assert!(is_new_run(&mut input));
        assert!(!input.is_empty());
    }
    // What comes meanwhile stands behind.
    send_each(&second, 13..15);
    assert!(is_new_run(&mut input));
    // They wait in the place of the queue, and are no more than that holds.
    assert_eq!(numbers(&mut input, true), [11, 12, 13, 14]);
    assert!(input.is_empty());
    assert_eq!(input.take_lost(), 1);
}

#[test]
fn runs_that_are_mixed_come_one_behind_the_other() {
    let world = World::new(20);
    let mut input = world.input();
    // In whatever order the channel has the two.
    for runs in [[10, 20], [40, 30]] {
        let outputs = runs.map(|run| world.output(run));
        let [old, new] = if runs[0] < runs[1] { [0, 1] } else { [1, 0] };
        send(&outputs[old], &[0]);
        assert_eq!(numbers(&mut input, true), [0]);
        for number in 1..4 {
            send(&outputs[new], &[number + 10]);
            send(&outputs[old], &[number]);
        }
        assert_eq!(numbers(&mut input, false), [1, 2, 3]);
        assert!(is_new_run(&mut input));
        send(&outputs[old], &[4]);
        assert_eq!(numbers(&mut input, false), [4], "the old run has not ended");
        assert_eq!(numbers(&mut input, true), [11, 12, 13]);
        assert_eq!(input.take_lost(), 0);
    }
}

#[test]
fn a_new_run_that_may_begin_still_comes_behind() {
    let world = World::new(20);
    let mut input = world.input();
    let [new, old] = [LATER, EARLIER].map(|run| world.output(run));
    send_each(&old, 0..1);
    assert_eq!(numbers(&mut input, true), [0]);
    send_each(&new, 10..12);
    send_each(&old, 1..3);
    assert_eq!(numbers(&mut input, true), [1, 2, 10, 11]);
    assert_eq!(input.take_lost(), 0);
}

#[test]
fn of_two_runs_that_wait_at_the_beginning_the_old_one_comes_first() {
    let world = World::new(20);
    let mut input = world.input();
    let [new, old] = [LATER, EARLIER].map(|run| world.output(run));
    send_each(&new, 10..12);
    send_each(&old, 0..2);
    assert_eq!(numbers(&mut input, true), [0, 1, 10, 11]);
    assert_eq!(input.take_lost(), 0);
}

#[test]
fn three_runs_wait_for_one_another() {
    let world = World::new(20);
    let mut input = world.input();
    let outputs = [30, 10, 20].map(|run| world.output(run));
    send(&outputs[1], &[0]);
    assert_eq!(numbers(&mut input, false), [0]);
    for output in &outputs {
        send(output, &[1]);
    }
    assert_eq!(numbers(&mut input, false), [1]);
    for _ in 0..2 {
        assert!(is_new_run(&mut input));
        let event = look(&mut input, true).unwrap();
        assert_eq!(values(&event), [1]);
    }
    assert!(input.is_empty());
}

#[test]
fn a_probe_is_no_message() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    output.probe().unwrap();
    assert!(input.is_empty());
    assert!(matches!(input.look(false), Look::Nothing));
    assert!(input.is_empty());
    assert_eq!(input.take_lost(), 0);
    // It has begun the run, so that nothing of it was sent before this node came.
    send_each(&output, 0..6);
    assert_eq!(numbers(&mut input, false), [2, 3, 4, 5]);
    assert_eq!(input.take_lost(), 2);
}

#[test]
fn hearing_of_a_run_takes_nothing_from_it() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    assert!(!input.has_heard(EARLIER));
    output.probe().unwrap();
    assert!(world.viewer.1.bell().drain(), "the viewer is woken");
    assert!(input.has_heard(EARLIER) && !input.has_heard(EARLIER + 1));
    send_each(&output, 0..2);
    assert!(input.has_heard(EARLIER));
    assert!(input.waiting_at_most() >= 2);
    assert_eq!(numbers(&mut input, false), [0, 1]);
}

#[test]
fn more_than_a_channel_lends_are_copied() {
    let world = World::new(20);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    send_each(&output, 0..20);
    let mut held: Vec<_> = std::iter::from_fn(|| look(&mut input, false)).collect();
    let shared = |held: &[Event]| held.iter().filter(|event| is_shared(event)).count();
    let check = |held: &[Event], numbers: std::ops::Range<u64>| {
        let found: Vec<_> = held.iter().map(|event| values(event)[0]).collect();
        assert_eq!(found, numbers.collect::<Vec<_>>());
    };
    check(&held, 0..20);
    assert_eq!((shared(&held), shared(&held[..BORROWED])), (BORROWED, BORROWED));
    // Places come back from whichever thread lets go.
    let gone: Vec<_> = held.drain(..3).collect();
    thread::spawn(move || drop(gone)).join().unwrap();
    send_each(&output, 20..25);
    held.extend(std::iter::from_fn(|| look(&mut input, false)));
    check(&held, 3..25);
    assert_eq!((shared(&held), shared(&held[17..20])), (BORROWED, 3));
    assert_eq!(input.take_lost(), 0);
}

#[test]
fn what_is_held_stays_while_the_rest_goes_on() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    let large = |number| vec![number; 10_000];
    (0..3).for_each(|number| send(&output, &large(number)));
    let mut held: Vec<_> = std::iter::from_fn(|| look(&mut input, false)).collect();
    let check = |held: &[Event]| {
        for (number, event) in (0..).zip(held) {
            assert!(is_shared(event));
            assert!(values(event) == large(number), "message {number} has changed");
        }
    };
    assert_eq!(held.len(), 3);
    // The sender writes all its places anew, several times.
    (0..200).for_each(|_| send(&output, &large(77)));
    check(&held);
    // The input goes, another takes its place, and the sender goes on.
    drop(input);
    let mut other = world.input();
    (0..200).for_each(|_| send(&output, &large(88)));
    assert_eq!(numbers(&mut other, false), [88; 4]);
    check(&held);
    // The sender goes, and a new run of it.
    drop(output);
    let second = world.output(LATER);
    (0..200).for_each(|_| send(&second, &large(99)));
    check(&held);
    drop((other, second));
    check(&held);
    drop(world);
    check(&held);
    thread::spawn(move || held.drain(..).for_each(drop)).join().unwrap();
}

#[test]
fn what_waits_outlives_its_sender() {
    let world = World::new(4);
    let mut input = world.input();
    let output = world.output(EARLIER);
    send_each(&output, 0..1);
    assert_eq!(numbers(&mut input, false), [0]);
    send_each(&output, 1..4);
    drop(output);
    assert_eq!(numbers(&mut input, false), [1, 2, 3]);
    assert!(input.is_empty());
}

#[test]
fn a_new_run_begins_when_it_is_let() {
    let world = World::new(4);
    let mut input = world.input();
    let first = world.output(EARLIER);
    send_each(&first, 0..1);
    assert_eq!(numbers(&mut input, false), [0]);
    drop(first);
    let second = world.output(LATER);
    send_each(&second, 10..12);
    assert!(is_new_run(&mut input));
    input.let_new_run_begin();
    assert_eq!(numbers(&mut input, false), [10, 11]);
    drop(second);
    // Once.
    let third = world.output(LATER + 1);
    send_each(&third, 20..21);
    assert!(is_new_run(&mut input));
}

#[test]
fn what_a_queue_of_one_loses_at_the_beginning_is_counted() {
    let world = World::new(1);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    output.probe().unwrap();
    assert!(input.has_heard(EARLIER));
    send_each(&output, 0..900);
    assert_eq!(numbers(&mut input, false), [899]);
    assert_eq!(input.take_lost(), 899);
}
