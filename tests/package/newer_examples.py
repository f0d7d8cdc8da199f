"""Compiles each source of an example in a newer version of its language than its own project asks for, which the tests
package/example-* build. Nothing is linked or run.

    newer_examples.py PREFIX FOLDER VERSION     (FOLDER: c-examples or cpp-examples)
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
LANGUAGES = {"c-examples": ("*.c", "cc"), "cpp-examples": ("*.cpp", "c++")}
# What pkg-config is asked for.
PACKAGES = ["Qt5Widgets", "gio-2.0"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def package_flags():
    """What the compiler needs to know of the libraries of some examples, whose headers may be as they like."""
    flags = subprocess.run(["pkg-config", "--cflags", *PACKAGES], check=True, capture_output=True, text=True).stdout
    return ["-fPIC", *(flag.replace("-I", "-isystem", 1) for flag in flags.split())]


def main(prefix, folder, version):
    pattern, compiler = LANGUAGES[folder]
    sources = sorted(map(str, (ROOT / folder).glob(f"*/{pattern}")))
    if len(sources) < 5:
        sys.exit(f"{folder} has only {sources}")
    command = [compiler, f"-std={version}", *WARNINGS, *package_flags(), "-fsyntax-only", "-I", f"{prefix}/include",
               *sources]
    sys.exit(subprocess.run(command).returncode)


main(*sys.argv[1:])
