"""The plots that say who is ahead: a table of medians, percentiles, and the promises."""

from measures import LANE_SIDES
from plot import FAINT, INK, Figure, Linear, Log, Panel, around, human
from sides import BY_KEY, SIDES
from stats import estimates
from verdicts import DIFFERENCE, FIGURE, MISSES, PASSES, RATIO, REACHES, UNKNOWN, name_of

WORD_COLOURS = {PASSES: "#0b6e4f", REACHES: "#d99a00", MISSES: "#c1292e", UNKNOWN: FAINT}
KEPT = "#e7f4ee"
#: The kinds of promises in the order in which they are drawn: over each, what its axis has, and its scale.
KINDS = {
    RATIO: ("Ratio to the peer", Log),
    DIFFERENCE: ("µs over the peer", Linear),
    FIGURE: ("Number", Linear),
}
ROW, GAP = 26, 74


def promises(found):
    """What libdora promises, against what was measured."""
    by_kind = {kind: [verdict for verdict in found if verdict.promise.kind == kind] for kind in KINDS}
    by_kind = {kind: verdicts for kind, verdicts in by_kind.items() if verdicts}
    figure = Figure(
        1100,
        50 + ROW * len(found) + GAP * len(by_kind),
        "What libdora promises, and what it keeps",
        "What was measured and its interval, on the green ground of what is promised.",
    )
    top = 100
    for kind, verdicts in by_kind.items():
        promises_of(figure, top, verdicts, *KINDS[kind])
        top += ROW * len(verdicts) + GAP
    return figure.svg()


def promises_of(figure, top, verdicts, title, scale):
    """The promises of a kind, which share an axis."""
    left = 530
    measured = [verdict.measured for verdict in verdicts if verdict.measured]
    levels = [level for value in measured for level in (value.low, value.high)]
    limits = [verdict.promise.limit for verdict in verdicts]
    panel = Panel(figure, left, top, 480, ROW * len(verdicts), around([*levels, *limits], scale))
    panel.title(title)
    for place, verdict in enumerate(verdicts):
        y = top + ROW * (place + 0.5)
        promise, colour = verdict.promise, WORD_COLOURS[verdict.word]
        figure.text(left - 12, y + 4, name_of(promise), size=11, anchor="end")
        x = panel.at(promise.limit)
        kept_from, kept_to = (x, left + panel.width) if promise.at_least else (left, x)
        figure.rect(kept_from, y - 10, kept_to - kept_from, 20, KEPT)
        figure.line(x, y - 10, x, y + 10, INK, 2)
        if value := verdict.measured:
            figure.whisker(panel.at(value.low), panel.at(value.high), y, colour)
            figure.circle(panel.at(value.median), y, 5, colour)
        figure.text(left + 492, y + 4, verdict.word, size=11, colour=colour, weight=600)
    panel.across_axis()


def winners(results, part="latency"):
    """A table of medians: who is fastest at which payload, and by how much the others are behind."""
    names = list(results["parts"][part])
    sides = [side for side in sides_of(part) if side.is_node]
    cell, left, top = 106, 216, 110
    figure = Figure(
        left + cell * len(names) + 24,
        top + 34 * (len(sides) + 1) + 40,
        "Who is fastest",
        "Median latency in µs, and how many times the fastest of the column. Last row: what the machine can do.",
    )
    for column, name in enumerate(names):
        first, _, second = name.partition(", ")
        x = left + cell * (column + 0.5)
        figure.text(x, top - 26, first, size=12, anchor="middle", weight=600)
        figure.text(x, top - 11, second, size=11, colour=FAINT, anchor="middle")
        found = estimates(results, part, name, "p50_us")
        best = min((value.median for key, value in found.items() if BY_KEY[key].is_node), default=None)
        for row, side in enumerate([*sides, BY_KEY["limit"]]):
            y = top + 34 * row
            if column == 0:
                figure.text(
                    left - 12,
                    y + 21,
                    side.name,
                    size=13,
                    colour=side.colour,
                    anchor="end",
                    weight=700 if side.is_ours else 400,
                )
            value = found.get(side.key)
            if not value:
                continue
            ratio = value.median / best
            figure.rect(
                left + cell * column + 2, y + 2, cell - 4, 30, shade(ratio) if side.is_node else "#f2f4f7", 4
            )
            is_best = side.is_node and ratio <= 1.03
            figure.text(x - 6, y + 21, human(value.median), size=13, anchor="end", weight=700 if is_best else 400)
            figure.text(x + 6, y + 21, f"{ratio:.2f}×" if ratio < 10 else f"{ratio:.0f}×", size=11, colour=FAINT)
    return figure.svg()


def sides_of(part):
    return [side for side in SIDES if part != "lane" or side.key in LANE_SIDES]


def shade(ratio):
    """Green for the best, then paler, then red: by how many times something is slower than the best."""
    for limit, colour in ((1.03, "#8fd3b4"), (1.15, "#cdebdc"), (1.5, "#f7f3d6"), (2.5, "#fbd9b5"), (4, "#f5b09c")):
        if ratio <= limit:
            return colour
    return "#e98a86"


def percentiles(results):
    """Median, 99th and 99.9th percentile of each side, for some payloads."""
    cases = [
        name
        for name in ("64 B", "4 KiB", "1 MiB", "full HD, 6.2 MB")
        if name in results["parts"].get("latency", {})
    ]
    row, rows = 22, len(SIDES)
    height = 60 + row * rows
    figure = Figure(
        1060,
        84 + (height + 30) * ((len(cases) + 1) // 2),
        "How far the slow ones are behind",
        "● median   ◆ 99th percentile   ▌99.9th percentile, where a round has enough messages; in µs",
    )
    for index, case in enumerate(cases):
        found = {name: estimates(results, "latency", case, name) for name in ("p50_us", "p99_us", "p99.9_us")}
        levels = [value.median for by_side in found.values() for value in by_side.values()]
        panel = Panel(
            figure,
            190 + 500 * (index % 2) - (0 if index % 2 else 0),
            104 + (height + 30) * (index // 2),
            310,
            row * rows,
            around(levels),
        )
        panel.title(case)
        panel.across_axis()
        for place, side in enumerate(SIDES):
            y = panel.y + row * (place + 0.5)
            figure.text(
                panel.x - 10,
                y + 4,
                side.name,
                size=11,
                colour=side.colour,
                anchor="end",
                weight=700 if side.is_ours else 400,
            )
            values = {name: by_side.get(side.key) for name, by_side in found.items()}
            known = [value.median for value in values.values() if value]
            if not known:
                continue
            figure.line(panel.at(known[0]), y, panel.at(known[-1]), y, side.colour, 1.6)
            panel.figure.circle(panel.at(known[0]), y, 4, side.colour)
            if values["p99_us"]:
                diamond(figure, panel.at(values["p99_us"].median), y, side.colour)
            if values["p99.9_us"]:
                figure.rect(panel.at(values["p99.9_us"].median) - 1.5, y - 6, 3, 12, side.colour)
    return figure.svg()


def diamond(figure, x, y, colour, size=4.5):
    figure.path([(x - size, y), (x, y - size), (x + size, y), (x, y + size), (x - size, y)], colour, "", 1.6)
