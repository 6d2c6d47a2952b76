//! What server tests share: real servers in private places, ended with the test; stand-ins for what can't be
//! had for real; a handle, and calls that are timed.

pub mod alone;
pub mod client;
pub mod delay;
pub mod fake;
pub mod memcached;
#[path = "model.rs"]
pub mod model;
pub mod ports;
pub mod proxy;
pub mod twemproxy;
