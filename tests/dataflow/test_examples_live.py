"""The examples of parameters and of dynamic nodes: built and run as they stand beside `dora up`, and what comes out is
compared with figures that are computed here."""

import math
import re
import socket

from examples import Example, near, values_of
from harness import Cluster, check, main, wait_until

PARAMETERS = "c-examples/04-parameters"
VIEWER, MONITOR = "c-examples/05-dynamic-viewer", "cpp-examples/05-dynamic-monitor"
RAW, FILTERED = "wave/value", "low-pass/filtered"


# Parameters.

def check_filter(raw, filtered, cutoffs):
    """Checks each value of a filter that had these cutoffs, one after the other, and returns how many show each."""
    check(near(filtered[0]["values"], raw[0]["values"]), "the filter does not begin with the first value")
    phase, told = 0, [0] * len(cutoffs)
    for i in range(1, len(filtered)):
        step = raw[i]["values"][0] - filtered[i - 1]["values"][0]
        seconds = raw[i]["time"] - raw[i - 1]["time"]

        def expected(cutoff):
            return filtered[i - 1]["values"][0] + step * (1 - math.exp(-2 * math.pi * cutoff * seconds))

        # Python sees times in microseconds.
        tolerance = 1e-9 + abs(step) * 2 * math.pi * max(cutoffs) * 2e-6
        fits = [abs(filtered[i]["values"][0] - expected(cutoff)) <= tolerance for cutoff in cutoffs]
        if not fits[phase]:
            phase += 1
            check(phase < len(cutoffs) and fits[phase], f"value {i} fits no cutoff: {filtered[i]}")
        distinct = [cutoff for cutoff, fit in zip(cutoffs, fits) if fit]
        told[phase] += set(distinct) == {cutoffs[phase]}
    return told


def test_parameters(work):
    example, cluster = Example(work, PARAMETERS, watch=[RAW, FILTERED]), Cluster(work)
    example.build()
    example.start_in(cluster)
    example.wait_for_more(FILTERED, 30)

    def change(lines, *arguments):
        cluster.dora("param", arguments[0], "--", *arguments[1:])
        wait_until(lambda: len(example.logged("low-pass")) == lines, 20, f"the filter logs {lines} lines")
        example.wait_for_more(FILTERED, 30)

    change(1, "set", "low-pass", "cutoff_hz", "5")
    for wrong in ('"fast"', "-1", "[5]", "true"):
        change(len(example.logged("low-pass")) + 1, "set", "low-pass", "cutoff_hz", wrong)
    change(6, "set", "low-pass", "gain", "2.5")
    change(7, "delete", "low-pass", "cutoff_hz")
    cluster.dora("stop", "test")
    work.await_report("witness", "end")
    refused = [("warn", f"cutoff_hz stays 5: {wrong} is no positive number")
               for wrong in ('"fast"', "-1", "[5]", "true")]
    expected = [("info", "cutoff_hz = 5"), *refused, ("warn", "there is no parameter gain, but cutoff_hz"),
                ("info", "cutoff_hz = 1")]
    check(example.logged("low-pass") == expected, f"the filter logged {example.logged('low-pass')}")

    filtered = example.seen(FILTERED)
    told = check_filter(example.seen(RAW), filtered, [1, 5, 1])
    print(f"        {len(filtered)} values, of which {told} show the cutoff to be 1, 5, and 1 Hz")
    check(min(told) > 10, f"of {len(filtered)} values, {told} show their cutoff")


# Dynamic nodes.

def check_in_vain(work, program, port, *words):
    """Checks what a dynamic node says that cannot join."""
    work.env["DORA_DAEMON_LOCAL_LISTEN_PORT"] = str(port)
    run = work.spawn("in-vain", [program])
    check(run.process.wait(30) == 1, f"a node that cannot join ended with {run.process.returncode}")
    said = run.output.read_text()
    check(all(word in said for word in words), f"a node that cannot join says {said!r}, and nothing of {words}")


def run_dynamic(work, name, rounds):
    """A dynamic node beside its dataflow: what it printed, and all values of its two inputs."""
    example = Example(work, name, watch=[RAW, FILTERED])
    example.build()
    program = example.path.parent.name.removeprefix("05-")
    program = str(example.copy / "build" / program / program)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        check_in_vain(work, program, port, "did not get ready in 5 s")
    check_in_vain(work, program, port, "no daemon listens", "dora up")
    cluster = Cluster(work)
    check_in_vain(work, program, cluster.daemon.args[-1], "it answered", "dora start")

    example.start_in(cluster)
    run = work.spawn("dynamic", [program])
    wait_until(lambda: run.output.read_text().count("\n") >= 2 * rounds, 60, f"{rounds} rounds are shown")
    cluster.dora("stop", "test")
    check(run.process.wait(30) == 0, f"the program ended with {run.process.returncode}")
    work.await_report("witness", "end")
    values = {"filtered": values_of(example.seen(FILTERED)), "value": values_of(example.seen(RAW))}
    return run.output.read_text().splitlines(), values


def summary(id, values):
    """What the viewer shows of values."""
    if not values:
        return f"{id}: 0 values"
    mean = sum(values) / len(values)
    return f"{id}: {len(values)} values from {min(values):.3f} to {max(values):.3f}, mean {mean:.3f}"


def shows_from(begin, id, values, lines):
    """Whether lines, each of what came in a second, and the last of all, are of the values from one of them on."""
    counts = [int(line.split(" ")[1]) for line in lines]
    place = begin
    for count, line in zip(counts[:-1], lines):
        if summary(id, values[place : place + count]) != line:
            return False
        place += count
    return summary(id, values[begin : begin + counts[-1]]) == lines[-1]


def test_viewer(work):
    printed, seen = run_dynamic(work, VIEWER, rounds=3)
    middle = printed.index("in all")
    check(middle >= 6 and len(printed) == middle + 3, f"the viewer printed {printed}")
    for id, values in seen.items():
        lines = [line for line in printed if line.startswith(f"{id}: ")]
        count = int(lines[-1].split(" ")[1])
        check(count > 50, f"in three seconds came {count} values of {id}")
        begins = range(len(values) - count + 1)
        check(any(shows_from(begin, id, values, lines) for begin in begins), f"no part of {values} gives {lines}")


def test_monitor(work):
    printed, seen = run_dynamic(work, MONITOR, rounds=3)
    for id, values in seen.items():
        counts = []
        for line in (line for line in printed if line.startswith(f"{id}: ")):
            found = re.fullmatch(rf"{id}: (\d+) messages of 1 x 'g', (\S+) ms old, (\S+) at most", line)
            check(found, f"the monitor printed {line!r}")
            counts.append(int(found[1]))
            mean, most = float(found[2]), float(found[3])
            check(0 <= mean <= most < 10_000, f"in {line!r} the ages are wrong")
        check(len(counts) >= 3 and 50 < sum(counts) <= len(values), f"of {len(values)} values of {id} came {counts}")


main(
    test_parameters,
    test_viewer,
    test_monitor,
)
