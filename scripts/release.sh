#!/usr/bin/env bash
# Releases the version that Cargo.toml names; docs/releasing.md tells what is done before and after.
#
#     scripts/release.sh               says what is not ready, and changes nothing
#     scripts/release.sh --release     when all is ready: keeps the ABI, runs all tests, dates CHANGELOG.md, makes
#                                      the archives, and prints the commands that commit and tag
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$DORA_ROOT"

release=""
[ $# -eq 0 ] || [ "$*" = --release ] || fail "'$*' is not --release"
[ $# -eq 0 ] || release=yes

not_ready=0
# Says whether something is as it must be: expect WHAT REMEDY COMMAND…; the command may say more of it.
expect() {
    local what="$1" remedy="$2" said
    shift 2
    if said="$("$@" 2>&1)"; then
        printf 'ready      %s\n' "$what"
        return
    fi
    printf 'NOT READY  %s: %s\n' "$what" "$remedy"
    [ -z "$said" ] || printf '%s\n' "$said" | sed 's/^/           /'
    not_ready=$((not_ready + 1))
}

# What CHANGELOG.md says below a heading, such as Unreleased.
changes_below() { awk -v heading="## $1" '/^## / { below = index($0, heading) == 1 } below' CHANGELOG.md; }
is_clean() { [ -z "$(git status --porcelain)" ]; }
is_newest() { [ "$(printf '%s\n' "$last_version" "$version" | sort --version-sort | tail -n 1)" = "$version" ]; }
is_locked() {
    local lock
    for lock in Cargo.lock tests/cxx/Cargo.lock; do
        grep -A 1 '^name = "libdora"$' "$lock" | grep -x "version = \"$version\"" || return 1
    done
}
has_changes() { changes_below Unreleased | grep '^- '; }
names_abi() { changes_below Unreleased | grep -x "ABI $abi\."; }
has_no_tag() { ! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null; }
was_released() { grep -q "^## ${1//./\\.}\." CHANGELOG.md; }
keeps_abi() {
    local -a options=()
    ! was_released "$minor_version" || options=(--adds-nothing-to "$minor_version")
    python3 -B tests/abi/abi.py check include "${options[@]}"
}

# Builds the library as it is shipped, as a CMake preset lays it out, and packs it.
make_archive() {
    cmake --preset "$1"
    cmake --build --preset "$1"
    cpack --config "build/$1/CPackConfig.cmake" -G "$2" -B build/archives
}

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
minor_version="${version%.*}"
abi="$(sed -n '/^\[package\.metadata\.abi\]$/,/^$/s/^number = //p' Cargo.toml)"
last_version="$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)"

ensure_tools abidiff abidw git nm
say "Release $version, ABI $abi, after ${last_version:-none}"
expect "the tree is clean" "commit what 'git status' shows" is_clean
expect "the version is new" "$last_version is released; raise the version in Cargo.toml" \
    test "$version" != "$last_version"
expect "the version is the newest" "$last_version is released" is_newest
expect "both Cargo.lock have the version" \
    "run 'cargo check', and again with '--manifest-path tests/cxx/Cargo.toml'" is_locked
expect "there is no tag v$version" "it was released" has_no_tag
expect "CHANGELOG.md has what is new below '## Unreleased'" "write it" has_changes
expect "CHANGELOG.md has the line 'ABI $abi.' there" "write the number in Cargo.toml" names_abi
expect "programs that are compiled already go on" "change back what does not" keeps_abi
[ "$not_ready" -eq 0 ] || fail "$version is not ready to be released"
if [ -z "$release" ]; then
    say "Ready: 'scripts/release.sh --release' keeps the ABI, runs all tests, dates CHANGELOG.md, makes the archives"
    exit
fi

was_released "$minor_version" || scripts/freeze-abi.sh "$minor_version"
scripts/test.sh --cargo-c --fast-lane
sed -i "s/^## Unreleased$/## $version - $(date --utc +%F)/" CHANGELOG.md
say "Making the archives"
ensure_venv
make_archive dist TGZ
make_archive debian DEB

say "Release $version is in build/archives. What is left:"
cat <<END
    git add CHANGELOG.md tests/abi/releases
    git commit -m "Release $version"
    git tag --annotate "v$version" -m "libdora $version, ABI $abi"
    git push origin HEAD "v$version"
END
