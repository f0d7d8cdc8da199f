//! What the linker and the sources need to know about versions, and how the shared library is linked.

use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rerun-if-changed=Cargo.lock");

    let manifest = fs::read_to_string("Cargo.toml").expect("Cargo.toml stands beside build.rs");
    let abi = value_below(&manifest, "[package.metadata.abi]", "number");
    println!("cargo::rustc-env=DORA_ABI={abi}");

    let lock = fs::read_to_string("Cargo.lock").expect("Cargo.lock is committed");
    for (package, variable) in [("dora-node-api", "DORA_NODE_API_VERSION"), ("arrow", "DORA_ARROW_VERSION")] {
        let version = value_below(&lock, &format!("name = \"{package}\""), "version");
        println!("cargo::rustc-env={variable}={version}");
    }

    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::metadata=include={root}/include");

    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdora.so.{abi}");
        // dora's threads run code of the library until the process ends, so it can never be unloaded.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}

/// The value of the first `key = value` below the line `heading`, without quotes.
fn value_below<'a>(text: &'a str, heading: &str, key: &str) -> &'a str {
    text.lines()
        .skip_while(|line| line.trim() != heading)
        .skip(1)
        .find_map(|line| line.split_once('=').filter(|(name, _)| name.trim() == key))
        .map_or_else(|| panic!("no `{key}` below `{heading}`"), |(_, value)| value.trim().trim_matches('"'))
}
