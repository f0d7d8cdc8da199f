"""What is measured of the sides, a part at a time. A part is a list of cases; a case is run for each side in each
round, and gives figures by name."""

import dataclasses

import jitter
import steady
from lab import POOL
from sides import BY_KEY
from stats import percentile

KIB, MIB = 1 << 10, 1 << 20
FULL_HD = 1920 * 1080 * 3
ULTRA_HD = 3840 * 2160 * 3

PAYLOAD_NAMES = {
    8: "8 B",
    64: "64 B",
    4 * KIB: "4 KiB",
    64 * KIB: "64 KiB",
    MIB: "1 MiB",
    FULL_HD: "full HD, 6.2 MB",
    ULTRA_HD: "4K, 24.9 MB",
    64 * MIB: "64 MiB",
}


#: The short run about the fast lane: some payloads, full HD as it is where nothing is set, and who it is told of.
LANE_PAYLOADS = {
    **{size: PAYLOAD_NAMES[size] for size in (64, 4 * KIB, 64 * KIB, MIB)},
    FULL_HD: "full HD, default pool",
}
LANE_SIDES = {"loan-lane", "c-lane", "loan", "c", "dora-c", "dora-rust", "dora-raw", "limit"}

#: A side of each sink that dora starts.
SINKS = {"c", "cpp", "dora-c", "dora-cpp", "dora-rust", "dora-python"}
#: The sides that a part is about, where not all are.
TAKERS = {
    "lane": LANE_SIDES,
    "start": SINKS,
    "receivers": SINKS,
    "loop": set(jitter.PROGRAMS),
    "steady": steady.SIDES,
}


def payloads(results, part):
    """The sizes that the latency was measured of, and their names."""
    names = LANE_PAYLOADS if part == "lane" else PAYLOAD_NAMES
    return {size: name for size, name in names.items() if name in results["parts"].get(part, {})}


@dataclasses.dataclass(frozen=True)
class Case:
    """One setting of a part."""

    part: str
    name: str
    size: int
    interval_s: float = 0.0
    window_s: float = 2.0
    warm_up_s: float = 0.5
    sinks: int = 1
    pool: str | None = None

    def takes(self, side):
        """Whether it says something of a side: what is of sinks is told of each once, and not all have a control
        loop."""
        return side.key in TAKERS.get(self.part, {side.key})

    def measure(self, lab, side):
        return MEASURES[self.part](lab, side, self)


#: How long to wait between messages up to a size: long enough for the slowest side to be done with one, and not so
#: long that processors fall asleep, whose waking would hide everything else.
INTERVALS_S = {64 * KIB: 0.0005, MIB: 0.001, FULL_HD: 0.002, ULTRA_HD: 0.01, 64 * MIB: 0.1}
#: A window holds at least so many messages.
FEWEST = 40


def interval_of(size):
    return next(interval_s for most, interval_s in INTERVALS_S.items() if size <= most)


def latency_case(name, size, quick, pool, interval_s=None):
    interval_s = interval_s or interval_of(size)
    window_s = max(0.6 if quick else 1.2, FEWEST * interval_s)
    return Case("latency", name, size, interval_s, window_s, pool=pool)


def lane_cases(quick):
    """Shorter than those of the latency, so that all rounds of all sides take some minutes."""
    return [
        Case("lane", name, size, interval_of(size), 0.4 if quick else 0.8, 0.25) for size, name in LANE_PAYLOADS.items()
    ]


def latency_cases(quick):
    sizes = [64, 4 * KIB, MIB, FULL_HD] if quick else list(PAYLOAD_NAMES)
    cases = [latency_case(PAYLOAD_NAMES[size], size, quick, POOL if size > MIB else None) for size in sizes]
    return [
        *cases,
        latency_case("full HD, default pool", FULL_HD, quick, None),
        latency_case("full HD, 30 a second", FULL_HD, quick, POOL, 1 / 30),
    ]


def throughput_cases(quick):
    return [
        Case(
            "throughput",
            PAYLOAD_NAMES[size],
            size,
            window_s=0.5 if quick else 2.0,
            pool=POOL if size == MIB else None,
        )
        for size in (64, MIB)
    ]


def fan_out_cases(quick):
    return [
        Case("fan-out", f"{PAYLOAD_NAMES[size]} to {sinks}", size, interval_s, 0.5 if quick else 0.8, sinks)
        for size, interval_s in ((4 * KIB, 0.002), (MIB, 0.005))
        for sinks in ((1, 4) if quick else (1, 4, 8))
    ]


def start_cases(_quick):
    return [Case("start", "one node", 0)]


