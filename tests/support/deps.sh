#!/bin/sh
# usage: deps.sh GROUP... [--without-server] [--only-look]     groups: build demo test gates bench matrix packaging wiki
# Looks for what the groups need; installs what is missing with apt, as root or with sudo, and says so. Where it can't,
# one line says what is missing and how to get it. When nothing is missing it only looks (some 50 ms); with --only-look
# it never installs.
set -eu
. "$(dirname "$0")/env.sh"

packages=
want() { packages="$packages $1"; }
have() { command -v "$1" >/dev/null 2>&1; }

rust_is_new_enough() {
    needed=$(sed -n 's/^rust-version *= *"\(.*\)"/\1/p' "$root/Cargo.toml")
    how="get it with: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
    have rustup && how="get it with: rustup update stable"
    have "$CARGO" || die "Rust $needed or newer is needed, and there is no cargo; $how"
    found=$("$CARGO" --version | sed 's/^cargo \([0-9.]*\).*/\1/')
    oldest=$(printf '%s\n%s\n' "$needed" "$found" | sort -V | head -n 1)
    [ "$oldest" = "$needed" ] ||
        die "Rust $needed or newer is needed, $found is installed ($(command -v "$CARGO")); $how"
}

# LIBCLANG_PLACES: for the test of what is said when it isn't.
libclang_is_there() {
    if [ -n "${LIBCLANG_PATH:-}" ]; then
        return 0
    fi
    for file in ${LIBCLANG_PLACES:-/usr/lib/llvm-*/lib/libclang.so* /usr/lib*/libclang.so* /usr/lib/*/libclang*.so* \
        /usr/local/lib/libclang.so* /Library/Developer/CommandLineTools/usr/lib/libclang.dylib}; do
        # libclang-cpp, which llvm-dev brings along, is another library: bindgen can't use it.
        case $file in
        */libclang-cpp*) ;;
        *) [ -e "$file" ] && return 0 ;;
        esac
    done
    return 1
}

# The PHP that we build against is one installation: its command line, its headers, its php-config.
php_is_whole() {
    if ! have "$PHP"; then
        [ "$PHP" = php ] || die "PHP=$PHP is not there."
        want php-cli
    fi
    if ! have "$PHP_CONFIG"; then
        [ "$PHP_CONFIG" = php-config ] || die "PHP_CONFIG=$PHP_CONFIG is not there."
        want "${php}-dev"
    elif [ ! -f "$("$PHP_CONFIG" --include-dir)/main/php.h" ]; then
        want "${php}-dev"
    elif have "$PHP"; then
        ours=$("$PHP" -n -r 'echo PHP_VERSION;')
        theirs=$("$PHP_CONFIG" --version)
        [ "$ours" = "$theirs" ] || die "$PHP is $ours but $PHP_CONFIG belongs to $theirs: name two that match in PHP and PHP_CONFIG."
    fi
}

