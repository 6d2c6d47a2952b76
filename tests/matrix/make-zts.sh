#!/bin/sh
# usage: make-zts.sh FOLDER
# Makes FOLDER/zts, a thread-safe PHP 8.2 with command line, fpm and embed, from Debian's source package. Does nothing when
# it is there.
set -eu
. "$(dirname "$0")/../support/env.sh"

matrix=$1
mkdir -p "$matrix"
prefix=$matrix/zts
[ -f "$prefix/.complete" ] && exit 0
for tool in cc make dpkg-source apt-get; do
    command -v "$tool" >/dev/null 2>&1 || die "$tool is missing. Run: apt-get install build-essential dpkg-dev"
done

say "zts: making a thread-safe PHP in $prefix"
log=$matrix/zts-build.log
: >"$log"
run() { "$@" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; die "the thread-safe PHP could not be made: $log"; }; }

# Debian's sources are seldom among a machine's package lists: lists of our own leave those alone.
lists=$matrix/apt
mkdir -p "$lists/lists/partial" "$lists/archives/partial" "$matrix/source"
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main" >"$lists/sources.list"
apt_options="-o Dir::Etc::SourceList=$lists/sources.list -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists=$lists/lists -o Dir::Cache=$lists -o APT::Sandbox::User=$(id -un)"
cd "$matrix/source"
# shellcheck disable=SC2086
run apt-get $apt_options -q update
# shellcheck disable=SC2086
run apt-get $apt_options -q source --download-only php8.2
rm -rf php8.2
# As upstream has it: Debian's patches want names filled in by its own build.
run dpkg-source --extract --no-check --skip-patches php8.2_*.dsc php8.2
cd php8.2
run ./configure --prefix="$prefix" --disable-all --enable-zts --enable-cli --enable-fpm --disable-cgi --disable-phpdbg \
    --enable-embed --enable-pcntl --enable-posix --enable-opcache
run make -j"$(nproc)"
run make install
cd "$matrix"
rm -rf "$matrix/source"
: >"$prefix/.complete"
