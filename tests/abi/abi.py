"""What dora.h promises to programs that are compiled already: functions with their types, values of constants,
layouts. docs/abi.md tells what that is for.

    abi.py check INCLUDE                compares the headers in INCLUDE with the committed lists, and with every
                                        release of the same ABI number. What is kept of one that is not released
                                        yet is to be what they say
    abi.py check INCLUDE --adds-nothing-to 0.1
                                        the same, and fails for what that release does not have
    abi.py functions INCLUDE            prints the functions and types as abidw describes them
    abi.py constants INCLUDE            prints the constants as NAME = VALUE

The functions are those of a library that is compiled from the header alone, each with a body that does nothing. So
abidw and abidiff see what C sees, and not the private types of Rust.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
RELEASES = Path(__file__).resolve().parent / "releases"
CHANGELOG = TESTS.parent / "CHANGELOG.md"

DECLARATION = re.compile(r"^((?:DORA_NODISCARD )?DORA_API [^;{}#]+);", re.MULTILINE)
CONSTANT = re.compile(r"^#define ((?:DORA|ARROW)_\w+) \S", re.MULTILINE)
# What is told from release to release, and what is for the compiler.
NO_CONSTANTS = re.compile(r"DORA_(VERSION_\w+|API|NODISCARD)$")

PRINT_CONSTANTS = """
#include <stdio.h>
static void print_text(const char *name, const char *value) { printf("%s = \\"%s\\"\\n", name, value); }
static void print_unsigned(const char *name, unsigned long value) { printf("%s = %lu\\n", name, value); }
static void print_signed(const char *name, long value) { printf("%s = %ld\\n", name, value); }
#define PRINT(constant) _Generic((constant), char *: print_text, unsigned: print_unsigned, \\
    unsigned long: print_unsigned, default: print_signed)(#constant, (constant))
"""

# A description is the same on every machine, and wherever in the header something stands.
ABIDW = ["abidw", "--no-architecture", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs"]
# What abidiff counts as harmless, such as a `const` less, is no promise kept either: it breaks sources.
ABIDIFF = ["abidiff", "--no-architecture", "--no-show-locs", "--no-added-syms", "--harmless"]
ABIDIFF_CHANGED = 4 | 8  # bits of its exit status; the others are failures of its own


def output_of(*command: str | Path, cwd: Path | None = None) -> str:
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


class Headers:
    """What the headers in a directory say. What is compiled from them goes to `work`, an empty directory."""

    def __init__(self, include: Path, work: Path):
        self.include, self.work = include.resolve(), work
        self.library = self._library()
        self.functions = self._functions()
        self.constants = self._constants()

    def _text(self, name: str) -> str:
        return (self.include / "dora" / name).read_text()

    def _compile(self, text: str, result: str, *options: str) -> Path:
        (self.work / "dora.c").write_text(text)
        # From within, so that no path of this machine gets into what is compiled.
        output_of("gcc", *options, f"-I{self.include / 'dora'}", "dora.c", "-o", result, cwd=self.work)
        return self.work / result

    def _library(self) -> Path:
        stubs = DECLARATION.sub(r"\1 { __builtin_trap(); }", self._text("dora.h"))
        return self._compile(stubs, "libdora.so", "-std=c99", "-g", "-fPIC", "-shared", "-nostdlib")

    def _functions(self) -> set[str]:
        symbols = output_of("nm", "--dynamic", "--defined-only", "--format=posix", self.library)
        return {line.split()[0] for line in symbols.splitlines()}

    def _constants(self) -> dict[str, str]:
        names = CONSTANT.findall(self._text("arrow_abi.h")) + CONSTANT.findall(self._text("dora.h"))
        lines = "".join(f"    PRINT({name});\n" for name in names if not NO_CONSTANTS.match(name))
        text = f"{self._text('dora.h')}{PRINT_CONSTANTS}int main(void) {{\n{lines}}}\n"
        return read_constants(output_of(self._compile(text, "constants", "-std=c11")))

    def description(self) -> str:
        """The functions with all types in them, as abidw describes them."""
        return output_of(*ABIDW, self.library.name, cwd=self.work)

    def layout_faults(self) -> list[str]:
        """What of the two Arrow structures is not as their specification fixes it."""
        command = ["gcc", "-std=c11", "-fsyntax-only", f"-I{self.include}", TESTS / "abi/layout.c"]
        gcc = subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, stderr=subprocess.PIPE, text=True)
        if gcc.returncode == 0:
            return []
        return re.findall(r'error: static assertion failed: "(.*)"$', gcc.stderr, re.MULTILINE) or [gcc.stderr]


def read_constants(text: str) -> dict[str, str]:
    return dict(line.split(" = ", 1) for line in text.splitlines())


def list_faults(headers: Headers) -> list[str]:
    """How the headers differ from what is committed as their content."""
    faults = []
    symbols = set((TESTS / "symbols.txt").read_text().split())
    for name in sorted(symbols - headers.functions):
        faults.append(f"dora.h does not declare {name}, which tests/symbols.txt lists: bring it back.")
    for name in sorted(headers.functions - symbols):
        faults.append(f"dora.h declares {name}, which tests/symbols.txt does not list: add it there.")
    listed = read_constants((TESTS / "constants.txt").read_text())
    for name in sorted(listed.keys() | headers.constants.keys()):
        value, wanted = headers.constants.get(name), listed.get(name)
        if value is None:
            faults.append(f"dora.h does not define {name}, which tests/constants.txt lists: bring it back.")
        elif wanted is None:
            faults.append(f"tests/constants.txt does not list {name}: add the line '{name} = {value}'.")
        elif value != wanted:
            faults.append(f"{name} is {value}, and {wanted} in tests/constants.txt: a value is never changed.")
    return faults


def header_files(include: Path) -> dict[str, bytes]:
    return {str(path.relative_to(include)): path.read_bytes() for path in include.rglob("*") if path.is_file()}


class Release:
    """What is kept of a release; scripts/freeze-abi.sh writes it."""

    def __init__(self, path: Path):
        self.path, self.version = path, path.name
        self.constants = read_constants((path / "constants.txt").read_text())

    def is_released(self) -> bool:
        return re.search(rf"^## {re.escape(self.version)}\.", CHANGELOG.read_text(), re.MULTILINE) is not None

    def stale(self, headers: Headers) -> list[str]:
        """What is not kept as it is now: header files, and names that only the description or the list lacks."""
        kept, now = header_files(self.path / "include"), header_files(headers.include)
        changed = sorted(name for name in kept.keys() | now.keys() if kept.get(name) != now.get(name))
        return changed + self.additions(headers)

    def faults(self, headers: Headers) -> list[str]:
        """What a program that was compiled with this release does not find in the headers any more."""
        return [*self._constant_faults(headers), *self._function_faults(headers)]

    def _constant_faults(self, headers: Headers) -> list[str]:
        faults = []
        for name, before in self.constants.items():
            now = headers.constants.get(name)
            if now is None:
                faults.append(f"{name} is gone, which {self.version} has: bring it back.")
            elif now != before:
                faults.append(f"{name} was {before} in {self.version} and is {now}. Programs that are compiled "
                              "already have the old value in them: bring it back.")
        return faults

    def _function_faults(self, headers: Headers) -> list[str]:
        command = [*ABIDIFF, self.path / "abi.xml", headers.library]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if run.returncode & ~ABIDIFF_CHANGED:
            sys.exit(f"abidiff failed with status {run.returncode}:\n{run.stdout}")
        faults = []
        for what, name, detail in changes_in(run.stdout):
            if what == "D":
                faults.append(f"{name} is gone, which {self.version} has. Programs that call it do not run any "
                              "more: bring it back.")
            else:
                faults.append(f"{name} is not what it was in {self.version}. Programs that are compiled already call "
                              f"it as it was: bring that back, and give the new one a name of its own.\n{detail}")
        if run.returncode and not faults:
            faults.append(f"abidiff finds a difference to {self.version}:\n{run.stdout}")
        return faults

    def additions(self, headers: Headers) -> list[str]:
        """What the headers have beside what this release has."""
        functions = set(re.findall(r"<elf-symbol name='(\w+)'", (self.path / "abi.xml").read_text()))
        return sorted(headers.functions - functions) + sorted(headers.constants.keys() - self.constants.keys())


def changes_in(report: str) -> list[tuple[str, str, str]]:
    """What abidiff reports, as (C for changed or D for deleted, function, how it changed)."""
    changes = re.split(r"^  \[([CD])\] 'function [^(]*?(\w+)\(", report, flags=re.MULTILINE)[1:]
    each = zip(changes[::3], changes[1::3], changes[2::3])
    return [(what, name, text.split("\n\n")[0].partition("\n")[2].rstrip()) for what, name, text in each]


def releases_of(abi: str) -> list[Release]:
    """Those of an ABI number. A program that was compiled for another does not load this library."""
    releases = [Release(path) for path in sorted(RELEASES.glob("*"))]
    return [release for release in releases if release.constants["DORA_ABI"] == abi]


def check(headers: Headers, adds_nothing_to: str | None) -> list[str]:
    faults = headers.layout_faults() + list_faults(headers)
    releases = releases_of(headers.constants["DORA_ABI"])
    if adds_nothing_to not in [None, *(release.version for release in releases)]:
        faults.append(f"There is no release {adds_nothing_to} of this ABI number.")
    for release in releases:
        faults += release.faults(headers)
        if not release.is_released():
            faults += [f"{name} is not what tests/abi/releases/{release.version} has, and CHANGELOG.md does not have that "
                       f"as released yet: if the change is meant, run 'scripts/freeze-abi.sh {release.version}'."
                       for name in release.stale(headers)]
        if release.version == adds_nothing_to:
            faults += [f"{name} is not in {release.version}: a release that adds something has a new minor version."
                       for name in release.additions(headers)]
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "functions", "constants"])
    parser.add_argument("include", type=Path)
    parser.add_argument("--adds-nothing-to", metavar="RELEASE")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        headers = Headers(arguments.include, Path(work))
        if arguments.command == "functions":
            print(headers.description(), end="")
        elif arguments.command == "constants":
            print("".join(f"{name} = {value}\n" for name, value in headers.constants.items()), end="")
        elif faults := check(headers, arguments.adds_nothing_to):
            sys.exit("\n".join(["", *faults, "What may change, and how, is in docs/abi.md."]))
        else:
            before = [release.version for release in releases_of(headers.constants["DORA_ABI"])]
            print(f"{len(headers.functions)} functions and {len(headers.constants)} constants are as they are listed, "
                  f"and as they were in {', '.join(before) or 'no release'}")


if __name__ == "__main__":
    main()
