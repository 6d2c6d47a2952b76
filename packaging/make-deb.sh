#!/bin/sh
# usage: make-deb.sh
# Makes Debian packages of the source tree, for the PHP that php-config belongs to, in target/deb: phpX.Y-wrstats (the
# extension, enabled for command line and fpm) and wrstats (command, bridges). lintian looks at them; its errors fail.
set -eu
. "$(dirname "$0")/../tests/support/env.sh"
root=$(cd "$(dirname "$0")/.." && pwd)

for tool in dpkg-buildpackage dh dh_php lintian; do
    command -v "$tool" >/dev/null 2>&1 || die "$tool is missing. Run: apt-get install build-essential debhelper dh-php lintian"
done
php=$("$PHP_CONFIG" --version | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
command -v "php-config$php" >/dev/null 2>&1 || die "this PHP $php is none of Debian's: there is no php-config$php."
version=$(sed -n 's/^version *= *"\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)

out=$root/target/deb
source=$out/wrstats-$version
rm -rf "$out"
mkdir -p "$source"
# What git knows of, as it is now; without git, all but what was built.
if [ -e "$root/.git" ]; then
    (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) |
        tar -x -C "$source"
else
    (cd "$root" && tar -c --exclude=./target --exclude=./.git .) | tar -x -C "$source"
fi
mkdir -p "$source/debian/source"
cp "$root/packaging/debian/rules" "$root/packaging/debian/copyright" "$source/debian/"
cp "$root/packaging/debian/source/format" "$source/debian/source/"
# Whoever builds packages for others says who they are, as with all of Debian's tools.
maintainer="${DEBFULLNAME:-wrstats maintainers} <${DEBEMAIL:-maintainers@wrstats.invalid}>"
sed "s/@PHP@/$php/g; s/@MAINTAINER@/$maintainer/" "$root/packaging/debian/control.in" >"$source/debian/control"
sed "s/@VERSION@/$version/; s/@DATE@/$(date -R)/; s/@MAINTAINER@/$maintainer/" "$root/packaging/debian/changelog.in" >"$source/debian/changelog"
echo "mod wrstats.ini" >"$source/debian/php$php-wrstats.php"

say "building packages for PHP $php"
# -d: Rust comes from rustup, not from a package.
(cd "$source" && PHP_VERSION=$php CARGO_TARGET_DIR=$root/target dpkg-buildpackage -b -us -uc -d) >"$out/build.log" 2>&1 ||
    { tail -n 30 "$out/build.log" >&2; die "the packages could not be built: $out/build.log"; }
rm -rf "$source"
say "lintian:"
lintian --fail-on error --tag-display-limit 0 "$out"/*.changes
say "made: $(cd "$out" && echo *.deb) in $out"
