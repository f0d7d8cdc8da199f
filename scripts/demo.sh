#!/usr/bin/env bash
# The demo: replays a real drone's flight through a dora dataflow of C and C++ nodes, and draws it.
#
#     scripts/demo.sh [rate]      how many times faster than in the air (default 10); 0: as fast as it can
#
# It installs what is missing, builds libdora and installs it under build/, builds the examples against that,
# and runs them. It ends with the flight's figures and where the picture is, and fails when a sample was lost
# or a figure is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rate="${1:-10}"
[[ "$rate" =~ ^[0-9]+(\.[0-9]+)?$ ]] || fail "'$rate' is not a rate: a number, or 0 for as fast as it can"
prefix="$DORA_ROOT/build/demo/install"
picture="$DORA_ROOT/build/demo/flight.svg"
log="$DORA_ROOT/build/demo/dora.log"

fail_with_log() {
    cat "$log" >&2
    fail "$1"
}

# What the monitor printed under a name; the log has it as "12:00:00 stdout monitor: samples=16702".
figure() {
    local value
    value="$(sed -n "s/^.* monitor: $1=//p" "$log")"
    [ -n "$value" ] || fail_with_log "the monitor did not tell '$1'"
    echo "$value"
}

ensure_tools
ensure_venv
build_and_install "$prefix"
FLIGHT_LOG="$("$DORA_ROOT/scripts/fetch-flight-log.sh")"
export FLIGHT_LOG FLIGHT_RATE="$rate" FLIGHT_PICTURE="$picture" CMAKE_PREFIX_PATH="$prefix"
cd "$DORA_ROOT/cpp-examples/02-flight-plot"
rm -f "$picture"

say "Building the three nodes against the installed library"
dora build --local dataflow.yml >"$log" 2>&1 || fail_with_log "the nodes do not build"

takes="$(awk -v rate="$rate" 'BEGIN { if (rate > 0) printf ", which takes %.0f s", 83.5 / rate }')"
say "Flying with dora run cpp-examples/02-flight-plot/dataflow.yml$takes"
dora run --log-level stdout --log-format pretty dataflow.yml >"$log" 2>&1 ||
    fail_with_log "the dataflow failed"

samples="$(figure samples)"
duration="$(figure duration_s)"
path_length="$(figure path_length_m)"
top_speed="$(figure top_speed_m_s)"
peak_height="$(figure peak_height_m)"
lost="$(figure lost)"
disordered="$(figure disordered)"
[ "$lost $disordered" = "0 0" ] || fail "$lost samples were lost, $disordered came twice or out of order"
[ -s "$picture" ] || fail_with_log "there is no picture"

say "The flight"
cat <<END
samples       $samples, none lost
duration      $duration s
path length   $path_length m
top speed     $top_speed m/s
peak height   $peak_height m
picture       ${picture#"$DORA_ROOT"/}
END
