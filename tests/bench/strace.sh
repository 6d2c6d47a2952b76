#!/bin/sh
# usage: WRSTATS_TEST_ADDRESSES=8 with-memcached.sh strace.sh
# Counts the system calls of requests on connections that are open, of writers, limits and reads (strace.php), and fails
# where there are more than the design allows. Memory that PHP or we ask of the kernel is shown, but is not what is gated.
set -eu
. "$(dirname "$0")/../support/env.sh"

command -v strace >/dev/null 2>&1 || die "strace is not installed: run \`make deps\`."
options=$(php_options)
trace=$(mktemp "${TMPDIR:-/tmp}/wrstats-strace.XXXXXX")
trap 'rm -f "$trace"' EXIT

# shellcheck disable=SC2086
strace -f -qq -s 32 -o "$trace" "$PHP" $options "$root/tests/bench/strace.php" || die "strace.php failed"

awk '
    # What one of its kind may take: sends, receives that bring something, and waits for an answer. Besides, once for each
    # connection, a look whether it is closed: a receive that brings nothing, or a poll that does not wait.
    function allow(name, most_sends, most_receives, most_waits, most_looks) {
        names[++count] = name
        sends[name] = most_sends; receives[name] = most_receives; waits[name] = most_waits; looks[name] = most_looks
    }
    BEGIN {
        allow("5 increments", 1, 1, 0, 1)
        allow("1200 increments", 1, 1, 0, 1)
        allow("1200 on 8 servers", 8, 8, 0, 8)
        allow("100 writers", 0, 0, 0, 0)
        allow("their flush", 1, 1, 0, 1)
        allow("tryIncr", 1, 1, 1, 1)
        allow("100 counters", 1, 1, 1, 1)
    }
    /write\([0-9]+, "begin / {
        match($0, /begin [^"]*/); name = substr($0, RSTART + 6, RLENGTH - 6)
        sent = received = waited = looked = memory = other = 0; list = ""; on = 1
        next
    }
    /write\([0-9]+, "end"/ {
        on = 0
        seen[name]++
        over = sent > sends[name] || received > receives[name] || waited > waits[name] || looked > looks[name] || other > 0
        # Fewer sends means that we did not see them.
        short = sent < sends[name]
        printf "%-18s %d send, %d receive, %d wait, %d look%s%s%s\n", name, sent, received, waited, looked, \
            memory ? ", " memory " for memory" : "", other ? ", " other " others:" list : "", over ? "  TOO MANY" : short ? "  TOO FEW" : ""
        bad = bad || over || short
        next
    }
    !on { next }
    /(sendto|sendmsg|writev|write)\(/ { sent++; next }
    /(recvfrom|recvmsg|readv|read)\(.*EAGAIN/ || /poll\(.*tv_sec=0, tv_nsec=0}/ { looked++; next }
    /(recvfrom|recvmsg|readv|read)\(/ { received++; next }
    /(poll|select|epoll_wait)/ { waited++; next }
    /(mmap|munmap|mremap|madvise|brk)\(/ { memory++; next }
    { other++; sub(/\(.*/, "", $2); if (index(list, $2) == 0) list = list " " $2 }
    END {
        for (i = 1; i <= count; i++)
            if (!seen[names[i]]) { print names[i] ": not seen"; bad = 1 }
        exit bad
    }
' "$trace" || die "system calls are not as the design wants them: see tests/bench/strace.sh"
