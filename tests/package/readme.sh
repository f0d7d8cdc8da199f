#!/usr/bin/env bash
# Does what the README says, word for word: its two nodes, their CMakeLists.txt, their dataflow and the
# commands of dora. Only the place of libdora is another, and the dataflow, which would run for ever, is stopped.
#
#     readme.sh PREFIX
set -euo pipefail
prefix="$(realpath "$1")"
readme="$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../README.md")"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
unset LD_LIBRARY_PATH # the run path of the programs must do

# The first code block of a language.
block() { awk -v start="\`\`\`$1" '$0 == start { on = 1; next } on && /^```/ { exit } on' "$readme"; }

block c >thermometer.c
block cpp >display.cpp
block cmake >CMakeLists.txt
block yaml | sed "s|/opt/libdora|$prefix|" >dataflow.yml
grep -qxF '$ dora build dataflow.yml' "$readme"
grep -qxF '$ dora run dataflow.yml' "$readme"

timeout 240 dora build dataflow.yml
timeout 60 dora run dataflow.yml --stop-after 2s | tee output.txt
grep -q 'celsius: 20\.5' output.txt
grep -q 'celsius: 22\.0' output.txt
