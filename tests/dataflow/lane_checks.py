"""What the tests of the fast lane share: nodes, what they found, and the files of the lane.

DORA_TEST_LANE_OVER=daemon runs the same dataflows over the daemon, with backpressure. That is how the tests
themselves are tested: what they ask of the lane in delivery and order holds there too.
"""

import fcntl
import json
import os
import pathlib
import signal
import struct
import threading
import time

from harness import LANE_WAY, TRIES, Failure, check, node, wait_until

OVER = os.environ.get("DORA_TEST_LANE_OVER", "lane")
WAY = {"lane": LANE_WAY, "daemon": "1"}[OVER]
# The queue of an input that is to lose nothing.
ENOUGH = 1000
SHM = pathlib.Path("/dev/shm")
ROOT = SHM / f"dora-lane1-{os.getuid()}"
KIB, MIB = 1 << 10, 1 << 20
# dora's own ways lose what comes too fast, and what was sent last.
SLOWLY = {"COUNT": 50, "INTERVAL_US": 2000, "SLEEP_MS": 300}
# For what comes soon on a machine that is idle.
PATIENCE = 60


def lane_node(id, program, *arguments, lane=1, **options):
    """A node; what is in capitals goes to its environment as DORA_TEST_…, the rest to the dataflow."""
    env = {f"DORA_TEST_{key}": value for key, value in options.items() if key.isupper()}
    fields = {key: value for key, value in options.items() if not key.isupper()}
    env |= fields.pop("env", {})
    if lane is not None:
        env["DORA_FAST_LANE"] = lane
    return node(id, program, *arguments, env=env, **fields)


def source(id="source", *arguments, outputs=("out",), **options):
    return lane_node(id, "lane_source", *arguments, outputs=outputs, **options)


def sink(id="sink", inputs=None, **options):
    return lane_node(id, "lane_sink", inputs=inputs or {"in": taken("source/out")}, **options)


def taken(output, queue_size=ENOUGH, **fields):
    """An input that takes an output, by default without loss."""
    if OVER == "daemon":
        fields = {"queue_policy": "backpressure", **fields}
    return {"source": output, "queue_size": queue_size, **fields}


def ways(work, id):
    return dict(way.split(":") for way in work.report(id, "ways")[0].split(" "))


def start(work, nodes, *outputs, **options):
    """Starts nodes of which these outputs, NODE/OUTPUT, take the lane: a busy machine may be too slow for that."""
    work.leave_fast_lane()
    outputs = outputs or ("source/out",)
    for attempt in range(TRIES):
        flow = work.start(nodes, **options)
        for id in {output.partition("/")[0] for output in outputs}:
            work.await_report(id, "ways", PATIENCE)
        found = {output: ways(work, output.partition("/")[0])[output.partition("/")[2]] for output in outputs}
        if set(found.values()) == {WAY}:
            return flow
        print(f"        try {attempt + 1}: the ways are {found}")
        work.kill_all()
        flow.process.wait()
        for path in [*work.path.glob("*.report"), *work.path.glob("*.trace")]:
            path.unlink()
    raise Failure(f"in {TRIES} tries the lane was not taken: {found}")


def run(work, nodes, *outputs, timeout=120):
    """Runs nodes that end by themselves, of which these outputs take the lane, and returns what was logged."""
    return start(work, nodes, *outputs).wait(timeout)


def result(work, id="sink", timeout=PATIENCE):
    """What a node found in the end, and nothing that must not be."""
    work.await_report(id, "result", timeout)
    found = json.loads(work.only(id, "result"))
    wrong = work.report(id, "wrong:")
    check(not wrong, f"{id}: {len(wrong)} things are wrong, the first: {wrong[:3]}")
    faults = {(input, fault): book[fault] for input, book in found["inputs"].items()
              for fault in ("duplicates", "disorder", "damaged", "after_closed")
              # dora itself tells the end of an input before messages that wait.
              if book.get(fault) and (fault != "after_closed" or OVER == "lane")}
    check(not faults, f"{id}: {faults}")
    for fault in ("held_damaged", "not_closed"):
        check(not found.get(fault), f"{id}: {fault} is {found.get(fault)}")
    return found


def check_counted(work, id="sink"):
    """Checks that what an input lost is what its node counted, and returns how much that is of each."""
    lost = {}
    for input, book in result(work, id)["inputs"].items():
        lost[input] = book["gaps"] + max(book["first"], 0)
        check(lost[input] == book["dropped"] or OVER == "daemon",
              f"{id}/{input}: {lost[input]} are missing and {book['dropped']} counted: {book}")
    return lost


