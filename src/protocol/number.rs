//! The decimal numbers of the protocol.

/// Appends `n` in decimal.
#[inline]
pub fn push(out: &mut Vec<u8>, n: u64) {
    if n < 10 {
        out.push(b'0' + n as u8);
    } else {
        out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
    }
}

/// `n` in decimal, at the front of a field that every number fits in, and how long it is.
#[inline]
pub fn digits(n: u64) -> ([u8; 20], usize) {
    let mut field = [0; 20];
    let digit = |n: u64| b'0' + (n % 10) as u8;
    if n < 10 {
        field[0] = digit(n);
        return (field, 1);
    }
    if n < 1000 {
        let three = [digit(n / 100), digit(n / 10), digit(n)];
        let len = if n < 100 { 2 } else { 3 };
        field[..2].copy_from_slice(&three[3 - len..][..2]);
        field[2] = three[2];
        return (field, len);
    }
    let mut buffer = itoa::Buffer::new();
    let all = buffer.format(n).as_bytes();
    field[..all.len()].copy_from_slice(all);
    (field, all.len())
}

/// Reads a whole field of digits.
#[inline]
pub fn parse(field: &[u8]) -> Option<u64> {
    if field.is_empty() || field.len() > 20 {
        return None;
    }
    let mut n = 0u64;
    for &b in field {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        n = n.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    Some(n)
}

/// Reads the digits at the front of `bytes`, one to nine of them: the number and what follows.
#[inline]
pub fn leading(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut n = 0;
    for (index, &byte) in bytes.iter().enumerate().take(10) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (index > 0).then_some((n, &bytes[index..]));
        }
        if index == 9 {
            break;
        }
        n = n * 10 + u32::from(digit);
    }
    None
}

/// Reads a counter as the server stores it: digits, with spaces behind them when it had more
/// digits before (a shorter number is written in place).
pub fn parse_stored(value: &[u8]) -> Option<u64> {
    let end = value
        .iter()
        .rposition(|&b| b != b' ')
        .map_or(0, |last| last + 1);
    parse(&value[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_it_pushes() {
        let step = if cfg!(miri) { 97 } else { 1 };
        let small = (0..11_000).step_by(step);
        for n in small.chain([u64::MAX - 1, u64::MAX, 1 << 32]) {
            let (to, len) = digits(n);
            assert_eq!(to[..len], *n.to_string().as_bytes());
            let mut pushed = Vec::new();
            push(&mut pushed, n);
            assert_eq!(to[..len], pushed);
            assert_eq!(parse(&pushed), Some(n));
        }
    }

    #[test]
    fn leading_digits_are_one_to_nine_and_end_somewhere() {
        for (bytes, outcome) in [
            ("0 1", Some((0, " 1"))),
            ("123456789\r\n", Some((123_456_789, "\r\n"))),
            ("1234567890 ", None),
            ("12", None),
            ("", None),
            (" 1", None),
            ("-1 ", None),
        ] {
            let outcome = outcome.map(|(n, rest): (u32, &str)| (n, rest.as_bytes()));
            assert_eq!(leading(bytes.as_bytes()), outcome, "{bytes:?}");
        }
    }

    #[test]
    fn reads_digits_and_nothing_else() {
        for (field, n) in [
            ("0", Some(0)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("007", Some(7)),
            ("", None),
            (" 5", None),
            ("+5", None),
            ("-1", None),
            ("5 ", None),
            ("1e3", None),
            ("000000000000000000001", None),
        ] {
            assert_eq!(parse(field.as_bytes()), n, "{field:?}");
        }
    }

    #[test]
    fn stored_counters_may_be_padded() {
        for (value, n) in [
            ("9 ", Some(9)),
            ("9   ", Some(9)),
            (" ", None),
            ("9 1", None),
        ] {
            assert_eq!(parse_stored(value.as_bytes()), n, "{value:?}");
        }
    }

    #[test]
    fn writes_what_it_reads() {
        for n in [0, 9, 10, 99, 4_294_967_296, u64::MAX] {
            let mut out = Vec::new();
            push(&mut out, n);
            assert_eq!(parse(&out), Some(n));
        }
    }
}
