"""What nodes take on a disk, stripped as they are shipped. The interpreter of Python is not counted."""

import importlib.metadata
import pathlib

from build import BIN, INSTALLED
from sides import NODES

SHARED = {
    "libdora C": ("libdora-c-sink", "libdora.so"),
    "libdora C++": ("libdora-cpp-sink", "libdora.so"),
    "dora C": ("dora-c-sink", None),
    "dora C++": ("dora-cpp-sink", None),
    "dora Rust": ("dora-rust-sink", None),
}
PYTHON_PACKAGES = ["dora-rs", "numpy", "pyarrow"]


def size_of(package):
    files = importlib.metadata.files(package) or []
    return sum(path.stat().st_size for file in files if (path := pathlib.Path(file.locate())).is_file())


def measure():
    """Bytes of one node's own and of what all nodes share, by side."""
    sizes = {}
    for name, (program, library) in SHARED.items():
        shared = (INSTALLED / "lib" / library).stat().st_size if library else 0
        sizes[name] = {"own": (BIN / program).stat().st_size, "shared": shared}
    own = sum((NODES / "dora" / script).stat().st_size for script in ("sink.py", "bench.py"))
    sizes["dora Python"] = {"own": own, "shared": sum(map(size_of, PYTHON_PACKAGES))}
    return sizes


def of_nodes(sizes, name, count):
    return count * sizes[name]["own"] + sizes[name]["shared"]
