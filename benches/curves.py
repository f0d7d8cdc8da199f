"""The plots with curves: latency against payload, fan-out, growth."""

from growth import SINK_ONLY, summary
from growth import TITLES as GROWING
from measures import payloads
from plot import Figure, Log, Panel, around
from sides import BY_KEY, SIDES
from stats import estimates


def latency(results, part="latency"):
    """Latency against payload, with intervals as bands."""
    sizes = payloads(results, part)
    curves = {side.key: [] for side in SIDES}
    for size, name in sizes.items():
        for key, value in estimates(results, part, name, "p50_us").items():
            curves[key].append((size, value))
    curves = {key: points for key, points in curves.items() if points}
    levels = [level for points in curves.values() for _, value in points for level in (value.low, value.high)]
    figure = Figure(
        980,
        620,
        "Latency against payload",
        "From the start of writing a message to its being readable elsewhere; median of the rounds' medians, "
        "band: interval. Lower is better.",
    )
    panel = Panel(figure, 70, 92, 680, 460, Log(min(sizes) / 1.3, max(sizes) * 1.3), around(levels))
    panel.across_axis(list(sizes), "payload", [name.split(",")[0] for name in sizes.values()])
    panel.up_axis("µs")
    for key, points in reversed(curves.items()):
        side = BY_KEY[key]
        panel.band(
            [(size, value.low) for size, value in points],
            [(size, value.high) for size, value in points],
            side.colour,
        )
        panel.curve(
            [(size, value.median) for size, value in points], side.colour, side.dash, 2.6 if side.is_ours else 1.8
        )
        for size, value in points:
            panel.dot(size, value.median, side.colour, 3.2 if side.is_ours else 2.4)
    panel.labels([(points[-1][1].median, (BY_KEY[key].name, BY_KEY[key].colour)) for key, points in curves.items()])
    return figure.svg()


def fan_out(results):
    """Latency to one, four and eight sinks."""
    cases = results["parts"].get("fan-out", {})
    figure = Figure(
        1180,
        420,
        "Fan-out",
        "Median latency over all sinks of one source in µs, against their number. With few cores this "
        "measures the scheduler.",
    )
    for index, payload in enumerate(dict.fromkeys(name.partition(" to ")[0] for name in cases)):
        counts = sorted(int(name.partition(" to ")[2]) for name in cases if name.startswith(payload + " to"))
        curves = {}
        for count in counts:
            for key, value in estimates(results, "fan-out", f"{payload} to {count}", "p50_us").items():
                curves.setdefault(key, []).append((count, value))
        levels = [level for points in curves.values() for _, value in points for level in (value.low, value.high)]
        panel = Panel(
            figure, 60 + 580 * index, 100, 300, 260, Log(min(counts) / 1.1, max(counts) * 1.1), around(levels)
        )
        panel.title(payload)
        panel.across_axis(counts, "sinks")
        panel.up_axis("")
        for key, points in reversed(curves.items()):
            side = BY_KEY[key]
            panel.curve(
                [(count, value.median) for count, value in points],
                side.colour,
                side.dash,
                2.4 if side.is_ours else 1.6,
            )
            for count, value in points:
                panel.dot(count, value.median, side.colour, 2.6)
        panel.labels(
            [(points[-1][1].median, (BY_KEY[key].name, BY_KEY[key].colour)) for key, points in curves.items()]
        )
    return figure.svg()


def growth(results):
    """libdora's cost of a message against what grows."""
    kinds = results.get("growth", {})
    figure = Figure(
        1000,
        720,
        "Growth",
        "libdora: processor time in µs against what grows. Grey: linear growth. Flatter is better.",
    )
    for index, (kind, costs) in enumerate(kinds.items()):
        found, exponent = summary({int(step): values for step, values in costs.items()})
        points = [(max(step, 0.5), value) for step, value in sorted(found.items()) if value]
        levels = [level for _, value in points for level in (value.low, value.high)]
        panel = Panel(
            figure,
            70 + 490 * (index % 2),
            110 + 310 * (index // 2),
            390,
            210,
            around([size for size, _ in points]),
            around([*levels, 2 * max(levels)], margin=0.1),
        )
        what = "reading all" if kind in SINK_ONLY else "a message"
        panel.title(GROWING[kind], f"{what}; at the end n^{exponent:.2f}")
        panel.across_axis([size for size, _ in points], names=[str(step) for step in sorted(found)])
        panel.up_axis()
        size, last = points[-1]
        reference = [(s, last.median * s / size) for s, _ in points if last.median * s / size >= panel.up.low]
        panel.curve(reference, "#98a2b3", "4 4", 1.4)
        panel.band(
            [(s, value.low) for s, value in points], [(s, value.high) for s, value in points], BY_KEY["c"].colour
        )
        panel.curve([(s, value.median) for s, value in points], BY_KEY["c"].colour, "", 2.4)
        for s, value in points:
            panel.dot(s, value.median, BY_KEY["c"].colour)
    return figure.svg()
