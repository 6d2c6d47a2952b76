//! Reading a file, for messages that name a line of it.

use std::io::{self, Read};

/// The first `limit` bytes of a file.
///
/// # Errors
/// What the system says.
pub fn read_at_most(path: &str, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?
        .take(limit)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
