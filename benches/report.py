"""Writes the report: a page of tables, the figures as JSON, and the plots."""

import dataclasses
import json

import charts
import disk
import instructions
import steady
from growth import LINEAR, SINK_ONLY, TITLES, summary
from plot import human
from sides import BY_KEY, SIDES
from stats import estimate, ratio
from verdicts import MISSES, UNKNOWN, limit_of, name_of, verdicts

#: To which side the others are compared.
REFERENCE = "c"

#: What the tables of a part show: the name of a figure, its heading, and by what it is multiplied.
COLUMNS = {
    "throughput": [
        ("messages_per_s", "arrive, thousand/s", 1e-3),
        ("bytes_per_s", "arrive, GB/s", 1e-9),
        ("sent_per_s", "sent, thousand/s", 1e-3),
        ("source_cpu_us", "source's processor time, µs", 1),
        ("sink_cpu_us", "sink's, µs", 1),
    ],
    "fan-out": [("p50_us", "median", 1), ("p99_us", "99th", 1), ("last_us", "last sink, median", 1)],
    "loop": [
        ("p50_us", "median", 1),
        ("p99_us", "99th", 1),
        ("p99.9_us", "99.9th", 1),
        ("max_us", "longest", 1),
        ("late", "periods begun late", 1),
        ("cycles", "cycles a round", 1),
    ],
    "receivers": [("received", "messages read", 1), ("torn", "of them wrong", 1)],
    "start": [
        ("first_event_ms", "exec to first event, ms", 1),
        ("rss_kb", "resident, MiB", 1 / 1024),
        ("anonymous_kb", "of it anonymous", 1 / 1024),
        ("file_kb", "of files", 1 / 1024),
        ("shared_kb", "shared memory", 1 / 1024),
    ],
}


def write(results, directory):
    directory.mkdir(parents=True, exist_ok=True)
    found = verdicts(results)
    for name, svg in charts.draw(results, found).items():
        (directory / f"{name}.svg").write_text(svg)
    (directory / "results.md").write_text(page(results, found))
    (directory / "results.json").write_text(as_json(results, found))


def as_json(results, found):
    """What was measured, with the verdicts; every list of a part has one value a round."""
    words = [
        {
            "promise": name_of(verdict.promise),
            "limit": verdict.promise.limit,
            verdict.promise.kind: verdict.measured and list(dataclasses.astuple(verdict.measured)),
            "verdict": verdict.word,
        }
        for verdict in found
    ]
    rounded = json.loads(json.dumps(results), parse_float=lambda text: float(f"{float(text):.6g}"))
    return json.dumps(rounded | {"verdicts": words}, ensure_ascii=False, indent=1) + "\n"


def page(results, found):
    sections = [
        ("What libdora promises, and what it keeps", promises(found)),
        ("Latency, in µs", latency(results)),
        ("The slow ones", slow_ones(results)),
        ("Processor time of a message, in µs", processor(results)),
        ("The fast lane, in µs", lane(results)),
        ("What a message costs once all is set up", steady_costs(results)),
        ("Throughput", cases(results, "throughput", "throughput")),
        ("Fan-out, in µs", cases(results, "fan-out", "fan-out")),
        ("A control loop of 3 ms, in µs from setpoint to state", cases(results, "loop", "loop")),
        ("Who reads a loan", receivers(results)),
        ("Beginning and memory", cases(results, "start", "footprint")),
        ("On disk, in MB", on_disk(results)),
        ("Growth of libdora's cost, in µs of processor time", growth(results)),
        ("Instructions and allocations of an event", counts(results)),
        ("Runs that were tried again", failures(results)),
    ]
    parts = ["# Measured speed", heading(results)]
    parts += ["\n\n".join([f"## {title}", *blocks]) for title, blocks in sections if blocks]
    return "\n\n".join(parts) + "\n"


def heading(results):
    measured = [
        [part, each.get("date", "–"), each["rounds"] or "–", load_of(each)]
        for part, each in results["measured"].items()
    ]
    blocks = [
        "<!-- Written by scripts/bench.sh. -->",
        "How this was measured, and what the figures mean, is told in [Performance](../performance.md).",
        "**A trial, too short to be told.**" if results.get("quick") else "",
        table(["machine", ""], [[key, value] for key, value in results["about"].items()]),
        "The load is that of the last minute at the start of each round; the benchmark makes about one of it.",
        table(["part", "measured", "rounds", "load"], measured),
        *elsewhere(results),
    ]
    return "\n\n".join(block for block in blocks if block)


