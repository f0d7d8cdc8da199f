"""What libdora promises of its speed, and whether the run keeps it.

A promise is about a ratio to a peer, about a difference to it, or about a figure alone. It holds when the interval
reaches what is promised. When the median does too, the promise passes; when only the interval does, it is reached; else
it is missed.
"""

import dataclasses

import jitter
from disk import of_nodes
from sides import BY_KEY
from stats import Estimate, difference, estimate, ratio

RATIO, DIFFERENCE, FIGURE = "ratio", "difference", "figure"
PASSES, REACHES, MISSES, UNKNOWN = "passes", "reaches", "misses", "not measured"


@dataclasses.dataclass(frozen=True)
class Promise:
    """That a figure of one side is at most, or at least, so much of another's, or so much over it, or so much."""

    group: str
    part: str
    case: str
    metric: str
    side: str
    peer: str | None
    limit: float
    at_least: bool = False
    kind: str = RATIO


@dataclasses.dataclass(frozen=True)
class Verdict:
    promise: Promise
    measured: Estimate | None
    word: str


#: With dora's default pool, which holds one frame; and with one that holds forty, which is never in the cache.
FULL_HD = {"full HD, default pool": "Full-HD frame, median", "full HD, 6.2 MB": "Full-HD frame, pool of 256 MB"}


#: Of the fast lane. What is asked of dora Rust is held against both of its ways to send.
LANE_HD = "full HD, default pool"
RUST = ("dora-rust", "dora-raw")


def lane_part(results):
    """Where the fast lane was measured last: in the short run about it, or among all."""
    measured = results["measured"]
    found = [part for part in ("latency", "lane") if "c-lane" in results["parts"].get(part, {}).get("64 B", {})]
    return max(found, key=lambda part: measured[part].get("date", ""), default="latency")


def lane_promises(part):
    def of(group, case, side, peers, kind=RATIO):
        return [
            Promise(group, part, case, "p50_us", side, peer, limit, kind=kind) for peer, limit in peers.items()
        ]

    frame = dict.fromkeys(RUST, 0.6) | {"dora-c": 0.35, "limit": 1.4}
    listed = of("64 B, median", "64 B", "c-lane", dict.fromkeys(RUST, 0.3))
    listed += of("64 B, median", "64 B", "c-lane", {"limit": 15.0}, DIFFERENCE)
    listed += of("Full-HD frame, median", LANE_HD, "loan-lane", frame)
    for case in jitter.CASES:
        group = f"3 ms loop, {case}, 99.9th percentile"
        listed.append(Promise(group, "loop", case, "p99.9_us", "c-lane", "dora-c", 0.7))
    for what, metric, limit in (
        ("System calls to send a message", "source_calls", 1.0),
        ("Allocations to send a message", "source_allocations", 1.0),
        ("System calls to read a message", "sink_calls", 2.0),
    ):
        for side in ("c-lane", "loan-lane"):
            listed.append(Promise(f"{what}, 64 B", "steady", "64 B", metric, side, None, limit, kind=FIGURE))
    return listed


def promises():
    def latency(group, case, metric, side, peers):
        return [Promise(group, "latency", case, metric, side, peer, limit) for peer, limit in peers.items()]

    frame = {"dora-c": 0.5, "dora-cpp": 0.22, "dora-raw": 1.0, "dora-rust": 0.7}
    listed = [each for case, group in FULL_HD.items() for each in latency(group, case, "p50_us", "loan", frame)]
    small = {"dora-c": 1.0, "dora-cpp": 1.0, "dora-raw": 1.02, "dora-rust": 1.02}
    for case in ("64 B", "4 KiB"):
        listed += latency(f"{case}, median", case, "p50_us", "c", small)
        listed += latency(f"{case}, 99th percentile", case, "p99_us", "c", dict.fromkeys(small, 1.1))
    for case in ("64 B", "1 MiB"):
        for side, peer in (("c", "dora-rust"), ("loan", "dora-raw")):
            listed.append(
                Promise(f"Throughput of {case}", "throughput", case, "messages_per_s", side, peer, 1.0, True)
            )
    for metric, group in (
        ("first_event_ms", "From exec to the first event"),
        ("rss_kb", "Memory of a node at its first event"),
    ):
        listed.append(Promise(group, "start", "one node", metric, "c", "dora-c", 1.0))
    for case in jitter.CASES:
        group = f"3 ms loop, {case}, 99.9th percentile"
        listed.append(Promise(group, "loop", case, "p99.9_us", "c", "dora-c", 1.0))
    for metric, group in (("source_rss_kb", "Memory of a source, 64 B"), ("sink_rss_kb", "Memory of a sink, 64 B")):
        listed.append(Promise(group, "latency", "64 B", metric, "c", "dora-c", 1.0))
    return listed


def name_of(promise):
    ours = f"{promise.group}: {BY_KEY[promise.side].name}"
    sign = {RATIO: "/", DIFFERENCE: "−"}.get(promise.kind)
    return f"{ours} {sign} {BY_KEY[promise.peer].name}" if sign else ours


def limit_of(promise):
    limit = {RATIO: f"{promise.limit}", DIFFERENCE: f"{promise.limit:g} µs", FIGURE: f"{promise.limit:g}"}[promise.kind]
    return f"{'≥' if promise.at_least else '≤'} {limit}"


def judge(promise, found):
    if found is None:
        return Verdict(promise, None, UNKNOWN)
    sign = -1 if promise.at_least else 1
    best = found.high if promise.at_least else found.low
    if sign * found.median <= sign * promise.limit:
        word = PASSES
    elif sign * best <= sign * promise.limit:
        word = REACHES
    else:
        word = MISSES
    return Verdict(promise, found, word)


def measured_of(kind, ours, theirs):
    return estimate(ours) if kind == FIGURE else {RATIO: ratio, DIFFERENCE: difference}[kind](ours, theirs)


def verdicts(results):
    found = []
    for promise in [*promises(), *lane_promises(lane_part(results))]:
        sides = results["parts"].get(promise.part, {}).get(promise.case, {})
        ours, theirs = (sides.get(key, {}).get(promise.metric) for key in (promise.side, promise.peer))
        found.append(judge(promise, measured_of(promise.kind, ours, theirs)))
    promise = Promise("Ten nodes on disk", "disk", "", "", "c", "dora-c", 0.1)
    share = None
    if sizes := results.get("disk"):
        share = of_nodes(sizes, "libdora C", 10) / of_nodes(sizes, "dora C", 10)
    return [*found, judge(promise, share and Estimate(share, share, share))]
