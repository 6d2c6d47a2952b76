#!/bin/sh
# usage: with-memcached.sh strace.sh
# Counts the system calls on the server's connection for requests of 5 and of 1,200 increments on a connection that
# is open. Fails if a request of 5 takes more than one send or more than one receive.
set -eu
. "$(dirname "$0")/../support/env.sh"

command -v strace >/dev/null 2>&1 || die "strace is not installed: run \`make deps\`."
options=$(php_options)
trace=$(mktemp "${TMPDIR:-/tmp}/wrstats-strace.XXXXXX")
trap 'rm -f "$trace"' EXIT

# Each request is framed by getppid calls through a write to /dev/null, which nothing else makes here.
# shellcheck disable=SC2086
strace -f -qq -s 24 -o "$trace" -e trace=sendto,sendmsg,writev,write,recvfrom,recvmsg,read,readv,poll,ppoll,epoll_wait,connect \
    "$PHP" $options -r '
        $null = fopen("/dev/null", "w");
        stream_set_write_buffer($null, 0);
        $config = ["servers" => [getenv("WRSTATS_TEST_SERVER")]];
        (new WRStats($config))->incrAndGet("strace:warm");
        $request = function (int $n) use ($null, $config) {
            // The answers to the request before are there: the worst case for receives.
            usleep(20000);
            fwrite($null, "begin $n");
            $stats = new WRStats($config);
            for ($i = 0; $i < $n; $i++) {
                $stats->incr("strace:$n:$i", 1, 60);
            }
            $stats->flush();
            fwrite($null, "end $n");
        };
        $request(5);
        $request(5);
        $request(1200);
        $request(1200);
        $stats = new WRStats($config);
        $stats->sync();
        exit(array_sum($stats->getCounters(array_map(fn($i) => "strace:1200:$i", range(0, 1199)))) === 2400 ? 0 : 1);
    '

awk '
    /write\([0-9]+, "begin / { match($0, /begin [0-9]+/); n = substr($0, RSTART + 6, RLENGTH - 6); sends = receives = others = 0; on = 1; next }
    /write\([0-9]+, "end / {
        printf "%5d increments: %d send, %d receive, %d other (poll)\n", n, sends, receives, others
        if (n == 5 && (sends != 1 || receives > 1)) bad = 1
        on = 0
        next
    }
    on && /(sendto|sendmsg|writev|write)\(/ { sends++; next }
    on && /(recvfrom|recvmsg|readv|read)\(/ { receives++; next }
    on { others++ }
    END { if (bad) { print "a request of 5 increments must take one send and at most one receive"; exit 1 } }
' "$trace"
