"""A copy of the examples in which the dataflow of one is built and run: what the tests test_examples*.py share.

They need libdora where CMAKE_PREFIX_PATH says, installed.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile

from harness import check, node, wait_until, whole_lines

if "CMAKE_PREFIX_PATH" not in os.environ:
    sys.exit("CMAKE_PREFIX_PATH names no installed libdora: run the tests with ctest")
PREFIX = pathlib.Path(os.environ["CMAKE_PREFIX_PATH"])
ROOT = pathlib.Path(__file__).parents[2]
# Goes when the program ends.
COPY = tempfile.TemporaryDirectory(prefix="dora-test-examples-")


class Example:
    """The dataflow of an example, in a copy of them all, so that nothing is built in the source tree. The tests of a
    file share the copy, and what they built in it; what one changed is as it was for the next."""

    def __init__(self, work, name, watch=()):
        self.work, self.name, self.copy = work, name, pathlib.Path(COPY.name)
        self.path = self.copy / name / "dataflow.yml"
        for folder in ("c-examples", "cpp-examples"):
            shutil.rmtree(self.copy / folder, ignore_errors=True)
            # With their times, by which the compiler's work is known to be done.
            shutil.copytree(ROOT / folder, self.copy / folder, ignore=shutil.ignore_patterns("out"))
        work.env |= {"CFLAGS": "-Werror", "CXXFLAGS": "-Werror"}
        if watch:
            self.add_witness(watch)

    def add_witness(self, sources):
        """Adds a node that reports all messages of these outputs."""
        inputs = {source.replace("/", "-"): {"source": source, "queue_size": 10_000, "queue_policy": "backpressure"}
                  for source in sources}
        env = {"DORA_TEST_REPORT": self.work.path / "witness.report"}
        witness = node("witness", "examples_witness.py", inputs=inputs, env=env)
        # Every JSON text is YAML.
        self.path.write_text(f"{self.path.read_text()}\n  - {json.dumps(witness)}\n")

    def change(self, old, new):
        text = self.path.read_text()
        check(text.count(old) == 1, f"{self.name} has {old!r} {text.count(old)} times")
        self.path.write_text(text.replace(old, new))

    def start(self):
        return self.work.spawn("dora-run", ["dora", "run", str(self.path), "--log-format", "json"])

    def run(self):
        flow = self.start()
        flow.wait(120)
        return flow

    def build(self):
        code = self.work.spawn("dora-build", ["dora", "build", "--local", str(self.path)]).process.wait(120)
        check(code == 0, f"dora build ended with {code}")

    def start_in(self, cluster):
        cluster.dora("start", str(self.path), "--detach", "--name", "test")

    def logged(self, node_id):
        """The lines that a node of a dataflow in a cluster wrote to the log, as (level, text)."""
        lines = [json.loads(line) for path in self.path.parent.glob(f"out/*/log_{node_id}.jsonl")
                 for line in whole_lines(path)]
        return [(line["level"], line["msg"]) for line in lines]

    def seen(self, source):
        """What the witness has got of an output so far."""
        return [json.loads(line) for line in self.work.report("witness", source.replace("/", "-"))]

    def wait_for_more(self, source, count):
        wanted = len(self.seen(source)) + count
        wait_until(lambda: len(self.seen(source)) >= wanted, 30, f"{source} has {count} messages more")


def printed(flow, node_id):
    """The lines that a node of a `dora run` has printed so far."""
    lines = [json.loads(line) for line in whole_lines(flow.output) if line.startswith("{")]
    return [line["message"] for line in lines if line["node_id"] == node_id and line["level"] == "stdout"]


def values_of(messages):
    return [message["values"][0] for message in messages]


def near(found, expected, tolerance=1e-9):
    return len(found) == len(expected) and all(abs(a - b) <= tolerance for a, b in zip(found, expected))
