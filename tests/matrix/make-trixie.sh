#!/bin/sh
# usage: make-trixie.sh FOLDER
# Makes FOLDER/trixie, a Debian 13 with PHP 8.4 and what the phpt suite starts, and FOLDER/php8.4/{php,php-config} for
# cargo on this side. Does nothing when they are there.
set -eu
. "$(dirname "$0")/../support/env.sh"

matrix=$1
mkdir -p "$matrix"
chroot=$matrix/trixie
[ "$(id -u)" -eq 0 ] || die "a chroot is made and used as root: run this with sudo, or test the PHP of this machine alone: tests/matrix/run.sh 8.2"
command -v debootstrap >/dev/null 2>&1 || die "debootstrap is missing. Run: apt-get install debootstrap"

# Those of ours that the phpt suite needs, and what it starts.
packages="php8.4-cli php8.4-dev php8.4-fpm php8.4-opcache php8.4-mbstring php8.4-memcached php8.4-igbinary php8.4-msgpack
    memcached nutcracker valgrind procps locales"
made=$packages.2 # to be raised when what is done below changes
if [ "$(cat "$chroot/.complete" 2>/dev/null)" != "$made" ]; then
    say "8.4: making a Debian 13 in $chroot"
    log=$matrix/debootstrap.log
    : >"$log"
    run() { "$@" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; die "the Debian 13 could not be made: $log"; }; }
    if [ ! -f "$chroot/.complete" ]; then
        rm -rf --one-file-system "$chroot"
        run debootstrap --variant=minbase trixie "$chroot" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
    fi
    # shellcheck disable=SC2086
    run chroot "$chroot" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $packages
    printf '127.0.0.1 localhost\n::1 localhost\n' >"$chroot/etc/hosts"
    # For the test that decimal commas do no harm.
    run chroot "$chroot" localedef -i de_DE -f UTF-8 de_DE.UTF-8
    printf '%s' "$made" >"$chroot/.complete"
fi

mkdir -p "$matrix/php8.4"
cat >"$matrix/php8.4/php" <<END
#!/bin/sh
exec chroot '$chroot' /usr/bin/php8.4 "\$@"
END
# Its answers are paths inside the chroot; the compiler is outside.
cat >"$matrix/php8.4/php-config" <<END
#!/bin/sh
chroot '$chroot' /usr/bin/php-config8.4 "\$@" | sed 's#/usr/include#$chroot/usr/include#g'
END
chmod +x "$matrix/php8.4/php" "$matrix/php8.4/php-config"