def elsewhere(results):
    """What was otherwise when a part was measured, where that was not when the last one was."""
    parts = {}
    for part, measured in results["measured"].items():
        then = measured.get("about", {}).items()
        other = ", ".join(f"{key} {value}" for key, value in then if results["about"].get(key) != value)
        if other:
            parts.setdefault(other, []).append(part)
    return [f"Otherwise for {', '.join(those)}: {other}." for other, those in parts.items()]


def load_of(measured):
    loads = [load[0] for load in measured["load"]]
    return f"{min(loads)}–{max(loads)}" if loads else "–"


def promises(found):
    rows = [
        [
            name_of(verdict.promise),
            limit_of(verdict.promise),
            cell(verdict.measured),
            verdict.word,
        ]
        for verdict in found
    ]
    return [losses(found), image("promises"), table(["", "promise", "measured", "verdict"], rows)]


def losses(found):
    missed = [verdict for verdict in found if verdict.word == MISSES]
    unknown = [verdict for verdict in found if verdict.word == UNKNOWN]
    if missed:
        lines = [
            f"- {name_of(verdict.promise)} is {cell(verdict.measured)}, promised {limit_of(verdict.promise)}"
            for verdict in missed
        ]
        return "**Where libdora loses:**\n\n" + "\n".join(lines)
    return "No promise is missed" + (f"; {len(unknown)} were not measured." if unknown else ".")


def latency(results):
    if not results["parts"].get("latency"):
        return []
    return [
        image("winners"),
        image("latency"),
        "Medians over the rounds, with their intervals.",
        by_side(results, lambda sides, key: estimate(sides[key].get("p50_us"))),
        f"Ratios to {BY_KEY[REFERENCE].name}, taken round by round.",
        by_side(results, ratio_to_reference),
    ]


def ratio_to_reference(sides, key):
    return ratio(sides[key].get("p50_us"), sides.get(REFERENCE, {}).get("p50_us"))


def slow_ones(results):
    if not results["parts"].get("latency"):
        return []
    return [
        image("percentiles"),
        "The 99th percentile, in µs.",
        by_side(results, lambda sides, key: estimate(sides[key].get("p99_us"))),
        "The 99.9th percentile, in µs.",
        by_side(results, lambda sides, key: estimate(sides[key].get("p99.9_us"))),
        lost(results),
    ]


def lost(results, part="latency"):
    counts = {}
    for case, sides in results["parts"][part].items():
        for key, figures in sides.items():
            if count := sum(value or 0 for value in figures.get("lost", [])):
                counts.setdefault(BY_KEY[key].name, []).append(f"{count:.0f} at {case}")
    told = "; ".join(f"{name}: {', '.join(each)}" for name, each in counts.items())
    return f"Messages of all rounds that did not arrive in the window: {told or 'none'}."


def processor(results):
    if not results["parts"].get("latency"):
        return []
    return [
        image("processor"),
        "Of the source.",
        by_side(results, lambda sides, key: estimate(sides[key].get("source_cpu_us"))),
        "Of the sink.",
        by_side(results, lambda sides, key: estimate(sides[key].get("sink_cpu_us"))),
    ]


def lane(results):
    """The short run: what the parts about latency tell of all sides, of those that the lane is compared to."""
    if not results["parts"].get("lane"):
        return []
    figures = {
        "Medians over the rounds.": "p50_us",
        "The 99th percentile.": "p99_us",
        "Processor time of the source.": "source_cpu_us",
        "Of the sink.": "sink_cpu_us",
    }
    blocks = [image("lane-winners"), image("lane")]
    for told, metric in figures.items():
        blocks += [told, by_side(results, lambda sides, key: estimate(sides[key].get(metric)), "lane")]
    return [*blocks, lost(results, "lane")]


