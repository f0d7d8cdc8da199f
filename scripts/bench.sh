#!/usr/bin/env bash
# Measures libdora, as it is shipped, against dora's own interfaces in C, C++, Rust and Python, and against what
# the machine can do. docs/performance.md says how, and what the figures mean.
#
#     scripts/bench.sh                          everything, 7 rounds: more than an hour, on a machine left alone
#     scripts/bench.sh --quick                  everything, short, to see that it works
#     scripts/bench.sh --part lane              the fast lane and those that it is compared to: some minutes
#     scripts/bench.sh --part instructions      fails when an event costs more instructions than the limit
#     scripts/bench.sh --publish                the same as without, and writes docs/performance
#     scripts/bench.sh --help                   the other options
#
# It installs what is missing and builds libdora and the peers, once; the first time takes half an hour.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ensure_tools strace valgrind
ensure_venv
cd "$DORA_ROOT"
exec "$DORA_VENV/bin/python" -B benches/run.py "$@"
