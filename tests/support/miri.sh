#!/bin/sh
# The core's own tests under Miri: protocol, connection and stats. What is beyond makes system calls that Miri does not know.
# Needs nightly Rust.
set -eu
. "$(dirname "$0")/env.sh"

"$CARGO" +nightly miri --version >/dev/null 2>&1 ||
    die "Miri is not installed: rustup component add miri rust-src --toolchain nightly"
cd "$root"
# A step takes some microseconds here: tests that take very many say how few are enough, by cfg!(miri). Property tests take a few
# cases, and ask for the current folder: so no isolation.
CARGO_TARGET_DIR=$root/target/miri MIRIFLAGS=-Zmiri-disable-isolation PROPTEST_CASES=4 \
    "$CARGO" +nightly miri test --locked --no-default-features --lib -- protocol:: connection:: stats:: "$@"
