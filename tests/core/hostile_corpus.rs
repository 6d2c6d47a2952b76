//! What fuzzing has found worth keeping, through the same functions as `make fuzz`, on stable Rust.

use std::fs;
use std::path::Path;

#[path = "../fuzz/bodies/mod.rs"]
pub mod bodies;

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fuzz/corpus")
        .join(target);
    let mut files = 0;
    for entry in fs::read_dir(&folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        // Shown when the test fails.
        println!("{}", path.display());
        run(&fs::read(&path).expect("a file"));
        files += 1;
    }
    assert!(files > 0, "an empty corpus proves nothing");
}

#[test]
fn replies() {
    replay("reply", bodies::reply::run);
}

#[test]
fn connections() {
    replay("connection", bodies::connection::run);
}

#[test]
fn configs() {
    replay("config", bodies::config::run);
}

#[test]
fn compressed_values() {
    replay("fastlz", bodies::fastlz::run);
}

#[test]
fn keys() {
    replay("keys", bodies::keys::run);
}
