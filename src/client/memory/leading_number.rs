//! What memcached takes for a number when it increments.

/// The number that memcached increments, which is what C's `strtoull` reads: white space, a sign, digits;
/// behind them nothing, white space or NUL. A negative number counts when two's complement makes it a
/// small positive one.
pub(super) fn leading_number(value: &[u8]) -> Option<u64> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let start = value.iter().position(|byte| !is_space(byte))?;
    let (negative, value) = match value[start] {
        b'-' => (true, &value[start + 1..]),
        b'+' => (false, &value[start + 1..]),
        _ => (false, &value[start..]),
    };
    let len = value
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(value.len());
    let (digits, rest) = value.split_at(len);
    if digits.is_empty()
        || rest
            .first()
            .is_some_and(|byte| *byte != 0 && !is_space(byte))
    {
        return None;
    }
    let number = digits.iter().try_fold(0_u64, |sum, digit| {
        sum.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })?;
    let number = if negative {
        number.wrapping_neg()
    } else {
        number
    };
    (!negative || i64::try_from(number).is_ok()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each as `ma k D1` of memcached 1.6.18 answered; None: non-numeric.
    #[test]
    fn numbers_are_what_memcached_takes_for_one() {
        #[rustfmt::skip]
        let cases: &[(&[u8], Option<u64>)] = &[
            (b"5", Some(5)),
            (b" 5", Some(5)),
            (b"+5", Some(5)),
            (b"5 abc", Some(5)),
            (b"007", Some(7)),
            (b"5\0x", Some(5)),
            (b"\t\n\x0b\x0c\r5", Some(5)),
            (b"5\x0b", Some(5)),
            (b"5\r\n6", Some(5)),
            (b"-0", Some(0)),
            (b"00000000000000000000000000000007", Some(7)),
            (b"18446744073709551615", Some(u64::MAX)),
            (b"-9223372036854775809", Some(9_223_372_036_854_775_807)),
            (b"-18446744073709551615", Some(1)),
            (b"-9223372036854775808", None),
            (b"-1", None),
            (b"18446744073709551616", None),
            (b"-18446744073709551616", None),
            (b"", None),
            (b" ", None),
            (b"-", None),
            (b"+ 5", None),
            (b"++5", None),
            (b"0x10", None),
            (b"5.0", None),
            (b"1e3", None),
            (b"5\xa0", None),
            (b"\0", None),
            (b"abc", None),
        ];
        for (value, expected) in cases {
            assert_eq!(leading_number(value), *expected, "{}", value.escape_ascii());
        }
    }
}
