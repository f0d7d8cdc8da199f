"""Counts the instructions and the allocations that an event costs: read, kind, id, Arrow export, release and free in
libdora, over the read and the drop in Rust.

Both programs read a script of events without a daemon, under valgrind. A script of 1,000 events and one of 3,000 are
read, and the difference is told by event, so that the beginning and the end of a node cancel out. Counted are the
instructions of the thread that reads, and the allocations of all. Both programs are compiled with the same profile and
the same features of dora; in libdora's `dist`, what runs once is made small. valgrind runs one thread at a time, and
how often a read has to wait differs a little from run to run: medians of some repetitions are told.
"""

import json
import os
import re
import statistics
import subprocess

from build import BIN, NICE, PEERS_TARGET, cargo, say
from sides import BUILD

FEW, MANY = 1000, 3000
REPETITIONS = 3
LIMIT = 1500
#: The values of an event.
VALUES = 4
PROGRAMS = {"libdora": "libdora-count", "rust": "dora-rust-count"}


def build(profile):
    say(f"Building the Rust side of the count with the profile {profile}")
    cargo("--profile", profile, "--package", "count")
    (BIN / PROGRAMS["rust"]).unlink(missing_ok=True)
    (BIN / PROGRAMS["rust"]).symlink_to(PEERS_TARGET / profile / "count")


def write_script(count):
    path = BUILD / f"count-{count}.json"
    event = {"type": "Input", "id": "x", "time_offset_secs": 0.0, "data": [1.0] * VALUES, "data_type": "Float32"}
    path.write_text(json.dumps({"id": "count", "events": [event] * count}))
    return path


def valgrind(tool, program, script, *options):
    env = {key: value for key, value in os.environ.items() if not key.startswith("DORA_")}
    env |= {"DORA_TEST_WITH_INPUTS": str(script), "DORA_TEST_WRITE_OUTPUTS_TO": os.devnull}
    command = [*NICE, "valgrind", f"--tool={tool}", *options, str(BIN / program)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    # What a script's end makes dora print stands around it.
    if str(VALUES * len(json.loads(script.read_text())["events"])) not in done.stdout.splitlines():
        raise SystemExit(f"error: {program} did not read all events of {script}: {done.stdout}")
    return done.stderr


def count_instructions(program, script):
    """What the main thread spends, on which no node begins."""
    out = BUILD / "callgrind"
    valgrind("callgrind", program, script, f"--callgrind-out-file={out}", "--separate-threads=yes")
    main_thread = out.with_name(f"{out.name}-01").read_text()
    return int(re.search(r"^totals: (\d+)$", main_thread, re.MULTILINE)[1])


def count_allocations(program, script):
    log = valgrind("memcheck", program, script, "--undef-value-errors=no")
    return int(re.search(r"total heap usage: ([\d,]+) allocs", log)[1].replace(",", ""))


def by_event(count, program, scripts):
    few, many = (count(program, script) for script in scripts)
    return (many - few) / (MANY - FEW)


def measure(repetitions):
    scripts = [write_script(FEW), write_script(MANY)]
    figures = {}
    for side, program in PROGRAMS.items():
        say(f"Counting instructions and allocations of an event: {side}")
        figures[side] = {
            "instructions": [by_event(count_instructions, program, scripts) for _ in range(repetitions)],
            "allocations": [by_event(count_allocations, program, scripts)],
        }
    return figures


def medians(figures, what):
    return (statistics.median(figures[side][what]) for side in PROGRAMS)


def check(figures):
    """A sentence, and whether the limit is kept."""
    ours, theirs = medians(figures, "instructions")
    our_allocations, their_allocations = medians(figures, "allocations")
    if theirs < 1000:
        raise SystemExit(f"error: Rust cannot read an event with {theirs:.0f} instructions: the count is wrong")
    sentence = (
        f"an event costs {ours:,.0f} instructions in libdora and {theirs:,.0f} in Rust: {ours - theirs:,.0f} over, "
        f"limit {LIMIT:,}; {our_allocations - their_allocations:+.1f} allocations"
    )
    return sentence, ours - theirs <= LIMIT
