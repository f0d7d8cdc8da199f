#!/usr/bin/env bash
# Runs the models of tests/model through every order of their steps. Arguments are those of cargo test.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
check_rust

package=(--manifest-path "$DORA_ROOT/tests/model/Cargo.toml")
cargo fmt "${package[@]}" --check
export CARGO_TARGET_DIR="$DORA_ROOT/target/model"
cargo clippy --quiet "${package[@]}" --locked --lib --tests -- -D warnings
# A run of a model maps the stacks of its threads anew, and two at a time would wait for each other in that.
RUST_TEST_THREADS=1 cargo test "${package[@]}" --locked "$@"
