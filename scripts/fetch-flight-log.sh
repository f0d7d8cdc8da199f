#!/usr/bin/env bash
# Fetches the flight log of the demo, once, and prints where it is.
#
# The log is the ground truth of the EuRoC flight V1_02: a drone's position, attitude and velocity, 200 times
# a second. It travels in the tests of a Python package, so pip finds it wherever pip is set up to look. pip
# checks the archive against the hash below before it opens it; then it asks the package's build system for
# the metadata, which no option of pip prevents. Nothing is built or installed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

log="$DORA_ROOT/.cache/V102_groundtruth.csv"
log_sha256=fed415eee44313584b9c4f61010dac146d5e4a4a35301db25b1ecd7d4d91b5f0
package=evo-1.38.1
package_sha256=1d63faeeb37604641db65bdd08b0e83e71884071de368058a9c45bdcac3fc3f7

is_log() { printf '%s  %s\n' "$log_sha256" "$1" | sha256sum --check --status 2>/dev/null; }

if ! is_log "$log"; then
    ensure_venv >&2
    say "Fetching the flight log" >&2
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
    printf '%s --hash=sha256:%s\n' "${package/-/==}" "$package_sha256" >"$work/requirements.txt"
    "$DORA_VENV/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary evo \
        --dest "$work" --requirement "$work/requirements.txt" >&2
    tar -xzf "$work/$package.tar.gz" -C "$work" "$package/test/data/${log##*/}"
    is_log "$work/$package/test/data/${log##*/}" || fail "the flight log is not the one that is expected"
    mkdir -p "${log%/*}"
    mv "$work/$package/test/data/${log##*/}" "$log"
fi
echo "$log"
