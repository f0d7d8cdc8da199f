#!/usr/bin/env python3
"""Checks what scripts/demo.sh printed against figures computed here from the log, and looks at the picture.

    scripts/demo.sh 0 | tests/dataflow/demo_check.py .cache/V102_groundtruth.csv
"""

import csv
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

log, output = pathlib.Path(sys.argv[1]), sys.stdin.read()

times, positions, velocities = [], [], []
with log.open(newline="") as file:
    for row in csv.reader(file):
        if not row[0].startswith("#"):
            times.append(int(row[0]))
            positions.append([float(value) for value in row[1:4]])
            velocities.append([float(value) for value in row[8:11]])

expected = {
    "samples": f"{len(times)}, none lost",
    "duration": f"{(times[-1] - times[0]) / 1e9:.3f} s",
    # The definitions matter: the sum of the steps; the norm of the log's own velocity, not of differences of
    # positions (2.194 m/s); height over the log's ground, not over the start.
    "path length": f"{sum(map(math.dist, positions, positions[1:])):.3f} m",
    "top speed": f"{max(math.hypot(*velocity) for velocity in velocities):.3f} m/s",
    "peak height": f"{max(position[2] for position in positions):.3f} m",
}
printed = {name: re.findall(rf"^{name}\s+(.*)$", output, re.MULTILINE) for name in [*expected, "picture"]}
wrong = [
    f"{name}: printed {printed[name]}, is {value}"
    for name, value in expected.items()
    if printed[name] != [value]
]

if len(printed["picture"]) != 1:
    wrong.append("no picture is named")
else:
    picture = pathlib.Path(printed["picture"][0])
    size, root = picture.stat().st_size, xml.parse(picture).getroot()
    if not root.tag.endswith("svg") or len(root.findall(".//{*}path")) < 100 or size > 2_000_000:
        wrong.append(f"{picture} is not the picture of a flight ({size} bytes)")

if wrong:
    sys.exit("\n".join(wrong))
print("the demo's figures are right, and the picture is whole")
