"""Medians, their intervals, and ratios, over the rounds of one run.

A figure of a round is a median or another percentile over the messages of that round. What is told of a run is the
median over its rounds, with an interval between two of their order statistics: the narrowest that holds the true
median with at least 95 % confidence, whatever the distribution. With 7 rounds that is the smallest and the largest
(98.4 %); with fewer than 6 no interval reaches 95 %, and the smallest and the largest are told.

A ratio, or a difference, is taken within each round, of two figures that were measured one shortly after the other,
and then told in the same way.
"""

import dataclasses
import math
import statistics

from sides import SIDES

CONFIDENCE = 0.95


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A median over rounds, and its interval."""

    median: float
    low: float
    high: float

    def scaled(self, factor):
        return Estimate(self.median * factor, self.low * factor, self.high * factor)


def percentile(values, share):
    """The smallest value with that share at or below it; nothing where that would be a guess."""
    if len(values) * (1 - share) < 1:
        return None
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def coverage(rounds, cut):
    """How likely the true median is between the order statistics that leave out `cut` on both sides."""
    return 1 - 2 * sum(math.comb(rounds, i) for i in range(cut + 1)) / 2**rounds


def estimate(values):
    """The median over the rounds that gave a value; nothing where fewer than half of them did."""
    ordered = sorted(value for value in values or [] if value is not None)
    if not ordered or 2 * len(ordered) < len(values):
        return None
    rounds = len(ordered)
    cut = max((cut for cut in range((rounds + 1) // 2) if coverage(rounds, cut) >= CONFIDENCE), default=0)
    return Estimate(statistics.median(ordered), ordered[cut], ordered[rounds - 1 - cut])


def ratio(above, below):
    """The ratio of two figures, round by round."""
    return estimate([None if None in pair else pair[0] / pair[1] for pair in zip(above or [], below or [])])


def difference(above, below):
    """The difference of two figures, round by round."""
    return estimate([None if None in pair else pair[0] - pair[1] for pair in zip(above or [], below or [])])


def slope(points):
    """The exponent of growth between two points (size, cost)."""
    (size_0, cost_0), (size_1, cost_1) = points
    return math.log(cost_1 / cost_0) / math.log(size_1 / size_0)


def estimates(results, part, case, metric):
    """Estimates by side, for the sides that have one, in the order of the sides."""
    sides = results["parts"].get(part, {}).get(case, {})
    found = {side.key: estimate(sides.get(side.key, {}).get(metric)) for side in SIDES}
    return {key: value for key, value in found.items() if value}
