"""Each kind of change to the headers is found, and named, by the checks that are to find it. The changes are made to
a copy, which is compared with the headers as they are, as if these had been released as 0.0.

    test_changes.py CMAKE
"""

import itertools
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import abi

ROOT = abi.TESTS.parent
LOG = "DORA_NODISCARD DORA_API dora_status_t dora_node_log(dora_node_t *node, int32_t level, const char *message);\n"
NEW = "DORA_API void dora_node_new_function(dora_node_t *node);\n"


@dataclass
class Change:
    """Other text in a header, and how the sentences begin that say so: all of them, in this order. `exports` is what
    the check of the shared library says where it exports what the header declares, and `adds` is the name that it has
    and the release has not."""

    what: str
    header: str
    old: str
    new: str
    sentences: list[str]
    exports: str = ""
    adds: str = ""


CHANGES = [
    Change("nothing", "dora.h", "", "", []),
    Change("a function is removed", "dora.h", LOG, "", [
        "dora.h does not declare dora_node_log, which tests/symbols.txt lists",
        "dora_node_log is gone, which 0.0 has",
    ], exports="The library does not export dora_node_log, which tests/symbols.txt lists"),
    Change("a function has one more parameter", "dora.h", LOG, LOG.replace(");", ", int32_t more);"), [
        "dora_node_log is not what it was in 0.0",
    ]),
    Change("a function returns another type", "dora.h", "uint32_t dora_abi_version", "uint64_t dora_abi_version", [
        "dora_abi_version is not what it was in 0.0",
    ]),
    Change("a callback has one more parameter", "dora.h", "(int32_t level, const char *target,",
           "(int32_t level, int32_t more, const char *target,", [
        "dora_diagnostics_set is not what it was in 0.0",
    ]),
    Change("what a pointer points to has another type", "dora.h", LOG, LOG.replace("const char", "const uint8_t"), [
        "dora_node_log is not what it was in 0.0",
    ]),
    Change("a parameter loses its const", "dora.h", LOG, LOG.replace("const char", "char"), [
        "dora_node_log is not what it was in 0.0",
    ]),
    Change("a constant has another value", "dora.h", "#define DORA_EVENT_STOP 3\n", "#define DORA_EVENT_STOP 4\n", [
        "DORA_EVENT_STOP is 4, and 3 in tests/constants.txt",
        "DORA_EVENT_STOP was 3 in 0.0 and is 4",
    ]),
    Change("a text is another one", "dora.h", '#define DORA_KEY_FIN "fin"\n', '#define DORA_KEY_FIN "end"\n', [
        'DORA_KEY_FIN is "end", and "fin" in tests/constants.txt',
        'DORA_KEY_FIN was "fin" in 0.0 and is "end"',
    ]),
    Change("a constant is removed", "dora.h", "#define DORA_EVENT_STOP 3\n", "", [
        "dora.h does not define DORA_EVENT_STOP, which tests/constants.txt lists",
        "DORA_EVENT_STOP is gone, which 0.0 has",
    ]),
    Change("a structure has one more member", "arrow_abi.h", "    int64_t flags;\n",
           "    int64_t flags;\n    int64_t more;\n", [
        "struct ArrowSchema is not of the size that Arrow fixes",
        "struct ArrowSchema has `n_children` not as Arrow fixes it",
        "struct ArrowSchema has `children` not as",
        "struct ArrowSchema has `dictionary` not as",
        "struct ArrowSchema has `release` not as",
        "struct ArrowSchema has `private_data` not as",
        "dora_event_arrow is not what it was in 0.0",
        "dora_node_send_arrow is not what it was in 0.0",
    ]),
    Change("a structure has one member less", "arrow_abi.h", "    int64_t null_count;\n", "", [
        "struct ArrowArray is not of the size that Arrow fixes",
        "struct ArrowArray has `offset` not as",
        "struct ArrowArray has `n_buffers` not as",
        "struct ArrowArray has `n_children` not as",
        "struct ArrowArray has `buffers` not as",
        "struct ArrowArray has `children` not as",
        "struct ArrowArray has `dictionary` not as",
        "struct ArrowArray has `release` not as",
        "struct ArrowArray has `private_data` not as",
        "dora_event_arrow is not what it was in 0.0",
        "dora_node_send_arrow is not what it was in 0.0",
    ]),
    Change("a member of a structure has another type", "arrow_abi.h", "int64_t null_count;", "uint64_t null_count;", [
        "struct ArrowArray has `null_count` not as Arrow fixes it",
        "dora_event_arrow is not what it was in 0.0",
        "dora_node_send_arrow is not what it was in 0.0",
    ]),
    # What may be: the lists ask for the new name, and nothing is missing for a program that is there.
    Change("a function is added", "dora.h", LOG, LOG + NEW, [
        "dora.h declares dora_node_new_function, which tests/symbols.txt does not list",
    ], exports="The library exports dora_node_new_function, which tests/symbols.txt does not list",
        adds="dora_node_new_function"),
    Change("a constant is added", "dora.h", "#define DORA_EVENT_STOP 3\n",
           "#define DORA_EVENT_STOP 3\n#define DORA_EVENT_NEW 11\n", [
        "tests/constants.txt does not list DORA_EVENT_NEW: add the line 'DORA_EVENT_NEW = 11'",
    ], adds="DORA_EVENT_NEW"),
]


