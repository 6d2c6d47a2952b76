//! The PHP extension: one file per PHP class, in safe Rust, on the engine layer [`zend`].
//!
//! `stubs/wrstats.stub.php` is the contract; `zend/tables.rs` is made from it and names a handler here for
//! each method.

mod entity_key;
mod exception;
mod info;
mod ini;
mod lifecycle;
mod pending;
mod time_range;
mod wrstats;
mod zend;

use pending::{limit_batch, limit_batch_result, limit_result, rate, rate_limiter, reader, writer};
