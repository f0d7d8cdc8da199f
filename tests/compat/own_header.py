"""The programs of this directory, and header/types.c, compile with dora's own node_api.h too: they were written against
that.

    own_header.py COMPAT    (the directory with operator_types.h, which comes in another crate of dora's)
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "documents"))
import dora_sources  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
LANGUAGES = {"c99": ["gcc", "-std=c99"], "C++14": ["g++", "-x", "c++", "-std=c++14"]}


def main() -> None:
    headers = dora_sources.c_headers()
    programs = sorted(HERE.glob("*.c"))
    assert programs, f"there are no programs in {HERE}"
    for language, compiler in LANGUAGES.items():
        # The first directory that has a header is the one it is taken from.
        command = [*compiler, *WARNINGS, "-fsyntax-only", "-I", headers, "-I", sys.argv[1], *programs,
                   HERE / "header/types.c"]
        subprocess.run(command, check=True)
        print(f"{len(programs)} programs compile as {language} with dora's own header")


main()
