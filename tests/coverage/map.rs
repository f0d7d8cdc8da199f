//! The map: what does in C and C++ what an item of dora does in Rust. Its form is told at its top.

use std::collections::{BTreeMap, BTreeSet};

use super::interface::{Interface, is_c};

pub struct Section {
    pub title: String,
    pub text: String,
    pub rows: Vec<Row>,
}

pub struct Row {
    /// The items, as the map has them: with braces.
    pub patterns: Vec<String>,
    pub answer: Answer,
}

pub enum Answer {
    Names { c: Vec<String>, cpp: Vec<String> },
    Reason(String),
}

/// Reads a map.
pub fn parse(map: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (index, line) in map.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { title: title.to_owned(), text: String::new(), rows: Vec::new() });
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let section = sections.last_mut().expect("a map begins with a section");
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        match (&fields[..], section.rows.last_mut()) {
            ([text], None) => section.text += &format!("{text}\n"),
            ([pattern], Some(row)) if line.starts_with(' ') => row.patterns.push((*pattern).to_owned()),
            ([pattern, reason], _) => section.rows.push(Row {
                patterns: vec![(*pattern).to_owned()],
                answer: Answer::Reason((*reason).to_owned()),
            }),
            ([pattern, c, cpp], _) => section.rows.push(Row {
                patterns: vec![(*pattern).to_owned()],
                answer: Answer::Names { c: list(c), cpp: list(cpp) },
            }),
            _ => panic!("line {} of the map has no form: {line}", index + 1),
        }
    }
    sections
}

/// All that is wrong with a map, a sentence each.
pub fn faults(map: &[Section], items: &BTreeSet<String>, interface: &Interface) -> Vec<String> {
    let mut faults = Vec::new();
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    for row in map.iter().flat_map(|section| &section.rows) {
        for item in row.items() {
            *rows.entry(item).or_default() += 1;
        }
        faults.extend(row.faults(interface).iter().map(|fault| format!("{}: {fault}", row.patterns[0])));
    }
    for item in items.iter().filter(|item| !rows.contains_key(*item)) {
        faults.push(format!("{item}: dora has it, the map has no row for it"));
    }
    for (item, count) in rows {
        if !items.contains(&item) {
            faults.push(format!("{item}: dora has no such item (any more)"));
        }
        if count > 1 {
            faults.push(format!("{item}: the map has {count} rows for it"));
        }
    }
    faults
}

impl Row {
    pub fn items(&self) -> Vec<String> {
        self.patterns.iter().flat_map(|pattern| expand(pattern)).collect()
    }

    fn faults(&self, interface: &Interface) -> Vec<String> {
        let mut faults = Vec::new();
        let mut check = |name: &str, language: &str| {
            let (found, place) = if language == "C" || is_c(name) {
                (interface.has_c(name), "tests/symbols.txt or include/dora/dora.h")
            } else {
                (interface.has_cpp(name), "include/dora/cpp")
            };
            if !found {
                faults.push(format!("`{name}` is not in {place}"));
            }
        };
        match &self.answer {
            Answer::Names { c, cpp } => {
                c.iter().for_each(|name| check(name, "C"));
                cpp.iter().for_each(|name| check(name, "C++"));
            }
            Answer::Reason(reason) => {
                let quoted = reason.split('`').skip(1).step_by(2);
                quoted
                    .filter(|name| is_c(name) && !name.starts_with("DORA_"))
                    .for_each(|name| check(name, "C"));
            }
        }
        faults
    }
}

fn list(field: &str) -> Vec<String> {
    field.split(',').map(|name| name.trim().to_owned()).collect()
}

/// `a::{self, b}` is `a` and `a::b`.
fn expand(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let (choices, after) = rest.split_once('}').unwrap_or_else(|| panic!("{pattern}: a brace is not closed"));
    let choices = choices.split(',').map(|choice| match choice.trim() {
        "self" => format!("{}{after}", before.trim_end_matches("::")),
        choice => format!("{before}{choice}{after}"),
    });
    choices.flat_map(|choice| expand(&choice)).collect()
}
