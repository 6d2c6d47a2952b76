#!/bin/sh
# usage: phpt.sh [FILE or FOLDER...]
# Runs phpt tests (all by default) through PHP's own run-tests.php. A failure fails, and so does a skipped test: what
# the tests need is started for them, so a skip would hide one. WRSTATS_VALGRIND=1: under valgrind, where tests that
# measure time are skipped. WRSTATS_MAY_SKIP: tests that match it may be skipped, since what they need can't be had.
set -eu
. "$(dirname "$0")/env.sh"

run_tests=
extensions=$("$PHP_CONFIG" --extension-dir)
prefix=$("$PHP_CONFIG" --prefix)
for candidate in "$extensions/build" "$prefix/lib/php/build" "$prefix"/lib/php/*/build "$prefix/lib64/php/build"; do
    if [ -f "$candidate/run-tests.php" ]; then
        run_tests=$candidate/run-tests.php
        break
    fi
done
[ -n "$run_tests" ] || die "run-tests.php was not found near $extensions: it comes with PHP's development files (Debian: php-dev)."

so=$(extension)
results=$(mktemp "${TMPDIR:-/tmp}/wrstats-phpt.XXXXXX")
trap 'rm -f "$results" "$results.skipped"' EXIT
valgrind=
if [ -n "${WRSTATS_VALGRIND:-}" ]; then
    command -v valgrind >/dev/null 2>&1 || die "valgrind is not installed: run \`make deps\`."
    valgrind=-m
    # The servers that tests start are not under test. run-tests.php itself asks for no leaks.
    VALGRIND_OPTS="--trace-children-skip=*/memcached,*/nutcracker --suppressions=$root/tests/support/valgrind.supp"
    VALGRIND_OPTS="$VALGRIND_OPTS --leak-check=full --show-leak-kinds=definite"
    # Of random comparisons with MediaWiki's library, which takes a second for each there.
    WRSTATS_SCENARIOS=${WRSTATS_SCENARIOS:-10}
    export VALGRIND_OPTS WRSTATS_SCENARIOS
fi
[ $# -gt 0 ] || set -- tests/phpt
name_mediawiki

cd "$root"
status=0
# shellcheck disable=SC2086
TEST_PHP_EXECUTABLE=$(command -v "$PHP") NO_INTERACTION=1 REPORT_EXIT_STATUS=1 NO_COLOR=1 \
    "$PHP" -n "$run_tests" -q -n -d "extension=$so" -j2 $valgrind --set-timeout 120 --no-progress \
    --show-diff -g FAIL,XFAIL,XLEAK,SKIP,BORK,WARN,LEAK -W "$results" "$@" || status=$?

[ -s "$results" ] || die "no phpt test was run."
grep '^SKIPPED' "$results" | grep -Ev "${WRSTATS_MAY_SKIP:-^$}" >"$results.skipped" || true
if [ -z "$valgrind" ] && [ -s "$results.skipped" ]; then
    sed -n 's/^SKIPPED[[:space:]]*/wrstats: skipped: /p' "$results.skipped" >&2
    die "a skipped phpt test counts as a failure."
fi
exit "$status"
