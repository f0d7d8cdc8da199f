"""What scripts/freeze-abi.sh and scripts/release.sh refuse, and what they do; in a repository of its own with what they
read of this one, and with stand-ins for the tests and for CMake.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# With the version of the package of the library.
LOCKS = ["Cargo.lock", "tests/cxx/Cargo.lock"]
FILES = [".gitignore", "Cargo.toml", *LOCKS, "include", "tests/abi", "tests/symbols.txt", "tests/constants.txt",
         "scripts/common.sh", "scripts/freeze-abi.sh", "scripts/release.sh", "scripts/requirements.txt"]
UNRELEASED = "# Changes\n\n## Unreleased\n\nABI 0.\n\n- All of it.\n"
RELEASED = "\n## 0.1.0 - 2026-01-01\n\nABI 0.\n\n- The first.\n"
# What git is told here is all that it knows: neither the settings of a user nor a repository that calls this count.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
STAND_IN = '#!/bin/sh\necho "stand-in for ${0##*/} $*"\n'


class Repository:
    """At the version 0.1.0 and ABI 0, with nothing released."""

    def __init__(self, root: Path):
        self.root = root
        for name in FILES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, root / name)
        shutil.rmtree(root / "tests/abi/releases", ignore_errors=True)
        (root / "tests/abi/releases").mkdir()
        self.write("CHANGELOG.md", UNRELEASED)
        self.set_version("0.1.0")
        self.edit("Cargo.toml", r"(\[package\.metadata\.abi\]\nnumber = ).*", r"\g<1>0")
        for name in ["scripts/test.sh", ".venv/bin/cmake", ".venv/bin/cpack"]:
            self.write(name, STAND_IN)
            (root / name).chmod(0o755)
        shutil.copy(root / "scripts/requirements.txt", root / ".venv")
        self.run("git", "init", "--quiet")
        self.commit()

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def edit(self, name: str, pattern: str, text: str) -> None:
        edited, count = re.subn(pattern, text, (self.root / name).read_text())
        assert count == 1, f"{name} has {pattern!r} {count} times"
        self.write(name, edited)

    def set_version(self, version: str) -> None:
        for name in ["Cargo.toml", *LOCKS]:
            self.edit(name, r'(name = "libdora"\nversion = ").*"', rf'\g<1>{version}"')

    def run(self, *command: str) -> tuple[int, str]:
        run = subprocess.run(command, cwd=self.root, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        print(f"$ {' '.join(command)}\n{run.stdout}")
        return run.returncode, run.stdout

    def commit(self) -> None:
        self.run("git", "add", "--all")
        code, _ = self.run("git", "-c", "user.name=test", "-c", "user.email=test", "commit", "--quiet", "-m", "test")
        assert code == 0

    def succeeds(self, *command: str) -> str:
        code, output = self.run(*command)
        assert code == 0, f"{command} ended with {code}"
        return output

    def refuses(self, *command: str, because: list[str]) -> None:
        code, output = self.run(*command)
        assert code == 1, f"{command} ended with {code}"
        for sentence in because:
            assert sentence in output, f"{command} does not say {sentence!r}"


def test_freezing(repository: Repository) -> None:
    frozen = repository.root / "tests/abi/releases/0.1"
    repository.succeeds("scripts/freeze-abi.sh", "0.1")
    first = {path: path.read_bytes() for path in frozen.rglob("*") if path.is_file()}
    assert {"abi.xml", "constants.txt", "dora.h", "arrow_abi.h", "dora.hpp"} <= {path.name for path in first}
    assert not re.search(rb"(path|filepath|comp-dir-path)='[^']*/", first[frozen / "abi.xml"])
    repository.succeeds("scripts/freeze-abi.sh", "0.1")
    assert first == {path: path.read_bytes() for path in frozen.rglob("*") if path.is_file()}
    repository.refuses("scripts/freeze-abi.sh", because=["'' is not what is in the tree: Cargo.toml has 0.1"])
    repository.refuses("scripts/freeze-abi.sh", "0.2", because=["Cargo.toml has 0.1"])
    repository.write("CHANGELOG.md", UNRELEASED + RELEASED)
    repository.refuses("scripts/freeze-abi.sh", "0.1", because=["0.1 is released, as CHANGELOG.md says"])


def test_what_is_kept_before_the_release(repository: Repository) -> None:
    check = ["python3", "-B", "tests/abi/abi.py", "check", "include"]
    repository.succeeds("scripts/freeze-abi.sh", "0.1")
    repository.succeeds(*check)
    # None of these breaks a program, or is in the lists.
    repository.edit("include/dora/dora.hpp", r"\Z", "// more\n")
    repository.write("include/dora/new.hpp", "#pragma once\n")
    (repository.root / "include/dora/compat/operator_api.h").unlink()
    repository.refuses(*check, because=[
        "dora/compat/operator_api.h is not what tests/abi/releases/0.1 has",
        "dora/dora.hpp is not what tests/abi/releases/0.1 has",
        "dora/new.hpp is not what tests/abi/releases/0.1 has",
        "run 'scripts/freeze-abi.sh 0.1'",
    ])
    repository.succeeds("scripts/freeze-abi.sh", "0.1")
    repository.succeeds(*check)
    # As when two branches are merged, and the description is that of one of them.
    repository.edit("tests/abi/releases/0.1/abi.xml", r".*<elf-symbol name='dora_node_log' .*\n", "")
    repository.refuses(*check, because=["dora_node_log is not what tests/abi/releases/0.1 has"])
    repository.succeeds("scripts/freeze-abi.sh", "0.1")
    repository.write("CHANGELOG.md", UNRELEASED + RELEASED)
    repository.edit("include/dora/dora.hpp", r"\Z", "// and more\n")
    repository.succeeds(*check)


def test_the_first_release(repository: Repository) -> None:
    said = repository.succeeds("scripts/release.sh")
    assert "NOT READY" not in said and "Ready: " in said
    assert repository.succeeds("git", "status", "--porcelain") == ""
    said = repository.succeeds("scripts/release.sh", "--release")
    steps = ["tests/abi/releases/0.1 has", "stand-in for test.sh --cargo-c", "stand-in for cmake --build --preset dist",
             "stand-in for cpack --config build/dist/CPackConfig.cmake -G TGZ",
             "stand-in for cpack --config build/debian/CPackConfig.cmake -G DEB", 'git tag --annotate "v0.1.0"']
    assert [step for step in steps if step in said] == steps, "a step is missing"
    assert sorted(steps, key=said.index) == steps, "the steps are in another order"
    changelog = (repository.root / "CHANGELOG.md").read_text()
    assert re.search(r"^## 0\.1\.0 - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE) and "Unreleased" not in changelog


def test_what_is_not_ready(repository: Repository) -> None:
    repository.succeeds("scripts/freeze-abi.sh", "0.1")
    repository.commit()
    repository.succeeds("git", "tag", "v0.1.0")
    repository.write("CHANGELOG.md", "# Changes\n\n## Unreleased\n\nABI 1.\n" + RELEASED)
    repository.edit(LOCKS[1], r'(name = "libdora"\nversion = ").*"', r'\g<1>0.0.9"')
    repository.edit("include/dora/dora.h", "#define DORA_EVENT_STOP 3\n", "#define DORA_EVENT_STOP 4\n")
    repository.refuses("scripts/release.sh", "--release", because=[
        "NOT READY  the tree is clean",
        "NOT READY  the version is new",
        "NOT READY  both Cargo.lock have the version",
        "NOT READY  there is no tag v0.1.0",
        "NOT READY  CHANGELOG.md has what is new",
        "NOT READY  CHANGELOG.md has the line 'ABI 0.'",
        "NOT READY  programs that are compiled already go on",
        "DORA_EVENT_STOP was 3 in 0.1 and is 4",
    ])
    repository.refuses("scripts/release.sh", "--relase", because=["'--relase' is not --release"])


def test_a_patch_adds_nothing(repository: Repository) -> None:
    repository.succeeds("scripts/freeze-abi.sh", "0.1")
    repository.write("CHANGELOG.md", UNRELEASED + RELEASED)
    repository.set_version("0.1.1")
    repository.commit()
    repository.succeeds("scripts/release.sh")
    repository.edit("include/dora/dora.h", "(#define DORA_EVENT_STOP 3\n)", r"\1#define DORA_EVENT_NEW 11\n")
    repository.edit("tests/constants.txt", "(DORA_EVENT_STOP = 3\n)", r"\1DORA_EVENT_NEW = 11\n")
    repository.commit()
    repository.refuses("scripts/release.sh", because=[
        "NOT READY  programs that are compiled already go on",
        "DORA_EVENT_NEW is not in 0.1: a release that adds something has a new minor version.",
    ])
    repository.set_version("0.2.0")
    repository.commit()
    repository.succeeds("scripts/release.sh")
    repository.set_version("0.0.9")
    repository.refuses("scripts/release.sh", because=["NOT READY  the version is the newest: 0.1.0 is released"])


def main() -> None:
    failed = 0
    for test in [test_freezing, test_what_is_kept_before_the_release, test_the_first_release, test_what_is_not_ready,
                 test_a_patch_adds_nothing]:
        print(f"==== {test.__name__}")
        with tempfile.TemporaryDirectory() as name:
            try:
                test(Repository(Path(name)))
            except AssertionError as error:
                failed += 1
                print(f"FAILED: {error}")
    sys.exit(f"{failed} tests failed" if failed else 0)


main()
