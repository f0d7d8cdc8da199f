#!/usr/bin/env bash
# Keeps what the headers say as that of a release, to which the tests compare every later one; see docs/abi.md.
#
#     scripts/freeze-abi.sh 0.1      the first two numbers of the version in Cargo.toml
#
# It may be run again until CHANGELOG.md has the version as released.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$DORA_ROOT"

version="${1-}"
manifest_version="$(sed -n 's/^version = "\([0-9]*\.[0-9]*\)\..*"/\1/p' Cargo.toml | head -n 1)"
[ "$version" = "$manifest_version" ] ||
    fail "'$version' is not what is in the tree: Cargo.toml has $manifest_version"
! grep -q "^## ${version//./\\.}\." CHANGELOG.md ||
    fail "$version is released, as CHANGELOG.md says: what it promised stays. New functions come with a new minor" \
        "version in Cargo.toml"

ensure_tools abidw nm
release="tests/abi/releases/$version"
new="$(mktemp -d "$DORA_ROOT/tests/abi/frozen.XXXXXX")"
trap 'rm -rf "$new"' EXIT
python3 -B tests/abi/abi.py functions include >"$new/abi.xml"
python3 -B tests/abi/abi.py constants include >"$new/constants.txt"
cp -R include "$new/include"
chmod 755 "$new"
rm -rf "$release"
mkdir -p tests/abi/releases
mv "$new" "$release"
say "$release has $(grep -c '<elf-symbol ' "$release/abi.xml") functions" \
    "and $(wc -l <"$release/constants.txt") constants"
