//! Compiles the bridge and the C++ side of it, as the build script of a node does.

use std::env;

fn main() {
    let include = env::var("DEP_DORA_INCLUDE").expect("libdora tells where its headers are");
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    for file in ["src/filter.cpp", "src/filter.hpp", "src/main.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    cxx_build::bridge("src/main.rs")
        .file("src/filter.cpp")
        .includes([include, format!("{here}/src")])
        .std("c++17")
        .warnings_into_errors(true)
        .extra_warnings(true)
        .compile("dora-cxx-node");
}
