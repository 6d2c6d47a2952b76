//! Single moments of a connection; any order of them is in tests/core/connection_model.rs.

use proptest::prelude::*;

use super::*;

const NOW: u32 = 1_790_000_000;

fn connection() -> Connection {
    Connection::new(Protocol::Auto, false, 1 << 20)
}

fn incr(connection: &mut Connection, key: &str) {
    let queued = connection.incr(Parts::bare(key.as_bytes()), 1, Ttl::FOREVER, 1);
    assert!(queued.is_ok());
}

/// Takes all bytes that are to be sent.
fn sent(connection: &mut Connection) -> String {
    let mut all = Vec::new();
    loop {
        let bytes = connection.transmit(NOW);
        if bytes.is_empty() {
            return String::from_utf8(all).unwrap();
        }
        let n = bytes.len();
        all.extend_from_slice(bytes);
        connection.transmitted(n);
    }
}

/// Opened and greeted in this dialect.
fn open(connection: &mut Connection, dialect: Dialect) {
    connection.opened(dialect == Dialect::Classic);
    sent(connection);
    let greeting: &[u8] = match dialect {
        Dialect::Meta => b"MN\r\nVERSION 1.6.18\r\n",
        Dialect::Classic => b"VERSION 1.6.18\r\n",
    };
    connection.receive(greeting).unwrap();
    assert_eq!(connection.dialect(), Some(dialect));
}

#[test]
fn a_reply_to_what_was_not_sent_yet_is_none() {
    for (dialect, replies) in [
        (Dialect::Meta, "HD\r\nHD\r\nHD\r\n"),
        (Dialect::Meta, "SERVER_ERROR x\r\nSERVER_ERROR x\r\n"),
        (Dialect::Meta, "MN\r\n"),
        (Dialect::Classic, "STORED\r\n1\r\nSTORED\r\n1\r\n"),
        (Dialect::Classic, "STORED\r\n1\r\nSTORED\r\n"),
    ] {
        let mut connection = connection();
        open(&mut connection, dialect);
        for key in ["a", "b", "c"] {
            incr(&mut connection, key);
        }
        connection.close_run();
        connection.transmit(NOW);
        connection.transmitted(3);
        assert!(
            connection.receive(replies.as_bytes()).is_err(),
            "{replies:?}"
        );
        assert!(connection.books().balanced(), "{:?}", connection.books());
        connection.closed();
        let books = connection.books();
        assert!(books.balanced());
        assert_eq!(books.in_flight(), 0);
        assert_eq!((books.sent, books.pending), (1, 2), "{replies:?}");
    }
}
