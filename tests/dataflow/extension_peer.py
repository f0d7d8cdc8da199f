"""The Python node of test_extensions.py: does what extension_actor.c does, requests excepted, which dora's Python
has not."""

import collections
import os
import sys
import time
import zlib

import dora

node = dora.Node()
report_file = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
dropped = collections.defaultdict(list)


def value_of(size, seed):
    period = bytes((place * 7 + seed) % 256 for place in range(256))
    return (period * (size // 256 + 1))[:size]


def load(namespace, key, remove=False):
    value = node.extension_load(namespace, key, remove)
    return "DORA_ERROR_NOT_FOUND" if value is None else f"DORA_OK {len(value)} {zlib.adler32(value)}"


def next_dropped(namespace):
    dropped[namespace] += node.drain_dropped_extension_keys(namespace)
    return f"DORA_OK {dropped[namespace].pop(0)}" if dropped[namespace] else "DORA_ERROR_NOT_FOUND"


def store(namespace, key, size, seed):
    node.extension_store(namespace, key, value_of(int(size), int(seed)))


ORDERS = {"store": store, "load": load, "take": lambda namespace, key: load(namespace, key, True),
          "drop": node.extension_drop, "dropped": next_dropped}


def obey(order, *words):
    try:
        return ORDERS[order](*("" if word == "@" else word for word in words)) or "DORA_OK"
    except RuntimeError as error:
        return f"RuntimeError {str(error).splitlines()[0]}"


with open(os.environ["DORA_TEST_ORDERS"]) as orders:
    line = ""
    while (line := line + orders.readline()) != "end\n":
        if line.endswith("\n"):
            report_file.write(f"done {obey(*line.split())}\n")
            line = ""
        else:
            time.sleep(0.002)
report_file.write("done DORA_OK\n")
sys.exit(0)
