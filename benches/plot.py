"""Draws plots as SVG: scales, axes, marks. Nothing but text is written, so that a change of a figure is a change of a
line."""

import dataclasses
import math
from xml.sax.saxutils import escape

INK, FAINT, GRID, PAPER = "#1c2530", "#667085", "#e4e7ec", "#ffffff"
FONT = "font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\""


def number(value):
    """A coordinate, as short as it can be."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def human(value):
    """A figure with two or three digits that count."""
    if value == 0:
        return "0"
    if abs(value) >= 10_000:
        return f"{value / 1000:,.0f}k"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def short(value):
    """A figure of any size, for an axis."""
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= factor:
            return f"{value / factor:g}{unit}"
    return f"{value:g}"


@dataclasses.dataclass(frozen=True)
class Linear:
    low: float
    high: float

    def __call__(self, value):
        return (value - self.low) / (self.high - self.low)

    def ticks(self, count=5):
        step = 10 ** math.floor(math.log10((self.high - self.low) / count))
        step *= min((m for m in (1, 2, 5, 10) if (self.high - self.low) / (step * m) <= count + 1), default=10)
        first = math.ceil(self.low / step)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclasses.dataclass(frozen=True)
class Log:
    low: float
    high: float

    def __call__(self, value):
        return math.log(value / self.low) / math.log(self.high / self.low)

    def ticks(self, _count=5):
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1, 2, 5) if self.high / self.low < 2000 else (1,)
        every = [step * 10.0**decade for decade in decades for step in steps]
        return [tick for tick in every if self.low <= tick * 1.0001 and tick <= self.high * 1.0001]


def around(values, scale=Log, margin=0.06):
    """A scale that holds all values, with some room."""
    low, high = min(values), max(values)
    if scale is Log:
        room = (high / low) ** margin if high > low else 1.5
        return Log(low / room, high * room)
    return Linear(0, high * (1 + margin) if high > 0 else 1)


class Panel:
    """A rectangle of a figure with two scales."""

    def __init__(self, figure, x, y, width, height, across=None, up=None):
        self.figure, self.x, self.y, self.width, self.height = figure, x, y, width, height
        self.across, self.up = across, up

    def at(self, value):
        return self.x + self.width * self.across(value)

    def level(self, value):
        return self.y + self.height * (1 - self.up(value))

    def title(self, text, note=""):
        self.figure.text(self.x, self.y - 12, text, size=13, weight=600)
        if note:
            self.figure.text(self.x + self.width, self.y - 12, note, size=11, colour=FAINT, anchor="end")

    def across_axis(self, ticks=None, label="", names=None):
        bottom = self.y + self.height
        for i, tick in enumerate(ticks or self.across.ticks()):
            x = self.at(tick)
            self.figure.line(x, self.y, x, bottom, GRID)
            self.figure.text(
                x, bottom + 16, names[i] if names else short(tick), size=11, colour=FAINT, anchor="middle"
            )
        if label:
            self.figure.text(self.x + self.width / 2, bottom + 34, label, size=12, anchor="middle")

    def up_axis(self, label="", ticks=None):
        for tick in ticks or self.up.ticks():
            y = self.level(tick)
            self.figure.line(self.x, y, self.x + self.width, y, GRID)
            self.figure.text(self.x - 6, y + 4, short(tick), size=11, colour=FAINT, anchor="end")
        if label:
            self.figure.text(self.x, self.y - 10, label, size=12)

    def curve(self, points, colour, dash="", width=2.0):
        self.figure.path([(self.at(x), self.level(y)) for x, y in points], colour, dash, width)

    def band(self, lows, highs, colour):
        outline = [(self.at(x), self.level(y)) for x, y in [*lows, *reversed(highs)]]
        self.figure.area(outline, colour)

    def dot(self, x, y, colour, radius=3.0):
        self.figure.circle(self.at(x), self.level(y), radius, colour)

    def labels(self, ends, gap=14):
        """Names at the right end of curves, moved apart: pairs of a value and (name, colour)."""
        placed = spread([(self.level(value), entry) for value, entry in ends], gap, self.y, self.y + self.height)
        right = self.x + self.width
        for y, wanted, (name, colour) in placed:
            self.figure.path([(right + 2, wanted), (right + 12, y)], colour, "", 1)
            self.figure.text(right + 15, y + 4, name, size=12, colour=colour, weight=600)


def spread(entries, gap, top, bottom):
    """Moves places apart that are closer than a gap, and keeps them inside as far as it goes."""
    ordered = sorted(entries, key=lambda entry: entry[0])
    places = [wanted for wanted, _ in ordered]
    for _ in range(200):
        for i in range(len(places) - 1):
            overlap = gap - (places[i + 1] - places[i])
            if overlap > 0:
                places[i] -= overlap / 2
                places[i + 1] += overlap / 2
        if places:
            places[0] = max(places[0], top)
            places[-1] = min(places[-1], max(bottom, top + gap * (len(places) - 1)))
    return [(place, wanted, entry) for place, (wanted, entry) in zip(places, ordered)]


class Figure:
    """An SVG picture."""

    def __init__(self, width, height, title, subtitle=""):
        self.width, self.height, self.title = width, height, title
        self.parts = []
        self.rect(0, 0, width, height, PAPER)
        self.text(24, 34, title, size=18, weight=700)
        if subtitle:
            self.text(24, 54, subtitle, size=12, colour=FAINT)

    def text(self, x, y, text, size=12, colour=INK, anchor="start", weight=400):
        style = f' text-anchor="{anchor}"' if anchor != "start" else ""
        style += f' font-weight="{weight}"' if weight != 400 else ""
        self.parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" fill="{colour}"{style}>{escape(text)}</text>'
        )

    def line(self, x0, y0, x1, y1, colour, width=1.0, dash=""):
        style = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{number(x0)}" y1="{number(y0)}" x2="{number(x1)}" y2="{number(y1)}" '
            f'stroke="{colour}" stroke-width="{number(width)}"{style}/>'
        )

    def path(self, points, colour, dash="", width=2.0):
        style = f' stroke-dasharray="{dash}"' if dash else ""
        places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
            f'stroke-linejoin="round"{style}/>'
        )

    def area(self, points, colour):
        places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.parts.append(f'<polygon points="{places}" fill="{colour}" fill-opacity="0.13"/>')

    def circle(self, x, y, radius, colour, outline=PAPER):
        self.parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{colour}" stroke="{outline}"/>'
        )

    def rect(self, x, y, width, height, colour, radius=0.0, outline=""):
        style = f' rx="{number(radius)}"' if radius else ""
        style += f' stroke="{outline}"' if outline else ""
        self.parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
            f'fill="{colour}"{style}/>'
        )

    def whisker(self, x0, x1, y, colour=INK, size=4.0):
        self.line(x0, y, x1, y, colour, 1.4)
        for x in (x0, x1):
            self.line(x, y - size, x, y + size, colour, 1.4)

    def svg(self):
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" role="img" {FONT}>\n<title>{escape(self.title)}</title>\n'
        )
        return opening + "\n".join(self.parts) + "\n</svg>\n"
