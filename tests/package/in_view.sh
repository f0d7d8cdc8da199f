#!/usr/bin/env bash
# Runs a command in a view of the file system where what is written to /etc, /usr and /var goes into a folder that is
# gone at the end, and where the folders named as HIDDEN are empty. It takes root, and unshare --mount before it.
#
#     unshare --mount in_view.sh SCRATCH [HIDDEN…] -- COMMAND…     (SCRATCH: a folder, not below these three)
set -euo pipefail
scratch="$1"
shift

mount -t tmpfs none "$scratch"
for folder in etc usr var; do
    mkdir "$scratch/$folder" "$scratch/$folder/written" "$scratch/$folder/work"
    mount -t overlay overlay "/$folder" \
        -o "lowerdir=/$folder,upperdir=$scratch/$folder/written,workdir=$scratch/$folder/work"
done
while [ "$1" != -- ]; do
    [ ! -d "$1" ] || mount -t tmpfs none "$1"
    shift
done
shift
exec "$@"
