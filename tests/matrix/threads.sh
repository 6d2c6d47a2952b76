#!/bin/sh
# usage: threads.sh FOLDER
# Builds threads.c against FOLDER/zts and runs it on the extension named in WRSTATS_EXTENSION and the server in
# WRSTATS_TEST_SERVER: 8 threads with 60 requests each, and the server must not have seen more connections than threads.
set -eu
. "$(dirname "$0")/../support/env.sh"

matrix=$1
prefix=$matrix/zts
threads=8
export REQUESTS=60

# shellcheck disable=SC2046
cc -std=gnu11 -D_GNU_SOURCE -O1 -g -o "$matrix/threads" "$root/tests/matrix/threads.c" $("$prefix/bin/php-config" --includes) \
    -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lphp -lpthread
printf 'extension=%s\nhtml_errors=Off\ndisplay_errors=stderr\n' "$(extension)" >"$matrix/threads.ini"

connections() { # that the server has accepted so far
    # shellcheck disable=SC2016
    "$prefix/bin/php" -n -r '
        $server = stream_socket_client("tcp://" . getenv("WRSTATS_TEST_SERVER"));
        fwrite($server, "stats\r\n");
        while (($line = fgets($server)) !== "END\r\n") {
            preg_match("/total_connections (\d+)/", $line, $found) && print($found[1]);
        }'
}
before=$(connections)
"$matrix/threads" "$matrix/threads.ini" "$root/tests/matrix/threads.inc" "$threads" "$REQUESTS"
# One each, one of the main thread in the end, one that counts.
made=$(($(connections) - before))
[ "$made" -le $((threads + 2)) ] || die "threads: $made connections for $threads threads"
say "threads: $threads at once, $made connections"
