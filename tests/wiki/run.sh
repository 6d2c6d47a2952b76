#!/bin/sh
# usage: run.sh
# A real wiki on the built extension: Debian's MediaWiki on SQLite in a private folder, its own memcached, `php -S` in front,
# edits of several clients at once. Everything ends by its pid, and the folder goes, when this does.
set -eu
. "$(dirname "$0")/../support/env.sh"

options=$(php_options ctype iconv fileinfo mbstring dom xml simplexml xmlreader xmlwriter tokenizer posix intl pdo \
    pdo_sqlite igbinary msgpack memcached)
MEDIAWIKI_DIR=$("$root/tests/support/mediawiki.sh")
folder=$(mktemp -d "${TMPDIR:-/tmp}/wrstats-wiki.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
# shellcheck disable=SC2086
"$PHP" $options "$root/tests/wiki/run.php" "$folder" "$MEDIAWIKI_DIR" \
    $options -d zend_extension=opcache -d memory_limit=512M -d display_errors=0 -d log_errors=1
