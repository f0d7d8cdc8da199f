//! The C header is what the sources generate, and every function in it tells what a user needs to know.
//!
//! `scripts/generate-header.sh` runs this test with `DORA_WRITE_HEADER` set, which writes the header.

use std::path::PathBuf;
use std::{env, fs};

use cbindgen::ItemType;

/// The objects in the order in which a node meets them. The first source file of a section has its heading.
const SECTIONS: [&[&str]; 16] = [
    &["status"],
    &["version"],
    &["diagnostics"],
    &["options", "options/lane", "options/threads"],
    &["node", "node/identity", "node/clock", "node/outputs", "node/log", "node/once"],
    &["receive", "receive/reply", "receive/attention", "receive/state"],
    &["event"],
    &["data"],
    &["arrow"],
    &["metadata", "metadata/read", "metadata/write"],
    &["send"],
    &["loan"],
    &["pattern"],
    &["stream"],
    &["extension"],
    &["bytes"],
];

/// The opaque types, declared before all sections, since functions of one take objects of others.
const OPAQUE: [(&str, &str); 7] = [
    ("node", "dora_node_t"),
    ("options", "dora_node_options_t"),
    ("event", "dora_event_t"),
    ("metadata", "dora_metadata_t"),
    ("loan", "dora_loan_t"),
    ("stream", "dora_stream_t"),
    ("bytes", "dora_bytes_t"),
];

/// The types of C arrays that the inline functions read, with what C calls them.
const TYPED: [(&str, &str); 11] = [
    ("int8", "int8_t"),
    ("int16", "int16_t"),
    ("int32", "int32_t"),
    ("int64", "int64_t"),
    ("uint8", "uint8_t"),
    ("uint16", "uint16_t"),
    ("uint32", "uint32_t"),
    ("uint64", "uint64_t"),
    ("float16", "uint16_t"),
    ("float32", "float"),
    ("float64", "double"),
];

/// What the types of the boundary are called in C.
const NAMES: [(&str, &str); 13] = [
    ("Text", "const char *"),
    ("TextBuffer", "char *"),
    ("Bytes", "const void *"),
    ("BytesMut", "void *"),
    ("User", "void *"),
    ("Octets", "const uint8_t *"),
    ("Integers", "const int64_t *"),
    ("Numbers", "const int32_t *"),
    ("Floats", "const double *"),
    ("Lengths", "const size_t *"),
    ("TextList", "const char *const *"),
    ("ArrowSchema", "struct ArrowSchema"),
    ("ArrowArray", "struct ArrowArray"),
];

const LINE_LENGTH: usize = 110;

