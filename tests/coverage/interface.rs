//! The names that libdora offers in C and in C++.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub struct Interface {
    /// The functions of the shared library.
    exported: BTreeSet<String>,
    /// `dora.h` and the headers of the C++ layer, without their comments.
    c: String,
    cpp: String,
}

impl Interface {
    pub fn of_project(project: &Path) -> Self {
        let read = |path: &Path| {
            fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let directory = fs::read_dir(project.join("include/dora/cpp")).expect("there is a C++ layer");
        let headers = directory.map(|entry| read(&entry.expect("a directory can be read").path()));
        Self::new(
            &read(&project.join("tests/symbols.txt")),
            &read(&project.join("include/dora/dora.h")),
            &headers.collect::<String>(),
        )
    }

    pub fn new(exported: &str, c: &str, cpp: &str) -> Self {
        Self {
            exported: exported.lines().map(str::to_owned).collect(),
            c: without_comments(c),
            cpp: without_comments(cpp),
        }
    }

    /// Whether there is a function, a constant or a type of C.
    pub fn has_c(&self, name: &str) -> bool {
        self.exported.contains(name)
            || self.c.lines().any(|line| {
                let rest = line.strip_prefix("#define ").and_then(|rest| rest.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with(' '))
                    || line.starts_with("typedef ") && line.ends_with(&format!(" {name};"))
                    || line.contains("static inline ") && line.contains(&format!(" {name}("))
            })
    }

    /// Whether there is a type or function `name` of C++, or a member `type::member`.
    pub fn has_cpp(&self, name: &str) -> bool {
        match name.split_once("::") {
            Some((class, member)) => self.bodies(class).any(|body| declares(body, member)),
            None => self.bodies(name).next().is_some() || declares(&self.cpp, name),
        }
    }

    /// What stands in the braces of a class.
    fn bodies<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a str> {
        words(&self.cpp, class)
            .filter(|(before, _)| ["class", "struct", "]]"].iter().any(|begin| before.ends_with(begin)))
            .filter_map(|(_, after)| {
                let (head, body) = after.split_once('{')?;
                (!head.contains([';', '(', '>'])).then(|| &body[..end_of_block(body)])
            })
    }
}

/// Whether a name is one of C, by its prefix.
pub fn is_c(name: &str) -> bool {
    name.starts_with("dora_") || name.starts_with("DORA_") || name == "read_dora_event"
}

/// Whether `text` declares a function, field or alias `name`: behind a type or `using`, and before what
/// follows a name in a declaration. A call stands behind something else.
fn declares(text: &str, name: &str) -> bool {
    words(text, name).any(|(before, after)| {
        let is_typed = before.ends_with(|last: char| last.is_alphanumeric() || "_>&*".contains(last))
            || before.ends_with("decltype(auto)");
        is_typed && !before.ends_with("return") && after.starts_with(['(', ';', '=', '{'])
    })
}

/// The places of a word: what stands before it and behind it, without the space between.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let is_part = |part: char| part.is_alphanumeric() || part == '_';
    text.match_indices(word)
        .map(move |(at, _)| (&text[..at], &text[at + word.len()..]))
        .filter(move |(before, after)| !before.ends_with(is_part) && !after.starts_with(is_part))
        .map(|(before, after)| (before.trim_end(), after.trim_start()))
}

/// Where the brace closes that was opened before `body`.
fn end_of_block(body: &str) -> usize {
    let mut depth = 1;
    for (at, character) in body.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    body.len()
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut code = String::new();
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        code += &rest[..at];
        let end = if rest[at..].starts_with("//") { "\n" } else { "*/" };
        rest = rest[at..].split_once(end).map_or("", |(_, behind)| behind);
        code += "\n";
    }
    code + rest
}
