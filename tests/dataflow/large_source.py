"""Sends messages of the sizes in its arguments, in the form of checksum.h, and waits for an answer to each."""

import sys

import dora
import numpy
import pyarrow as pa

node = dora.Node()
random = numpy.random.default_rng(1)


def wait_for_answer():
    while (event := node.next()) is not None:
        if event["type"] == "INPUT":
            return
    sys.exit("the dataflow ended early")


for number, size in enumerate(map(int, sys.argv[1:])):
    words = random.integers(0, 2**64, size // 8, dtype=numpy.uint64)
    weights = numpy.arange(1, 2 * (len(words) - 2), 2, dtype=numpy.uint64)
    words[0] = number
    words[1] = (words[2:] * weights).sum(dtype=numpy.uint64)
    node.send_output("out", pa.array(words.view(numpy.uint8)))
    wait_for_answer()
