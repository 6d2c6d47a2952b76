//! What server tests share: real servers in private places, ended with the test.

pub mod memcached;
