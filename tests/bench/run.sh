#!/bin/sh
# usage: WRSTATS_TEST_ADDRESSES=8 with-memcached.sh run.sh [--anyway]
# All benches, side by side with whatever peers are installed, and the report on them: docs/benchmarks.md. Refuses on a
# machine that is not quiet. With --anyway, or with fewer runs than 15 (RUNS=2), the report goes to target/bench: it is for
# trying, not for keeping.
set -eu
. "$(dirname "$0")/../support/env.sh"

here=$root/tests/bench
folder=$root/docs
results=$root/target/bench/results
anyway=
[ "${1:-}" = --anyway ] && anyway=1
RUNS=${RUNS:-15}
export RUNS
[ -z "$anyway" ] && [ "$RUNS" -ge 15 ] || folder=$root/target/bench
rm -rf "$results"
mkdir -p "$results"

quiet() { # quiet WAIT [after]
    "$PHP" -n "$here/quiet.php" "$@" || [ -n "$anyway" ] ||
        die "this machine is not quiet: nothing is reported. (Trying all the same: make bench BENCH=--anyway.)"
}
# Compiled before, so that the load of it is over.
"$CARGO" bench --locked --no-default-features --no-run
before=$(quiet 150)
say "$before"

WRSTATS_BENCH_RESULTS=$results
export WRSTATS_BENCH_RESULTS
for name in peers stats limiters mediawiki fpm faults growth memory; do
    say "$name, at $(date +%H:%M:%S)"
    "$here/bench.sh" "$name"
done
"$CARGO" bench --locked --no-default-features --bench memcache_crate
"$here/strace.sh" | tee "$results/strace.txt"
"$here/bench.sh" modules >"$results/modules.json"
after=$(quiet 0 after)
say "$after"
{
    [ "$folder" = "$root/docs" ] || echo "**For trying: this machine was not quiet, or runs were few. Not to be kept.**"
    echo "Before: $before; after: $after."
} >"$results/state.txt"
"$PHP" -n "$here/report.php" "$results" "$folder"

say "the core's parts, by criterion"
"$CARGO" bench --locked --no-default-features --bench core -- --warm-up-time 1 --measurement-time 2
