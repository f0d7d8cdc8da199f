//! Messages that are not as they should be: an error for each that can be told, and no harm.

use dora_node_api::Parameter;
use iceoryx2::prelude::AllocationStrategy;

use super::*;
use crate::ffi::Slot;

/// Sends a header and bytes as they are.
struct Forger(iceoryx2::port::publisher::Publisher<super::hub::Iox, [Block], Header>);

impl Forger {
    fn new(world: &World) -> Self {
        let channel = world.channel(&world.camera.0);
        let builder = channel.publisher_builder().initial_max_slice_len(64);
        Self(builder.allocation_strategy(AllocationStrategy::PowerOfTwo).create().unwrap())
    }

    fn send(&self, header: Header, bytes: &[u8]) {
        let mut slot = Slot::new(self.0.loan_slice_uninit(bytes.len().div_ceil(64).max(1)).unwrap());
        slot.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
        slot.send(header).unwrap();
    }
}

/// A good message: its header, and its bytes.
fn good(sequence: u64) -> (Header, Vec<u8>) {
    let mut bytes = encoded(&[sequence]);
    let data = bytes.len() as u64;
    bytes.resize(bytes.len().next_multiple_of(64), 0);
    let at = bytes.len() as u64;
    let text = Parameter::String("a".into());
    let sent = metadata([("b".to_owned(), text)].into());
    let parameters = dora_message::encode(&sent.parameters).unwrap();
    bytes.extend_from_slice(&parameters);
    let header = Header {
        magic: Header::MAGIC,
        version: Header::VERSION,
        incarnation: EARLIER,
        sequence,
        data,
        parameters_at: at,
        parameters: parameters.len() as u64,
        time: sent.timestamp().get_time().as_u64(),
        clock: sent.timestamp().get_id().to_le_bytes(),
        ..Header::default()
    };
    (header, bytes)
}

type Break = fn(&mut Header, &mut Vec<u8>);

#[test]
fn what_is_broken_is_an_error_and_nothing_else() {
    let world = World::new(4);
    let (mut input, forger) = (world.input(), Forger::new(&world));
    let breaks: [(&str, Break); 12] = [
        ("data longer than the message", |header, _| header.data = 1 << 20),
        ("data that reaches into the parameters", |header, _| header.data = header.parameters_at + 1),
        ("endless data", |header, _| header.data = u64::MAX),
        ("parameters behind the end", |header, _| header.parameters_at = 1 << 20),
        ("endless parameters", |header, _| header.parameters = u64::MAX),
        ("parameters at the end of all", |header, _| header.parameters_at = u64::MAX),
        ("no clock", |header, _| header.clock.fill(0)),
        ("half of the parameters", |header, _| header.parameters /= 2),
        ("other parameters", |header, bytes| {
            let at = usize::try_from(header.parameters_at).unwrap();
            bytes[at..].fill(0xff);
        }),
        ("no data", |header, _| header.data = 0),
        ("half of the data", |header, _| header.data /= 2),
        ("other data", |_, bytes| bytes[..64].fill(0xee)),
    ];
    for (sequence, (what, damage)) in (0..).step_by(2).zip(breaks) {
        let (mut header, mut bytes) = good(sequence);
        damage(&mut header, &mut bytes);
        forger.send(header, &bytes);
        let (header, bytes) = good(sequence + 1);
        forger.send(header, &bytes);
        let event = look(&mut input, false).unwrap();
        let Event::Error(error) = event else { panic!("{what}: {event:?}") };
        assert!(error.contains("\"picture\"") && error.contains("cannot be read: "), "{what}: {error}");
        assert!(!error.contains('\n'), "{what}: {error}");
        assert_eq!(numbers(&mut input, false), [sequence + 1], "{what}");
        assert_eq!(input.take_lost(), 0, "{what}");
    }
}

#[test]
fn what_this_library_does_not_know_is_left_out() {
    let world = World::new(4);
    let (mut input, forger) = (world.input(), Forger::new(&world));
    let (header, bytes) = good(0);
    forger.send(Header { magic: 7, ..header }, &bytes);
    forger.send(Header { version: Header::VERSION + 1, ..header }, &bytes);
    forger.send(Header::default(), &[]);
    assert!(matches!(input.look(false), Look::Nothing));
    let mut acks = Acks::default();
    assert_eq!(world.acknowledged(&mut acks, EARLIER), None);
    forger.send(header, &bytes);
    assert_eq!(numbers(&mut input, false), [0]);
    assert_eq!(world.acknowledged(&mut acks, EARLIER), Some(0));
}

#[test]
fn letters_that_make_no_sense_are_left_out() {
    let world = World::new(4);
    let (mut input, output) = (world.input(), world.output(EARLIER));
    let letters = world.camera.1.letters();
    letters.write_record(&[0xff; 32]).unwrap();
    letters.write_record(&[0; 32]).unwrap();
    output.probe().unwrap();
    assert!(matches!(input.look(false), Look::Nothing));
    let mut acks = Acks::default();
    assert_eq!(world.acknowledged(&mut acks, EARLIER), Some(0));
    assert_eq!(world.acknowledged(&mut acks, LATER), None);
}
