//! Incremental decoding of everything a server or proxy answers, both dialects.
//!
//! Values are framed by their length, never searched for a line end. Anything that is not a
//! known reply is [`Step::Broken`]: whoever reads on after that would hand out wrong values.

use super::{key, number};

/// The longest reply line accepted, in bytes. memcached's own are under 400; a proxy's error
/// text may be longer.
pub const MAX_LINE: usize = 2048;

/// The longest value accepted, in bytes: far above any item size in use (`-I`, 1 MiB by
/// default), so that a garbled length can't make us buffer without end.
pub const MAX_VALUE: usize = 128 << 20;

/// One reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `HD`: done (meta).
    Hd,
    /// `NS`: not stored (meta).
    Ns,
    /// `EX`: exists with another CAS unique (meta).
    Ex,
    /// `NF`: no such key (meta).
    Nf,
    /// `EN`: no such key, to a read (meta).
    En,
    /// `MN`: everything before it has been answered (meta).
    Mn,
    /// `VA <size> …`: a value without its key (meta).
    Va(&'a [u8]),
    /// `STORED`.
    Stored,
    /// `NOT_STORED`.
    NotStored,
    /// `EXISTS`: has another CAS unique.
    Exists,
    /// `NOT_FOUND`.
    NotFound,
    /// `DELETED`.
    Deleted,
    /// `TOUCHED`.
    Touched,
    /// `OK`.
    Ok,
    /// `END` of a read.
    End,
    /// The new value of an `incr` or `decr`.
    Number(u64),
    /// `VERSION <text>`.
    Version(&'a [u8]),
    /// `VALUE <key> <flags> <bytes> [<cas unique>]` and its data.
    Value(Value<'a>),
    /// `ERROR`, `CLIENT_ERROR …`, `SERVER_ERROR …`: the whole line.
    Error(ErrorKind, &'a [u8]),
}

/// One item of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    /// The wire key.
    pub key: &'a [u8],
    /// Client flags.
    pub flags: u32,
    /// The CAS unique, when `gets` asked for it.
    pub cas: Option<u64>,
    /// The bytes as stored.
    pub data: &'a [u8],
}

/// The three error replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// `ERROR`: the server does not know the command.
    Unknown,
    /// `CLIENT_ERROR`: it does not like it.
    Client,
    /// `SERVER_ERROR`: it could not do it.
    Server,
}

/// What [`decode`] found at the start of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A reply, and how many bytes it took.
    Reply(Reply<'a>, usize),
    /// A blank line, as 1.6.45 can send: to be skipped, and how many bytes it took.
    Blank(usize),
    /// Not whole yet; nothing can come of it before the buffer holds this many bytes.
    More(usize),
    /// No reply of this protocol.
    Broken(Malformed),
}

/// Why bytes are no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A line longer than [`MAX_LINE`].
    LineTooLong,
    /// A value longer than [`MAX_VALUE`].
    ValueTooLong,
    /// A line that begins like no reply.
    UnknownReply,
    /// A field that is missing or no number.
    BadField,
    /// A value that does not end in CR LF where its length says.
    BadFrame,
    /// Blank lines and no end of them.
    BlankLines,
}

impl Malformed {
    /// For messages.
    pub const fn text(self) -> &'static str {
        match self {
            Malformed::LineTooLong => "a reply line without an end",
            Malformed::ValueTooLong => "a value of impossible length",
            Malformed::UnknownReply => "a reply that is none of memcached's",
            Malformed::BadField => "a reply with a bad field",
            Malformed::BadFrame => "a value that is not as long as announced",
            Malformed::BlankLines => "nothing but blank lines",
        }
    }
}

/// Reads the reply at the start of `buf`.
#[inline]
pub fn decode(buf: &[u8]) -> Step<'_> {
    // By far the most frequent ones, and all of a fixed length.
    if let Some(line) = buf.first_chunk::<4>() {
        match line {
            b"HD\r\n" => return Step::Reply(Reply::Hd, 4),
            b"NF\r\n" => return Step::Reply(Reply::Nf, 4),
            b"MN\r\n" => return Step::Reply(Reply::Mn, 4),
            b"VALU" => {
                if let Some(step) = decode_plain_value(buf) {
                    return step;
                }
            }
            _ => {}
        }
    }
    decode_line(buf)
}

