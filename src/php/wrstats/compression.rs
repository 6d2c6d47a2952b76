//! Values of `WRStats` as PECL memcached compresses them.

use crate::php::zend::{Call, Thrown};
use crate::protocol::fastlz;

/// `static compress(string $data): string`
pub fn compress(call: &mut Call) -> Result<Vec<u8>, Thrown> {
    Ok(fastlz::compress(call.bytes()?))
}

/// `static decompress(string $data, int $size): ?string`
pub fn decompress(call: &mut Call) -> Result<Option<Vec<u8>>, Thrown> {
    let data = call.bytes()?;
    let size = call.int()?;
    let size = usize::try_from(size).map_err(|_| {
        Thrown::argument_value(
            2,
            format!("must be greater than or equal to 0, {size} given"),
        )
    })?;
    Ok(fastlz::decompress(data, size))
}
