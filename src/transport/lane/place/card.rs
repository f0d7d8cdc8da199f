//! What a node tells others of itself, as text.

use super::names::{decoded, encoded};

/// What a node tells others of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Which run of the node it is; a later run has a greater number.
    pub incarnation: u64,
    /// The inputs that may take the lane.
    pub inputs: Vec<String>,
    /// The outputs that may.
    pub outputs: Vec<String>,
}

impl Card {
    /// A line for each thing, with ids percent-encoded.
    pub fn text(&self) -> String {
        let mut text = format!("incarnation {}\n", self.incarnation);
        for (word, ids) in [("input", &self.inputs), ("output", &self.outputs)] {
            for id in ids {
                text.push_str(&format!("{word} {}\n", encoded(id)));
            }
        }
        text
    }

    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(|line| line.split_once(' '));
        let incarnation = match lines.next()?? {
            ("incarnation", number) => number.parse().ok()?,
            _ => return None,
        };
        let mut card = Self { incarnation, inputs: Vec::new(), outputs: Vec::new() };
        for line in lines {
            match line? {
                ("input", id) => card.inputs.push(decoded(id)?),
                ("output", id) => card.outputs.push(decoded(id)?),
                _ => return None,
            }
        }
        Some(card)
    }
}
