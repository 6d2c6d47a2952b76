#!/bin/sh
# usage: fuzz.sh SECONDS [TARGET...]
# Fuzzes each target for so long, from the corpus in tests/fuzz/corpus and what earlier runs have found (target/fuzz/corpus).
# An input that breaks something is kept in target/fuzz/artifacts, and fails. Needs nightly Rust.
set -eu
. "$(dirname "$0")/env.sh"

seconds=$1
shift
[ $# -gt 0 ] || set -- reply connection config keys fastlz
"$CARGO" +nightly --version >/dev/null 2>&1 || die "fuzzing needs nightly Rust: rustup toolchain install nightly"
"$CARGO" fuzz --version >/dev/null 2>&1 || die "cargo-fuzz is not installed: cargo install cargo-fuzz --locked"

export CARGO_TARGET_DIR="$root/target/fuzz"
cd "$root/tests/fuzz"
status=0
for target; do
    mkdir -p "$root/target/fuzz/corpus/$target" "$root/target/fuzz/artifacts/$target"
    say "fuzzing $target for $seconds s"
    "$CARGO" +nightly fuzz run --fuzz-dir . "$target" "$root/target/fuzz/corpus/$target" "corpus/$target" -- \
        -max_total_time="$seconds" -max_len=2048 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$root/target/fuzz/artifacts/$target/" || status=1
done
exit "$status"
