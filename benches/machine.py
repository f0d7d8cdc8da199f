"""On what was measured, so that figures can be judged and repeated."""

import datetime
import importlib.metadata
import os
import pathlib
import platform
import re
import subprocess
import tomllib

from build import PEERS, ROOT


def first_match(pattern, text, otherwise="unknown"):
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else otherwise


def version_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def read(path):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""


def locked_version(directory, package):
    lock = tomllib.loads((directory / "Cargo.lock").read_text())
    return next((each["version"] for each in lock["package"] if each["name"] == package), "unknown")


def now():
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def load():
    return [round(value, 2) for value in os.getloadavg()]


def describe(profile):
    cpu, memory = read("/proc/cpuinfo"), read("/proc/meminfo")
    memory_kb = int(first_match(r"^MemTotal:\s*(\d+)", memory, "0"))
    return {
        "processor": first_match(r"^model name\s*:\s*(.*)$", cpu),
        "cores": os.cpu_count(),
        "is virtual": "hypervisor" in first_match(r"^flags\s*:\s*(.*)$", cpu),
        "frequency governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or "not told",
        "memory": f"{memory_kb / (1 << 20):.0f} GiB",
        "kernel": platform.release(),
        "libc": " ".join(platform.libc_ver()),
        "rustc": version_line("rustc", "--version"),
        "gcc": version_line("gcc", "--version"),
        "libdora": f"{locked_version(ROOT, 'libdora')}, cargo profile {profile}",
        "dora-node-api of libdora": locked_version(ROOT, "dora-node-api"),
        "dora-node-api of the peers": locked_version(PEERS, "dora-node-api"),
        "zenoh of both": " and ".join(sorted({locked_version(where, "zenoh") for where in (ROOT, PEERS)})),
        "dora command": version_line("dora", "--version"),
        "Python": platform.python_version(),
        **{package: importlib.metadata.version(package) for package in ("dora-rs", "numpy", "pyarrow")},
    }
