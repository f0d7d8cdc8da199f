#!/usr/bin/env bash
# Writes include/dora/dora.h from the documentation in src/. The tests fail when the committed header differs.
set -euo pipefail
cd "$(dirname "$0")/.."
DORA_WRITE_HEADER=1 cargo test --quiet --locked --test header the_committed_header
echo "include/dora/dora.h is written"
