#!/usr/bin/env python3
"""Runs the benchmarks; scripts/bench.sh calls it with what it needs in place.

In each round every case is run for every side, one side directly behind the other, and each round begins with
another side. What was measured is kept in build/bench, and the report is made of that; a part that is not measured
anew stays as it was. So do all of them where a run is given up: what it had is beside, in a file of its own.
"""

import argparse
import json
import signal
import subprocess
import sys

import build
import disk
import growth
import instructions
import machine
import measures
import report
from lab import Failure, Lab
from sides import BUILD, SIDES

PARTS = [*measures.CASES, "growth", "disk", "instructions"]
#: What the lane part measures is in the latency too.
EVERYTHING = [part for part in PARTS if part != "lane"]
TRIES = 3
PUBLISHED = build.ROOT / "docs" / "performance"


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/bench.sh", description="Measures libdora against dora's own interfaces."
    )
    parser.add_argument(
        "--part",
        action="append",
        choices=PARTS,
        help="only this part; may be given several times; lane is a short run about the fast lane, with steady",
    )
    parser.add_argument(
        "--side", action="append", choices=[side.key for side in SIDES], help="only this side; likewise"
    )
    parser.add_argument("--rounds", type=int, help="how often each case is run for each side (default 7, quick 2)")
    parser.add_argument("--quick", action="store_true", help="a trial: few cases, and short ones")
    parser.add_argument(
        "--profile", default="dist", help="the cargo profile of libdora (default dist, which is what is shipped)"
    )
    parser.add_argument("--no-build", action="store_true", help="take what was built before")
    parser.add_argument(
        "--report", action="store_true", help="measure nothing: make the report of the last results anew"
    )
    parser.add_argument(
        "--publish", action="store_true", help="write the report to docs/performance, not to build/bench/report"
    )
    options = parser.parse_args(arguments)
    options.parts = options.part or EVERYTHING
    if "lane" in options.parts:
        options.parts = list(dict.fromkeys([*options.parts, *measures.LANE]))
    options.sides = [side for side in SIDES if not options.side or side.key in options.side]
    options.rounds = options.rounds or (2 if options.quick else 7)
    return options


class Results:
    """What was measured, and the file that it is in. A new file begins with what is published, so that a part can be
    measured anew without the others."""

    def __init__(self, options):
        self.path = BUILD / ("results-quick.json" if options.quick else "results.json")
        self.unfinished = self.path.with_suffix(".unfinished.json")
        self.values = {"parts": {}, "measured": {}, "failures": []}
        seed = self.path if options.quick or self.path.exists() else PUBLISHED / "results.json"
        if seed.exists():
            self.values = json.loads(seed.read_text())
        self.values.pop("verdicts", None)
        for measured in self.values["measured"].values():
            measured.setdefault("about", self.values["about"])

    def begin(self, parts, options):
        """Forgets what is measured anew."""
        about = machine.describe(options.profile)
        self.values |= {"about": about, "quick": options.quick}
        for part in parts:
            self.values["parts"].pop(part, None)
            self.values.pop(part, None)
            self.values["measured"][part] = {"rounds": 0, "load": [], "about": about}
        self.values["failures"] = [each for each in self.values["failures"] if each.partition(",")[0] not in parts]

    def begin_round(self, part):
        measured = self.values["measured"][part]
        measured |= {
            "date": machine.now(),
            "rounds": measured["rounds"] + 1,
            "load": [*measured["load"], machine.load()],
        }

    def save(self):
        self.path.write_text(json.dumps(self.values))
        self.unfinished.unlink(missing_ok=True)

    def save_round(self):
        self.unfinished.write_text(json.dumps(self.values))

    def add(self, case, key, figures, number):
        """Notes the figures of a round; a round without any counts as one that gave none."""
        row = self.values["parts"].setdefault(case.part, {}).setdefault(case.name, {}).setdefault(key, {})
        for name, value in figures.items():
            values = row.setdefault(name, [])
            values.extend([None] * (number - len(values)))
            values.append(value)

    def add_growth(self, kind, step, cost):
        self.values.setdefault("growth", {}).setdefault(kind, {}).setdefault(str(step), []).append(cost)


def attempt(results, what, measure, *arguments):
    """What a run gave, after some tries at most; nothing when it gave nothing."""
    for number in range(TRIES):
        try:
            return measure(*arguments)
        except Failure as failure:
            results.values["failures"].append(f"{what}: {str(failure).splitlines()[0]}")
            print(f"    {what}, try {number + 1}: {failure}", flush=True)
    return None


def run_part(options, lab, results, part, number):
    turn = number % len(options.sides)
    for case in measures.CASES[part](options.quick):
        build.say(f"Round {number + 1} of {options.rounds}: {part}, {case.name}")
        for side in (side for side in options.sides[turn:] + options.sides[:turn] if case.takes(side)):
            figures = attempt(results, f"{part}, {case.name}, {side.name}", case.measure, lab, side)
            if figures:
                results.add(case, side.key, figures, number)
                print(summary_line(side.name, figures), flush=True)


def summary_line(name, figures):
    shown = [f"{key} {value:,.1f}" for key, value in figures.items() if isinstance(value, (int, float))]
    return f"    {name:<28} {'  '.join(shown[:4])}"


def run_growth(options, lab, results, number):
    for kind in growth.STEPS:
        build.say(f"Round {number + 1} of {options.rounds}: growth, {growth.TITLES[kind]}")
        for step in growth.steps(kind, options.quick):
            what = f"growth, {step} {growth.TITLES[kind]}"
            cost = attempt(results, what, growth.measure, lab, kind, step, options.quick)
            print(f"    {step:>6}: {'nothing' if cost is None else f'{cost:.1f} µs'}", flush=True)
            results.add_growth(kind, step, cost)


def run_rounds(options, results):
    parts = [part for part in options.parts if part in measures.CASES or part == "growth"]
    lab = Lab()
    for number in range(options.rounds if parts else 0):
        for part in (part for part in parts if number == 0 or part not in measures.ONCE):
            results.begin_round(part)
            if part == "growth":
                run_growth(options, lab, results, number)
            else:
                run_part(options, lab, results, part, number)
        results.save_round()


def count(options, results):
    """Counts instructions; tells whether the limit is kept."""
    if not options.no_build:
        instructions.build(options.profile)
    results.values["instructions"] = instructions.measure(1 if options.quick else instructions.REPETITIONS)
    sentence, is_kept = instructions.check(results.values["instructions"])
    build.say(sentence)
    return is_kept


def main(arguments):
    options = parse(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    results = Results(options)
    is_kept = True
    if not options.report:
        if not options.no_build:
            build.build(options.profile)
        results.begin(options.parts, options)
        run_rounds(options, results)
        if "disk" in options.parts:
            results.values["disk"] = disk.measure()
        if "instructions" in options.parts:
            is_kept = count(options, results)
        results.save()
    directory = PUBLISHED if options.publish else BUILD / "report"
    report.write(results.values, directory)
    build.say(f"The report is in {directory.relative_to(build.ROOT)}")
    return 0 if is_kept else "error: an event costs more instructions than the limit allows"


def end(*_):
    """Who ends the run ends what it has started too, such as the programs that keep processors busy."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, end)
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as failed:
        sys.exit(f"error: {failed.cmd[3]} failed: {' '.join(failed.cmd)}")
