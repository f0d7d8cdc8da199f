"""How libdora's cost grows: with inputs, events that wait, keys of metadata, and columns of a struct."""

import dataclasses

from lab import Failure, Run
from sides import BUILD
from stats import estimate, slope

#: Steps of each size, in the order of the report.
STEPS = {
    "inputs": [1, 2, 5, 10, 20, 50, 100, 200],
    "waiting": [10, 20, 50, 100, 200, 500, 1000, 2000],
    "keys": [0, 1, 2, 5, 10, 20, 50, 100, 200],
    "children": [1, 2, 5, 10, 20, 50, 100, 200],
}
TITLES = {
    "inputs": "inputs of a node",
    "waiting": "events that wait",
    "keys": "keys of metadata",
    "children": "columns of a struct",
}
#: What a step costs: what the processor spends in both nodes on a message, or in the reader on all that waits.
SINK_ONLY = {"waiting"}
#: Steps that a quick run leaves out.
QUICK = 3
LINEAR = 1.1


@dataclasses.dataclass(frozen=True)
class Node:
    """Stands for a side where the lab asks for one."""

    env = {}

    def command(self, program):
        return str(BUILD / "bin" / program), []


def steps(kind, quick):
    every = STEPS[kind]
    return every[::QUICK] if quick else every


def measure(lab, kind, step, quick):
    """What a step costs, in microseconds."""
    if kind in SINK_ONLY:
        sink = run_pile(lab, step).sink
        return sink["cpu_ns"] / sink["received"] * step / 1000
    done = run_steady(lab, kind, step, 0.3 if quick else 1.0)
    return (done.sink["cpu_ns"] / done.sink["received"] + done.source["cpu_ns"] / done.source["sent"]) / 1000


def run_steady(lab, kind, step, window_s):
    plan = lab.plan(64, 0.001, 0.5, window_s, 0, {f"BENCH_{kind.upper()}": step})
    return run(lab, plan, step if kind == "inputs" else 1, None).check(window_s)


def run_pile(lab, count):
    interval_s = 0.0002
    patience_s = count * interval_s + 0.3
    plan = lab.plan(
        64,
        interval_s,
        0,
        count * interval_s,
        0,
        {"BENCH_WAITING": count, "BENCH_PATIENCE_NS": round(patience_s * 1e9)},
    )
    result = run(lab, plan, 1, count)
    if result.sink["received"] < 0.9 * count:
        raise Failure(f"of {count} messages that were to wait, {result.sink['received']} did")
    return result


def run(lab, plan, inputs, queue_size):
    lab.begin()
    ids = [f"data-{number}" for number in range(inputs)]
    queue = {"queue_size": queue_size} if queue_size else {}
    sources = {id: {"source": f"source/{id}"} | queue for id in ids}
    lab.run_dataflow(
        [
            lab.node(Node(), "source", "libdora-growth-source", {"outputs": ids}, plan),
            lab.node(Node(), "sink-0", "libdora-growth-sink", {"inputs": sources}, plan),
        ],
        60,
    )
    return Run(lab.directory, ["sink-0"])


def summary(costs):
    """Estimates by step, and the exponent between the largest step and the one a quarter as large."""
    estimates = {step: estimate(values) for step, values in costs.items()}
    largest = max(estimates)
    before = min(estimates, key=lambda step: abs(step - largest / 4))
    points = [(step, estimates[step].median) for step in (before, largest)]
    return estimates, slope(points)
