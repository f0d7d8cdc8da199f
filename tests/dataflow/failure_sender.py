"""The sender of test_failures.py: sends when the driver asks for it, or fails.

    failure_sender.py speak   one message for each file DORA_TEST_GO.0, .1, ... until there is DORA_TEST_DONE
    failure_sender.py raise   an exception, when there is the file of DORA_TEST_GO
"""

import os
import pathlib
import struct
import sys
import time

import dora
import pyarrow as pa

# Each message begins with its number.
VALUES = [float("nan"), float("inf"), -float("inf"), -0.0, 5e-324, 0.1]

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
go = os.environ["DORA_TEST_GO"]


def wait_for(*paths):
    while not any(pathlib.Path(path).exists() for path in paths):
        time.sleep(0.005)


def speak():
    number, done = 0, os.environ["DORA_TEST_DONE"]
    while True:
        wait_for(f"{go}.{number}", done)
        if pathlib.Path(done).exists():
            return
        values = [float(number), *VALUES]
        node.send_output("out", pa.array(values, pa.float64()), {"number": number})
        bits = ":".join(f"{struct.unpack('<Q', struct.pack('<d', value))[0]:016x}" for value in values)
        report.write(f"sent {number} {bits}\n")
        number += 1


if sys.argv[1] == "raise":
    wait_for(go)
    raise RuntimeError("failed on purpose")
speak()
