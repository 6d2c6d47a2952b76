#!/bin/sh
# usage: test-server.sh PID
# Starts a memcached of its own, prints its address, and leaves it running until the process PID has ended. Prints nothing
# where there is no memcached.
set -eu
command -v memcached >/dev/null 2>&1 || exit 0
said=$(mktemp)
trap 'rm -f "$said"' EXIT
# shellcheck disable=SC2016
"$(dirname "$0")/../tests/support/with-memcached.sh" sh -c '
    echo "$WRSTATS_TEST_SERVER" >"$2"
    while kill -0 "$1" 2>/dev/null; do sleep 0.2; done
' sh "$1" "$said" </dev/null >/dev/null 2>&1 &
tries=0
until [ -s "$said" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || exit 1
    sleep 0.05
done
cat "$said"
