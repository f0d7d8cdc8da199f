"""The Python node of test_compat.py: sends a C node what is not bytes, and waits for its stop."""

import dora
import pyarrow as pa

MESSAGES = [
    ("speed", pa.array([1.5, 2.5, -3.25], pa.float32())),
    ("label", pa.array(["go"])),
    ("label", pa.array(["go", "on"])),
    ("gaps", pa.array([1, None, 3])),
    ("label", pa.array(["stop"])),
    ("gaps", pa.array([None], pa.int64())),
    ("nothing", pa.array([], pa.uint8())),
]

node = dora.Node()
for output, array in MESSAGES:
    node.send_output(output, array)
for event in node:
    if event["type"] == "STOP":
        break
