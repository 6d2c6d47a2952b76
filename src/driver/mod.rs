//! (room not furnished yet)

pub mod resolve;
