//! One connection's state machine.
pub mod outbox;
