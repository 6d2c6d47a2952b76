#!/bin/sh
# usage: mediawiki.sh
# Prints the folder of a whole MediaWiki with its bundled extensions: the one in MEDIAWIKI_DIR, Debian's if it is
# installed, else Debian's packages unpacked below target/. These are not installed, because they want a web server.
set -eu
. "$(dirname "$0")/env.sh"

if [ -n "${MEDIAWIKI_DIR:-}" ]; then
    printf '%s\n' "$MEDIAWIKI_DIR"
    exit 0
fi
if [ -f /usr/share/mediawiki/vendor/autoload.php ] && [ -d /usr/share/mediawiki/extensions/AbuseFilter ]; then
    printf '%s\n' /usr/share/mediawiki
    exit 0
fi
folder=$root/target/mediawiki
if [ ! -f "$folder/complete" ]; then
    command -v apt-get >/dev/null 2>&1 ||
        die "MediaWiki is needed, and there is no apt-get: name the folder of one (1.39 or later, with AbuseFilter) in MEDIAWIKI_DIR."
    rm -rf "$folder"
    mkdir -p "$folder"
    log=$folder/apt.log
    say "unpacking Debian's MediaWiki below target/" >&2
    for package in mediawiki mediawiki-classes; do
        # A warning in the log that apt's own user can't write here means nothing. Package lists may be absent.
        (cd "$folder" && { apt-get -q download "$package" || { apt-get -q update && apt-get -q download "$package"; }; }) \
            >>"$log" 2>&1 || { tail -n 5 "$log" >&2; die "apt-get download $package failed"; }
        dpkg-deb -x "$folder/$package"_*.deb "$folder/unpacked"
    done
    mv "$folder/unpacked/usr/share/mediawiki" "$folder/wiki"
    # These lead to where a package would have installed them.
    for link in LocalSettings.php config extensions images; do
        rm -f "$folder/wiki/$link"
    done
    mv "$folder/wiki/extensions-core" "$folder/wiki/extensions"
    mkdir "$folder/wiki/images"
    rm -rf "$folder/unpacked" "$folder"/*.deb
    touch "$folder/complete"
fi
printf '%s\n' "$folder/wiki"
