#!/bin/sh
# usage: with-memcached.sh COMMAND [ARGUMENT...]
# Runs the command with a memcached of its own on a free loopback port, named in WRSTATS_TEST_SERVER ("127.0.0.1:port").
# The server ends, by its pid, when the command does, fails or is interrupted. Answers the command's exit code.
set -eu
. "$(dirname "$0")/env.sh"

command -v memcached >/dev/null 2>&1 || die "memcached is not installed: run \`make deps\`."

dir=$(mktemp -d "${TMPDIR:-/tmp}/wrstats.XXXXXX")
server=
end() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$dir"
}
trap end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Port -1: the kernel chooses, memcached writes it down (by renaming, so the file is whole once it is there).
MEMCACHED_PORT_FILENAME=$dir/port memcached -u "$(id -un)" -l 127.0.0.1 -p -1 -U 0 -m 256 -t 2 &
server=$!
tries=0
until [ -f "$dir/port" ]; do
    kill -0 "$server" 2>/dev/null || die "memcached did not start."
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || die "memcached did not open a port within 5 s."
    sleep 0.05
done

WRSTATS_TEST_SERVER=127.0.0.1:$(sed -n 's/^TCP INET: //p' "$dir/port")
export WRSTATS_TEST_SERVER
"$@"
