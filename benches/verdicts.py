"""What libdora promises of its speed, and whether the run keeps it.

A ratio holds when its interval reaches the figure. When its median does too, the promise passes; when only the
interval does, it is reached; else it is missed.
"""

import dataclasses

import jitter
from disk import of_nodes
from stats import Estimate, ratio

PASSES, REACHES, MISSES, UNKNOWN = "passes", "reaches", "misses", "not measured"


@dataclasses.dataclass(frozen=True)
class Promise:
    """That a figure of one side is at most, or at least, so much of another's."""

    group: str
    part: str
    case: str
    metric: str
    side: str
    peer: str
    limit: float
    at_least: bool = False


@dataclasses.dataclass(frozen=True)
class Verdict:
    promise: Promise
    ratio: Estimate | None
    word: str


#: With dora's default pool, which holds one frame; and with one that holds forty, which is never in the cache.
FULL_HD = {"full HD, default pool": "Full-HD frame, median", "full HD, 6.2 MB": "Full-HD frame, pool of 256 MB"}


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


def verdicts(results):
    found = []
    for promise in promises():
        sides = results["parts"].get(promise.part, {}).get(promise.case, {})
        ours, theirs = (sides.get(key, {}).get(promise.metric) for key in (promise.side, promise.peer))
        found.append(judge(promise, ratio(ours, theirs)))
    promise = Promise("Ten nodes on disk", "disk", "", "", "c", "dora-c", 0.1)
    share = None
    if sizes := results.get("disk"):
        share = of_nodes(sizes, "libdora C", 10) / of_nodes(sizes, "dora C", 10)
    return [*found, judge(promise, share and Estimate(share, share, share))]
