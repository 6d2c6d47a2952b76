# Sourced by the scripts beside it: where things are, and how they speak. POSIX sh.

PHP=${PHP:-php}
PHP_CONFIG=${PHP_CONFIG:-php-config}
CARGO=${CARGO:-cargo}
root=$(cd "$(dirname "$0")/../.." && pwd)

# rustup's folder is not on the PATH of every shell.
if ! command -v "$CARGO" >/dev/null 2>&1 && [ -x "$HOME/.cargo/bin/cargo" ]; then
    PATH=$HOME/.cargo/bin:$PATH
fi

say() { printf '%s\n' "wrstats: $*"; }
die() { printf '%s\n' "wrstats: $*" >&2; exit 1; }

# The library under test.
extension() {
    so=${WRSTATS_EXTENSION:-$root/target/release/libwrstats.so}
    [ -f "$so" ] || die "$so is not there: run \`make build\` first."
    printf '%s\n' "$so"
}

# What is tested against MediaWiki finds it in MEDIAWIKI_DIR.
name_mediawiki() {
    MEDIAWIKI_DIR=$("$root/tests/support/mediawiki.sh")
    export MEDIAWIKI_DIR
}

# Options for a PHP that reads no ini file and loads the named modules, where they are installed, and ours: what
# is enabled on this machine, an installed wrstats above all, changes nothing in the tests.
php_options() {
    dir=$("$PHP" -n -r 'echo ini_get("extension_dir");')
    options=-n
    for module in "$@"; do
        [ -f "$dir/$module.so" ] && options="$options -d extension=$module"
    done
    printf '%s\n' "$options -d extension=$(extension)"
}
