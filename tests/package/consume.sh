#!/usr/bin/env bash
# Builds the project in consumer/, outside this tree, with an installed libdora, and runs it in a dataflow.
#
#     consume.sh cmake|pkg-config PREFIX
set -euo pipefail
way="$1" prefix="$(realpath "$2")"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp -R "$(dirname "${BASH_SOURCE[0]}")/consumer/." "$work"
cd "$work"

# Nothing but the run path of the programs may lead to the library.
unset LD_LIBRARY_PATH

case "$way" in
    cmake)
        cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
        cmake --build build
        ;;
    pkg-config)
        PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name dora.pc)")"
        export PKG_CONFIG_PATH
        flags="$(pkg-config --cflags --libs dora)"
        run_path="$(pkg-config --variable=libdir dora)"
        read -ra flags <<<"$flags -Wl,-rpath,$run_path"
        mkdir build
        cc -std=c99 ticker.c -o build/ticker "${flags[@]}"
        c++ -std=c++17 listener.cpp -o build/listener "${flags[@]}"
        ;;
esac

for program in build/ticker build/listener; do
    LC_ALL=C readelf --dynamic --wide "$program" | grep -q 'NEEDED.*\[libdora\.so\.[0-9]*\]' || {
        echo "$program does not need libdora by its SONAME:"
        readelf --dynamic --wide "$program"
        exit 1
    }
done

timeout 60 dora run dataflow.yml
grep -qx "ticker counted 10 ticks" heard.txt