def changed_headers(change: Change, folder: Path) -> abi.Headers:
    shutil.copytree(ROOT / "include", folder / "include")
    header = folder / "include/dora" / change.header
    text = header.read_text()
    if change.old and text.count(change.old) != 1:
        sys.exit(f"{change.header} has {change.old!r} {text.count(change.old)} times, and is to be changed there")
    header.write_text(text.replace(change.old, change.new) if change.old else text)
    (folder / "work").mkdir()
    return abi.Headers(folder / "include", folder / "work")


def release_of(headers: abi.Headers, path: Path) -> abi.Release:
    path.mkdir()
    (path / "abi.xml").write_text(headers.description())
    (path / "constants.txt").write_text("".join(f"{name} = {value}\n" for name, value in headers.constants.items()))
    return abi.Release(path)


def said_of_library(headers: abi.Headers) -> str:
    """What the check of the shared library says of one that exports what these headers declare."""
    command = [sys.argv[1], f"-DLIBRARY={headers.library}", f"-DLIST={ROOT / 'tests/symbols.txt'}", "-DNM=nm", "-P"]
    run = subprocess.run([*command, ROOT / "tests/check_symbols.cmake"], stderr=subprocess.PIPE, text=True)
    return " ".join(run.stderr.split())


def faults_of(change: Change, release: abi.Release, folder: Path) -> list[str]:
    """How what is said of a change differs from what is to be said."""
    headers = changed_headers(change, folder)
    said = headers.layout_faults() + abi.list_faults(headers) + release.faults(headers)
    faults = []
    for wanted, sentence in itertools.zip_longest(change.sentences, said, fillvalue=""):
        print(f"    {sentence}")
        if not wanted or not sentence.startswith(wanted):
            faults.append(f"says {sentence!r}, not {wanted!r}")
    library = said_of_library(headers)
    if change.exports not in library or (library and not change.exports):
        faults.append(f"says of the library {library!r}, not {change.exports!r}")
    if release.additions(headers) != [change.adds] * bool(change.adds):
        faults.append(f"adds {release.additions(headers)}, not {change.adds!r}")
    return faults


def main() -> None:
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        release = release_of(changed_headers(CHANGES[0], root), root / "0.0")
        for index, change in enumerate(CHANGES):
            print(f"{change.what}:")
            folder = root / f"change{index}"
            folder.mkdir()
            for fault in faults_of(change, release, folder):
                failed += 1
                print(f"    FAILED: {fault}")
    sys.exit(f"{failed} of the sentences are not as they should be" if failed else 0)


main()
