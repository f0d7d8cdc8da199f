//! Memory of an output: how much there is, and what becomes of it.

use dora_node_api::Parameter;

use super::super::outputs::MADE;
use super::*;

fn parameters(length: usize) -> MetadataParameters {
    [("text".to_owned(), Parameter::String("x".repeat(length)))].into()
}

#[test]
fn long_metadata_moves_a_message() {
    let world = World::new(20);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    // Around the end of the room behind the data, and far beyond.
    let lengths: Vec<_> = (300..700).step_by(50).chain([5_000, 300_000]).collect();
    for (number, length) in (0..).zip(&lengths) {
        let sent = metadata(parameters(*length));
        output.send(chunk(&output, &[number, 1, 2]).unwrap(), &sent).unwrap();
        let event = look(&mut input, false).unwrap();
        assert_eq!(values(&event), [number, 1, 2]);
        let Event::Input { metadata, .. } = event else { unreachable!() };
        assert_eq!(metadata.parameters, parameters(*length));
        assert_eq!(metadata.timestamp(), sent.timestamp());
    }
}

#[test]
fn a_message_with_long_metadata_needs_no_place_of_a_loan() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    let mut loans: Vec<_> = std::iter::from_fn(|| chunk(&output, &[5])).collect();
    output.send(loans.pop().unwrap(), &metadata(parameters(5_000))).unwrap();
    assert_eq!(numbers(&mut input, false), [5]);
    // A copy moves too: it takes a place, and its larger copy another one.
    let _again = chunk(&output, &[5]).unwrap();
    output.send(output.copy_of(&encoded(&[6])).unwrap(), &metadata(parameters(5_000))).unwrap();
    assert_eq!(numbers(&mut input, false), [6]);
}

#[test]
fn loans_leave_a_place_for_who_sends() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    let mut loans: Vec<_> = std::iter::from_fn(|| chunk(&output, &[1])).collect();
    assert_eq!(loans.len(), MADE - 3);
    assert!(output.chunk(64).is_none());
    for number in 0..100 {
        let copy = output.copy_of(&encoded(&[number])).unwrap();
        output.send(copy, &metadata(MetadataParameters::default())).unwrap();
        assert_eq!(numbers(&mut input, false), [number]);
        assert!(output.chunk(64).is_none(), "a copy gives no place for a loan");
    }
    // One that is sent and one that is dropped give their places back.
    output.send(loans.pop().unwrap(), &metadata(MetadataParameters::default())).unwrap();
    loans.pop();
    let again = [output.chunk(64), output.chunk(64), output.chunk(64)];
    assert_eq!(again.map(|chunk| chunk.is_some()), [true, true, false]);
}

#[test]
fn a_loan_outlives_its_output() {
    let world = World::new(4);
    let output = world.output(EARLIER);
    let mut loan = output.chunk(100_000).unwrap();
    drop(output);
    // A new run has the same service.
    let (mut input, second) = (world.input(), world.output(LATER));
    loan.bytes().fill(7);
    send_each(&second, 0..100);
    assert_eq!(numbers(&mut input, true), [96, 97, 98, 99]);
    drop((second, input, world));
    assert!(loan.as_bytes().iter().all(|byte| *byte == 7));
    loan.bytes().fill(8);
    std::thread::spawn(move || drop(loan)).join().unwrap();
}

#[test]
fn a_loan_of_an_old_piece_is_sent_from_the_new_one_on() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    let old = chunk(&output, &[1]).unwrap();
    send(&output, &vec![2; 10_000]);
    output.send(old, &metadata(MetadataParameters::default())).unwrap();
    assert_eq!(numbers(&mut input, false), [2, 1]);
}

#[test]
fn each_piece_of_memory_is_acknowledged() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    let mut acks = Acks::default();
    let mut acknowledged = || world.acknowledged(&mut acks, EARLIER);
    let run = |_: &str| Some(VIEWER_RUN);
    send(&output, &[1]);
    assert_eq!(acknowledged(), None, "nobody has looked");
    assert_eq!(numbers(&mut input, false), [1]);
    assert_eq!(acknowledged(), Some(0));
    for piece in 1..4 {
        send(&output, &vec![1; 10_000 << (2 * piece)]);
        assert_eq!(acknowledged(), Some(piece - 1), "nobody has looked");
        assert_eq!(numbers(&mut input, false), [1]);
        assert_eq!(acknowledged(), Some(piece));
        // The same piece is not told of again.
        send(&output, &vec![1; 10_000 << (2 * piece)]);
        assert_eq!(numbers(&mut input, false), [1]);
        assert!(world.camera.1.letters().read_record::<1>().is_none());
    }
    let mut all = Acks::default();
    assert!(!output.is_mapped(&all, run), "what was never acknowledged is not mapped");
    assert!(output.is_mapped(&all, |_: &str| None), "a node that does not live needs nothing");
    send(&output, &vec![1; 10_000_000]);
    assert_eq!(numbers(&mut input, false), [1]);
    all.read(world.camera.1.letters());
    assert!(output.is_mapped(&all, run));
    assert!(!output.is_mapped(&all, |_: &str| Some(VIEWER_RUN + 1)), "its next run has not");
}

#[test]
fn a_message_lies_in_no_older_memory_than_those_before() {
    let world = World::new(8);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    let old = chunk(&output, &[1]).unwrap();
    send(&output, &vec![2; 100_000]);
    assert_eq!(look(&mut input, false).map(|event| values(&event)[0]), Some(2));
    output.send(old, &metadata(MetadataParameters::default())).unwrap();
    // The memory that the loan was in goes with the output, before it is looked for.
    drop(output);
    assert_eq!(numbers(&mut input, false), [1]);
    assert_eq!(input.take_lost(), 0);
}
