//! Single moments of a connection; any order of them is in tests/core/connection_model.rs.

use proptest::prelude::*;

use super::*;
use crate::protocol::request::StoreMode;

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
    connection.opened(match dialect {
        Dialect::Classic => Opening::Classic,
        Dialect::Meta => Opening::Ask,
    });
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

#[test]
fn an_answer_to_a_question_that_has_not_left_is_none() {
    let mut connection = connection();
    open(&mut connection, Dialect::Meta);
    incr(&mut connection, "a");
    connection.begin_wait();
    connection.ask_reads([&b"k"[..]].into_iter(), false);
    let wire = connection.transmit(NOW);
    assert!(
        wire.ends_with(b" q\r\nget k\r\n"),
        "the read closes the run"
    );
    let background = wire.len() - "get k\r\n".len();
    connection.transmitted(background);
    assert!(connection.receive(b"VALUE k 0 1\r\n1\r\nEND\r\n").is_err());
    assert_eq!(connection.answers(), [Answer::None]);
    assert_eq!(connection.books().confirmed, 0);
    assert!(connection.books().balanced());
}

#[test]
fn an_error_before_a_reads_end_is_told_apart_by_one_noop() {
    for (rest, failed, answer) in [
        (&b"END\r\nMN\r\n"[..], 1, Answer::Missing),
        (
            b"MN\r\n",
            0,
            Answer::Error(ErrorKind::Server, "SERVER_ERROR x".into()),
        ),
    ] {
        let mut connection = connection();
        open(&mut connection, Dialect::Meta);
        incr(&mut connection, "a");
        connection.begin_wait();
        connection.ask_reads([&b"k"[..]].into_iter(), false);
        assert!(sent(&mut connection).ends_with(" q\r\nget k\r\n"));
        connection.receive(b"SERVER_ERROR x\r\n").unwrap();
        assert!(connection.has_open_asks() && !connection.has_nothing_to_send());
        assert_eq!(sent(&mut connection), "mn\r\n");
        connection.receive(rest).unwrap();
        assert_eq!(connection.answers(), [answer]);
        connection.end_wait();
        assert!(connection.is_settled());
        let books = connection.books();
        assert_eq!((books.failed, books.confirmed), (failed, 1 - failed));
        assert_eq!(connection.take_complaint().is_some(), failed == 1);
    }
}

#[test]
fn several_lines_of_questions_leave_closing_to_noop() {
    let keys: Vec<String> = (0..501).map(|i| format!("k{i}")).collect();
    for ask in [
        &mut |c: &mut Connection| c.ask_reads(keys.iter().map(|key| key.as_bytes()), false),
        &mut |c: &mut Connection| {
            c.ask_write(
                &Command {
                    key: b"k",
                    action: Action::Delete,
                },
                NOW,
            );
            c.ask_reads([&b"k"[..]].into_iter(), false);
        },
    ] as [&mut dyn FnMut(&mut Connection); 2]
    {
        let mut connection = connection();
        open(&mut connection, Dialect::Meta);
        incr(&mut connection, "a");
        connection.begin_wait();
        ask(&mut connection);
        assert!(sent(&mut connection).contains(" q\r\nmn\r\n"));
    }
}

#[test]
fn what_stays_queued_over_a_close_is_confirmed_all_the_same() {
    for sent_before in [0, 3] {
        let mut connection = connection();
        incr(&mut connection, "a");
        incr(&mut connection, "b");
        connection.close_run();
        if sent_before == 0 {
            // An idle connection that the server had closed.
            connection.opened(Opening::Ask);
        } else {
            open(&mut connection, Dialect::Meta);
            connection.transmit(NOW);
            connection.transmitted(sent_before);
        }
        connection.closed();
        open(&mut connection, Dialect::Meta);
        assert!(sent(&mut connection).ends_with(" q\r\nmn\r\n"));
        connection.receive(b"MN\r\n").unwrap();
        assert!(connection.is_settled());
    }
}

#[test]
fn nothing_is_left_to_send_when_all_was_given_up() {
    let mut connection = connection();
    let set = Action::Store {
        mode: StoreMode::Set,
        flags: 0,
        ttl: Ttl::FOREVER,
        value: b"1",
    };
    connection.queue(Parts::bare(b"k"), &set).unwrap();
    connection.close_run();
    connection.closed();
    connection.drop_overwriting();
    assert!(connection.has_nothing_to_send());
    incr(&mut connection, "k");
    connection.close_run();
    connection.closed();
    connection.drop_all();
    assert!(connection.has_nothing_to_send());
}

