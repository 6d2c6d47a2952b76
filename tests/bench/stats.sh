#!/bin/sh
# usage: with-memcached.sh stats.sh [RUNS]
# Runs stats.php with the built extension, beside MediaWiki's WRStats on PECL memcached. Without opcache.
set -eu
. "$(dirname "$0")/../support/env.sh"

options=$(php_options mbstring igbinary msgpack memcached)
name_mediawiki
# shellcheck disable=SC2086
exec "$PHP" $options -d memory_limit=512M "$root/tests/bench/stats.php" "$@"
