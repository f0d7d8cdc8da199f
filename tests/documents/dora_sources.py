"""The sources of dora's own C and C++ interfaces, and the headers that come with them.

They are what benches/peers builds; here nothing is built but the program that makes the C++ header.

    dora_sources.py    downloads and builds what is not there yet. The tests would too, but within their time limit
"""

import functools
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@functools.cache
def packages() -> dict[str, dict]:
    """The packages of benches/peers by name, downloaded where they are not there yet."""
    manifest = ROOT / "benches/peers/Cargo.toml"
    machine = output_of("rustc", "--print", "host-tuple").strip()
    # What other machines need is not downloaded.
    text = output_of("cargo", "metadata", "--locked", "--format-version=1", "--filter-platform", machine,
                     "--manifest-path", manifest)
    return {package["name"]: package for package in json.loads(text)["packages"]}


def crate(name: str) -> Path:
    """The directory of a package."""
    return Path(packages()[name]["manifest_path"]).parent


def c_headers() -> Path:
    """The directory of dora's node_api.h."""
    return crate("dora-node-api-c")


def cxxbridge() -> Path:
    """The program that makes a header from a bridge, built where it is not there yet."""
    version = packages()["cxx"]["version"]
    tools = ROOT / "target" / f"cxxbridge-{version}"
    program = tools / "bin/cxxbridge"
    if not program.exists():
        # Unoptimised it is built in a quarter of the time, and runs once.
        command = ["cargo", "install", "--quiet", "--locked", "--debug", "--root", tools, f"cxxbridge-cmd@{version}"]
        subprocess.run(command, check=True)
    return program


def cxx_headers(folder: Path) -> Path:
    """Makes dora-node-api.h in a folder as dora's build does: by cxx, from the bridge in its source."""
    bridge = crate("dora-node-api-cxx") / "src/lib.rs"
    (folder / "rust").mkdir()
    subprocess.run([cxxbridge(), "--header", "-o", folder / "rust/cxx.h"], check=True)
    subprocess.run([cxxbridge(), bridge, "--header", "-o", folder / "dora-node-api.h"], check=True)
    return folder


if __name__ == "__main__":
    packages()
    cxxbridge()