def check_exact(work, id="sink", **counts):
    """Checks that each input brought so many messages, each once, all of them, and then its end."""
    for input, book in result(work, id)["inputs"].items():
        count = counts[input]
        found = [book[key] for key in ("received", "first", "gaps")]
        check(found == [count, 0, 0], f"{id}/{input}: of {count} messages came {book}")
        check(book.get("dropped", 0) == 0 and book.get("closed", 1) == 1, f"{id}/{input}: {book}")


def check_ways(work, nodes, expected, id="source", run=None):
    """Runs nodes, by `run` if there is one, of which one tells the ways of its outputs; returns what was logged.

    Where the lane is expected, a busy machine may be too slow for it.
    """
    work.leave_fast_lane()
    for attempt in range(TRIES):
        work.forget_reports()
        logged = run() if run else work.run(nodes, timeout=120)
        found = {output: way == LANE_WAY for output, way in ways(work, id).items()}
        if found == expected:
            return logged
        strays = [output for output in found if found[output] and not expected[output]]
        check(not strays, f"these take the lane, and must not: {strays}")
        print(f"        try {attempt + 1}: the ways are {ways(work, id)}")
    check(False, f"in {TRIES} tries the ways were {ways(work, id)}, and expected is the lane as in {expected}")


def check_delivered(work, *inputs, id="sink"):
    """Checks that messages came in order on these inputs, whatever their way."""
    books = result(work, id)["inputs"]
    silent = [input for input in inputs if books.get(input, {}).get("received", 0) == 0]
    check(not silent, f"{id}: nothing came on {silent}: {books}")


def read_trace(path):
    """The records of a trace: number, incarnation, output, run of the node that wrote it, and its lost messages."""
    bytes = path.read_bytes() if path.exists() else b""
    return [(number, incarnation, output, run, low | high << 16)
            for number, incarnation, output, _, run, low, high in struct.iter_unpack("<IHBBHHI", bytes)]


def check_trace(records):
    """Checks that over all runs of a receiver nothing came twice, or before what was sent earlier."""
    numbers = [(incarnation, number) for number, incarnation, *_ in records]
    for before, behind in zip(numbers, numbers[1:]):
        check(before < behind, f"run and number {behind} came behind {before}")


# ---- Processes ----


def pid_of(work, id):
    """The process of a node, by the report that its environment names."""
    name = f"DORA_TEST_REPORT={work.path / id}.report".encode()
    for pid in work.processes():
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if name in file.read().split(b"\0"):
                    return pid
        except OSError:
            continue
    return None


def kill(work, id):
    pid = wait_until(lambda: pid_of(work, id), PATIENCE, f"{id} runs")
    os.kill(pid, signal.SIGKILL)
    return pid


# ---- Files ----


def shared_files(pid):
    """The files of shared memory that a process maps, but for those of zenoh."""
    try:
        maps = pathlib.Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return set()
    paths = {line[line.index(str(SHM)):].removesuffix(" (deleted)") for line in maps.splitlines() if f"{SHM}/" in line}
    return {path for path in paths if not path.endswith(".zenoh")}


def all_files():
    """The files below the root of the lane."""
    return {str(path) for path in ROOT.rglob("*")} if ROOT.exists() else set()


class Watch:
    """Notes which files of the lane the nodes of a workspace use, while they run."""

    def __init__(self, work):
        self.work, self.mapped, self.over = work, set(), False
        self.before = all_files()
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over = True
        self.thread.join()

    def _watch(self):
        while not self.over:
            for pid in self.work.processes():
                self.mapped |= shared_files(pid)
            time.sleep(0.05)

    def left(self):
        """What is left of that, and of what is new below the root; iceoryx2 keeps one file for all."""
        found = {path for path in self.mapped if os.path.exists(path)}
        if others_live():
            print("        nodes of others live: what is new below the root may be theirs, and is not looked at")
        else:
            found |= all_files() - self.before
        return {path for path in found if "global_mgmt" not in path and not os.path.isdir(path)}


def is_locked(path):
    """Whether a process holds the record lock on a file, by which it says that it lives."""
    query = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    try:
        with open(path, "rb+") as file:
            return struct.unpack("hhqqi", fcntl.fcntl(file, fcntl.F_GETLK, query))[0] != fcntl.F_UNLCK
    except OSError:
        return False


def others_live():
    """Whether there are nodes of the lane; those of a test have ended when it asks."""
    return ROOT.exists() and any(is_locked(path) for path in ROOT.rglob("*.seat"))


def dataflow_directories(uuid):
    return [path for path in ROOT.iterdir() if uuid in path.name] if ROOT.exists() else []


def has_shared_memory(size):
    """Whether there is room for so many bytes; says so where there is not."""
    space = os.statvfs(SHM)
    if space.f_bavail * space.f_frsize >= size:
        return True
    print(f"        left out: {SHM} has no room for {size >> 20} MiB")
    return False
