#!/bin/sh
# usage: in-trixie.sh CHROOT FOLDER COMMAND [ARGUMENT...]
# Runs a command in the chroot, in FOLDER, which is the same as outside, as is the one named in MEDIAWIKI_DIR. What is
# mounted for that is seen by the command alone and gone when it ends.
set -eu
chroot=$1
folder=$2
shift 2
mkdir -p "$chroot$folder"
# shellcheck disable=SC2016
exec unshare --mount --propagation private sh -eu -c '
    chroot=$1 folder=$2
    shift 2
    mount --bind "$folder" "$chroot$folder"
    mount -t proc proc "$chroot/proc"
    mount --rbind /dev "$chroot/dev"
    mkdir -p "$chroot$MEDIAWIKI_DIR"
    mount --bind "$MEDIAWIKI_DIR" "$chroot$MEDIAWIKI_DIR"
    exec chroot "$chroot" sh -eu -c "cd \"\$1\"; shift; exec \"\$@\"" sh "$folder" "$@"
' sh "$chroot" "$folder" "$@"
