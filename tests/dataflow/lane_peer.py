"""The Python node of the tests of the fast lane, which takes no part in it. The messages are those of lane_frame.h.

    lane_peer.py sends COUNT SIZE  sends so many
    lane_peer.py takes             takes them, and reports what came as lane_sink.c does
"""

import json
import os
import sys
import time

import dora
import numpy
import pyarrow as pa

STEP, MASK = 0x9E3779B97F4A7C15, 2**64 - 1

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)


def frame_of(number, size, incarnation=0, output=0):
    seed = ((number | incarnation << 32 | output << 48) ^ (size * STEP & MASK)) * 0xBF58476D1CE4E5B9 & MASK
    seed = (seed ^ seed >> 31) * 0x94D049BB133111EB & MASK
    head = number | incarnation << 32 | output << 48 | seed >> 56 << 56
    words = numpy.arange(size // 8 + 1, dtype=numpy.uint64) * numpy.uint64(STEP) + numpy.uint64(seed)
    words = numpy.concatenate([numpy.array([head], numpy.uint64), words])
    return words.view(numpy.uint8)[:size]


def take():
    book = {"received": 0, "first": -1, "last": -1, "gaps": 0, "duplicates": 0, "disorder": 0, "damaged": 0}
    for event in node:
        if event["type"] != "INPUT":
            continue
        frame = event["value"].to_numpy(zero_copy_only=True)
        head = int.from_bytes(frame[:8].tobytes(), "little")
        number, incarnation, output = head & 0xFFFFFFFF, head >> 32 & 0xFFFF, head >> 48 & 0xFF
        book["damaged"] += frame.tobytes() != frame_of(number, len(frame), incarnation, output).tobytes()
        if book["received"] == 0:
            book["first"] = number
            report.write("first\n")
        book["duplicates"] += number == book["last"]
        book["disorder"] += number < book["last"]
        book["gaps"] += max(0, number - book["last"] - 1) if book["received"] else 0
        book["received"] += 1
        book["last"] = max(number, book["last"])
    report.write("result " + json.dumps({"inputs": {"in": book}}) + "\n")


def send(count, size):
    for number in range(count):
        node.send_output("out", pa.array(frame_of(number, size)))
        # dora's direct way drops what comes too fast.
        time.sleep(0.002)
    report.write(f"sent {count} 0\n")


if sys.argv[1] == "sends":
    send(int(sys.argv[2]), int(sys.argv[3]))
else:
    take()
