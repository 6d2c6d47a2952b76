//! The core through its public surface: no PHP, no server.

mod arrows;
mod config;
mod connection_model;
mod hostile_corpus;
mod hostile_wire;
mod memory;
#[path = "../support/model.rs"]
mod model;
mod ring;
mod ring_vectors;
mod stats_limits;
mod stats_php_oracle;
mod stats_runner;
mod stats_scenarios;
mod stats_strict;
mod stats_values;
