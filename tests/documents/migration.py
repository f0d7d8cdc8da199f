"""The old and the new code of the migration guides compiles, and the guides name every function of dora's.

    migration.py INCLUDE    (the directory that holds dora/dora.h)

A block of a guide says whose code it is: `c dora` is compiled with dora's own header and with the one that libdora
has in its place, `c compat` with the latter alone, `cpp dora` with the header that cxx makes from dora's source,
`cpp dora-0.5` with what that release had besides, `c libdora` and `cpp libdora` with libdora's headers. What has no
main is the inside of a function.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import dora_sources

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# What a fragment alone leaves unused is used in the program that it is of.
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused", "-Wno-unused-parameter"]
COMPILERS = {"c": ["gcc", "-std=c99", "-x", "c"], "cpp": ["g++", "-std=c++17", "-x", "c++"]}
BLOCK = re.compile(r"^```(c|cpp) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

C_BEGIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pose { float x; };
static struct pose pose;
"""
CPP_BEGIN = """
#include <algorithm>
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
using namespace std::chrono_literals;
template <class Kind> static void handle(Kind) {}
"""
OLD_C = "int fragment_{}(void *dora_context, void *event, char *id, char *data, size_t data_len)"
# For each side: what comes first, and the function that a fragment is the inside of.
SIDES = {
    ("c", "dora"): ('#include "node_api.h"\n' + C_BEGIN, OLD_C),
    ("c", "compat"): ('#include "node_api.h"\n' + C_BEGIN, OLD_C),
    ("c", "libdora"): ("#include <dora/dora.h>\n" + C_BEGIN, "int fragment_{}(dora_node_t *node, dora_event_t *event)"),
    ("cpp", "dora"): ("#include <dora-node-api.h>\n#include <dora/arrow_abi.h>\n" + CPP_BEGIN,
                      "int fragment_{}(DoraNode &dora_node, rust::Box<DoraEvent> event)"),
    ("cpp", "dora-0.5"): ("#include <dora-node-api.h>\n#include <dora_cxx_0_5.h>\n" + CPP_BEGIN,
                          "int fragment_{}(DoraNode &dora_node)"),
    ("cpp", "libdora"): ("#include <dora/dora.hpp>\n" + CPP_BEGIN,
                         "int fragment_{}(dora::Node &node, dora::Event &event)"),
}


def compile_block(language: str, text: str, includes: list[Path]) -> None:
    flags = [*COMPILERS[language], *WARNINGS, "-fsyntax-only"]
    for directory in includes:
        # dora's own headers are not free of warnings.
        flags += ["-isystem" if directory != includes[-1] else "-I", str(directory)]
    done = subprocess.run([*flags, "-"], input=text, text=True, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}\nin this code:\n{text}")


def compile_side(side: tuple[str, str], texts: list[str], *includes: list[Path]) -> None:
    """Compiles the code of a side, with each of the lists of directories."""
    begin, function = SIDES[side]
    programs = [text for text in texts if "int main" in text]
    fragments = [text for text in texts if text not in programs]
    # In braces of their own, so that a fragment may give the names of the parameters to its own variables.
    inside = [f"{function.format(index)};\n{function.format(index)} {{ {{\n{text}}} return 0; }}\n"
              for index, text in enumerate(fragments)]
    for directories in includes:
        for program in ([begin + "".join(inside)] if fragments else []) + programs:
            compile_block(side[0], program, directories)
    print(f"{' '.join(side)}: {len(texts)} pieces of code compile")


def check_names(guide: str, names: list[str]) -> None:
    missing = [name for name in names if not re.search(rf"\b{name}\b", guide)]
    assert names and not missing, f"a guide does not name {missing}"


def bridge_names(bridge: str) -> list[str]:
    """The functions of dora's C++ interface."""
    block = bridge[bridge.index('extern "Rust"'):bridge.index("\n}\n", bridge.index('extern "Rust"'))]
    functions = re.findall(r'(?:cxx_name = "(\w+)"\]\s+)?(?:unsafe )?fn (\w+)\(', block)
    return sorted({cxx_name or name for cxx_name, name in functions})


def main() -> None:
    include = Path(sys.argv[1]).resolve()
    guides = {name: (DOCS / f"migrate-from-dora-{name}.md").read_text() for name in ("c", "cxx")}
    sides: dict[tuple[str, str], list[str]] = {side: [] for side in SIDES}
    for guide in guides.values():
        for language, side, text in BLOCK.findall(guide):
            sides[language, side].append(text)
    empty = [side for side, texts in sides.items() if not texts]
    assert not empty, f"the guides have no code of {empty}"

    own_c = dora_sources.c_headers()
    own_header = (own_c / "node_api.h").read_text()
    check_names(guides["c"], re.findall(r"^#define ((?:\w+_)?dora_\w+)", own_header, re.MULTILINE))
    check_names(guides["cxx"], bridge_names((dora_sources.crate("dora-node-api-cxx") / "src/lib.rs").read_text()))
    with tempfile.TemporaryDirectory() as name:
        own_cxx = dora_sources.cxx_headers(Path(name))
        includes = {
            ("c", "dora"): [[own_c, include], [include / "dora/compat"]],
            ("c", "compat"): [[include / "dora/compat"]],
            ("cpp", "dora"): [[own_cxx, include]],
            ("cpp", "dora-0.5"): [[own_cxx, Path(__file__).parent]],
        }
        for side, texts in sides.items():
            compile_side(side, texts, *includes.get(side, [[include]]))


main()
