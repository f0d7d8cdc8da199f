"""Writes whose code the library contains besides libdora's own: every crate that is linked into it, with its licence,
and the texts that the crates bring along. Many of them ask that their text goes where the binary goes.

    third_party.py CARGO MANIFEST OUTPUT [TARGET]    (Rust's name of the machine, if it is not this one)
"""

import json
import re
import subprocess
import sys
from pathlib import Path

TEXT_NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
OPENING = """\
What libdora contains of others

libdora is linked from the crates below, which stand under the licences that are named. Behind the list are the
texts that they bring along, each once. A crate marked with * brings none: the Apache License is in LICENSE (in Debian,
/usr/share/common-licenses/Apache-2.0), and what its other licences say is among the texts.

It also contains Rust's standard library, Copyright (c) The Rust Project Contributors, under MIT OR Apache-2.0;
https://github.com/rust-lang/rust has the details.
"""


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked_crates(cargo: str, manifest: str, target: str | None) -> list[dict]:
    """The packages behind libdora's own, by name; without those that only build or test it."""
    target = target or re.search("^host: (.*)$", run(cargo, "-vV"), re.MULTILINE)[1]
    metadata = json.loads(run(cargo, "metadata", "--locked", "--format-version=1", "--filter-platform", target,
                              "--manifest-path", manifest))
    dependencies = {
        node["id"]: [each["pkg"] for each in node["deps"] if any(kind["kind"] is None for kind in each["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    root = metadata["resolve"]["root"]
    found, waiting = {root}, [root]
    while waiting:
        new = set(dependencies[waiting.pop()]) - found
        found |= new
        waiting += new
    crates = [package for package in metadata["packages"] if package["id"] in found - {root}]
    return sorted(crates, key=lambda crate: (crate["name"], crate["version"]))


def texts(crate: dict) -> list[tuple[str, str]]:
    """The files of a crate that tell its licence, as (name, text)."""
    folder = Path(crate["manifest_path"]).parent
    files = {path for path in folder.iterdir() if TEXT_NAMES.match(path.name) and path.is_file()}
    if crate["license_file"]:
        files.add(folder / crate["license_file"])
    return [(path.name, path.read_text(errors="replace").strip("\n")) for path in sorted(files)]


def describe(crate: dict, has_text: bool) -> str:
    mark = "" if has_text else " *"
    authors = "" if has_text or not crate["authors"] else f", by {', '.join(crate['authors'])}"
    licence = (crate["license"] or "see its text").strip()
    return f"{crate['name']} {crate['version']}{mark}: {licence}{authors}, {crate['repository'] or 'no repository'}\n"


def main() -> None:
    cargo, manifest, output, *target = sys.argv[1:]
    listed: list[str] = []
    users: dict[str, list[str]] = {}  # of each text, told apart by its words alone
    wording: dict[str, str] = {}
    for crate in linked_crates(cargo, manifest, target[0] if target else None):
        found = texts(crate)
        listed.append(describe(crate, bool(found)))
        for name, text in found:
            words = " ".join(text.split())
            wording.setdefault(words, text)
            users.setdefault(words, []).append(f"{crate['name']} {crate['version']} ({name})")
    with open(output, "w", encoding="utf-8") as file:
        file.write(f"{OPENING}\n{''.join(listed)}")
        for words, names in users.items():
            file.write(f"\n{'-' * 100}\n{', '.join(names)}\n\n{wording[words]}\n")


main()
