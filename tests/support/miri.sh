#!/bin/sh
# The core's own tests under Miri: protocol, connection and stats. What is beyond makes system calls that Miri does not know.
# Needs nightly Rust.
set -eu
. "$(dirname "$0")/env.sh"

"$CARGO" +nightly miri --version >/dev/null 2>&1 ||
    die "Miri is not installed: rustup component add miri rust-src --toolchain nightly"
cd "$root"
# Filling a queue of megabytes takes an hour here, and so do 70,000 rounds. Property tests ask for the current folder, and a few cases are enough at this speed.
CARGO_TARGET_DIR=$root/target/miri MIRIFLAGS=-Zmiri-disable-isolation PROPTEST_CASES=4 \
    "$CARGO" +nightly miri test --locked --no-default-features --lib -- --skip a_full_queue --skip a_reused_chunk protocol:: connection:: stats:: "$@"