modules=
module_dir=
want_module() {
    case " $modules " in *" $1 "*) return 0 ;; esac
    [ -n "$module_dir" ] && [ -f "$module_dir/$1.so" ] && return 0
    case "$module_dir" in
    '' | /usr/lib/php/*) want "${php}-$2" ;;
    *) die "the tests need PHP's module $1, and $PHP has none in $module_dir: add it with this PHP's own installer." ;;
    esac
}

php=php
if have "$PHP"; then
    php=php$("$PHP" -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
    modules=$("$PHP" -n -r 'echo strtolower(implode(" ", get_loaded_extensions()));')
    module_dir=$("$PHP" -n -r 'echo ini_get("extension_dir");')
fi

server=1
only_look=
for argument in "$@"; do
    case "$argument" in
    --without-server) server= ;;
    --only-look) only_look=1 ;;
    esac
done
for group in "$@"; do
    case "$group" in
    build)
        rust_is_new_enough
        php_is_whole
        have cc || want gcc
        libclang_is_there || want libclang-dev
        ;;
    demo)
        have memcached || [ -z "$server" ] || want memcached
        ;;
    test)
        have phpunit || want phpunit
        have nutcracker || want nutcracker
        have strace || want strace
        have valgrind || want valgrind
        # Not on every user's PATH: it lives in sbin.
        [ -x "/usr/sbin/php-fpm${php#php}" ] || have php-fpm || want "${php}-fpm"
        want_module dom xml
        want_module mbstring mbstring
        want_module intl intl
        want_module memcached memcached
        want_module apcu apcu
        want_module pdo_sqlite sqlite3
        want_module igbinary igbinary
        # What the bridges are tested against; Debian's packages, found on the include path.
        [ -f /usr/share/php/Symfony/Component/RateLimiter/autoload.php ] || want php-symfony-rate-limiter
        [ -f /usr/share/php/Illuminate/Cache/autoload.php ] || want php-illuminate-cache
        [ -f /usr/share/php/Psr/SimpleCache/autoload.php ] || want php-psr-simple-cache
        ;;
    gates)
        have strace || want strace
        have valgrind || want valgrind
        ;;
    bench)
        [ -x "/usr/sbin/php-fpm${php#php}" ] || have php-fpm || want "${php}-fpm"
        want_module memcached memcached
        want_module apcu apcu
        want_module mbstring mbstring
        want_module intl intl
        want_module igbinary igbinary
        want_module dom xml
        [ -f /usr/share/php/Symfony/Component/RateLimiter/autoload.php ] || want php-symfony-rate-limiter
        [ -f /usr/share/php/Illuminate/Cache/autoload.php ] || want php-illuminate-cache
        [ -f /usr/share/php/Psr/SimpleCache/autoload.php ] || want php-psr-simple-cache
        # phpredis races only where it and redis-server are there already: installing that would start a service.
        [ -f /usr/share/php/Symfony/Component/Cache/autoload.php ] || want php-symfony-cache
        ;;
    matrix)
        [ -x /usr/sbin/debootstrap ] || have debootstrap || want debootstrap
        have dpkg-source || want dpkg-dev
        have make || want make
        ;;
    packaging)
        have make || want make
        have composer || want composer
        have dpkg-buildpackage || want dpkg-dev
        have dh || want debhelper
        have dh_php || want dh-php
        have lintian || want lintian
        [ -x "/usr/sbin/php-fpm${php#php}" ] || want "${php}-fpm"
        ;;
    wiki)
        # MediaWiki itself: see mediawiki.sh.
        have memcached || want memcached
        want_module dom xml
        want_module mbstring mbstring
        want_module intl intl
        want_module pdo_sqlite sqlite3
        want_module memcached memcached
        want_module igbinary igbinary
        ;;
    --without-server | --only-look) ;;
    *) die "deps.sh: no group is called $group." ;;
    esac
done

[ -n "$packages" ] || exit 0
packages=$(printf '%s\n' $packages | sort -u | tr '\n' ' ')
packages=${packages% }

if [ -n "$only_look" ]; then
    die "missing: $packages (Debian's names). Run: apt-get install $packages"
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
fi
if ! have apt-get; then
    die "missing: $packages (Debian's names). Install them with this system's package manager, then run make again."
fi
if [ -n "$as_root" ] && ! have sudo; then
    die "missing: $packages. As root: apt-get install $packages"
fi
# Without a terminal sudo can't ask for a password.
if [ -n "$as_root" ] && [ ! -t 0 ] && ! sudo -n true 2>/dev/null; then
    die "missing: $packages. Run: sudo apt-get install $packages"
fi

say "missing: $packages. Installing: ${as_root:+$as_root }apt-get install $packages"
log=$(mktemp "${TMPDIR:-/tmp}/wrstats-apt.XXXXXX")
trap 'rm -f "$log"' EXIT
apt_get() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$log" 2>&1; }
# Package lists on a fresh machine are often absent or stale: fetch them once if the first try fails.
# shellcheck disable=SC2086
apt_get install --no-install-recommends $packages ||
    { apt_get update && apt_get install --no-install-recommends $packages; } ||
    { tail -n 20 "$log" >&2; die "apt-get failed; missing: $packages"; }
