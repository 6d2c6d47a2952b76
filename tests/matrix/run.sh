#!/bin/sh
# usage: run.sh [8.2|8.4|zts]...        all three when none is named
# Builds the extension for each PHP and runs the phpt suite on it:
#   8.2   the PHP of this machine
#   8.4   Debian 13's packages, in a chroot made here with debootstrap (root; 1 GB, 2 minutes the first time)
#   zts   a thread-safe PHP 8.2 with embed and fpm, made here from Debian's source (20 minutes the first time on 2 busy cores); there
#         threads.c counts from threads that run at once, too
# Everything is kept below target/matrix and used again. Says in the end what passed; exit code 1 if anything did not.
set -eu
. "$(dirname "$0")/../support/env.sh"

here=$root/tests/matrix
matrix=$root/target/matrix
mkdir -p "$matrix"
[ $# -gt 0 ] || set -- 8.2 8.4 zts

build() { # build NAME PHP PHP-CONFIG: target/matrix/build-NAME/release/libwrstats.so
    say "$1: compiling the extension"
    (cd "$root" && PHP=$2 PHP_CONFIG=$3 "$CARGO" build --release --locked --quiet --target-dir "$matrix/build-$1")
}
suite() { "$root/tests/support/with-memcached.sh" "$root/tests/support/phpt.sh"; }

on_8_2() {
    export PHP="${PHP_8_2:-/usr/bin/php8.2}" PHP_CONFIG="${PHP_CONFIG_8_2:-/usr/bin/php-config8.2}"
    build 8.2 "$PHP" "$PHP_CONFIG"
    WRSTATS_EXTENSION=$matrix/build-8.2/release/libwrstats.so suite
}
on_8_4() {
    "$here/make-trixie.sh" "$matrix"
    # The MediaWiki that the tests compare with is the same on every PHP.
    name_mediawiki
    build 8.4 "$matrix/php8.4/php" "$matrix/php8.4/php-config"
    "$here/in-trixie.sh" "$matrix/trixie" "$root" \
        env WRSTATS_EXTENSION="$matrix/build-8.4/release/libwrstats.so" PHP=php8.4 PHP_CONFIG=php-config8.4 \
        tests/support/with-memcached.sh tests/support/phpt.sh
}
on_zts() {
    "$here/make-zts.sh" "$matrix"
    build zts "$matrix/zts/bin/php" "$matrix/zts/bin/php-config"
    export PHP="$matrix/zts/bin/php" PHP_CONFIG="$matrix/zts/bin/php-config"
    export WRSTATS_EXTENSION="$matrix/build-zts/release/libwrstats.so"
    # There is no thread-safe PECL memcached to compare with, and no mbstring for MediaWiki's classes.
    WRSTATS_MAY_SKIP='as_pecl|values_are_where_pecl_finds_them|as_mediawiki|cross_reading|mediawiki_stores' suite
    "$root/tests/support/with-memcached.sh" "$here/threads.sh" "$matrix"
}

failed=
report=
for line in "$@"; do
    case $line in
    8.2 | 8.4 | zts) ;;
    *) die "run.sh: no PHP is called $line; there are 8.2, 8.4 and zts." ;;
    esac
    say "$line: begins"
    log=$matrix/$line.log
    # In a shell of its own, since set -e doesn't hold inside a condition.
    status=0
    (trap - EXIT; set +e; (set -e; "on_$(echo "$line" | tr . _)") 2>&1; echo $? >"$log.status") | tee "$log"
    status=$(cat "$log.status")
    rm -f "$log.status"
    if [ "$status" -eq 0 ]; then
        report="$report $line: passed;"
    else
        report="$report $line: FAILED;"
        failed=1
    fi
done
say "matrix:$report"
[ -z "$failed" ]
