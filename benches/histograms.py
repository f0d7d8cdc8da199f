"""The histograms of the control loop."""

import jitter
from plot import FAINT, Figure, Linear, Log, Panel, human
from sides import BY_KEY
from stats import estimate


def loop(results):
    """How often a round trip took how long, all rounds together, on a scale that shows the rare ones."""
    cases = results["parts"]["loop"]
    counted = {
        name: {key: added(sides[key]["histogram"]) for key in BY_KEY if key in sides}
        for name, sides in cases.items()
    }
    most = max(max(bars) for sides in counted.values() for bars in sides.values())
    figure = Figure(
        1080,
        90 + 300 * len(cases),
        "Round trips of a control loop",
        "From setpoint to state, one each 3 ms; how many took how long, all rounds together. Dashed: 99.9th "
        "percentile. The last bar holds all that took longer.",
    )
    for row, (name, sides) in enumerate(counted.items()):
        end = jitter.HISTOGRAM_END + jitter.HISTOGRAM_STEP
        panel = Panel(figure, 70, 110 + 300 * row, 800, 200, Linear(0, end), Log(0.5, 2 * most))
        cycles = max(sum(bars) for bars in sides.values())
        panel.title(name, f"{cycles:,} cycles a side")
        panel.across_axis(label="µs")
        panel.up_axis("")
        for place, (key, bars) in enumerate(sides.items()):
            side = BY_KEY[key]
            panel.curve(list(outline(bars)), side.colour, width=1.6)
            value = estimate(cases[name][key]["p99.9_us"])
            if value:
                x = panel.at(min(value.median, end))
                figure.line(x, panel.y, x, panel.y + panel.height, side.colour, 1.4, "4 3")
            told = f"{human(value.median)} ({human(value.low)}–{human(value.high)})" if value else "–"
            figure.text(886, panel.y + 16 + 40 * place, side.name, size=12, colour=side.colour, weight=600)
            figure.text(886, panel.y + 32 + 40 * place, f"99.9th: {told}", size=11, colour=FAINT)
    return figure.svg()


def added(histograms):
    """The bars of all rounds that gave some, on top of each other."""
    return [sum(bar) for bar in zip(*filter(None, histograms))]


def outline(bars):
    """The upper edge of bars, with nothing at all shown at the bottom of the scale."""
    for index, count in enumerate(bars):
        level = max(count, 0.5)
        yield index * jitter.HISTOGRAM_STEP, level
        yield (index + 1) * jitter.HISTOGRAM_STEP, level
