# shellcheck shell=bash
# What the scripts beside this file share: finding or installing the tools, and building.
#
#     set -euo pipefail
#     source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
#     ensure_tools                        # compilers and make from the system's packages; checks for Rust
#     ensure_venv                         # dora, CMake and the rest of requirements.txt, in .venv
#     build_and_install "$PWD/somewhere"
#
# Everything here is quick, and silent, when there is nothing to do.

DORA_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
DORA_VENV="$DORA_ROOT/.venv"
DORA_BUILD="$DORA_ROOT/build/release"

say() { printf '\n==> %s\n' "$*"; }
fail() {
    printf '\nerror: %s\n' "$*" >&2
    exit 1
}

# Debian's name of the package that brings a command, or a library.
package_of() {
    case "$1" in
        gcc | g++ | make) echo build-essential ;; # with the C library's headers, which gcc only recommends
        python3) echo python3-venv ;;
        nm | readelf) echo binutils ;;
        dpkg-shlibdeps) echo dpkg-dev ;;
        aarch64-linux-gnu-*) echo g++-aarch64-linux-gnu ;; # with that of C, and the C library's headers
        openssl.pc) echo libssl-dev ;;
        abidiff | abidw) echo abigail-tools ;;
        gio-2.0.pc) echo libglib2.0-dev ;;
        Qt5Widgets.pc) echo qtbase5-dev ;;
        asio.hpp) echo libasio-dev ;;
        *) echo "$1" ;;
    esac
}

# Whether a tool is there: a command, or a library by the file that pkg-config has of it, else by its header.
has_tool() {
    case "$1" in
        *.pc) pkg-config --exists "${1%.pc}" 2>/dev/null ;;
        *.hpp) printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | g++ -E -x c++ - >/dev/null 2>&1 ;;
        # Debian splits off what Python needs to make a virtual environment; without it, Python counts as missing.
        python3) python3 -c 'import ensurepip' 2>/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

install_packages() {
    local -a as_root=()
    command -v apt-get >/dev/null || fail "these are missing, and there is no apt-get to install them: $*"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "these are missing, and there is no sudo to install them: $*"
        as_root=(sudo)
    fi
    say "Installing system packages: $*"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq --yes --no-install-recommends "$@" >/dev/null
}

check_rust() {
    local needed found wanted
    needed="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$DORA_ROOT/Cargo.toml")"
    wanted="libdora is built with Rust $needed or newer: see https://rustup.rs, then run this again."
    # A shell from before rustup ran does not look there yet.
    command -v cargo >/dev/null || PATH="$PATH:$HOME/.cargo/bin"
    command -v cargo >/dev/null || fail "cargo is missing. $wanted"
    found="$(cargo --version | cut -d ' ' -f 2)"
    # In version order, the older of the two comes first.
    [ "$(printf '%s\n' "$needed" "$found" | sort --version-sort | head -n 1)" = "$needed" ] ||
        fail "cargo has version $found. $wanted"
}

# Installs what building needs, and the commands and libraries (gio-2.0.pc, asio.hpp) named as arguments besides.
ensure_tools() {
    local tool
    local -A packages=()
    for tool in gcc g++ make python3 "$@"; do
        has_tool "$tool" || packages["$(package_of "$tool")"]=missing
    done
    [ ${#packages[@]} -eq 0 ] || install_packages "${!packages[@]}"
    check_rust
}

# Makes .venv hold exactly requirements.txt, and puts its commands (dora, cmake, ctest, python …) first.
ensure_venv() {
    local wanted="$DORA_ROOT/scripts/requirements.txt" installed="$DORA_VENV/requirements.txt"
    if ! cmp -s "$wanted" "$installed"; then
        python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
            fail "dora needs Python 3.11 or newer; this is $(python3 --version)"
        say "Setting up the virtual environment .venv: dora, CMake, pyarrow …"
        python3 -m venv --clear "$DORA_VENV"
        "$DORA_VENV/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
        cp "$wanted" "$installed"
    fi
    PATH="$DORA_VENV/bin:$PATH"
    export PATH
}

# Puts cargo-c first, which it builds in target/ if it is not there yet.
ensure_cargo_c() {
    local version=0.10.24
    local folder="$DORA_ROOT/target/cargo-c-$version"
    ensure_tools pkg-config openssl.pc
    if [ ! -x "$folder/bin/cargo-cinstall" ]; then
        say "Building cargo-c (some minutes)"
        # It runs once or twice, and unoptimised it is built sooner.
        cargo install --quiet --locked --debug --root "$folder" "cargo-c@$version"
    fi
    PATH="$folder/bin:$PATH"
    export PATH
}

# Builds the library in release mode and installs it under the given prefix.
build_and_install() {
    say "Building libdora (the first time, with all of dora's crates, takes some minutes)"
    (cd "$DORA_ROOT" && cmake --preset release && cmake --build --preset release)
    say "Installing libdora to ${1#"$DORA_ROOT"/}"
    cmake --install "$DORA_BUILD" --prefix "$1" >"$DORA_BUILD/install.log"
}
