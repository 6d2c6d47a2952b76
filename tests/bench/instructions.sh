#!/bin/sh
# usage: WRSTATS_TEST_ADDRESSES=8 with-memcached.sh instructions.sh [--update | --profile SHAPE]
# Counts the instructions of each shape in instructions.php with callgrind: the count for its larger n less the one for the
# smaller, divided. Compares with instructions.txt: more than 3 % above fails; more than 3 % below is said, so that the gain
# is kept. --update writes the file; --profile SHAPE shows in which functions the instructions go.
# With the release build's code as it is; PHP's and the kernel's instructions: PHP's counted, the kernel's not.
# Counts belong to the versions in the file's head: each PHP spends its own, each rustc makes other code, and memcached before
# 1.6.40 answers creations. With others they are shown and nothing fails.
set -eu
. "$(dirname "$0")/../support/env.sh"

command -v valgrind >/dev/null 2>&1 || die "valgrind is not installed: run \`make deps\`."
here=$root/tests/bench
kept=$here/instructions.txt
options=$(php_options)
dir=$(mktemp -d "${TMPDIR:-/tmp}/wrstats-instructions.XXXXXX")
trap 'rm -rf "$dir"' EXIT

count() { # count SHAPE N: instructions of the whole process
    # shellcheck disable=SC2086
    USE_ZEND_ALLOC=1 valgrind --tool=callgrind --callgrind-out-file="$dir/out" \
        "$PHP" $options "$here/instructions.php" "$1" "$2" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; die "$1 failed"; }
    sed -n 's/^==[0-9]*== Collected : //p' "$dir/log"
}
measure() { # measure SHAPE SMALL LARGE: instructions of one
    small=$(count "$1" "$2")
    large=$(count "$1" "$3")
    awk -v small="$small" -v large="$large" -v a="$2" -v b="$3" 'BEGIN { printf "%.1f\n", (large - small) / (b - a) }'
}

shapes=$("$PHP" -n "$here/instructions.php" --list)
if [ "${1:-}" = --profile ]; then
    IFS='|' read -r _ what small large _ <<EOF
$(printf '%s\n' "$shapes" | grep "^$2|" || die "no shape is called $2.")
EOF
    for n in "$small" "$large"; do
        count "$2" "$n" >/dev/null
        # Functions whose names begin with an address are of libraries without symbols.
        callgrind_annotate --threshold=100 "$dir/out" |
            sed -n 's/^ *\([0-9,]*\) *([^)]*) *\(.*\)$/\1|\2/p' | tr -d , >"$dir/$n"
    done
    say "$what: where one's instructions go"
    awk -F'|' -v n=$((large - small)) 'FNR == NR { before[$2] = $1; next } ($1 - before[$2]) / n >= 1 { printf "%10.1f  %s\n", ($1 - before[$2]) / n, $2 }' \
        "$dir/$small" "$dir/$large" | sort -rn
    exit
fi

printf '%s\n' "$shapes" | while IFS='|' read -r shape what small large without; do
    printf '%s|%s|%s|%s\n' "$shape" "$(measure "$shape" "$small" "$large")" "$without" "$what"
done >"$dir/measured"
awk -F'|' '{ cost[$1] = $2; net = $2 - ($3 == "" ? 0 : cost[$3]); printf "%-12s %10.1f  %s\n", $1, net, $4 }' "$dir/measured" >"$dir/table"

# The C library copies and compares with what the processor has.
vectors=$(grep -qw avx2 /proc/cpuinfo && echo avx2 || echo 'no avx2')
versions="# Counted with PHP $("$PHP" -n -r 'echo PHP_VERSION;'), $(rustc --version | cut -d' ' -f1-2), $(memcached --version), $(uname -m) $vectors."
if [ "${1:-}" = --update ]; then
    {
        echo '# Instructions (callgrind) of what is done again and again, PHP'"'"'s own included: `make gates` compares.'
        echo "$versions"
        cat "$dir/table"
    } >"$kept"
    cat "$kept"
    exit
fi
same=1
if ! grep -qxF "$versions" "$kept"; then
    same=0
    say "CAUTION: other versions than the file's, so nothing is decided by this:"
    printf '  kept: %s\n  here: %s\n' "$(sed -n 's/^# Counted with //p' "$kept")" "${versions#\# Counted with }"
fi
awk -v same="$same" '
    /^#/ { next }
    { name = substr($0, 1, 12); sub(/ +$/, "", name); split(substr($0, 13), rest, " ") }
    FNR == NR { wanted[name] = rest[1]; next }
    {
        change = 100 * (rest[1] / wanted[name] - 1)
        verdict = change > 3 ? "MORE: a regression" : change < -3 ? "LESS: keep it with --update" : "as kept"
        if (change > 3 && same) bad = 1
        printf "%-12s %10.1f  kept %10.1f  %+6.1f %%  %s\n", name, rest[1], wanted[name], change, verdict
        seen++
    }
    END { for (name in wanted) n++; if (seen != n) { print "not the same shapes as in the file"; bad = 1 } exit bad }
' "$kept" "$dir/table" || die "instructions are not as kept. Where they go: $0 --profile SHAPE. To keep these: make gates-update, and commit."