#[test]
fn endless_blank_lines_are_no_reply() {
    let mut connection = connection();
    open(&mut connection, Dialect::Meta);
    incr(&mut connection, "a");
    connection.close_run();
    sent(&mut connection);
    connection.receive(b"\r\n\r\n").unwrap();
    let flood = b"\r\n".repeat(if cfg!(miri) { 1000 } else { 100_000 });
    assert!((0..100).any(|_| connection.receive(&flood).is_err()));
}

/// Replies of every kind, at any moment.
fn reply() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "HD\r\n",
        "NF\r\n",
        "NS\r\n",
        "EX\r\n",
        "MN\r\n",
        "EN\r\n",
        "VA 1\r\n5\r\n",
        "VA 2 s2\r\n5",
        "STORED\r\n",
        "NOT_STORED\r\n",
        "EXISTS\r\n",
        "NOT_FOUND\r\n",
        "DELETED\r\n",
        "TOUCHED\r\n",
        "END\r\n",
        "7\r\n",
        "VALUE k 0 1\r\nx\r\n",
        "VERSION 1.6.18\r\n",
        "ERROR\r\n",
        "CLIENT_ERROR x\r\n",
        "SERVER_ERROR x\r\n",
        "\r\n",
        "E",
        "\x00\r\n",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 4 } else { 2000 }, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_answered_the_books_balance(
        dialect in prop::sample::select(vec![Dialect::Meta, Dialect::Classic]),
        steps in prop::collection::vec((0..9u8, 0..200usize, reply()), 1..60),
    ) {
        let mut connection = Connection::new(Protocol::Auto, false, 1000);
        let mut calls = 0;
        for (step, n, reply) in steps {
            if connection.phase == Phase::Closed {
                open(&mut connection, dialect);
            }
            match step {
                0 => {
                    calls += 1;
                    incr(&mut connection, if n % 2 == 0 { "a" } else { "b" });
                }
                1 => {
                    calls += 1;
                    let action = match n % 4 {
                        0 => Action::Delete,
                        1 => Action::Touch { ttl: Ttl::FOREVER },
                        2 => Action::Decr { step: 1 },
                        _ => Action::Incr { step: 5, ttl: Ttl::FOREVER, init: 2 },
                    };
                    connection.queue(Parts::bare(b"k"), &action).unwrap();
                }
                2 => connection.close_run(),
                3 | 4 => {
                    let n = n.min(connection.transmit(NOW).len());
                    connection.transmitted(n);
                }
                5 if !connection.was_interrupted() => {
                    connection.begin_wait();
                    connection.ask_reads([&b"k"[..], b"m"].into_iter(), false);
                }
                // As after a call that was interrupted.
                5 if connection.has_open_asks() && n % 4 == 0 => connection.closed(),
                5 if !connection.has_open_asks() => {
                    let answers = connection.answers();
                    let value = |answer: &Answer| match answer {
                        Answer::Value { data, .. } => connection.answer_data()[data.clone()] == *b"x",
                        other => matches!(other, Answer::Missing | Answer::Error(..)),
                    };
                    prop_assert!(answers.len() == 2 && answers.iter().all(value), "{:?}", answers);
                    connection.end_wait();
                }
                _ => {
                    let before = connection.books();
                    if connection.receive(reply.as_bytes()).is_err() {
                        connection.closed();
                        prop_assert_eq!(connection.books().in_flight(), 0);
                    }
                    prop_assert_eq!(connection.books().sent, before.sent);
                }
            }
            let books = connection.books();
            prop_assert!(books.balanced(), "{:?}", books);
            prop_assert_eq!(books.calls(), calls);
        }
        connection.closed();
        connection.drop_all();
        let books = connection.books();
        prop_assert!(books.balanced() && books.in_flight() == 0 && books.pending == 0);
    }
}