#[test]
fn the_committed_header_is_what_the_sources_generate() {
    let path = root().join("include/dora/dora.h");
    let generated = header();
    if env::var_os("DORA_WRITE_HEADER").is_some() {
        fs::write(&path, generated).expect("the header can be written");
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let differing = generated.lines().zip(committed.lines()).position(|(new, old)| new != old);
    assert!(
        generated == committed,
        "include/dora/dora.h differs from what src/ generates, first in line {}: run \
         scripts/generate-header.sh",
        differing.unwrap_or_else(|| generated.lines().count().min(committed.lines().count())) + 1
    );
}

#[test]
fn every_name_has_the_prefix() {
    for line in header().lines() {
        if let Some(name) = line.strip_prefix("#define ") {
            assert!(name.starts_with("DORA_"), "the macro {name} has no prefix");
        }
        if line.contains("DORA_API ") && !line.starts_with("#define") {
            let name = line.split('(').next().and_then(|head| head.split([' ', '*']).next_back());
            let name = name.expect("a function has a name");
            assert!(name.starts_with("dora_") || name == "read_dora_event", "{name} has no prefix");
        }
    }
}

#[test]
fn every_function_is_documented_completely() {
    let header = header();
    let mut documented = 0;
    for (before, _) in header.match_indices("*/\nDORA_") {
        let declaration = header[before + 3..].split_once(';').expect("a declaration ends").0;
        if !declaration.contains("DORA_API ") {
            continue; // an inline function, which refers to the one that it calls
        }
        let (head, parameters) = declaration.split_once('(').expect("a function has parameters");
        let name = head.split([' ', '*']).next_back().expect("a function has a name");
        let comment = header[..before].rsplit_once("/**").expect("a function has a comment").1;
        let assert_told = |what: &str| assert!(comment.contains(what), "{name}: its comment has no {what:?}");
        assert_told("Since ");
        assert_told("thread");
        if !head.contains("void ") || head.contains('*') {
            assert_told("@return");
        }
        let parameters = parameters.trim_end_matches(')');
        for parameter in parameters.split(',').filter(|parameter| parameter.trim() != "void") {
            let parameter = parameter.split([' ', '*', '\n']).next_back().expect("a parameter has a name");
            assert_told(&format!("@param {parameter} "));
        }
        if head.contains("DORA_NODISCARD") {
            assert_told("`DORA_OK`");
            assert_told("`DORA_ERROR_NULL_POINTER`");
        }
        documented += 1;
    }
    assert!(documented > 30, "only {documented} functions were found");
}

fn header() -> String {
    let mut header = read("src/header/opening.h").replace("@VERSION@", &version_macros());
    header += "\n/* ---- Objects, all of them opaque ---- */\n";
    for (section, object) in OPAQUE {
        header += "\n";
        header += &bindings(section, &[ItemType::OpaqueItems], &[object]);
    }
    for files in SECTIONS {
        header += &heading(files[0]);
        for file in files {
            let items = [ItemType::Typedefs, ItemType::Constants, ItemType::Functions];
            header += "\n";
            header += &bindings(file, &items, &["dora_status_t"]);
        }
        header += &text_constants(files[0]);
        if files[0] == "data" {
            TYPED.iter().for_each(|(name, c_type)| header += &typed_function(name, c_type));
        }
    }
    header + &read("src/header/closing.h")
}

/// What the documentation at the top of a source file says, as the heading of its section.
fn heading(section: &str) -> String {
    let source = read(&format!("src/{section}.rs"));
    let text = source.lines().map_while(|line| line.strip_prefix("//!"));
    let mut heading = String::from("\n/*\n");
    for (index, line) in text.enumerate() {
        let line = if index == 0 { format!(" ---- {} ----", line.trim()) } else { line.to_owned() };
        heading += &format!(" *{line}\n");
    }
    heading + " */\n"
}

/// The constants of a source file that are texts, which cbindgen leaves out.
fn text_constants(section: &str) -> String {
    let source = read(&format!("src/{section}.rs"));
    let mut constants = String::new();
    let mut comment = Vec::new();
    for line in source.lines() {
        if let Some(text) = line.strip_prefix("/// ") {
            comment.push(text);
            continue;
        }
        let comment = std::mem::take(&mut comment);
        let constant = line.strip_prefix("pub const ").and_then(|line| line.split_once(": &str = "));
        if let Some((name, value)) = constant {
            let comment = match comment[..] {
                [line] => format!("/** {line} */"),
                _ => format!("/**\n * {}\n */", comment.join("\n * ")),
            };
            constants += &format!("\n{comment}\n#define {name} {}\n", value.trim_end_matches(';'));
        }
    }
    constants
}

fn typed_function(name: &str, c_type: &str) -> String {
    let upper = name.to_uppercase();
    format!(
        r"
/** `dora_event_values` for `DORA_TYPE_{upper}`. Since 0.1.0. */
DORA_NODISCARD static inline dora_status_t dora_event_{name}(
    const dora_event_t *event, const {c_type} **values, size_t *length) {{
    const void *untyped = NULL;
    dora_status_t status = dora_event_values(event, DORA_TYPE_{upper}, values ? &untyped : NULL, length);
    if (values)
        *values = (const {c_type} *)untyped;
    return status;
}}
"
    )
}

fn version_macros() -> String {
    let abi = read("Cargo.toml")
        .split_once("[package.metadata.abi]")
        .and_then(|(_, rest)| rest.split_once("number = "))
        .and_then(|(_, rest)| rest.lines().next().map(str::to_owned))
        .expect("Cargo.toml has the ABI number");
    format!(
        "#define DORA_VERSION_MAJOR {}\n#define DORA_VERSION_MINOR {}\n#define DORA_VERSION_PATCH {}\n\
         #define DORA_ABI {abi}",
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    )
}

fn bindings(section: &str, items: &[ItemType], include: &[&str]) -> String {
    let mut config = cbindgen::Config::default();
    config.language = cbindgen::Language::C;
    config.style = cbindgen::Style::Type;
    config.no_includes = true;
    config.usize_is_size_t = true;
    config.documentation_style = cbindgen::DocumentationStyle::Doxy;
    // Lines are broken below, where `DORA_API` and its like are known.
    config.line_length = 1000;
    config.tab_width = 4;
    config.function.prefix = Some("DORA_API".to_owned());
    config.function.must_use = Some("DORA_NODISCARD".to_owned());
    config.export.item_types = items.to_vec();
    config.export.include = include.iter().map(ToString::to_string).collect();
    config.export.rename = NAMES.iter().map(|(rust, c)| ((*rust).to_owned(), (*c).to_owned())).collect();
    let mut out = Vec::new();
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(root().join("src").join(section).with_extension("rs"))
        .generate()
        .unwrap_or_else(|error| panic!("{section}: {error}"))
        .write(&mut out);
    tidy(&String::from_utf8(out).expect("cbindgen writes UTF-8"))
}

/// cbindgen's output in the form of this project.
fn tidy(generated: &str) -> String {
    let mut tidy = String::new();
    for block in generated.trim().split("\n\n/**") {
        let block = block.trim().trim_start_matches("/**");
        let Some((comment, declaration)) = block.split_once("*/\n") else { continue };
        let comment: Vec<&str> = comment.trim().lines().map(|line| line.trim_start_matches(' ')).collect();
        if let [line] = comment[..] {
            tidy += &format!("/** {} */\n", line.trim_start_matches("* "));
        } else {
            tidy += "/**\n";
            comment.iter().for_each(|line| tidy += &format!(" {}\n", line.trim_end()));
            tidy += " */\n";
        }
        tidy += &declaration_in_c(declaration.trim());
        tidy += "\n\n";
    }
    if tidy.is_empty() { tidy } else { tidy.trim_end().to_owned() + "\n" }
}

fn declaration_in_c(declaration: &str) -> String {
    if let Some(constant) = declaration.strip_prefix("#define ") {
        return match constant.split_once(' ') {
            Some((name, value)) if value.starts_with('-') => format!("#define {name} ({value})"),
            _ => declaration.to_owned(),
        };
    }
    let mut line = declaration.split_whitespace().collect::<Vec<_>>().join(" ");
    for pointer in ["Shared<", "Exclusive<", "Out<"] {
        while let Some((before, rest)) = line.split_once(pointer) {
            let (inner, rest) = rest.split_once("> ").expect("a pointer has a type and a name");
            line = format!("{before}{inner} *{rest}");
        }
    }
    // clang takes `[[nodiscard]]` only in front of other attributes.
    let line = line.replace("DORA_API DORA_NODISCARD", "DORA_NODISCARD DORA_API");
    let mut line = line.replace("* *", "**").replace("* ", "*");
    while let Some(at) = star_behind_a_name(&line) {
        line.insert(at, ' ');
    }
    let Some((head, parameters)) = line.split_once('(').filter(|_| line.len() > LINE_LENGTH) else {
        return line;
    };
    let mut broken = format!("{head}(");
    let indent = " ".repeat(4);
    broken += "\n";
    let mut current = indent.clone();
    for parameter in parameters.split(", ") {
        if current.len() + parameter.len() + 1 > LINE_LENGTH {
            broken += current.trim_end();
            broken += "\n";
            current.clone_from(&indent);
        }
        current += parameter;
        if !parameter.ends_with(");") {
            current += ", ";
        }
    }
    broken + &current
}

/// Where a star follows a name without a space.
fn star_behind_a_name(line: &str) -> Option<usize> {
    line.match_indices('*').map(|(at, _)| at).find(|at| line[..*at].ends_with(char::is_alphanumeric))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
