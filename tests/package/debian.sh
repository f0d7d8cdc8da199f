#!/usr/bin/env bash
# Installs the Debian packages where there is no Rust, and does what docs/install.md says from there to running
# nodes. What dpkg writes goes into a view of the file system of its own, so the machine stays as it is.
#
#     debian.sh PACKAGES VENV     (the folders of the packages, and of what scripts/requirements.txt lists)
set -euo pipefail
packages="$(realpath "$1")" venv="$2"
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
source_dir="$(realpath "$here/../..")"

if [ -z "${3:-}" ]; then
    view="$(mktemp -d)"
    trap 'rmdir "$view"' EXIT
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" unshare --mount "$here/debian.sh" "$packages" "$venv" "$view"
    exit
fi

# What is needed of the source tree, before it vanishes with what Rust built there.
view="$3"
mount -t tmpfs none "$view"
mkdir "$view/work" "$view/work/venv"
cp -R "$here" "$view/work/package"
cp "$source_dir/README.md" "$source_dir/docs/install.md" "$packages"/*.deb "$view/work"
mount --bind "$venv" "$view/work/venv"

for folder in etc usr var; do
    mkdir "$view/$folder" "$view/$folder/written" "$view/$folder/scratch"
    mount -t overlay overlay "/$folder" \
        -o "lowerdir=/$folder,upperdir=$view/$folder/written,workdir=$view/$folder/scratch"
done
for folder in "$source_dir" "${CARGO_HOME:-$HOME/.cargo}" "${RUSTUP_HOME:-$HOME/.rustup}"; do
    [ ! -d "$folder" ] || mount -t tmpfs none "$folder"
done
# The scripts of a virtual environment name the folder that they lie in.
mkdir -p "$venv"
mount --bind "$view/work/venv" "$venv"
rm -f /usr/bin/cargo /usr/bin/rustc /usr/local/bin/cargo /usr/local/bin/rustc
export PATH="$venv/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
for tool in cargo rustc rustup; do
    ! command -v $tool || exit 1
done
cd "$view/work"

# The first code block of a language in a file.
block() { awk -v start="\`\`\`$2" '$0 == start { on = 1; next } on && /^```/ { exit } on' "$1"; }

block README.md c >thermometer.c
block README.md cpp >display.cpp
block README.md cmake >CMakeLists.txt
block README.md yaml | sed 's| -DCMAKE_PREFIX_PATH=.*||' >dataflow.yml

# The commands, which are five at most. The second is done: what it installs is in VENV.
mapfile -t commands < <(block install.md console | sed -n 's/^\$ //p')
printf '%s\n' "${commands[@]}"
[ ${#commands[@]} -le 5 ]
[[ "${commands[0]}" == "sudo dpkg -i "* && "${commands[1]}" == "pip install dora-rs-cli=="* ]]
[ "${commands[*]:2}" = "dora build dataflow.yml dora run dataflow.yml" ]

bash -c "${commands[0]#sudo }"
timeout 240 dora build dataflow.yml
timeout 60 dora run dataflow.yml --stop-after 2s | tee output.txt
grep -q 'celsius: 20\.5' output.txt

# The loader finds the library by itself, and so do CMake and pkg-config.
[[ "$(ldd build/thermometer)" =~ libdora\.so\.0\ =\>\ (/usr)?/lib/[^/]+/libdora\.so\.0 ]]
package/consume.sh find_package
package/consume.sh pkg-config

# A package that is built with it depends on it.
mkdir debian
touch debian/control
[[ "$(dpkg-shlibdeps -O build/thermometer)" == *"libdora0 (>= "* ]]

# All of it goes again.
dpkg --purge libdora-dev libdora0
[ -z "$(find /usr -path /usr/local -prune -o -iname '*libdora*' -print)" ]
