#!/bin/sh
# usage: long.sh [OPERATIONS REQUESTS RECONNECTS]
# The long run: ten million operations in 100,000 requests and 10,000 reconnects of one PHP-FPM worker, by default. Prints what it
# took; whatever else it prints is not as it should be, and fails.
set -eu
. "$(dirname "$0")/env.sh"

TEST_PHP_EXECUTABLE=$(command -v "$PHP")
TEST_PHP_EXTRA_ARGS=$(php_options pcntl)
export TEST_PHP_EXECUTABLE TEST_PHP_EXTRA_ARGS
status=0
# shellcheck disable=SC2086
output=$("$TEST_PHP_EXECUTABLE" $TEST_PHP_EXTRA_ARGS -r '
    require $argv[1] . "/tests/phpt/inc/setup.inc";
    require $argv[1] . "/tests/phpt/scenarios/long_run.inc";
    long_run((int)$argv[2], (int)$argv[3], (int)$argv[4], true);
' -- "$root" "${1:-10000000}" "${2:-100000}" "${3:-10000}" 2>&1) || status=$?
printf '%s\n' "$output"
[ "$status" -eq 0 ] && [ "$(printf '%s\n' "$output" | wc -l)" -eq 1 ] || die "the long run found something wrong."
