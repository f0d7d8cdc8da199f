"""Runs nodes in real dataflows: what the tests of this directory share.

A test is a function that takes a Workspace; main() runs the tests of a file. Node programs write what they
observed to a report, a file of lines that outlives daemon and node; see support.h. Whatever a test started is
gone when it ends, orphans included: everything inherits a mark in its environment.

Tests of other files run at the same time. Each has ports of its own, and its daemons look for no others.
"""

import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import uuid

if "DORA_TEST_BIN_DIR" not in os.environ:
    sys.exit("DORA_TEST_BIN_DIR names no directory of test programs: run the tests with ctest")
BIN = pathlib.Path(os.environ["DORA_TEST_BIN_DIR"])
# Where cargo puts the programs in Rust, for the tests that have some.
RUST_BIN = pathlib.Path(os.environ.get("DORA_TEST_RUST_BIN_DIR", "DORA_TEST_RUST_BIN_DIR-is-not-set"))
HERE = pathlib.Path(__file__).parent
MARK = "DORA_TEST_MARK"
SCOUTING = "DORA_ZENOH_MULTICAST"
# What dora_node_free takes at most, and the time that a busy machine may take besides.
FREE_MS = 2000 + 2000
# Ways of an output, as dora_node_output_transport tells them.
DAEMON_WAY, DIRECT_WAY, LANE_WAY = "1", "2", "3"
# With DORA_TEST_FAST_LANE=1 in the environment of ctest, all nodes in C and C++ take the fast lane where they can.
FAST_LANE = os.environ.get("DORA_TEST_FAST_LANE") == "1"
# The ways from node to node; the lane is one where it was asked for.
DIRECT_WAYS = [DIRECT_WAY, LANE_WAY] if FAST_LANE else [DIRECT_WAY]
# The one between nodes in C and C++ where nothing speaks against it.
BEST_WAY = LANE_WAY if FAST_LANE else DIRECT_WAY
# dora settles on the direct way in half a second or not at all, and may lose messages there. A machine that is busy
# gets some tries.
TRIES = 5
# Below those that systems give out by themselves, to the daemon of another test too, before this one listens there.
PORTS = range(20_000, 32_768)


class Failure(Exception):
    """What a test found wrong, in a sentence."""


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


def node(id, program, *arguments, inputs=None, outputs=(), env=None, **fields):
    """A node of a dataflow; a program that ends in .py is run by this Python, one in .rs is in Rust."""
    path, env = str(BIN / program), {key: str(value) for key, value in (env or {}).items()}
    if program.endswith(".rs"):
        path = str(RUST_BIN / program.removesuffix(".rs"))
    if program.endswith(".py"):
        # As a module: dora splits `args` at blanks, and the path of a file may have one.
        path, arguments = sys.executable, ["-m", program.removesuffix(".py"), *arguments]
        env["PYTHONPATH"] = str(HERE)
    args = {"args": " ".join(map(str, arguments))} if arguments else {}
    return {"id": id, "path": path, "inputs": inputs or {}, "outputs": list(outputs), "env": env, **args, **fields}


def free_ports(count):
    """Ports that nobody listens on."""
    found = []
    for port in random.sample(PORTS, len(PORTS)):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.append(port)
        if len(found) == count:
            return found
    raise Failure(f"there are no {count} free ports from {PORTS.start} to {PORTS.stop - 1}")


def whole_lines(path):
    """The lines of a file that somebody writes. Of the last there may be only a part, up to the end of a page."""
    return path.read_bytes().rpartition(b"\n")[0].decode().splitlines()


def wait_until(condition, timeout, sentence):
    """Waits for a condition to hold and returns its value."""
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        check(time.monotonic() < deadline, f"after {timeout} s still not: {sentence}")
        time.sleep(0.01)
    return value


class Run:
    """A program that was started."""

    def __init__(self, process, output):
        self.process, self.output = process, output

    def wait(self, timeout):
        """Waits for the end of a `dora run`, which must be a success, and returns the lines that it logged."""
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Failure(f"the dataflow did not end within {timeout} s") from None
        check(code == 0, f"dora run ended with {code}")
        return [json.loads(line) for line in self.output.read_text().splitlines() if line.startswith("{")]


