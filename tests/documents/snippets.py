"""All C and C++ that the documents and the header show compiles as it stands, without a warning. The blocks of a
document that are no programs are one file for each language, as they stand one behind the other. The README's two
programs stand on its first screen; that they run is tests/package/readme.sh.

    snippets.py PREFIX    (of an installed libdora)
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
COMPILERS = {"c": ["cc", "-std=c99"], "cpp": ["c++", "-std=c++17"]}
# Libraries that blocks may use, by a header that they include, as pkg-config knows them.
PACKAGES = {"<QCoreApplication>": "Qt5Core", "<glib-unix.h>": "glib-2.0"}


def blocks(document: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a document, as (language, text)."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)


def opening_example() -> str:
    """The program on the opening page of dora.h."""
    opening = (ROOT / "include/dora/dora.h").read_text().split("*/", 1)[0]
    lines = [line[7:] for line in opening.splitlines() if line.startswith(" *     ") or line == " *"]
    text = "\n".join(lines)
    return text[text.index("#include") : text.index("\n}\n") + 3]


def package_flags(text: str) -> list[str]:
    """What the compiler needs to know of other libraries, whose headers may be as they like."""
    packages = [package for header, package in PACKAGES.items() if header in text]
    if not packages:
        return []
    command = ["pkg-config", "--cflags", *packages]
    flags = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return ["-fPIC", *(flag.replace("-I", "-isystem", 1) for flag in flags)]


def compile_text(language: str, text: str, prefix: Path, folder: Path, name: str) -> None:
    """Compiles a text, and links it where it is a program."""
    source = folder / f"{name}.{language}"
    source.write_text(text)
    library = next(prefix.glob("lib*/**/libdora.so")).parent
    command = [*COMPILERS[language], *WARNINGS, str(source), "-o", str(folder / name), f"-I{prefix}/include"]
    if "<dora/coroutine.hpp>" in text:
        command.append("-std=c++20")
    link = [f"-L{library}", "-ldora", f"-Wl,-rpath,{library}"] if "main(" in text else ["-c"]
    subprocess.run([*command, *package_flags(text), *link], check=True)


def main() -> None:
    prefix = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        readme = blocks(ROOT / "README.md")
        first_screen = "".join((ROOT / "README.md").read_text().splitlines(keepends=True)[:60])
        for language in ("c", "cpp"):
            (program,) = [text for found, text in readme if found == language and "main(" in text]
            assert program in first_screen, f"the README's {language} node is not on its first screen"
            compile_text(language, program, prefix, folder, f"readme_{language}")
        compile_text("c", opening_example(), prefix, folder, "opening")
        count = 3
        for document in sorted((ROOT / "docs").glob("*.md")):
            for language in COMPILERS:
                texts = [text for found, text in blocks(document) if found == language]
                programs = [text for text in texts if "main(" in text]
                rest = "\n".join(text for text in texts if "main(" not in text)
                for index, text in enumerate([*programs, rest] if rest else programs):
                    compile_text(language, text, prefix, folder, f"{document.stem}_{index}")
                    count += 1
    print(f"{count} files of the documents compile")


main()
