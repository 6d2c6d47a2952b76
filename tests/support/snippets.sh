#!/bin/sh
# usage: snippets.sh FILE.md...
# Runs the PHP snippets of Markdown files on the built extension and a private server.
set -eu
. "$(dirname "$0")/env.sh"

# Laravel wants mbstring.
options=$(php_options mbstring)
cd "$root"
# shellcheck disable=SC2086
exec "$PHP" $options tests/support/run-snippets.php $options -- "$@"
