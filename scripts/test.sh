#!/usr/bin/env bash
# Runs the tests, and stops at the first part that fails. It needs nothing but Rust: what else is missing is
# installed first.
#
#     scripts/test.sh
#     scripts/test.sh --cargo-c    before a release: tests what cargo-c installs too, for which it compiles everything
#                                  again, and where it is missing cargo-c itself
#     scripts/test.sh --fast-lane  before a release: runs the tests of dataflows once more, with all nodes in C and C++
#                                  on the fast lane
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$DORA_ROOT"

cargo_c=OFF fast_lane=OFF
for option in "$@"; do
    case "$option" in
    --cargo-c) cargo_c=ON ;;
    --fast-lane) fast_lane=ON ;;
    *) fail "'$option' is neither --cargo-c nor --fast-lane" ;;
    esac
done

part="" part_began=0 summary=""

# Begins a part of the run, and ends the one before.
begin() {
    end
    part="$1"
    part_began=$SECONDS
    say "$part"
}
end() {
    [ -z "$part" ] || summary+="$(printf '\n    %4d s  %s' $((SECONDS - part_began)) "$part")"
    part=""
}
report_failure() {
    local status=$?
    [ "$status" -eq 0 ] || printf '\nerror: the tests failed in the part "%s", see above\n' "$part" >&2
}
trap report_failure EXIT

begin "Tools"
ensure_tools aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ abidiff clang dpkg-shlibdeps file git lintian nm pkg-config \
    readelf strace valgrind asio.hpp gio-2.0.pc Qt5Widgets.pc
ensure_venv
[ "$cargo_c" = OFF ] || ensure_cargo_c
for component in fmt clippy; do
    cargo "$component" --version >/dev/null ||
        fail "cargo $component is missing: 'rustup component add rustfmt clippy'"
done

begin "Format"
cargo fmt --check
cargo fmt --check --manifest-path tests/cxx/Cargo.toml
# dora.h is generated; that it is what the source generates is a Rust test. The headers of releases stay as they were.
find include benches/nodes c-examples cpp-examples tests -path include/dora/dora.h -prune -o \
    -path tests/abi/releases -prune -o \( -name '*.[ch]' -o -name '*.[ch]pp' \) -print0 |
    xargs -0 clang-format --dry-run -Werror

begin "Rust lints"
cargo clippy --locked --all-targets --all-features -- -D warnings

begin "Rust tests"
cargo test --locked

begin "C and C++: building the library and the tests"
cmake --preset test "-DDORA_TEST_CARGO_C=$cargo_c"
cmake --build --preset test

begin "A node in Rust with C++ code: building what it depends on"
cargo build --locked --manifest-path tests/cxx/Cargo.toml --target-dir target/cxx

begin "Fetching dora's own C and C++ interfaces, which the tests compile with"
"$DORA_VENV/bin/python" -B tests/documents/dora_sources.py

begin "C and C++: unit, header, package and dataflow tests, and the model of how the library waits"
ctest --preset test

if [ "$fast_lane" = ON ]; then
    begin "Dataflow tests once more, on the fast lane"
    DORA_TEST_FAST_LANE=1 ctest --preset test --label-regex dataflow
fi

begin "The demo, as fast as it can"
log="$(scripts/fetch-flight-log.sh)"
scripts/demo.sh 0 | tee build/demo.txt
"$DORA_VENV/bin/python" tests/dataflow/demo_check.py "$log" <build/demo.txt

end
say "All tests passed in $SECONDS s:$summary"
