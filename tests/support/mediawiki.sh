#!/bin/sh
# usage: mediawiki.sh
# Prints the folder of a whole MediaWiki with its bundled extensions: the one in MEDIAWIKI_DIR; else, with MEDIAWIKI=trixie
# or another of Debian's suites, the packages of that; else this Debian's, where it is installed or as packages.
# Packages are not installed, because they want a web server, but unpacked below target/.
set -eu
. "$(dirname "$0")/env.sh"

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
suite=${MEDIAWIKI:-}
if [ -n "${MEDIAWIKI_DIR:-}" ]; then
    printf '%s\n' "$MEDIAWIKI_DIR"
    exit 0
fi
if [ -z "$suite" ] && [ -f /usr/share/mediawiki/vendor/autoload.php ] && [ -d /usr/share/mediawiki/extensions/AbuseFilter ]; then
    printf '%s\n' /usr/share/mediawiki
    exit 0
fi
folder=$root/target/mediawiki${suite:+-$suite}
log=$folder/apt.log
# What hangs would hang whoever runs this.
get() { timeout 300 apt-get -q -o Acquire::Retries=2 -o Acquire::http::Timeout=30 "$@" >>"$log" 2>&1; }
failed() {
    tail -n 5 "$log" >&2
    die "Debian's MediaWiki could not be fetched${suite:+ from suite $suite of $mirror}: see $log, or name the folder of one in MEDIAWIKI_DIR."
}
if [ ! -f "$folder/complete" ]; then
    command -v apt-get >/dev/null 2>&1 ||
        die "MediaWiki is needed, and there is no apt-get: name the folder of one (1.39 or later, with AbuseFilter) in MEDIAWIKI_DIR."
    rm -rf "$folder"
    mkdir -p "$folder"
    say "unpacking Debian's MediaWiki${suite:+ of $suite} below target/" >&2
    cd "$folder"
    # A warning in the log that apt's own user can't write here means nothing.
    if [ -n "$suite" ]; then
        # A suite that this machine doesn't know: package lists of our own, the machine's are not touched.
        mkdir -p apt/lists/partial apt/cache/archives/partial
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >apt/sources.list
        set -- -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- \
            -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" -o Acquire::Languages=none
        get "$@" update && get "$@" download mediawiki mediawiki-classes || failed
        rm -rf apt
    else
        # Package lists may be absent.
        get download mediawiki mediawiki-classes || { get update && get download mediawiki mediawiki-classes; } || failed
    fi
    for package in mediawiki mediawiki-classes; do
        dpkg-deb -x "$package"_*.deb unpacked
    done
    mv unpacked/usr/share/mediawiki wiki
    # These lead to where a package would have installed them.
    for link in LocalSettings.php config extensions images; do
        rm -f "wiki/$link"
    done
    mv wiki/extensions-core wiki/extensions
    mkdir wiki/images
    rm -rf unpacked ./*.deb
    touch complete
fi
printf '%s\n' "$folder/wiki"
