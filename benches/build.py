"""Builds libdora as it is shipped, the peers from crates.io, and the nodes of all sides. What is there already is
kept."""

import os
import pathlib
import shutil
import subprocess

from sides import BUILD, HERE, NODES

ROOT = HERE.parent
BIN = BUILD / "bin"
INSTALLED = BUILD / "libdora"
PEERS = HERE / "peers"
PEERS_TARGET = BUILD / "peers"
#: As dora's own CMake package has it; sections that nothing uses are left out, which is to dora's advantage.
DORA_LIBRARIES = ["-Wl,--gc-sections", "-lpthread", "-ldl", "-lm", "-lrt"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
#: Who runs tests beside goes first.
NICE = ["nice", "-n", "10"]


def say(text):
    print(f"\n==> {text}", flush=True)


def call(*command, **options):
    subprocess.run([*NICE, *map(str, command)], check=True, **options)


def cargo(*arguments):
    # dora's C++ crate puts its headers where this variable says, and nowhere that can be relied on without it.
    env = os.environ | {"CARGO_TARGET_DIR": str(PEERS_TARGET)}
    call("cargo", "build", "--locked", "--quiet", *arguments, cwd=PEERS, env=env)


def build_libdora(profile):
    say(f"Building libdora with the profile {profile}")
    tree = BUILD / f"cmake-{profile}"
    call(
        "cmake",
        "-S",
        ROOT,
        "-B",
        tree,
        "--log-level=WARNING",
        "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_INSTALL_LIBDIR=lib",
        f"-DDORA_CARGO_PROFILE={profile}",
        stdout=subprocess.DEVNULL,
    )
    call("cmake", "--build", tree)
    call("cmake", "--install", tree, "--prefix", INSTALLED, stdout=subprocess.DEVNULL)


def build_peers():
    say("Building the peers from crates.io (the first time, some minutes)")
    for package in ("dora-node-api-c", "dora-node-api-cxx", "nodes"):
        cargo("--release", "--package", package)


def compile_node(program, sources, *flags, depends=()):
    """Compiles a node as users do, optimised and stripped, unless it is newer than all that it is made of."""
    output = BIN / program
    sources = [pathlib.Path(source) for source in sources]
    headers = [*NODES.rglob("*.h"), *map(pathlib.Path, depends)]
    if output.exists() and all(path.stat().st_mtime < output.stat().st_mtime for path in [*sources, *headers]):
        return
    is_cpp = sources[0].suffix == ".cpp"
    compiler, standard = ("g++", "-std=c++17") if is_cpp else ("gcc", "-std=c11")
    call(compiler, standard, "-O2", "-s", *WARNINGS, *sources, *flags, "-o", output)


def static_library(package):
    return PEERS_TARGET / "release" / f"lib{package.replace('-', '_')}.a"


def build_nodes():
    say("Building the nodes")
    BIN.mkdir(parents=True, exist_ok=True)
    library = INSTALLED / "lib" / "libdora.so"
    ours = ["-I", INSTALLED / "include", "-L", library.parent, "-ldora", f"-Wl,-rpath,{library.parent}"]
    for program, source in {
        "libdora-c-source": "source.c",
        "libdora-c-sink": "sink.c",
        "libdora-loan-source": "loan_source.c",
        "libdora-cpp-source": "source.cpp",
        "libdora-cpp-sink": "sink.cpp",
        "libdora-growth-source": "growth_source.c",
        "libdora-growth-sink": "growth_sink.c",
        "libdora-count": "count.c",
    }.items():
        compile_node(program, [NODES / "libdora" / source], *ours, depends=[library])
    for program, source in {
        "controller": "controller.c",
        "plant": "plant.c",
        "steady-source": "steady_source.c",
        "steady-sink": "steady_sink.c",
    }.items():
        loans = ["-DBENCH_LOANS", *ours]
        compile_node(f"libdora-c-{program}", [NODES / "libdora" / source], *ours, depends=[library])
        compile_node(f"libdora-loan-{program}", [NODES / "libdora" / source], *loans, depends=[library])

    c_library = static_library("dora-node-api-c")
    c_headers = PEERS_TARGET / "release" / "dora-node-api-c" / "include"
    for program in ("source", "sink", "controller", "plant"):
        compile_node(
            f"dora-c-{program}",
            [NODES / "dora" / f"{program}.c"],
            "-isystem",
            c_headers,
            c_library,
            *DORA_LIBRARIES,
            depends=[c_library],
        )

    cpp_library = static_library("dora-node-api-cxx")
    bridge = PEERS_TARGET / "cxxbridge" / "dora-node-api-cxx" / "install"
    for program, source in {
        "dora-cpp-source": "source.cpp",
        "dora-cpp-sink": "sink.cpp",
        "dora-cpp-arrow-source": "arrow_source.cpp",
        "dora-cpp-arrow-sink": "arrow_sink.cpp",
    }.items():
        compile_node(
            program,
            [NODES / "dora" / source],
            "-I",
            ROOT / "include",
            "-isystem",
            bridge,
            bridge / "dora-node-api.cc",
            cpp_library,
            *DORA_LIBRARIES,
            depends=[cpp_library],
        )

    for program, binary in {
        "dora-rust-source": "source",
        "dora-rust-raw-source": "raw_source",
        "dora-rust-sink": "sink",
    }.items():
        shutil.copy2(PEERS_TARGET / "release" / binary, BIN / program)
        call("strip", BIN / program)

    for program in ("source", "sink"):
        compile_node(f"limit-{program}", [NODES / "limit" / f"{program}.c"])
    compile_node("stamp", [NODES / "stamp.c"])


def build(profile):
    build_libdora(profile)
    build_peers()
    build_nodes()
