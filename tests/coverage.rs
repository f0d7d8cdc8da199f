//! `docs/coverage.md` tells for every public item of dora's Rust API what does it in C and in C++.
//!
//! The items are read from dora's source, the answers from `coverage/map.txt`. With `DORA_WRITE_COVERAGE`
//! set, the page is written.

mod coverage {
    pub mod interface;
    pub mod items;
    pub mod map;
    pub mod page;
    pub mod sources;
}

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use coverage::interface::Interface;
use coverage::items::public_items;
use coverage::sources::Sources;
use coverage::{map, page};

#[test]
fn every_item_of_dora_has_an_answer_that_holds() {
    let items = public_items(&Sources::of_dora(&root()), "dora_node_api");
    let faults = map::faults(&the_map(), &items, &Interface::of_project(&root()));
    assert!(faults.is_empty(), "in tests/coverage/map.txt:\n{}", faults.join("\n"));
}

#[test]
fn the_committed_page_is_what_the_map_makes() {
    let path = root().join("docs/coverage.md");
    let rendered = page::render(&the_map(), &Sources::of_dora(&root()).version);
    if env::var_os("DORA_WRITE_COVERAGE").is_some() {
        fs::write(&path, rendered).expect("the page can be written");
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        rendered == committed,
        "docs/coverage.md differs from what the map makes: run \
         DORA_WRITE_COVERAGE=1 cargo test --test coverage"
    );
}

#[test]
fn a_crate_is_read_as_its_users_see_it() {
    let items = items_of(
        r#"
        pub use inner::{Visible as Renamed, helper::*, made_by_a_macro};
        pub use elsewhere;
        #[doc(hidden)]
        pub use elsewhere as hidden;
        pub mod open {
            pub use super::inner::Visible;
            pub const LIMIT: usize = 1;
        }
        mod inner {
            pub struct Visible {
                pub field: u8,
                secret: u8,
            }
            impl Visible {
                pub const ZERO: u8 = 0;
                pub fn method(&self) {}
                #[doc(hidden)]
                pub fn hidden(&self) {}
                pub(crate) fn own(&self) {}
                #[cfg(test)]
                pub fn tested(&self) {}
            }
            impl Clone for Visible {}
            impl Iterator for Visible {}
            pub struct Unreachable;
            impl Unreachable {
                pub fn method(&self) {}
            }
            impl Iterator for Unreachable {}
            pub mod helper {
                use super::Visible as V;
                #[cfg(feature = "any")]
                pub enum Choice {
                    Plain(u8),
                    Named { first: u8 },
                }
                pub trait Convert {
                    fn convert(self);
                    #[doc(hidden)]
                    fn hidden(self);
                }
                impl<'a> TryFrom<&'a V> for &'a [u8] {}
                macro_rules! convert {
                    ($($t:ty => $name:ident),*) => {
                        $(impl Convert for $t { fn convert(self) {} })*
                        $(impl Convert for Vec<$t> { fn convert(self) {} })*
                    };
                }
                convert!(u8 => Byte, i8 => Signed);
            }
        }
        #[cfg(test)]
        pub mod tests {}
        "#,
    );
    let expected = [
        "Choice",
        "Choice::Named",
        "Choice::Named.first",
        "Choice::Plain",
        "Convert",
        "Convert::convert",
        "Renamed",
        "Renamed.field",
        "Renamed::ZERO",
        "Renamed::method",
        "elsewhere",
        "impl Convert for Vec<i8>",
        "impl Convert for Vec<u8>",
        "impl Convert for i8",
        "impl Convert for u8",
        "impl Iterator for Visible",
        "impl TryFrom<&V> for &[u8]",
        "made_by_a_macro",
        "open::LIMIT",
    ];
    assert_eq!(items.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn every_kind_of_fault_is_found() {
    let items = items_of("pub struct Node; impl Node { pub fn id(&self) {} pub fn log(&self) {} }");
    let interface = Interface::new(
        "dora_node_id\n",
        "typedef struct dora_node_t dora_node_t;\n#define DORA_OK 0\n/* dora_node_log */\n",
        "class Node {\n  public:\n    int id() const { return log(1); } // void log();\n};\n",
    );
    let faults = |rows: &str| map::faults(&map::parse(&format!("## Node\n{rows}")), &items, &interface);
    let sound = "Node | dora_node_t | Node\nNode::id | dora_node_id, DORA_OK | Node::id, DORA_OK\n";
    let log = "Node::log | No log, see `dora_node_id`.\n";
    assert_eq!(faults(&format!("{sound}{log}")), [""; 0]);
    for (rows, fault) in [
        ("", "Node::log: dora has it, the map has no row for it"),
        ("Node::{log, exit} | No.", "Node::exit: dora has no such item (any more)"),
        ("Node::{log, log} | No.", "Node::log: the map has 2 rows for it"),
        ("Node::log | dora_node_log | Node", "Node::log: `dora_node_log` is not in tests/symbols.txt"),
        ("Node::log | DORA_O | Node", "Node::log: `DORA_O` is not in tests/symbols.txt"),
        ("Node::log | dora_node_id | DORA_O", "Node::log: `DORA_O` is not in tests/symbols.txt"),
        ("Node::log | dora_node_id | Node::log", "Node::log: `Node::log` is not in include/dora/cpp"),
        ("Node::log | dora_node_id | Event", "Node::log: `Event` is not in include/dora/cpp"),
        ("Node::log | See `dora_node_log`.", "Node::log: `dora_node_log` is not in tests/symbols.txt"),
    ] {
        let found = faults(&format!("{sound}{rows}"));
        assert!(found.len() == 1 && found[0].starts_with(fault), "{rows}: {found:?}");
    }
}

fn items_of(text: &str) -> BTreeSet<String> {
    public_items(&Sources::of_text("sample", text), "sample")
}

fn the_map() -> Vec<map::Section> {
    let path = root().join("tests/coverage/map.txt");
    map::parse(&fs::read_to_string(&path).expect("the map can be read"))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
