"""The Python node of test_metadata.py: reports the metadata of what it receives as the C nodes do.

    metadata_peer.py sends    sends parameters, and waits for each message to come back
    metadata_peer.py answers  answers each message until its inputs are closed
"""

import os
import sys

import dora
import metadata_values as values
import pyarrow as pa

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)


def receive():
    """Reports the next message, and returns whether there was one."""
    while (event := node.next(timeout=10)) is not None:
        if event["type"] == "ERROR":
            sys.exit(f"no message: {event['error'].splitlines()[0]}")
        if event["type"] == "INPUT":
            id, parameters = event["id"], dict(event["metadata"])
            # dora puts the time of the message among the parameters.
            parameters.pop("timestamp")
            report.write(f"saw-count {id} {len(parameters)}\n")
            for key, value in parameters.items():
                report.write(f"saw {id} {values.describe(key, value)}\n")
            return True
    return False


def send():
    for key, (value, _) in values.REFUSED.items():
        try:
            node.send_output("whole", pa.nulls(0), {key: value})
        except (OverflowError, TypeError) as error:
            report.write(f"refused {type(error).__name__} {key}\n")
    for output, parameters in {
        # First, since another node reads it too, and might miss what came last.
        "wire": values.WIRE | values.ALIKE,
        "whole": values.SENT,
        "copy": values.SENT,
        "edited": values.SENT,
        "times": values.TIMES,
        "converted": {key: sent for key, (sent, _) in values.CONVERTED.items()},
        "nul": {"a\0b": 1},
    }.items():
        # One at a time: dora's direct way drops what comes too fast.
        node.send_output(output, pa.nulls(0), parameters)
        receive()


if sys.argv[1] == "sends":
    send()
else:
    while receive():
        node.send_output("answer", pa.array([True]))
report.write("done\n")
