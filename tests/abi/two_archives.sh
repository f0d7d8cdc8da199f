#!/usr/bin/env bash
# What becomes of a program with libdora and a second Rust archive, optimised as a whole like libdora is for
# shipping: with the static library the linker refuses it, with the shared one it runs. docs/abi.md tells more.
#
#     two_archives.sh RUSTC INCLUDE SHARED [STATIC]     the libraries by their paths
set -euo pipefail
rustc="$1" include="$2" shared="$3" static="${4-}"
here="$(dirname "${BASH_SOURCE[0]}")"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
"$rustc" --edition 2024 --crate-type staticlib -C lto=fat -C opt-level=1 -o "$work/libsecond.a" "$here/second.rs"

# Links the program with these libraries, in this order, and with what the system has for Rust.
link() {
    LC_ALL=C gcc -std=c99 "-I$include" "$here/two_archives.c" "$@" -lgcc_s -lpthread -lm -ldl -o "$work/program"
}
refuses() {
    local said
    if said="$(link "$@" 2>&1)"; then
        echo "A second Rust archive is linked beside the static library; docs/abi.md says that it is not."
        return 1
    elif [[ "$said" != *"multiple definition of \`rust_eh_personality'"* ]]; then
        echo "The linker refuses it for another reason: $said"
        return 1
    fi
    grep 'multiple definition of `rust_eh_personality' <<<"$said"
}

link "$work/libsecond.a" "$shared" "-Wl,-rpath,$(dirname "$shared")"
"$work/program"
if [ -n "$static" ]; then
    refuses "$work/libsecond.a" "$static"
    refuses "$static" "$work/libsecond.a"
fi
