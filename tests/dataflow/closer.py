"""The node of test_ending.py that loads libdora by hand, uses it, closes it, and does so again with a node alive."""

import _ctypes
import ctypes
import os
import re
import subprocess
import time

FOREVER = -1

report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
programs = os.environ["DORA_TEST_BIN_DIR"]
libraries = subprocess.run(["ldd", f"{programs}/idler"], capture_output=True, text=True, check=True).stdout
path = re.search(r"libdora\.so\S* => (\S+)", libraries)[1]


def mappings():
    with open("/proc/self/maps") as maps:
        return sum(os.path.realpath(path) in line for line in maps)


def load():
    library = ctypes.CDLL(path)
    library.dora_status_name.restype = ctypes.c_char_p
    for function in (library.dora_node_free, library.dora_event_free):
        function.argtypes, function.restype = [ctypes.c_void_p], None
    library.read_dora_event.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
    library.dora_node_send_empty.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return library


def close(library):
    _ctypes.dlclose(library._handle)


def use(library, node):
    event = ctypes.c_void_p()
    for _ in range(3):
        status = library.read_dora_event(node, FOREVER, ctypes.byref(event))
        library.dora_event_free(event)
        status = status or library.dora_node_send_empty(node, b"out", None)
        report.write(f"use {library.dora_status_name(status).decode()}\n")


library = load()
node = ctypes.c_void_p()
report.write(f"init {library.dora_status_name(library.dora_node_init(ctypes.byref(node))).decode()}\n")
use(library, node)
close(library)
time.sleep(0.5)
report.write(f"mapped {mappings() > 0}\n")
library = load()
use(library, node)
library.dora_node_free(node)
close(library)
time.sleep(0.5)
report.write("end\n")