def receivers_cases(quick):
    """A loan, which has no validity bitmap, read through each interface."""
    return [
        Case("receivers", PAYLOAD_NAMES[size], size, 0.001, 0.3 if quick else 0.5) for size in (64, 64 * KIB, MIB)
    ]


def loop_cases(quick):
    return [Case("loop", name, 0, jitter.INTERVAL_S, 3.0 if quick else 15.0) for name in jitter.CASES]


def steady_cases(_quick):
    return [Case("steady", PAYLOAD_NAMES[size], size) for size in (64, MIB)]


def times_us(samples):
    return [(read - begun) / 1000 for begun, read in samples]


def percentiles(times):
    return {f"p{name}_us": percentile(times, share) for name, share in (("50", 0.5), ("99", 0.99), ("99.9", 0.999))}


def measure_latency(lab, side, case):
    count = round(case.window_s / case.interval_s)
    run = lab.run(
        side,
        size=case.size,
        interval_s=case.interval_s,
        warm_up_s=case.warm_up_s,
        window_s=case.window_s,
        sinks=case.sinks,
        samples=2 * count,
        pool=case.pool,
    )
    times = times_us(run.samples[0])
    return percentiles(times) | {
        "max_us": max(times),
        "lost": max(0, run.source["sent"] - run.sink["received"]),
        "late": run.source["late"],
        "source_cpu_us": run.source["cpu_ns"] / run.source["sent"] / 1000,
        "sink_cpu_us": run.sink["cpu_ns"] / run.sink["received"] / 1000,
        "source_rss_kb": run.source["VmRSS"],
        "sink_rss_kb": run.sink["VmRSS"],
    }


def measure_throughput(lab, side, case):
    run = lab.run(side, size=case.size, interval_s=0, window_s=case.window_s, queue_size=100, pool=case.pool)
    seconds = run.sink["window_ns"] / 1e9
    return {
        "messages_per_s": run.sink["received"] / seconds,
        "bytes_per_s": run.sink["received"] * case.size / seconds,
        "sent_per_s": run.source["sent"] / (run.source["window_ns"] / 1e9),
        "source_cpu_us": run.source["cpu_ns"] / run.source["sent"] / 1000,
        "sink_cpu_us": run.sink["cpu_ns"] / run.sink["received"] / 1000,
    }


def measure_fan_out(lab, side, case):
    count = round(case.window_s / case.interval_s)
    run = lab.run(
        side,
        size=case.size,
        interval_s=case.interval_s,
        window_s=case.window_s,
        sinks=case.sinks,
        samples=2 * count,
    )
    last = {}
    for samples in run.samples:
        for begun, read in samples:
            last[begun] = max(read, last.get(begun, 0))
    everyone = [time for samples in run.samples for time in times_us(samples)]
    sent = run.source["sent"] * case.sinks
    return percentiles(everyone) | {
        "last_us": percentile(times_us(last.items()), 0.5),
        "lost": max(0, sent - sum(sink["received"] for sink in run.sinks)),
        "source_cpu_us": run.source["cpu_ns"] / run.source["sent"] / 1000,
    }


def measure_receivers(lab, side, case):
    mixed = dataclasses.replace(side, source=BY_KEY["loan"].source)
    run = lab.run(mixed, size=case.size, interval_s=case.interval_s, window_s=case.window_s)
    return {"received": run.sink["received"], "torn": run.sink["torn"]}


def measure_start(lab, side, _case):
    report = lab.run_alone(side, side.sink, {"tick": "dora/timer/millis/1"}, BENCH_ONE_EVENT=1)
    return {
        "first_event_ms": (report["first_event_ns"] - report["exec_ns"]) / 1e6,
        "rss_kb": report["VmRSS"],
        "anonymous_kb": report["RssAnon"],
        "file_kb": report["RssFile"],
        "shared_kb": report["RssShmem"],
    }


MEASURES = {
    "latency": measure_latency,
    "lane": measure_latency,
    "throughput": measure_throughput,
    "fan-out": measure_fan_out,
    "start": measure_start,
    "loop": jitter.measure,
    "receivers": measure_receivers,
    "steady": steady.measure,
}
CASES = {
    "latency": latency_cases,
    "lane": lane_cases,
    "throughput": throughput_cases,
    "fan-out": fan_out_cases,
    "start": start_cases,
    "loop": loop_cases,
    "receivers": receivers_cases,
    "steady": steady_cases,
}
#: Parts that are counted, not timed, and so are the same in each round: they are run in the first alone.
ONCE = {"steady"}
#: What the short run about the fast lane repeats, of the parts that a run of everything has.
LANE = ["lane", "steady"]