/// A `VALUE <key> <flags> <bytes>` line without anything unusual in it, and its data, in one pass; `None`: for
/// [`decode_line`] to look at.
fn decode_plain_value(buf: &[u8]) -> Option<Step<'_>> {
    let fields = buf.strip_prefix(b"VALUE ")?;
    let key = &fields[..key::len_at(fields).filter(|len| (1..=key::MAX_LEN).contains(len))?];
    let (flags, rest) = number::leading(fields[key.len()..].strip_prefix(b" ")?)?;
    let (size, rest) = number::leading(rest.strip_prefix(b" ")?)?;
    let data = rest.strip_prefix(b"\r\n")?;
    Some(match frame(buf, buf.len() - data.len(), size.into()) {
        Ok((data, used)) => {
            let cas = None;
            let value = Value {
                key,
                flags,
                cas,
                data,
            };
            Step::Reply(Reply::Value(value), used)
        }
        Err(step) => step,
    })
}

fn decode_line(buf: &[u8]) -> Step<'_> {
    let window = &buf[..buf.len().min(MAX_LINE)];
    let Some(newline) = memchr::memchr(b'\n', window) else {
        return if buf.len() >= MAX_LINE {
            Step::Broken(Malformed::LineTooLong)
        } else {
            Step::More(buf.len() + 1)
        };
    };
    let used = newline + 1;
    let line = match buf[..newline].split_last() {
        Some((b'\r', line)) => line,
        // Every line of the protocol ends in CR LF.
        _ => return Step::Broken(Malformed::UnknownReply),
    };
    let (word, rest) = split_word(line);
    let reply = match word {
        b"" => {
            return if line.is_empty() {
                Step::Blank(used)
            } else {
                unknown()
            };
        }
        b"VALUE" => return decode_value(buf, rest, used),
        b"VA" => return decode_va(buf, rest, used),
        b"ERROR" => Reply::Error(ErrorKind::Unknown, line),
        b"CLIENT_ERROR" => Reply::Error(ErrorKind::Client, line),
        b"SERVER_ERROR" => Reply::Error(ErrorKind::Server, line),
        b"VERSION" => Reply::Version(rest),
        // Meta replies may carry flags, known or not: skipped.
        b"HD" => Reply::Hd,
        b"NS" => Reply::Ns,
        b"EX" => Reply::Ex,
        b"NF" => Reply::Nf,
        _ if !rest.is_empty() => return number_line(line, used),
        b"EN" => Reply::En,
        b"MN" => Reply::Mn,
        b"END" => Reply::End,
        b"STORED" => Reply::Stored,
        b"NOT_STORED" => Reply::NotStored,
        b"EXISTS" => Reply::Exists,
        b"NOT_FOUND" => Reply::NotFound,
        b"DELETED" => Reply::Deleted,
        b"TOUCHED" => Reply::Touched,
        b"OK" => Reply::Ok,
        _ => return number_line(line, used),
    };
    Step::Reply(reply, used)
}

const fn unknown<'a>() -> Step<'a> {
    Step::Broken(Malformed::UnknownReply)
}

/// The new value after `incr` or `decr`, possibly padded like a stored one.
fn number_line(line: &[u8], used: usize) -> Step<'_> {
    match number::parse_stored(line) {
        Some(n) => Step::Reply(Reply::Number(n), used),
        None => unknown(),
    }
}

fn decode_value<'a>(buf: &'a [u8], fields: &'a [u8], used: usize) -> Step<'a> {
    let (key, rest) = split_word(fields);
    let (flags, rest) = split_word(rest);
    let (size, cas) = split_word(rest);
    let flags = number::parse(flags).and_then(|n| u32::try_from(n).ok());
    let cas = match cas {
        b"" => Some(None),
        field => number::parse(field).map(Some),
    };
    let (Some(flags), Some(size), Some(cas)) = (flags, number::parse(size), cas) else {
        return Step::Broken(Malformed::BadField);
    };
    if key.is_empty() || key.len() > key::MAX_LEN {
        return Step::Broken(Malformed::BadField);
    }
    match frame(buf, used, size) {
        Ok((data, used)) => Step::Reply(
            Reply::Value(Value {
                key,
                flags,
                cas,
                data,
            }),
            used,
        ),
        Err(step) => step,
    }
}