def steady_costs(results):
    """Tables of calls of the system and of allocations: a row a node of a side."""
    blocks = []
    for case, sides in results["parts"].get("steady", {}).items():
        rows = [
            [f"{side.name}: {node}", *steady_cells(sides[side.key], node)]
            for side in SIDES
            if side.key in sides
            for node in steady.COUNTS
        ]
        head = [case, "system calls", "which", "of other threads", "allocations", "of other threads"]
        blocks.append(table(head, rows))
    told = (
        "Of the thread that sends or reads, and of all others of its process, by message; messages come one at a time, "
        f"each behind a pause, counted by strace and by the nodes over {min(steady.COUNTS.values()):,} messages."
    )
    return [told, *blocks] if blocks else []


def steady_cells(figures, node):
    def told(metric):
        return cell(estimate(figures.get(f"{node}_{metric}")))

    names = next(filter(None, figures.get(f"{node}_names", [])), {})
    which = ", ".join(f"{name} {human(share)}" for name, share in names.items() if share >= 0.01)
    return [told("calls"), which or "–", told("other_calls"), told("allocations"), told("other_allocations")]


def by_side(results, figure, part="latency"):
    """A table of the latency runs: a row a side, a column a case."""
    every = results["parts"][part]
    rows = []
    for side in SIDES:
        values = [figure(sides, side.key) if side.key in sides else None for sides in every.values()]
        if any(values):
            rows.append([side.name, *map(cell, values)])
    return table(["", *every], rows)


def cases(results, part, plot):
    """A table for each case of a part: a row a side, a column a figure."""
    blocks = []
    for case, sides in results["parts"].get(part, {}).items():
        rows = [
            [side.name, *(cell(scaled(sides[side.key].get(name), factor)) for name, _, factor in COLUMNS[part])]
            for side in SIDES
            if side.key in sides
        ]
        blocks.append(table([case, *(title for _, title, _ in COLUMNS[part])], rows))
    return [image(plot), *blocks] if blocks and plot else blocks


def receivers(results):
    told = "Loans of libdora, which have no validity bitmap, read through each interface, by round."
    blocks = cases(results, "receivers", None)
    return [told, *blocks] if blocks else []


def scaled(values, factor):
    value = estimate(values)
    return value and value.scaled(factor)


def on_disk(results):
    sizes = results.get("disk", {})
    rows = [[name, *(f"{disk.of_nodes(sizes, name, count) / 1e6:.2f}" for count in (1, 10))] for name in sizes]
    return [table(["", "one node", "ten nodes"], rows)] if rows else []


def growth(results):
    rows = []
    for kind, costs in results.get("growth", {}).items():
        found, exponent = summary({int(step): values for step, values in costs.items()})
        steps = ", ".join(f"{step}: {cell(value)}" for step, value in sorted(found.items()))
        what = "reading all of them" if kind in SINK_ONLY else "a message, in both nodes"
        word = "linear or better" if exponent <= LINEAR else "worse than linear"
        rows.append([TITLES[kind], what, f"{exponent:.2f}", word, steps])
    return (
        [image("growth"), table(["what grows", "cost of", "exponent at the end", "", "cost"], rows)] if rows else []
    )


def counts(results):
    figures = results.get("instructions")
    if not figures:
        return []
    sentence, is_kept = instructions.check(figures)
    rows = [
        [side, *(whole(estimate(figures[side][what])) for what in ("instructions", "allocations"))]
        for side in figures
    ]
    return [
        f"{sentence[0].upper()}{sentence[1:]}. The limit is {'kept' if is_kept else '**not** kept'}.",
        table(["an event", "instructions", "allocations"], rows),
    ]


def failures(results):
    return ["\n".join(f"- {failure}" for failure in results["failures"])] if results["failures"] else []


def table(head, rows):
    """A Markdown table; the first column is text, the others are figures."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def cell(value):
    if not value:
        return "–"
    if value.low == value.high:
        return human(value.median)
    return f"{human(value.median)} ({human(value.low)}–{human(value.high)})"


def whole(value):
    if value.low == value.high:
        return f"{value.median:,.0f}"
    return f"{value.median:,.0f} ({value.low:,.0f}–{value.high:,.0f})"


def image(name):
    return f"![{charts.TITLES[name]}]({name}.svg)"
