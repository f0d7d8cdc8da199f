//! A stand-in for the daemon, which can do what a real one does rarely: send every kind of event, refuse a
//! version, vanish. And what tests of nodes share.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::mem::MaybeUninit;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use dora_message::daemon_to_node::{DaemonCommunication, DaemonReply, NodeConfig, NodeEvent, Timestamped};
use dora_message::node_to_daemon::DaemonRequest;
use dora_node_api::{uhlc, uuid};

use super::*;
use crate::event::{dora_event_format, dora_event_t};
use crate::ffi::{Out, Text, TextBuffer};
use crate::receive::read_dora_event;
use crate::status::DORA_OK;

/// What the stand-in answers when the node asks for events; behind the last it closes every connection, and
/// where there is nothing to answer it keeps silent.
pub type Script = Vec<Vec<NodeEvent>>;

fn serve(mut stream: TcpStream, mut script: VecDeque<Vec<NodeEvent>>, refusal: Option<&str>) {
    let clock = uhlc::HLC::default();
    while let Some(request) = receive(&mut stream) {
        let reply = match request {
            DaemonRequest::Register(_) => {
                DaemonReply::Result(refusal.map_or(Ok(()), |text| Err(text.to_owned())))
            }
            DaemonRequest::NextEvent => match script.pop_front() {
                Some(events) if events.is_empty() => loop {
                    std::thread::park();
                },
                Some(events) => DaemonReply::NextEvents(
                    events
                        .into_iter()
                        .map(|inner| Timestamped { inner, timestamp: clock.new_timestamp() })
                        .collect(),
                ),
                None => return,
            },
            DaemonRequest::SendMessage { .. } | DaemonRequest::OutputSent { .. } => continue,
            _ => DaemonReply::Result(Ok(())),
        };
        let bytes = dora_message::encode(&reply).unwrap();
        stream.write_all(&u64::try_from(bytes.len()).unwrap().to_le_bytes()).unwrap();
        stream.write_all(&bytes).unwrap();
    }
}

fn receive(stream: &mut TcpStream) -> Option<DaemonRequest> {
    let mut length = [0; 8];
    stream.read_exact(&mut length).ok()?;
    let mut bytes = vec![0; usize::try_from(u64::from_le_bytes(length)).unwrap()];
    stream.read_exact(&mut bytes).ok()?;
    Some(dora_message::decode::<Timestamped<DaemonRequest>>(&bytes).unwrap().inner)
}

pub fn node_with(script: Script, refusal: Option<&str>) -> Result<Box<dora_node_t>> {
    node_by(script, refusal, &dora_node_options_t::default())
}

/// The same with options.
pub fn node_by(
    script: Script,
    refusal: Option<&str>,
    options: &dora_node_options_t,
) -> Result<Box<dora_node_t>> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket_addr = listener.local_addr().unwrap();
    let refusal = refusal.map(str::to_owned);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (script, refusal) = (script.clone().into(), refusal.clone());
            std::thread::spawn(move || serve(stream.unwrap(), script, refusal.as_deref()));
        }
    });
    let config = NodeConfig {
        dataflow_id: uuid::Uuid::new_v4(),
        node_id: "under-test".parse().unwrap(),
        run_config: serde_json::from_value(serde_json::json!({
            "inputs": {"image": "camera/image"}, "outputs": ["out", "other-out"]
        }))
        .unwrap(),
        daemon_communication: Some(DaemonCommunication::Tcp { socket_addr }),
        dataflow_descriptor: serde_yaml::Value::Null,
        dynamic: false,
        write_events_to: None,
        restart_count: 3,
        output_routing: None,
    };
    begin::begin_as(begin::Role::Started(Box::new(config)), None, options).map(Box::new)
}

pub fn read(node: &dora_node_t, timeout_ns: i64) -> std::result::Result<Box<dora_event_t>, dora_status_t> {
    let mut event = MaybeUninit::uninit();
    let status = read_dora_event(Shared::of(node), timeout_ns, Out::of(&mut event));
    // SAFETY: `read_dora_event` writes the output whatever happens.
    let event = unsafe { event.assume_init() };
    assert_eq!(event.is_some(), status == DORA_OK);
    event.ok_or(status)
}

pub fn format(event: &dora_event_t) -> String {
    let mut buffer = [0_u8; 256];
    let length = dora_event_format(Some(event), TextBuffer::of(&mut buffer), 256);
    String::from_utf8(buffer[..length].to_vec()).unwrap()
}

pub fn text(text: Text<'_>) -> Option<String> {
    text.required("text").ok().map(str::to_owned)
}

pub fn free_in_time(node: Box<dora_node_t>) {
    let start = Instant::now();
    dora_node_free(Shared::of(Box::leak(node)));
    assert!(start.elapsed() < Duration::from_secs(4), "free took {:?}", start.elapsed());
}
