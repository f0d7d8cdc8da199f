"""What a message costs once all is set up: calls of the system and allocations, of the thread that sends or reads and
of all others, counted in the source and in the sink.

strace writes down the calls of both nodes. What lies between two marks of a node, which are calls of getppid, counts;
the allocations the nodes count themselves. Messages come one at a time, each after a pause.
"""

import collections
import re
import shlex
import subprocess

from lab import Failure, read_report

SIDES = {"loan-lane", "c-lane", "loan", "c"}
#: Messages to warm up, and those that count: fewer in the sink, which may lose one.
WARM_UP = 200
COUNTS = {"source": 1050, "sink": 1000}
MARK = "getppid"
#: Calls of the benchmark itself.
OWN_CALLS = {"clock_nanosleep"}


def measure(lab, side, case):
    """Figures of a message, by node, to the hundredth: what comes more seldom is none of a message's."""
    if not can_trace():
        raise Failure("strace may not run here")
    lab.begin()
    what = "loan" if side.source == "libdora-loan-source" else "c"
    fields = {"source": {"outputs": ["data"]}, "sink": {"inputs": {"data": "source/data"}}}
    nodes = []
    for name, count in COUNTS.items():
        env = {"BENCH_SIZE": str(case.size), "BENCH_WARM_UP": str(WARM_UP), "BENCH_COUNT": str(count)}
        node = lab.node(side, name, f"libdora-{what}-steady-{name}", fields[name], env)
        nodes.append(traced(lab.directory, node))
    lab.run_dataflow(nodes, 60)
    figures = {}
    for name in COUNTS:
        figures |= {f"{name}_{key}": value for key, value in of_node(lab.directory, name).items()}
    return figures


def can_trace():
    return subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode == 0


def traced(directory, node, all_threads=True):
    """The node below strace, which writes to that directory what all its threads call, or only the first.

    A script starts it, since dora splits arguments at blanks, and a path may have one.
    """
    options = ["-f"] if all_threads else []
    options += ["-qq", "-e", "signal=none", "-o", str(trace_of(directory, node["id"]))]
    script = directory / f"{node['id']}.start"
    script.write_text(f"#!/bin/sh\nexec {shlex.join(['strace', *options, str(node['path'])])}\n")
    script.chmod(0o755)
    return node | {"path": str(script)}


def trace_of(directory, name):
    return directory / f"{name}.strace"


def of_node(directory, name):
    """What a node reported and strace wrote down, a message."""
    report = read_report(directory / f"{name}.report")
    if not report:
        raise Failure(f"the {name} reported nothing")
    messages = report["messages"]
    here, elsewhere = calls(trace_of(directory, name).read_text(errors="replace"))
    return {
        "calls": round(here.total() / messages, 2),
        "other_calls": round(elsewhere.total() / messages, 2),
        "allocations": round(report["allocations"] / messages, 2),
        "other_allocations": round(report["other_allocations"] / messages, 2),
        "names": {call: round(count / messages, 2) for call, count in here.most_common()},
    }


def calls(trace):
    """How often the first thread called what between its marks, and all other threads meanwhile."""
    here, elsewhere = collections.Counter(), collections.Counter()
    first, marks = None, 0
    for line in trace.splitlines():
        # A call that another thread's stands in the midst of is told in two lines; the second has no such beginning.
        begun = re.match(r"(\d+) +(\w+)\(", line)
        if not begun:
            continue
        thread, call = begun.groups()
        first = first or thread
        if thread == first and call == MARK:
            marks += 1
        elif marks == 1 and call not in OWN_CALLS:
            (here if thread == first else elsewhere)[call] += 1
    if marks != 2:
        raise Failure(f"{marks} marks in the calls of the system, not 2")
    return here, elsewhere
