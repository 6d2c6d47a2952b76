#!/bin/sh
# usage: with-memcached.sh peers.sh [RUNS]
# Runs peers.php with the built extension and whatever peers are installed. Without opcache: what is compared is the calls.
set -eu
. "$(dirname "$0")/../support/env.sh"

options=$(php_options igbinary msgpack memcached apcu)
# shellcheck disable=SC2086
exec "$PHP" $options -d apc.enable_cli=1 -d apc.shm_size=256M -d apc.entries_hint=100000 "$root/tests/bench/peers.php" "$@"
