"""The Python node of test_streams.py, which does what the C nodes do.

    stream_peer.py sends     as stream_sender.c
    stream_peer.py receives  as stream_receiver.c
"""

import os
import pathlib
import sys
import time

import dora
import pyarrow as pa

KEYS = ["session_id", "segment_id", "seq", "fin", "flush", "own"]

node = dora.Node()
report_file = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)


def report(line):
    report_file.write(f"{line}\n")


def wait_for_driver():
    path = pathlib.Path(os.environ.get("DORA_TEST_GO", "/"))
    while not path.exists():
        time.sleep(0.005)


def inputs():
    while (event := node.next(timeout=15)) is not None:
        if event["type"] == "ERROR":
            sys.exit(f"no input: {event['error'].splitlines()[0]}")
        if event["type"] == "INPUT":
            yield event


def send():
    named, unnamed = {"session_id": "会话 1"}, {"session_id": "other"}
    for number, parameters in enumerate([
        named | {"segment_id": 0, "seq": 0, "fin": False},
        named | {"segment_id": 0, "seq": 1, "fin": False},
        named | {"segment_id": 0, "seq": 2, "fin": True},
        named | {"segment_id": 1, "seq": 0, "fin": False},
        named | {"segment_id": 2, "seq": 0, "fin": False, "flush": True},
        named | {"segment_id": 2, "seq": 1, "fin": False},
        named | {"segment_id": 2, "seq": 2, "fin": True},
        unnamed | {"segment_id": 0, "seq": 0, "fin": True},
    ]):
        if "flush" in parameters:
            report("interrupted")
            wait_for_driver()
        node.send_output("out", pa.array([number], pa.int32()), parameters | {"own": "值"})
        if "DORA_TEST_ANSWERED" in os.environ:
            next(inputs())
        else:
            time.sleep(int(os.environ.get("DORA_TEST_GAP_MS", 0)) / 1000)
    report("sent")


def text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def receive():
    wait_for_driver()
    for event in inputs():
        values = [text(event["metadata"].get(key, "-")) for key in KEYS]
        report(f"chunk {event['value'][0].as_py()} {' '.join(values)}")
        node.send_output("answer", pa.nulls(0))


{"sends": send, "receives": receive}[sys.argv[1]]()
