"""Reads what loan_source sends, and reports of each message its type, length, nulls and whether it is right."""

import os

import numpy
import pyarrow
from dora import Node

# As loan_source counts: the unsigned type that a value goes through.
THROUGH = {"halffloat": numpy.uint16, "float": numpy.uint16, "double": numpy.uint32}


def expected(array, number):
    kind = str(array.type)
    dtype = array.type.to_pandas_dtype()
    counted = numpy.arange(len(array), dtype=numpy.uint64) * 7 + number
    if kind == "halffloat":
        return counted.astype(numpy.uint16).view(numpy.float16)
    if kind in THROUGH:
        return counted.astype(THROUGH[kind]).astype(dtype)
    return counted.astype(numpy.dtype(dtype))


def main():
    node = Node()
    number = 0
    with open(os.environ["DORA_TEST_REPORT"], "a") as report:
        for event in node:
            if event["type"] != "INPUT":
                continue
            array = event["value"]
            values = array.to_numpy(zero_copy_only=True) if len(array) else numpy.array([])
            right = values.tobytes() == expected(array, number).tobytes()
            array.validate(full=True)
            print(f"message {array.type} {len(array)} {array.null_count} {'right' if right else 'wrong'}", file=report)
            report.flush()
            node.send_output("answer", pyarrow.array([], pyarrow.null()))
            number += 1


main()
