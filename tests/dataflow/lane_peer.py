"""The Python node of the tests of the fast lane, which takes no part in it. The messages are those of lane_frame.h.

    lane_peer.py sends COUNT SIZE  sends so many; -1: until there is the file that DORA_TEST_DONE names
    lane_peer.py takes             takes them, and reports what came as lane_sink.c does
    lane_peer.py relays            passes them on besides

lane_peer.rs is the same in Rust.
"""

import json
import os
import struct
import sys
import time

import dora
import numpy
import pyarrow as pa

STEP, MASK = 0x9E3779B97F4A7C15, 2**64 - 1
# Which output its messages say that they are of.
TAG = int(os.environ.get("DORA_TEST_TAG", 0))

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
report.write(f"run {node.restart_count()}\n")


def frame_of(number, size, incarnation=0, output=0):
    seed = ((number | incarnation << 32 | output << 48) ^ (size * STEP & MASK)) * 0xBF58476D1CE4E5B9 & MASK
    seed = (seed ^ seed >> 31) * 0x94D049BB133111EB & MASK
    head = number | incarnation << 32 | output << 48 | seed >> 56 << 56
    words = numpy.arange(size // 8 + 1, dtype=numpy.uint64) * numpy.uint64(STEP) + numpy.uint64(seed)
    words = numpy.concatenate([numpy.array([head], numpy.uint64), words])
    return words.view(numpy.uint8)[:size]


class Book:
    """What came in on an input."""

    def __init__(self):
        self.counts = {"received": 0, "first": -1, "gaps": 0, "duplicates": 0, "disorder": 0, "damaged": 0}
        self.last = (-1, -1)

    def take(self, frame):
        word = int.from_bytes(frame[:8].tobytes(), "little")
        number, incarnation, output = word & 0xFFFFFFFF, word >> 32 & 0xFFFF, word >> 48 & 0xFF
        counts, head = self.counts, (incarnation, number)
        counts["damaged"] += frame.tobytes() != frame_of(number, len(frame), incarnation, output).tobytes()
        counts["duplicates"] += head == self.last
        counts["disorder"] += head < self.last
        if counts["received"] == 0:
            counts["first"] = number
        elif head > self.last:
            counts["gaps"] += number if incarnation > self.last[0] else number - self.last[1] - 1
        counts["received"] += 1
        self.last = max(head, self.last)
        return number, incarnation, output


def trace(file, number, incarnation, output):
    """Adds to the trace; see lane_process.h."""
    if file:
        file.write(struct.pack("<IHBBHHI", number, incarnation, output, 0, node.restart_count(), 0, 0))


def take(outputs):
    books, path = {}, os.environ.get("DORA_TEST_TRACE")
    file = open(path, "ab", buffering=0) if path else None
    for event in node:
        if event["type"] != "INPUT" or event["value"].type != pa.uint8():
            continue
        book = books.get(event["id"])
        if not book:
            book = books[event["id"]] = Book()
            report.write(f"first {event['id']}\n")
        trace(file, *book.take(event["value"].to_numpy(zero_copy_only=True)))
        for output in outputs:
            node.send_output(output, event["value"])
    inputs = {id: {**book.counts, "last": book.last[1]} for id, book in books.items()}
    report.write("result " + json.dumps({"inputs": inputs}) + "\n")


def send(count, size):
    number = 0
    while number < count or (count < 0 and not os.path.exists(os.environ["DORA_TEST_DONE"])):
        node.send_output("out", pa.array(frame_of(number, size, node.restart_count(), TAG)))
        if number == 0:
            report.write("first\n")
        number += 1
        # dora's direct way drops what comes too fast.
        time.sleep(0.002)
    # And what was sent last, where its sender ends at once.
    time.sleep(0.3)
    report.write(f"sent {number} 0\n")


if sys.argv[1] == "sends":
    send(int(sys.argv[2]), int(sys.argv[3]))
else:
    take(["out"] if sys.argv[1] == "relays" else [])