class Workspace:
    """A directory for dataflows and reports, and every process of them."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="dora-test-"))
        self.mark = uuid.uuid4().hex
        self.env = {key: value for key, value in os.environ.items() if not key.startswith(("DORA_", "ZENOH_"))}
        # A daemon that scouts finds those of other tests, and then all their nodes connect to each other.
        self.env |= {MARK: self.mark, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", "RUST_BACKTRACE": "0",
                     SCOUTING: "off"}
        # Nodes inherit it from their daemon.
        self.env |= {"DORA_FAST_LANE": "1"} if FAST_LANE else {}
        # What a dataflow has beside its nodes.
        self.fields = {}

    def leave_fast_lane(self):
        """For what is about the ways of dora, or where the nodes say for themselves whether they take the lane."""
        self.env.pop("DORA_FAST_LANE", None)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.kill_all()
        if kind:
            for path in sorted(self.path.glob("*.report")) + sorted(self.path.glob("*.output")):
                print(f"--- {path.name}\n{tail(path)}")
        shutil.rmtree(self.path, ignore_errors=True)

    def spawn(self, name, command, env=None):
        """Starts a program; what it prints goes to NAME.output."""
        output = self.path / f"{name}.output"
        with output.open("wb") as file:
            process = subprocess.Popen(command, cwd=self.path, env=self.env | (env or {}), stdin=subprocess.DEVNULL,
                                       stdout=file, stderr=subprocess.STDOUT, start_new_session=True)
        return Run(process, output)

    def write_dataflow(self, nodes):
        for each in nodes:
            each["env"] |= {"DORA_TEST_REPORT": str(self.path / f"{each['id']}.report")}
        path = self.path / "dataflow.yml"
        # Every JSON text is YAML.
        path.write_text(json.dumps({"nodes": nodes, **self.fields}))
        return path

    def start(self, nodes, *, stop_after=None, env=None):
        command = ["dora", "run", str(self.write_dataflow(nodes)), "--log-format", "json"]
        return self.spawn("dora-run", command + (["--stop-after", stop_after] if stop_after else []), env)

    def run(self, nodes, *, timeout, **options):
        return self.start(nodes, **options).wait(timeout)

    def start_direct(self, nodes, *outputs):
        """Starts nodes of which these outputs, NODE/OUTPUT, take the direct way; see report_ways in support.h."""
        for _ in range(TRIES):
            flow = self.start(nodes)
            ways = {f"{id} {way}" for id in {output.partition("/")[0] for output in outputs}
                    for way in self.await_report(id, "ways").split(" ")}
            if all(any(output.replace("/", " ") + f":{way}" in ways for way in DIRECT_WAYS) for output in outputs):
                return flow
            self.kill_all()
            flow.process.wait()
            self.forget_reports()
        raise Failure(f"of {TRIES} starts none settled on the direct way for {outputs}")

    def forget_reports(self):
        for report in self.path.glob("*.report"):
            report.unlink()

    def report(self, node_id, key=None):
        """The lines that a node reported; with a key, the rest of those that begin with that word."""
        path = self.path / f"{node_id}.report"
        lines = whole_lines(path) if path.exists() else []
        return lines if key is None else [line.partition(" ")[2] for line in lines if line.split(" ")[0] == key]

    def only(self, node_id, key):
        """The rest of the one line that begins with a word."""
        values = self.report(node_id, key)
        check(len(values) == 1, f"{node_id} reported {key!r} {len(values)} times, not once: {values}")
        return values[0]

    def check_free(self, node_id):
        """Checks that each end of a node kept its limit, and returns the longest."""
        times = [float(ms) for ms in self.report(node_id, "free_ms")]
        check(times, f"{node_id} did not end")
        check(max(times) <= FREE_MS, f"{node_id}: dora_node_free took {max(times)} ms")
        return max(times)

    def await_report(self, node_id, key, timeout=20):
        return wait_until(lambda: self.report(node_id, key), timeout, f"{node_id} reports {key!r}")[0]

    def processes(self, program=None):
        """The living processes that carry the mark, or those of one program among them."""
        found = []
        for directory in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"{MARK}={self.mark}".encode() not in (directory / "environ").read_bytes().split(b"\0"):
                    continue
                if program in (None, (directory / "comm").read_text().strip()):
                    found.append(int(directory.name))
        return found

    def kill_all(self):
        deadline = time.monotonic() + 10
        while (pids := self.processes()) and time.monotonic() < deadline:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)


class Cluster:
    """A coordinator and a daemon on ports of their own: what `dora up` starts, as processes that can be killed."""

    def __init__(self, work):
        self.work = work
        port, daemon_port = free_ports(2)
        work.env["DORA_COORDINATOR_PORT"] = str(port)
        work.spawn("coordinator", ["dora", "coordinator", "--store", "memory"])
        wait_until(lambda: accepts(port), 20, "the coordinator listens")
        self.daemon = work.spawn("daemon", ["dora", "daemon", "--local-listen-port", str(daemon_port)]).process
        wait_until(lambda: self.dora("status", check_code=False) == 0, 20, "the daemon is up")

    def dora(self, *arguments, timeout=30, check_code=True):
        with (self.work.path / "dora.output").open("ab") as file:
            code = subprocess.run(["dora", *arguments], cwd=self.work.path, env=self.work.env, timeout=timeout,
                                  stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT).returncode
        check(code == 0 or not check_code, f"dora {arguments[0]} ended with {code}")
        return code

    def start(self, nodes):
        self.dora("start", str(self.work.write_dataflow(nodes)), "--detach", "--name", "test")


def accepts(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def tail(path, lines=40):
    """The end of a file of output, with what dora logged as JSON made readable."""
    shown = []
    for line in path.read_text(errors="replace").splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            if entry["level"] == "DEBUG":
                continue
            line = f"{entry['node_id'] or 'dora'}: {entry['level']}: {entry['message']}"
        shown.append(line if len(line) < 300 else f"{line[:300]}…")
    return "\n".join(shown[-lines:])


def main(*tests):
    """Runs tests, each in a workspace of its own, and ends the program."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))
    failed = []
    for test in tests:
        name = test.__name__.removeprefix("test_").replace("_", " ")
        begun = time.monotonic()
        try:
            with Workspace() as work:
                test(work)
            print(f"ok      {name} ({time.monotonic() - begun:.1f} s)", flush=True)
        except Exception as error:  # A test that breaks must not hide the others.
            if not isinstance(error, Failure):
                traceback.print_exc()
            print(f"FAILED  {name}: {error}", flush=True)
            failed.append(name)
    sys.exit(f"{len(failed)} of {len(tests)} failed: {', '.join(failed)}" if failed else 0)
