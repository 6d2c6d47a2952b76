//! The PHP extension: one file per PHP class, in safe Rust, on the engine layer [`zend`].
//!
//! `stubs/wrstats.stub.php` is the contract; `zend/tables.rs` is made from it and names a handler here for
//! each method.

mod entity_key;
mod exception;
mod info;
mod ini;
mod lifecycle;
mod limit_batch;
mod limit_batch_result;
mod limit_result;
mod rate;
mod rate_limiter;
mod reader;
mod stats_cache;
mod stats_entity;
mod stats_errors;
mod stats_store;
mod time_range;
mod writer;
mod wrstats;
mod zend;
