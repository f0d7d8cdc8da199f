"""The plots of the report. Green is libdora, yellow-green its fast lane, black and dotted is what the machine
can do, all else are peers."""

from bars import footprint, processor, throughput
from curves import fan_out, growth, latency
from histograms import loop
from overviews import percentiles, promises, winners

#: What each plot tells, for who cannot see it; and from which part of the results it is made.
TITLES = {
    "promises": "Ratios that libdora promises, and what was measured",
    "winners": "Who is fastest at which payload",
    "latency": "Latency against payload",
    "percentiles": "Median, 99th and 99.9th percentile of latency",
    "processor": "Processor time of a message",
    "throughput": "Throughput",
    "lane": "Latency against payload on the fast lane and off it",
    "lane-winners": "Who is fastest, on the fast lane and off it",
    "fan-out": "Latency against the number of sinks",
    "loop": "Round trips of a control loop",
    "footprint": "Time to begin, memory and disk of a node",
    "growth": "Growth of libdora's cost",
}


def draw(results, found):
    """All plots for which there are figures, by name."""
    parts = results["parts"]
    plots = {"promises": promises(found)}
    if parts.get("latency"):
        plots |= {
            "winners": winners(results),
            "latency": latency(results),
            "percentiles": percentiles(results),
            "processor": processor(results),
        }
    if parts.get("lane"):
        plots |= {"lane": latency(results, "lane"), "lane-winners": winners(results, "lane")}
    if parts.get("throughput"):
        plots["throughput"] = throughput(results)
    if parts.get("fan-out"):
        plots["fan-out"] = fan_out(results)
    if parts.get("loop"):
        plots["loop"] = loop(results)
    if parts.get("start"):
        plots["footprint"] = footprint(results)
    if results.get("growth"):
        plots["growth"] = growth(results)
    return plots
