#!/bin/sh
# usage: with-memcached.sh conformance.sh
# Runs the cases of tests/phpunit/CacheContract.php on MediaWiki's own cache on PECL memcached and on ours, and prints a table.
set -eu
. "$(dirname "$0")/env.sh"

log=$(mktemp "${TMPDIR:-/tmp}/wrstats-conformance.XXXXXX")
trap 'rm -f "$log"' EXIT
"$root/tests/support/phpunit.sh" --testsuite mediawiki --filter ContractTest --log-junit "$log" >&2 || true
# shellcheck disable=SC2046
"$PHP" $(php_options dom) "$root/tests/support/conformance.php" "$log"
