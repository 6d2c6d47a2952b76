#!/bin/sh
# usage: install.sh LIBRARY INI
# Puts the library where php-config says as wrstats.so, and the ini file where that PHP looks for them: Debian's
# mods-available (enabled with phpenmod), else the folder it scans. An ini file that was edited is left alone.
# DESTDIR is put before every path, for packagers. Uses sudo where a folder is not ours to write.
set -eu
. "$(dirname "$0")/env.sh"

library=$1
ini=$2
destdir=${DESTDIR:-}
[ -f "$library" ] || die "$library is not there: run \`make build\` first."

extensions=$("$PHP_CONFIG" --extension-dir)
version=$("$PHP_CONFIG" --version | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
# php-config has said so since PHP 8.0; its --help goes to stderr and an unknown option prints it.
scanned=$("$PHP_CONFIG" --ini-dir 2>/dev/null || true)
case "$scanned" in /*) ;; *) scanned= ;; esac
available=/etc/php/$version/mods-available

as_owner() { # as_owner FOLDER COMMAND...: runs the command as whoever may write the folder
    above=$1
    shift
    while [ ! -d "$above" ]; do
        above=$(dirname "$above")
    done
    if [ -w "$above" ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        say "$above belongs to another user: sudo $*"
        sudo "$@"
    else
        die "$above can't be written. As root: $*"
    fi
}
put() { # put FILE FOLDER NAME
    as_owner "$2" mkdir -p "$2"
    as_owner "$2" install -m 644 "$1" "$2/$3"
    say "installed $2/$3"
}

put "$root/$library" "$destdir$extensions" wrstats.so

folder=$scanned
case "$scanned" in
"/etc/php/$version/"*) [ -d "$available" ] && folder=$available ;;
esac
if [ -z "$folder" ]; then
    say "this PHP scans no folder for ini files: put \"extension=wrstats.so\" into its php.ini (settings: $ini)."
    exit 0
fi
if [ -f "$destdir$folder/wrstats.ini" ] && ! cmp -s "$root/$ini" "$destdir$folder/wrstats.ini"; then
    say "left $destdir$folder/wrstats.ini as it is; the new one is beside it"
    put "$root/$ini" "$destdir$folder" wrstats.ini.new
else
    put "$root/$ini" "$destdir$folder" wrstats.ini
fi

[ -z "$destdir" ] || exit 0
if [ "$folder" = "$available" ] && command -v phpenmod >/dev/null 2>&1; then
    as_owner "$available" phpenmod -v "$version" wrstats
fi
loaded=$("$PHP" -r 'echo phpversion("wrstats");')
[ -n "$loaded" ] || die "installed, but $PHP does not load it: see \`$PHP --ini\`."
say "$PHP now has wrstats $loaded. Restart PHP-FPM or the web server for theirs."
