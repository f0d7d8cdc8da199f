//! Events that a wait for a reply came across, kept for the reads that follow it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use dora_message::config::{DEFAULT_QUEUE_SIZE, Input};
use dora_message::metadata::{FLUSH, carries_pattern_correlation, get_bool_param};
use dora_node_api::Event;
use dora_node_api::dora_core::config::DataId;

/// How many events are kept that are no inputs, as dora does in its own queue of them.
const CONTROL_EVENTS_AT_MOST: usize = 1000;

/// A queue in the order of arrival, that holds of each input what the input's own queue would.
#[derive(Debug)]
pub struct Kept {
    events: VecDeque<Event>,
    room: HashMap<DataId, usize>,
}

impl Kept {
    pub fn new(inputs: &BTreeMap<DataId, Input>) -> Self {
        let room = inputs.iter().map(|(id, input)| {
            let size = input.queue_size.unwrap_or(DEFAULT_QUEUE_SIZE);
            (id.clone(), input.queue_policy.unwrap_or_default().effective_cap(size))
        });
        Self { events: VecDeque::new(), room: room.collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The event that came first.
    pub fn next(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The first event for which `is_wanted` holds.
    pub fn take(&mut self, is_wanted: impl Fn(&Event) -> bool) -> Option<Event> {
        let index = self.events.iter().position(is_wanted)?;
        self.events.remove(index)
    }

    /// Keeps an event. Gives back the one that has to go for it: of the same input, the oldest that answers
    /// no request. A message that flushes its input takes the place of those in front of it.
    pub fn keep(&mut self, event: Event) -> Option<Event> {
        let input = input_of(&event).cloned();
        let is_rival = |other: &Event| input_of(other) == input.as_ref();
        if flushes(&event) {
            self.events.retain(|other| !is_rival(other) || is_correlated(other));
        }
        self.events.push_back(event);
        let room = match &input {
            Some(id) => self.room.get(id).copied().unwrap_or(DEFAULT_QUEUE_SIZE),
            None => CONTROL_EVENTS_AT_MOST,
        };
        if self.events.iter().filter(|other| is_rival(other)).count() <= room {
            return None;
        }
        let may_go = |event: &Event| is_rival(event) && !matches!(event, Event::Stop(_));
        let index = self
            .events
            .iter()
            .position(|event| may_go(event) && !is_correlated(event))
            .or_else(|| self.events.iter().position(may_go))?;
        self.events.remove(index)
    }
}

pub fn input_of(event: &Event) -> Option<&DataId> {
    match event {
        Event::Input { id, .. } => Some(id),
        _ => None,
    }
}

fn flushes(event: &Event) -> bool {
    matches!(event, Event::Input { metadata, .. }
        if get_bool_param(&metadata.parameters, FLUSH) == Some(true))
}

/// Whether somebody waits for a message as the answer to something.
fn is_correlated(event: &Event) -> bool {
    matches!(event, Event::Input { metadata, .. } if carries_pattern_correlation(&metadata.parameters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array};
    use dora_node_api::uhlc::HLC;
    use dora_node_api::{DoraArray, Metadata, Parameter, StopCause};

    fn input(id: &str, value: i64, parameters: &[(&str, Parameter)]) -> Event {
        let array: ArrayRef = Arc::new(Int64Array::from(vec![value]));
        let parameters = parameters.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        let metadata = Metadata::from_parameters(HLC::default().new_timestamp(), parameters.collect());
        Event::Input { id: id.parse().unwrap(), metadata, data: DoraArray::from(array) }
    }

    fn kept(inputs: &str) -> Kept {
        Kept::new(&serde_json::from_str::<BTreeMap<DataId, Input>>(inputs).unwrap())
    }

    fn rest(mut kept: Kept) -> Vec<String> {
        std::iter::from_fn(|| kept.next())
            .map(|event| match event {
                Event::Input { id, data, .. } => {
                    format!("{id} {}", Int64Array::from(data.into_inner().to_data()).value(0))
                }
                Event::Stop(_) => "stop".to_owned(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn each_input_keeps_what_its_queue_would_and_all_stay_in_order() {
        let mut kept = kept(r#"{"a": {"source": "n/a", "queue_size": 2}, "b": "n/b"}"#);
        for value in 0..4 {
            assert_eq!(kept.keep(input("a", value, &[])).is_some(), value >= 2);
            assert!(kept.keep(input("b", value, &[])).is_none());
        }
        assert_eq!(rest(kept), ["b 0", "b 1", "a 2", "b 2", "a 3", "b 3"]);
    }

    #[test]
    fn answers_are_the_last_to_go_and_a_stop_never_does() {
        let mut kept = kept(r#"{"a": {"source": "n/a", "queue_size": 2}}"#);
        let answer = [("request_id", Parameter::String("1".into()))];
        kept.keep(input("a", 0, &answer));
        kept.keep(input("a", 1, &[]));
        kept.keep(input("a", 2, &answer));
        kept.keep(input("a", 3, &answer));
        kept.keep(Event::Stop(StopCause::Manual));
        for _ in 0..CONTROL_EVENTS_AT_MOST {
            kept.keep(Event::Error("x".into()));
        }
        let rest = rest(kept);
        assert_eq!(rest[..3], ["a 2", "a 3", "stop"]);
        assert_eq!(rest.len(), 2 + CONTROL_EVENTS_AT_MOST);
    }

    #[test]
    fn a_flush_takes_the_place_of_what_was_queued() {
        let mut kept = kept(r#"{"a": "n/a", "b": "n/b"}"#);
        kept.keep(input("a", 0, &[]));
        kept.keep(input("b", 0, &[]));
        kept.keep(input("a", 1, &[]));
        kept.keep(input("a", 2, &[("goal_id", Parameter::String("1".into()))]));
        assert!(kept.keep(input("a", 3, &[("flush", Parameter::Bool(true))])).is_none());
        assert_eq!(rest(kept), ["b 0", "a 2", "a 3"]);
    }

    #[test]
    fn what_is_wanted_is_taken_from_the_middle() {
        let mut kept = kept("{}");
        (0..3).for_each(|value| drop(kept.keep(input("a", value, &[]))));
        let taken = kept.take(|event| matches!(event, Event::Input { data, .. } if data.len() == 1)).unwrap();
        assert!(matches!(taken, Event::Input { .. }));
        assert_eq!(rest(kept), ["a 1", "a 2"]);
    }
}
