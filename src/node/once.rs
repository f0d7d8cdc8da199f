//! What is to be said once.

use std::collections::BTreeSet;
use std::sync::Mutex;

use super::dora_node_t;
use crate::ffi::{Text, answer};

/// The subjects that were asked about, of a node or of one of its inputs.
#[derive(Debug, Default)]
pub struct Told(Mutex<BTreeSet<String>>);

impl Told {
    /// Whether it is the first time that somebody asks about a subject.
    pub fn once(&self, subject: &str) -> bool {
        let mut told = crate::lock(&self.0);
        !told.contains(subject) && told.insert(subject.to_owned())
    }
}

/// Whether this is the first time that something is asked about, for what is to be said once and not again
/// with every message.
///
/// @param node     May be NULL.
/// @param subject  What it is about, any UTF-8, terminated; copied, and remembered as long as the node
///                 lives. May be NULL.
/// @return  true for one caller a subject; false for every other, for NULL, and when the node is being
///          freed.
///
/// Any thread, never waits. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_node_once(node: Option<&dora_node_t>, subject: Text<'_>) -> bool {
    answer(false, || {
        let node = node?;
        let _call = node.enter().ok()?;
        Some(node.told.once(subject.required("subject").ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subject_is_new_once() {
        let told = Told::default();
        assert_eq!(
            ["a", "b", "a", "", "b", ""].map(|subject| told.once(subject)),
            [true, true, false, true, false, false]
        );
    }
}
