#!/usr/bin/env bash
# Installs the Debian packages where there is no Rust, and does what docs/install.md says from there to running
# nodes. What dpkg writes goes into a view of the file system of its own, so the machine stays as it is. Where that is
# not allowed, the packages are unpacked instead.
#
#     debian.sh PACKAGES VENV     (the folders of the packages, and of what scripts/requirements.txt lists)
set -euo pipefail
venv="$2"
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
source_dir="$(realpath "$here/../..")"

if [ -z "${3:-}" ]; then
    folder="$(mktemp -d -p /tmp)" # wherever TMPDIR is, for a view covers some places
    trap 'rm -rf "$folder"' EXIT
    mkdir "$folder/packages" "$folder/scratch"
    cp "$1"/*.deb "$folder/packages"
    view=(unshare --mount "$here/in_view.sh" "$folder/scratch" "$source_dir"/{build,include,src,target}
          "${CARGO_HOME:-$HOME/.cargo}" "${RUSTUP_HOME:-$HOME/.rustup}" --)
    [ "$(id -u)" -eq 0 ] || view=(sudo -n "${view[@]}")
    if "${view[@]}" true 2>/dev/null; then
        "${view[@]}" "$here/debian.sh" "$folder/packages" "$venv" "$folder/scratch" installed
    else
        echo "No root that may mount is to be had: left out are dpkg -i, dpkg-shlibdeps and dpkg --purge."
        "$here/debian.sh" "$folder/packages" "$venv" "$folder/scratch" unpacked
    fi
    exit
fi

cd "$3"
mode="$4"
mkdir work
cd work
cp "$1"/*.deb .
export PATH="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:$venv/bin"

# From here on there is no Rust, and `sudo` is what stands before a command of the document.
if [ "$mode" = installed ]; then
    root=
    sudo() { "$@"; }
    rm -f {/usr,/usr/local}/bin/{cargo,rustc,rustup}
    for tool in cargo rustc rustup; do
        ! command -v $tool || exit 1
    done
else
    root="$PWD/root"
    sudo() {
        shift 2 # dpkg -i
        for package; do
            dpkg-deb -x "$package" "$root"
        done
    }
    export CMAKE_PREFIX_PATH="$root/usr"
    mkdir bin
    for tool in cargo rustc rustup; do
        printf '#!/bin/sh\necho "%s is called" >&2\nexit 1\n' $tool >bin/$tool
    done
    chmod +x bin/*
    export PATH="$PWD/bin:$PATH"
fi

# The first code block of a language in a file.
block() { awk -v start="\`\`\`$2" '$0 == start { on = 1; next } on && /^```/ { exit } on' "$1"; }

block "$source_dir/README.md" c >thermometer.c
block "$source_dir/README.md" cpp >display.cpp
block "$source_dir/README.md" cmake >CMakeLists.txt
block "$source_dir/README.md" yaml | sed 's| -DCMAKE_PREFIX_PATH=.*||' >dataflow.yml

# The commands, of which there are five at most.
mapfile -t commands < <(block "$source_dir/docs/install.md" console | sed -n 's/^\$ //p')
printf '%s\n' "${commands[@]}"
[ ${#commands[@]} -eq 5 ]
[[ "${commands[0]}" == "sudo dpkg -i "* && "${commands[1]}" == "python3 -m venv "* ]]
[[ "${commands[2]}" == *"/pip install dora-rs-cli=="* && "${commands[4]}" == *"/dora run dataflow.yml" ]]

eval "${commands[0]}"
eval "${commands[1]}"
# VENV stands in for the download: pip finds there what it is to install, and fails if that is something else.
packages_of() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
packages_of "$venv" >"$(packages_of .venv)/downloaded.pth"
ln -s "$venv/bin/dora" .venv/bin
PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 eval "${commands[2]}"
eval "timeout 240 ${commands[3]}"
eval "timeout 60 ${commands[4]} --stop-after 2s" | tee output.txt
grep -q 'celsius: 20\.5' output.txt

# The loader finds the library by itself, and so do CMake and pkg-config.
[[ "$(ldd build/thermometer)" =~ libdora\.so\.0\ =\>\ "$root"(/usr)?/lib/[^/]+/libdora\.so\.0 ]]
"$here/consume.sh" find_package
"$here/consume.sh" pkg-config "${root:+$root/usr}"

# The licences of what is in the library come with it.
[[ "$(zcat "$root"/usr/share/doc/libdora0/THIRD-PARTY.gz)" == *$'\ndora-node-api '* ]]
[ "$mode" = installed ] || exit 0

# A package that is built with it depends on it.
mkdir debian
touch debian/control
[[ "$(dpkg-shlibdeps -O build/thermometer)" == *"libdora0 (>= "* ]]

# All of it goes again.
dpkg --purge libdora-dev libdora0
[ -z "$(find /usr -path /usr/local -prune -o -iname '*libdora*' -print)" ]
