#!/bin/sh
# usage: demo.sh [SERVERS]
# Runs the demo on the built extension; without SERVERS on a memcached of its own.
set -eu
. "$(dirname "$0")/env.sh"

options=$(php_options igbinary msgpack memcached)
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2016,SC2086
    exec "$root/tests/support/with-memcached.sh" \
        sh -c 'SERVERS=$WRSTATS_TEST_SERVER exec "$@"' sh "$PHP" $options "$root/php/examples/demo.php"
fi
# shellcheck disable=SC2086
SERVERS=$* exec "$PHP" $options "$root/php/examples/demo.php"
