#!/bin/sh
# usage: with-memcached.sh COMMAND [ARGUMENT...]
# Runs the command with a memcached of its own on a free loopback port, named in WRSTATS_TEST_SERVER ("127.0.0.1:port").
# The server ends, by its pid, when the command does, fails or is interrupted. Answers the command's exit code.
# WRSTATS_TEST_ADDRESSES=8: it listens on 127.0.0.1 to .8, all named in WRSTATS_TEST_SERVERS, with commas between them: 8
# servers to a client, with the cost of one.
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

addresses=127.0.0.1
number=1
while [ "$number" -lt "${WRSTATS_TEST_ADDRESSES:-1}" ]; do
    number=$((number + 1))
    addresses=$addresses,127.0.0.$number
done
# Port -1: the kernel chooses one per address, memcached writes them down in that order (by renaming, so the file is whole
# once it is there).
MEMCACHED_PORT_FILENAME=$dir/port memcached -u "$(id -un)" -l "$addresses" -p -1 -U 0 -m 256 -t 2 &
server=$!
tries=0
until [ -f "$dir/port" ]; do
    kill -0 "$server" 2>/dev/null || die "memcached did not start."
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || die "memcached did not open a port within 5 s."
    sleep 0.05
done

WRSTATS_TEST_SERVERS=$(sed -n 's/^TCP INET: //p' "$dir/port" | awk '{ printf "%s127.0.0.%d:%s", (NR > 1 ? "," : ""), NR, $1 }')
WRSTATS_TEST_SERVER=${WRSTATS_TEST_SERVERS%%,*}
export WRSTATS_TEST_SERVER WRSTATS_TEST_SERVERS
"$@"
