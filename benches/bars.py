"""The plots with bars: throughput, processor time, and what a node takes."""

from disk import of_nodes
from plot import Figure, Linear, Panel, human
from sides import BY_KEY, SIDES
from stats import Estimate, estimate, estimates

#: The height of a bar with what is around it.
ROW = 26


def throughput(results):
    """Messages and bytes a second that arrive."""
    small = estimates(results, "throughput", "64 B", "messages_per_s")
    large = estimates(results, "throughput", "1 MiB", "bytes_per_s")
    small.pop("limit", None)
    large.pop("limit", None)
    figure = Figure(
        1080,
        126 + ROW * max(len(small), len(large)),
        "Throughput",
        "One source that sends as fast as it can, one sink; what arrives. Whiskers: interval. More is better.",
    )
    bars(figure, 210, 100, 290, "64 B messages", side_entries(small, 1e-3), "thousand a second", True)
    bars(figure, 740, 100, 290, "1 MiB messages", side_entries(large, 1e-9), "GB a second", True)
    return figure.svg()


def processor(results):
    """What the processor spends on a message, in both nodes together."""
    cases = [name for name in ("64 B", "1 MiB", "full HD, 6.2 MB") if name in results["parts"].get("latency", {})]
    figure = Figure(
        1080,
        126 + ROW * len(SIDES),
        "Processor time of a message",
        "All threads of the source and of the sink, user and system, in µs, at a steady pace. Less is better.",
    )
    for index, case in enumerate(cases):
        sides = results["parts"]["latency"][case]
        both = {}
        for side in SIDES:
            figures = sides.get(side.key, {})
            pairs = zip(figures.get("source_cpu_us", []), figures.get("sink_cpu_us", []))
            if value := estimate([None if None in pair else sum(pair) for pair in pairs]):
                both[side.key] = value
        x = 210 + 300 * index
        entries = side_entries(both)
        if index:
            entries = [("", colour, value, ours) for _, colour, value, ours in entries]
        bars(figure, x, 100, 230, case, entries, "µs")
    return figure.svg()


def footprint(results):
    """What a node takes: time to begin, memory, disk."""
    figure = Figure(1080, 560, "What a node takes", "Whiskers: interval. Less is better.")
    start = estimates(results, "start", "one node", "first_event_ms")
    memory = estimates(results, "start", "one node", "rss_kb")
    bars(figure, 210, 100, 290, "From exec to the first event", side_entries(start), "ms")
    bars(figure, 740, 100, 290, "Resident memory at the first event", side_entries(memory, 1 / 1024), "MiB")
    colours = {side.name.split(",")[0]: (side.colour, side.is_ours) for side in reversed(SIDES) if not side.has_lane}
    for count, x in ((1, 210), (10, 740)):
        sizes = results.get("disk", {})
        entries = [
            (name, colours[name][0], exactly(of_nodes(sizes, name, count) / 1e6), colours[name][1])
            for name in sizes
        ]
        bars(figure, x, 360, 290, f"On disk: {count} node{'s' if count > 1 else ''}", entries, "MB")
    return figure.svg()


def exactly(value):
    return Estimate(value, value, value)


def side_entries(found, factor=1.0):
    return [
        (BY_KEY[key].name, BY_KEY[key].colour, value.scaled(factor), BY_KEY[key].is_ours)
        for key, value in found.items()
    ]


def bars(figure, x, y, width, title, entries, note, is_more_better=False):
    """Bars with whiskers: (name, colour, estimate, whether it is libdora's)."""
    entries = [entry for entry in entries if entry[2]]
    if not entries:
        return
    top = max(value.high for _, _, value, _ in entries)
    panel = Panel(figure, x, y, width, ROW * len(entries), Linear(0, top * 1.22))
    panel.title(title, note)
    best = (max if is_more_better else min)(value.median for _, _, value, _ in entries)
    for place, (name, colour, value, is_ours) in enumerate(entries):
        middle = y + ROW * (place + 0.5)
        figure.text(x - 10, middle + 4, name, size=12, colour=colour, anchor="end", weight=700 if is_ours else 400)
        figure.rect(x, middle - 8, panel.at(value.median) - x, 16, colour, 2)
        if value.high > value.low:
            figure.whisker(panel.at(value.low), panel.at(value.high), middle)
        figure.text(
            panel.at(value.high) + 7,
            middle + 4,
            human(value.median),
            size=12,
            weight=700 if value.median == best else 400,
        )
