#!/usr/bin/env bash
# Builds the project in consumer/, outside this tree, as C99 and C++17 with warnings as errors, and runs it in a
# dataflow.
#
#     consume.sh WAY [-D…]                by CMake; WAY is a file of consumer/ways
#     consume.sh pkg-config [PREFIX]      by the compilers and pkg-config alone
#     consume.sh pkg-config-static PREFIX
#     consume.sh bundle [-D…]             the programs and the library in one folder, which then moves
set -euo pipefail
way="$1"
shift

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp -R "$(dirname "${BASH_SOURCE[0]}")/consumer/." "$work"
cd "$work"
# Nothing but the run path of the programs may lead to the library.
unset LD_LIBRARY_PATH
export LC_ALL=C
warnings=(-Wall -Wextra -Wpedantic -Werror)

build_by_cmake() {
    # Not by CFLAGS, which would reach the C code of crates.
    cmake -S . -B build -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS=${warnings[*]}" \
        "-DCMAKE_CXX_FLAGS=${warnings[*]}" -DCONSUMER_WAY="$@"
    cmake --build build
}

# Builds with the flags of pkg-config: build_by_pkg_config PREFIX [OPTION…]. Programs get a run path to the prefix;
# what lies in /usr, which an empty one means, needs none.
build_by_pkg_config() {
    local prefix="$1" flags
    shift
    [ -z "$prefix" ] || PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name dora.pc)")"
    export PKG_CONFIG_PATH="${PKG_CONFIG_PATH:-}"
    flags="$(pkg-config --cflags --libs "$@" dora)"
    if [ "$way" = pkg-config-static ]; then
        # What the static library needs is what rustc listed.
        grep -qF -- "$(cat "$prefix"/lib*/cmake/dora/libdora.native-static-libs)" <<<"$flags"
    elif [ -n "$prefix" ]; then
        flags+=" -Wl,-rpath,$(pkg-config --variable=libdir dora)"
    fi
    mkdir build
    # shellcheck disable=SC2086 # the flags are words
    cc "${warnings[@]}" -std=c99 ticker.c -o build/ticker $flags
    # shellcheck disable=SC2086
    c++ "${warnings[@]}" -std=c++17 listener.cpp -o build/listener $flags
}

# Fails unless what the loader reads in a program has, or has not, a line like the pattern.
expect() { [[ "$(readelf --dynamic --wide "$1")" =~ $2 ]] || complain "$1 should have $2"; }
refuse() { [[ ! "$(readelf --dynamic --wide "$1")" =~ $2 ]] || complain "$1 should not have $2"; }
complain() {
    echo "$1:"
    readelf --dynamic --wide build/ticker build/listener
    exit 1
}

case "$way" in
    pkg-config) build_by_pkg_config "${1:-}" ;;
    pkg-config-static) build_by_pkg_config "$1" --static --define-variable=library=:libdora.a ;;
    bundle) build_by_cmake find_package "$@" ;;
    *) build_by_cmake "$way" "$@" ;;
esac
for program in build/ticker build/listener; do
    case "$way" in
        *static) refuse "$program" 'libdora\.so' ;;
        *) expect "$program" '\(NEEDED\) +Shared library: \[libdora\.so\.[0-9]+\]' ;;
    esac
done
if [ "$way" = bundle ]; then
    cmake --install build --prefix "$work/elsewhere"
    rm -r build
    mv elsewhere build
    for program in build/ticker build/listener; do
        expect "$program" '\(RUNPATH\) +Library runpath: \[\$ORIGIN\]'
    done
    [[ "$(ldd build/ticker)" == *"$work/build/libdora.so"* ]] || complain "build/ticker takes another library"
fi

timeout 60 dora run dataflow.yml
grep -qx "ticker counted 10 ticks" heard.txt
