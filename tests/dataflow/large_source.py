"""Sends messages of the sizes in its arguments, in the form of checksum.h, and waits for an answer to each, as
large_source.c does."""

import os
import sys

import dora
import numpy
import pyarrow as pa

TRIES, PATIENCE_SECONDS = 3, 10

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
random = numpy.random.default_rng(1)


def is_answered():
    while (event := node.next(timeout=PATIENCE_SECONDS)) is not None:
        if event["type"] == "INPUT":
            return True
        if event["type"] == "ERROR" and "timed out" in event["error"]:
            return False
    sys.exit("the dataflow ended early")


for number, size in enumerate(map(int, sys.argv[1:])):
    words = random.integers(0, 2**64, size // 8, dtype=numpy.uint64)
    weights = numpy.arange(1, 2 * (len(words) - 2), 2, dtype=numpy.uint64)
    words[0] = number
    words[1] = (words[2:] * weights).sum(dtype=numpy.uint64)
    for _ in range(TRIES):
        node.send_output("out", pa.array(words.view(numpy.uint8)))
        if is_answered():
            break
        report.write(f"again {size}\n")
