"""The Python node of examples.py: reports every message that it receives, its input and the rest as JSON."""

import json
import os

import dora

report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
for event in dora.Node():
    if event["type"] == "INPUT":
        parameters = dict(event["metadata"])
        time = parameters.pop("timestamp").timestamp()
        message = {"values": event["value"].to_pylist(), "time": time, "parameters": parameters}
        report.write(f"{event['id']} {json.dumps(message)}\n")
report.write("end\n")
