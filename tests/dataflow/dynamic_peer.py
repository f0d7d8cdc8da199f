"""The static node of test_dynamic.py: sends a numbered text on each tick, and reports what comes back."""

import os

import dora
import pyarrow as pa

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
number = 0
for event in node:
    if event["type"] == "INPUT" and event["id"] == "tick":
        node.send_output("out", pa.array([f"{number} Grüße"]), {"number": number})
        number += 1
    elif event["type"] == "INPUT":
        report.write(f"echo {event['value'][0].as_py()} {event['metadata']['number']}\n")
    else:
        report.write(f"event {event['type']} {event.get('id')}\n")
