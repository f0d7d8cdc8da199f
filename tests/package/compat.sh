#!/usr/bin/env bash
# Builds a program that was written against dora's own C interface with an installed libdora, outside this tree, as
# docs/migrate-from-dora-c.md says: by CMake, and by pkg-config. Then dora plays a script to each.
#
#     compat.sh PREFIX
set -euo pipefail
prefix="$(realpath "$1")"
tests="$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")"
guide="$tests/../docs/migrate-from-dora-c.md"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp "$tests"/compat/*.h "$work"
cp "$tests/compat/lidar.c" "$work/my_node.c"
cd "$work"
unset LD_LIBRARY_PATH

# The first code block of a language in the guide.
block() { awk -v start="\`\`\`$1" '$0 == start { on = 1; next } on && /^```/ { exit } on' "$guide"; }

cat >script.json <<'END'
{
  "id": "lidar",
  "events": [
    { "time_offset_secs": 0, "type": "Input", "id": "tick" },
    { "time_offset_secs": 0.1, "type": "Stop" }
  ]
}
END
# Has dora play the script to a program, which then has sent one cloud.
play() {
    DORA_TEST_WITH_INPUTS=script.json DORA_TEST_WRITE_OUTPUTS_TO=outputs.jsonl DORA_TEST_REPORT=report.txt \
        timeout 30 "$1"
    grep -qx "sent 1" report.txt
    grep -q '"id":"pointcloud"' outputs.jsonl
    rm report.txt outputs.jsonl
}

cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(compat C)
add_executable(my_node my_node.c)
$(block cmake)
END
cmake -S . -B build "-DCMAKE_PREFIX_PATH=$prefix"
cmake --build build
play build/my_node

PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name dora.pc)")"
export PKG_CONFIG_PATH
block sh >build.sh
bash -eux build.sh
LD_LIBRARY_PATH="$(pkg-config --variable=libdir dora)" play ./my_node
