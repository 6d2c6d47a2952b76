#!/bin/sh
# usage: with-memcached.sh bench.sh NAME [ARGUMENT...]
# Runs tests/bench/NAME.php with the built extension and whatever peers are installed; a redis-server, where there is one, is
# started for it. Without opcache: what is compared is the calls. RUNS=3 for a first look.
set -eu
. "$(dirname "$0")/../support/env.sh"

name=$1
shift
# In this order: some need others.
options=$(php_options ctype iconv mbstring intl dom xml pdo posix igbinary msgpack memcached apcu redis)
name_mediawiki
end() {
    if [ -n "${redis:-}" ]; then
        kill "$redis" 2>/dev/null || true
        wait "$redis" 2>/dev/null || true
    fi
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [ "$name" = peers ] && command -v redis-server >/dev/null 2>&1; then
    port=$("$PHP" -n -r '$s = stream_socket_server("tcp://127.0.0.1:0"); echo explode(":", stream_socket_get_name($s, false))[1];')
    redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null &
    redis=$!
    sleep 1
    export WRSTATS_BENCH_REDIS=127.0.0.1:"$port"
fi
# shellcheck disable=SC2086
WRSTATS_BENCH_OPTIONS=$options "$PHP" $options ${WRSTATS_BENCH_MORE:-} -d memory_limit=512M -d apc.enable_cli=1 -d apc.shm_size=256M \
    -d apc.entries_hint=100000 "$root/tests/bench/$name.php" "$@"
