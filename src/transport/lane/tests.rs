//! Both halves in one process, without dora and daemon: what dataflows cannot force.

mod broken;
mod ending;
mod receiving;
mod sending;

use std::fs;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, UInt64Array};
use dora_node_api::arrow_utils::encode_arrow_ipc;
use dora_node_api::uhlc::HLC;
use dora_node_api::{DoraArray, Event, Metadata, MetadataParameters};

use super::acks::Acks;
use super::hub::{Channel, Hub};
use super::inputs::Receiver;
use super::place::tests::Spot;
use super::place::{Card, Seat};
use super::plan::{InputPlan, OutputPlan, Reader, Shape};
use super::*;

/// A dataflow of two nodes, "camera" and "viewer": the first's output "image" is the other's input "picture".
pub struct World {
    pub camera: (Hub, Arc<Seat>),
    pub viewer: (Hub, Arc<Seat>),
    // Its files go when all that uses them is gone.
    pub spot: Spot,
    shape: Shape,
}

/// The run of the viewer, to which that of a camera is earlier or later.
pub const VIEWER_RUN: u64 = 50;
pub const EARLIER: u64 = 10;
pub const LATER: u64 = 100;

impl World {
    /// `depth` messages may wait.
    pub fn new(depth: usize) -> Self {
        let spot = Spot::new();
        let node = |name, incarnation, inputs: &[&str], outputs: &[&str]| {
            let [inputs, outputs] =
                [inputs, outputs].map(|ids| ids.iter().map(ToString::to_string).collect());
            let hub = Hub::open(&spot.0, "flow", name).unwrap();
            let seat = Seat::take(&spot.0, "flow", name, &Card { incarnation, inputs, outputs }).unwrap();
            (hub, Arc::new(seat))
        };
        let camera = node("camera", EARLIER, &[], &["image"]);
        let viewer = node("viewer", VIEWER_RUN, &["picture"], &[]);
        Self { camera, viewer, spot, shape: Shape { readers: 1, depth } }
    }

    pub fn channel(&self, hub: &Hub) -> Channel {
        hub.channel("camera", "image", self.shape.readers, self.shape.depth, BORROWED_AT_ONCE).unwrap()
    }

    /// The output, in a run of the camera.
    pub fn output(&self, run: u64) -> Output {
        let plan = OutputPlan { id: "image".parse().unwrap(), shape: self.shape, readers: vec![reader()] };
        let mut output = Output::new(&plan, &self.channel(&self.camera.0), run).unwrap();
        output.add_bell(self.viewer.1.bell().again().unwrap());
        output
    }

    pub fn input(&self) -> Input {
        let (hub, seat) = &self.viewer;
        let plan = InputPlan {
            id: "picture".parse().unwrap(),
            node: "camera".to_owned(),
            output: "image".to_owned(),
            queue: self.shape.depth,
            shape: self.shape,
        };
        let me = Receiver { seat: seat.clone(), node: "viewer".to_owned(), run: VIEWER_RUN };
        Input::new(&plan, &self.channel(hub), Arc::new(me)).unwrap()
    }

    /// Up to which piece of memory a run of the camera knows that it is mapped.
    pub fn acknowledged(&self, acks: &mut Acks, run: u64) -> Option<u32> {
        acks.read(self.camera.1.letters());
        let has =
            |generation: &u32| acks.have(&"image".parse().unwrap(), &reader(), run, VIEWER_RUN, *generation);
        (0..100).take_while(has).last()
    }
}

pub fn reader() -> Reader {
    Reader { node: "viewer".to_owned(), input: "picture".to_owned() }
}

/// An array in the form in which it travels.
pub fn encoded(values: &[u64]) -> Vec<u8> {
    let array: ArrayRef = Arc::new(UInt64Array::from(values.to_vec()));
    encode_arrow_ipc(&DoraArray::from(array)).unwrap()
}

pub fn metadata(parameters: MetadataParameters) -> Metadata {
    static CLOCK: LazyLock<HLC> = LazyLock::new(HLC::default);
    Metadata::from_parameters(CLOCK.new_timestamp(), parameters)
}

/// Memory of an output with an array in it.
pub fn chunk(output: &Output, values: &[u64]) -> Option<Chunk> {
    let bytes = encoded(values);
    let mut chunk = output.chunk(bytes.len())?;
    chunk.bytes().copy_from_slice(&bytes);
    Some(chunk)
}

pub fn send(output: &Output, values: &[u64]) {
    output.send(chunk(output, values).unwrap(), &metadata(MetadataParameters::default())).unwrap();
}

/// Sends messages of one number each.
pub fn send_each(output: &Output, numbers: impl IntoIterator<Item = u64>) {
    numbers.into_iter().for_each(|number| send(output, &[number]));
}

pub fn values(event: &Event) -> &[u64] {
    let Event::Input { id, data, .. } = event else { panic!("{event:?}") };
    assert_eq!(id.as_str(), "picture");
    data.try_into().unwrap()
}

/// The next message, unless none waits or it is one of a new run that may not begin.
pub fn look(input: &mut Input, may_begin: bool) -> Option<Event> {
    match input.look(may_begin) {
        Look::Event(event) => Some(event),
        Look::NewRun | Look::Nothing => None,
    }
}

/// The first number of each message that may come now.
pub fn numbers(input: &mut Input, may_begin: bool) -> Vec<u64> {
    std::iter::from_fn(|| look(input, may_begin)).map(|event| values(&event)[0]).collect()
}

/// Whether the data of a message lies in shared memory.
pub fn is_shared(event: &Event) -> bool {
    let address = values(event).as_ptr().addr();
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let hex = |text| usize::from_str_radix(text, 16).unwrap();
    let line = maps.lines().find(|line| {
        let (begin, end) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
        (hex(begin)..hex(end)).contains(&address)
    });
    line.unwrap().contains("/dev/shm/")
}
