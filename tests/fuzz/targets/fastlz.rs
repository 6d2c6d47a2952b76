#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;
#[path = "../../support/model.rs"]
mod model;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::fastlz::run(data));