#[test]
fn writes_that_nobody_waits_for_go_out_with_the_first_bytes() {
    let mut c = connection();
    incr(&mut c, "a");
    c.opened(Opening::AtOnce);
    assert_eq!(sent(&mut c), "version\r\nadd a 0 0 1\r\n0\r\nincr a 1\r\n");
    assert!(c.is_drained() && c.is_dialect_open());
    c.receive(b"VERSION 1.6.18\r\nSTORED\r\n").unwrap();
    assert!(c.is_dialect_open());
    assert!(!c.begin_probe(), "a reply is due");
    c.receive(b"1\r\n").unwrap();
    assert_eq!(c.books().confirmed, 1);
    assert!(c.begin_probe() && !c.begin_probe());
    incr(&mut c, "b");
    assert_eq!(sent(&mut c), "mn\r\n", "nothing goes behind the question");
    assert!(c.is_noop_unheard() && c.expects_bytes());
    c.receive(b"MN\r\n").unwrap();
    c.close_run();
    assert_eq!(sent(&mut c), "ma b N0 J1 q\r\nmn\r\n");
    assert_eq!(c.dialect(), Some(Dialect::Meta));
}

#[test]
fn a_connection_closed_on_the_question_loses_nothing() {
    let mut c = connection();
    incr(&mut c, "a");
    c.opened(Opening::AtOnce);
    sent(&mut c);
    c.receive(b"VERSION 1.6.18\r\nSTORED\r\n1\r\n").unwrap();
    assert!(c.begin_probe());
    incr(&mut c, "b");
    sent(&mut c);
    assert!(c.is_noop_unheard());
    c.closed();
    assert_eq!(
        (c.books().lost, c.books().confirmed, c.books().pending),
        (0, 1, 1)
    );
    c.opened(Opening::Classic);
    assert_eq!(sent(&mut c), "version\r\nadd b 0 0 1\r\n0\r\nincr b 1\r\n");
    c.receive(b"VERSION 1.6.18\r\n").unwrap();
    assert!(!c.is_dialect_open() && !c.begin_probe());
}

#[test]
fn who_cannot_speak_meta_is_not_asked() {
    for version in ["37.0 mcrouter", "1.5.22", "1.6.9"] {
        let mut c = connection();
        incr(&mut c, "a");
        c.opened(Opening::AtOnce);
        sent(&mut c);
        c.receive(format!("VERSION {version}\r\nSTORED\r\n1\r\n").as_bytes())
            .unwrap();
        assert!(!c.is_dialect_open(), "{version}");
        assert_eq!(c.dialect(), Some(Dialect::Classic));
    }
}

#[test]
fn the_dialect_last_heard_is_spoken_at_once_on_the_next_connection() {
    let mut c = connection();
    c.opened(Opening::Ask);
    sent(&mut c);
    c.receive(b"MN\r\nVERSION 1.6.18\r\n").unwrap();
    c.closed();
    incr(&mut c, "a");
    c.close_run();
    c.opened(Opening::AtOnce);
    assert_eq!(sent(&mut c), "mn\r\nversion\r\nma a N0 J1 q\r\nmn\r\n");
    c.receive(b"MN\r\nVERSION 1.6.18\r\nHD\r\nMN\r\n").unwrap();
    assert_eq!(c.books().confirmed, 1);
}

#[test]
fn reads_go_with_the_question_and_writes_await_its_answer() {
    let mut c = connection();
    incr(&mut c, "a");
    c.opened(Opening::AtOnce);
    sent(&mut c);
    c.receive(b"VERSION 1.6.18\r\nSTORED\r\n1\r\n").unwrap();
    assert!(c.begin_probe());
    assert!(c.can_ask(true) && !c.can_ask(false));
    c.begin_wait();
    c.ask_reads([&b"a"[..]].into_iter(), false);
    assert_eq!(sent(&mut c), "mn\r\nget a\r\n");
    c.receive(b"MN\r\nVALUE a 0 1\r\n1\r\nEND\r\n").unwrap();
    assert!(!c.has_open_asks());
    c.end_wait();
}

#[test]
fn no_value_goes_out_as_a_meta_command_before_meta_was_heard() {
    let mut c = connection();
    open(&mut c, Dialect::Meta);
    c.closed();
    incr(&mut c, "a");
    let action = Action::Store {
        mode: StoreMode::Set,
        flags: 0,
        ttl: Ttl::FOREVER,
        value: b"flush_all",
    };
    c.queue(Parts::bare(b"v"), &action).unwrap();
    c.close_run();
    c.opened(Opening::AtOnce);
    assert_eq!(sent(&mut c), "mn\r\nversion\r\nma a N0 J1 q\r\n");
    c.receive(b"MN\r\nVERSION 1.6.18\r\n").unwrap();
    assert_eq!(sent(&mut c), "ms v 9 T0 q\r\nflush_all\r\nmn\r\n");
    c.receive(b"MN\r\n").unwrap();
    assert_eq!(c.books().confirmed, 2);
}
