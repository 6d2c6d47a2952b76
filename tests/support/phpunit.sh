#!/bin/sh
# usage: phpunit.sh [PHPUnit option...]
# Runs tests/phpunit on the built extension: with options once, with them; without first all but mediawiki/, then that.
# Warnings, risky and skipped tests fail.
set -eu
. "$(dirname "$0")/env.sh"

phpunit=$(command -v "${PHPUNIT:-phpunit}") || die "phpunit is not installed: run \`make deps\`."
options=$(php_options ctype iconv mbstring dom xml xmlwriter tokenizer posix intl pdo pdo_sqlite igbinary msgpack memcached)
cd "$root"
name_mediawiki
run() {
    # shellcheck disable=SC2086
    "$PHP" $options "$phpunit" -c tests/phpunit/phpunit.xml "$@"
}
if [ $# -gt 0 ]; then
    run "$@"
else
    run --testsuite wrstats
    run --testsuite mediawiki
fi
