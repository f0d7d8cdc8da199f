//! The page that people read: `docs/coverage.md`.

use super::map::{Answer, Section};

const OPENING: &str = "\
# dora's Rust API in C and C++

Every public item of the crate `dora-node-api` @VERSION@, dora's Rust API, with what does the same in C and in
C++. Where nothing does, a sentence says why, or what to do. Of @ALL@ items, @DONE@ have functions, @REASON@ a
sentence.

Constants of C are those of C++ too. `a::{self, b}` stands for `a` and `a::b`. Everything public counts under
its shortest path, whichever feature of the crate it takes; left out are what is `#[doc(hidden)]` and the
traits of everyday Rust, such as `Clone` and `Debug`.

This page is generated. `tests/coverage.rs` reads the items from the source of dora that cargo builds with,
and the answers from `tests/coverage/map.txt`. It fails when dora has an item that is not here, when one is
gone, when a function, constant or member named here does not exist, and when this page is not what it makes.
After a change of the map, `DORA_WRITE_COVERAGE=1 cargo test --test coverage` writes it.
";

pub fn render(map: &[Section], version: &str) -> String {
    let rows = || map.iter().flat_map(|section| &section.rows);
    let all: usize = rows().map(|row| row.items().len()).sum();
    let done = rows().filter(|row| matches!(row.answer, Answer::Names { .. }));
    let done: usize = done.map(|row| row.items().len()).sum();
    let mut page = OPENING
        .replace("@VERSION@", version)
        .replace("@ALL@", &all.to_string())
        .replace("@DONE@", &done.to_string())
        .replace("@REASON@", &(all - done).to_string());
    for Section { title, text, rows } in map {
        page += &format!("\n## {title}\n\n");
        if !text.is_empty() {
            page += &format!("{text}\n");
        }
        page += "| Rust | C | C++ |\n|---|---|---|\n";
        for row in rows {
            let answer = match &row.answer {
                Answer::Names { c, cpp } => format!("{} | {}", code(c, ", "), code(cpp, ", ")),
                Answer::Reason(reason) => format!("{reason} |"),
            };
            page += &format!("| {} | {answer} |\n", code(&row.patterns, "<br>"));
        }
    }
    page
}

fn code(names: &[String], separator: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(separator)
}