fn decode_va<'a>(buf: &'a [u8], fields: &'a [u8], used: usize) -> Step<'a> {
    let Some(size) = number::parse(split_word(fields).0) else {
        return Step::Broken(Malformed::BadField);
    };
    match frame(buf, used, size) {
        Ok((data, used)) => Step::Reply(Reply::Va(data), used),
        Err(step) => step,
    }
}

/// The data block of `size` bytes at `start`, and where it ends.
fn frame(buf: &[u8], start: usize, size: u64) -> Result<(&[u8], usize), Step<'_>> {
    if size > MAX_VALUE as u64 {
        return Err(Step::Broken(Malformed::ValueTooLong));
    }
    let data_end = start + size as usize;
    let end = data_end + 2;
    if buf.len() < end {
        return Err(Step::More(end));
    }
    if &buf[data_end..end] != b"\r\n" {
        return Err(Step::Broken(Malformed::BadFrame));
    }
    Ok((&buf[start..data_end], end))
}

/// The bytes up to the first space, and those after it.
fn split_word(line: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b' ', line) {
        Some(space) => (&line[..space], &line[space + 1..]),
        None => (line, b""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(key: &'a [u8], flags: u32, cas: Option<u64>, data: &'a [u8]) -> Reply<'a> {
        Reply::Value(Value {
            key,
            flags,
            cas,
            data,
        })
    }

    const REPLIES: &[(&str, Reply<'static>)] = &[
        ("HD\r\n", Reply::Hd),
        ("HD s1 zz9\r\n", Reply::Hd),
        ("NS\r\n", Reply::Ns),
        ("EX \r\n", Reply::Ex),
        ("NF kabc\r\n", Reply::Nf),
        ("EN\r\n", Reply::En),
        ("MN\r\n", Reply::Mn),
        ("VA 1 s1 zz9 t-1\r\n5\r\n", Reply::Va(b"5")),
        ("VA 0\r\n\r\n", Reply::Va(b"")),
        ("STORED\r\n", Reply::Stored),
        ("NOT_STORED\r\n", Reply::NotStored),
        ("EXISTS\r\n", Reply::Exists),
        ("NOT_FOUND\r\n", Reply::NotFound),
        ("DELETED\r\n", Reply::Deleted),
        ("TOUCHED\r\n", Reply::Touched),
        ("OK\r\n", Reply::Ok),
        ("END\r\n", Reply::End),
        ("0\r\n", Reply::Number(0)),
        ("9 \r\n", Reply::Number(9)),
        ("18446744073709551615\r\n", Reply::Number(u64::MAX)),
        ("VERSION 1.6.18\r\n", Reply::Version(b"1.6.18")),
        ("VERSION a b\r\n", Reply::Version(b"a b")),
        ("ERROR\r\n", Reply::Error(ErrorKind::Unknown, b"ERROR")),
        (
            "ERROR Too many open connections\r\n",
            Reply::Error(ErrorKind::Unknown, b"ERROR Too many open connections"),
        ),
        (
            "CLIENT_ERROR x y\r\n",
            Reply::Error(ErrorKind::Client, b"CLIENT_ERROR x y"),
        ),
        (
            "SERVER_ERROR x\r\n",
            Reply::Error(ErrorKind::Server, b"SERVER_ERROR x"),
        ),
    ];

    #[test]
    fn each_reply_whole_and_cut_at_every_byte() {
        for &(bytes, reply) in REPLIES {
            let bytes = bytes.as_bytes();
            assert_eq!(decode(bytes), Step::Reply(reply, bytes.len()));
            let mut followed = bytes.to_vec();
            followed.extend_from_slice(b"END\r\n");
            assert_eq!(decode(&followed), Step::Reply(reply, bytes.len()));
            for cut in 0..bytes.len() {
                match decode(&bytes[..cut]) {
                    Step::More(need) => assert!(need > cut && need <= bytes.len()),
                    other => panic!("{cut} bytes of {reply:?}: {other:?}"),
                }
            }
        }
    }

    #[test]
    fn values_are_framed_by_length() {
        let data = b"a\r\nEND\r\nVALUE k 0 1\r\nx";
        let bytes = [b"VALUE k 5 22\r\n", &data[..], b"\r\n"].concat();
        assert_eq!(
            decode(&bytes),
            Step::Reply(value(b"k", 5, None, data), bytes.len())
        );
        let with_cas = b"VALUE k 4294967295 0 77\r\n\r\n";
        assert_eq!(
            decode(with_cas),
            Step::Reply(value(b"k", u32::MAX, Some(77), b""), with_cas.len())
        );
        for cut in 0..bytes.len() {
            assert!(matches!(decode(&bytes[..cut]), Step::More(need) if need > cut));
        }
        assert_eq!(decode(b"VALUE k 0 9\r\n123"), Step::More(24));
    }

    #[test]
    fn what_is_no_reply_is_broken() {
        use Malformed::*;
        for (bytes, why) in [
            ("garbage\r\n", UnknownReply),
            (" HD\r\n", UnknownReply),
            ("END\n", UnknownReply),
            ("-1\r\n", UnknownReply),
            ("STORED x\r\n", UnknownReply),
            ("18446744073709551616\r\n", UnknownReply),
            ("VALUE k 0\r\n", BadField),
            ("VALUE  0 1\r\nx\r\n", BadField),
            ("VALUE k 4294967296 1\r\nx\r\n", BadField),
            ("VALUE k 0 -1\r\n", BadField),
            ("VALUE k 0 1 x\r\nx\r\n", BadField),
            ("VALUE k 0 999999999999\r\n", ValueTooLong),
            ("VALUE k 0 1\r\nxy\r\n", BadFrame),
            ("VA x\r\n", BadField),
            ("VA 1\r\n55\r\n", BadFrame),
        ] {
            assert_eq!(decode(bytes.as_bytes()), Step::Broken(why), "{bytes:?}");
        }
        assert_eq!(decode(&[b'x'; MAX_LINE]), Step::Broken(LineTooLong));
        assert_eq!(decode(&[b'x'; MAX_LINE - 1]), Step::More(MAX_LINE));
    }

    #[test]
    fn a_blank_line_is_told_apart() {
        assert_eq!(decode(b"\r\nEND\r\n"), Step::Blank(2));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_decoded_without_a_panic_and_never_too_far(
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
            start in proptest::sample::select(vec![
                "", "VALUE k 0 3\r\n", "VA 2\r\n", "VALUE ", "CLIENT_ERROR ", "HD ",
            ]),
        ) {
            let bytes = [start.as_bytes(), &bytes].concat();
            match decode(&bytes) {
                Step::Reply(_, used) | Step::Blank(used) => assert!(used > 0 && used <= bytes.len()),
                Step::More(need) => assert!(need > bytes.len()),
                Step::Broken(_) => {}
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn the_short_way_reads_values_as_the_long_one(
            line in "(VALUE|VALU|VALUES)? ?[k\u{1}\u{7f}é ]{0,12} ?[0-9]{0,11}[ ]{0,2}-?[0-9]{0,3}( 7| )?\r?\n",
            data in "[ab]{0,4}\r?\n?",
        ) {
            let whole = format!("{line}{data}");
            for end in 0..=whole.len() {
                let buf = &whole.as_bytes()[..end];
                if let Some(step) = decode_plain_value(buf) {
                    proptest::prop_assert_eq!(&step, &decode_line(buf), "{:?}", buf.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn the_short_way_is_taken() {
        let whole = b"VALUE key:1 0 2\r\n10\r\nEND\r\n";
        let step = decode_plain_value(whole);
        assert!(
            matches!(step, Some(Step::Reply(Reply::Value(_), 21))),
            "{step:?}"
        );
        assert!(matches!(
            decode_plain_value(&whole[..20]),
            Some(Step::More(21))
        ));
        assert!(
            decode_plain_value(&whole[..16]).is_none(),
            "the line is not whole"
        );
        assert!(
            decode_plain_value(b"VALUE key 0 2 9\r\n10\r\n").is_none(),
            "gets"
        );
    }
}
