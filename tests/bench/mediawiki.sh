#!/bin/sh
# usage: with-memcached.sh mediawiki.sh [RUNS]
# Runs mediawiki.php with the built extension, on MediaWiki's own classes. Without opcache.
set -eu
. "$(dirname "$0")/../support/env.sh"

options=$(php_options ctype iconv mbstring intl dom xml pdo posix igbinary msgpack memcached)
name_mediawiki
# shellcheck disable=SC2086
exec "$PHP" $options -d memory_limit=512M "$root/tests/bench/mediawiki.php" "$@"
