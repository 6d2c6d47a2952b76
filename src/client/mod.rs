//! Servers, routing, pools and their books: what a handle does.
//!
//! * [`handle`]: one PHP object's view of a pool: prefix, route, last error.
//! * [`pools`], [`pool`]: what handles share; [`exchange`]: calls that wait.
//! * [`stage`]: increments that have to be routed yet.
//! * [`link`]: one server; [`local`], [`memory`]: no server at all.
//! * [`input`]: nested values as callers give them; [`config`], [`endpoint`], [`ring`]: settings, addresses, routing.

mod age;
pub mod config;
pub mod endpoint;
pub mod exchange;
pub mod failure;
pub mod fork;
pub mod handle;
pub mod input;
pub mod link;
pub mod local;
pub mod memory;
pub mod pool;
pub mod pools;
pub mod ring;
pub mod stage;
