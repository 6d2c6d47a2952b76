//! The PHP extension.
