"""The sides: the same two programs, a source and a sink, written for each interface by a good user of it."""

import dataclasses
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
BUILD = HERE.parent / "build" / "bench"
NODES = HERE / "nodes"


@dataclasses.dataclass(frozen=True)
class Side:
    """An interface. `source` and `sink` are names in the directory of programs; `.py` is run by Python."""

    key: str
    name: str
    source: str
    sink: str
    colour: str
    #: How its line is drawn, where sides share a colour.
    dash: str = ""
    is_ours: bool = False
    #: Whether `dora run` starts it.
    is_node: bool = True
    #: Whether its nodes ask for the fast lane; each checks that it has what it asked for, and no more.
    has_lane: bool = False

    @property
    def env(self):
        """What its nodes find in their environment, besides the plan."""
        return {"DORA_FAST_LANE": "1"} if self.has_lane else {}

    def command(self, program):
        """The program of a node and its arguments."""
        if program.endswith(".py"):
            # As a module: dora splits arguments at blanks, and the path of a file may have one.
            return sys.executable, ["-m", program.removesuffix(".py")]
        return str(BUILD / "bin" / program), []


def on_lane(key, name, source, colour, dash=""):
    return Side(key, name, source, "libdora-c-sink", colour, dash, is_ours=True, has_lane=True)


SIDES = [
    on_lane("loan-lane", "libdora C, fast lane, loan", "libdora-loan-source", "#5c8400"),
    on_lane("c-lane", "libdora C, fast lane", "libdora-c-source", "#93b81a", "6 3"),
    Side("loan", "libdora C, loan", "libdora-loan-source", "libdora-c-sink", "#0b6e4f", is_ours=True),
    Side("c", "libdora C", "libdora-c-source", "libdora-c-sink", "#1d9a6c", "6 3", is_ours=True),
    Side("cpp", "libdora C++", "libdora-cpp-source", "libdora-cpp-sink", "#66c2a0", "2 3", is_ours=True),
    Side("dora-c", "dora C", "dora-c-source", "dora-c-sink", "#c1292e"),
    Side("dora-cpp", "dora C++", "dora-cpp-source", "dora-cpp-sink", "#f0803c"),
    Side("dora-cpp-arrow", "dora C++, Arrow", "dora-cpp-arrow-source", "dora-cpp-arrow-sink", "#f0803c", "6 3"),
    Side("dora-rust", "dora Rust, send_output", "dora-rust-source", "dora-rust-sink", "#3d5a98", "6 3"),
    Side("dora-raw", "dora Rust, send_output_raw", "dora-rust-raw-source", "dora-rust-sink", "#3d5a98"),
    Side("dora-python", "dora Python", "source.py", "sink.py", "#8a4fa3"),
    Side("limit", "shared memory and a futex", "limit-source", "limit-sink", "#222222", "1 3", is_node=False),
]
BY_KEY = {side.key: side for side in SIDES}
