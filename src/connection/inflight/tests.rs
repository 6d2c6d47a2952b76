//! What replies are due, and what they mean.

use super::*;
use crate::connection::inbox::Inbox;
use crate::protocol::request::StoreMode;
use crate::protocol::ttl::Ttl;

/// `(confirmed, failed, unverified)` after `bytes`.
fn booked(inflight: &mut InFlight, bytes: &str) -> Result<(u64, u64, u64), Broken> {
    let mut books = Books {
        sent: 1 << 20,
        ..Books::default()
    };
    Inbox::default().feed(bytes.as_bytes(), &mut |reply: Reply<'_>| {
        inflight
            .settle(reply, true, &mut books)
            .map(|whose| assert_eq!(whose, Whose::Background))
    })?;
    Ok((books.confirmed, books.failed, books.unverified))
}

#[test]
fn a_quiet_run_is_booked_when_it_is_closed() {
    for (replies, outcome) in [
        ("MN\r\n", Ok((5, 0, 0))),
        ("HD\r\nNF\r\nEX\r\nNS\r\nHD\r\nMN\r\n", Ok((5, 0, 0))),
        (
            "CLIENT_ERROR a\r\nHD\r\nSERVER_ERROR b\r\nMN\r\n",
            Ok((3, 2, 0)),
        ),
        ("HD\r\n", Ok((0, 0, 0))),
    ] {
        let mut inflight = InFlight::default();
        inflight.quiet(2);
        inflight.quiet(3);
        inflight.close_run();
        assert_eq!(booked(&mut inflight, replies), outcome, "{replies:?}");
    }
}

#[test]
fn a_run_is_answered_hd_no_oftener_than_it_has_commands_on_their_way() {
    for (commands, sent, count, taken) in [(5, 9, 3, 3), (5, 9, 7, 5), (5, 2, 7, 2), (5, 0, 1, 0)] {
        let mut inflight = InFlight::default();
        let books = Books {
            sent,
            ..Books::default()
        };
        assert_eq!(inflight.settle_hds(count, &books), 0, "nothing is due");
        inflight.quiet(commands);
        assert_eq!(inflight.settle_hds(count, &books), taken);
        assert_eq!(
            inflight.settle_hds(count, &books),
            count.min(sent.min(commands) - taken)
        );
    }
    let mut asks = InFlight::default();
    asks.asks();
    assert_eq!(asks.settle_hds(1, &Books::default()), 0);
}

#[test]
fn what_a_quiet_run_can_not_be_answered() {
    for replies in [
        "HD\r\nHD\r\n",
        "ERROR\r\nHD\r\n",
        "STORED\r\n",
        "END\r\n",
        "5\r\n",
        "EN\r\n",
    ] {
        let mut inflight = InFlight::default();
        inflight.quiet(1);
        inflight.close_run();
        assert!(booked(&mut inflight, replies).is_err(), "{replies:?}");
    }
    let mut open = InFlight::default();
    open.quiet(1);
    assert!(booked(&mut open, "MN\r\n").is_err(), "nobody sent mn");
    assert!(booked(&mut InFlight::default(), "HD\r\n").is_err());
}

/// Whose each of the replies to a run of two commands and a read is, or `None` where it is refused.
fn told(replies: &str) -> (Vec<String>, (u64, u64)) {
    let mut inflight = InFlight::default();
    inflight.quiet(2);
    inflight.close_run_by_read();
    inflight.asks();
    let mut books = Books {
        sent: 2,
        ..Books::default()
    };
    let mut told = Vec::new();
    let fed = Inbox::default().feed(replies.as_bytes(), &mut |reply: Reply<'_>| {
        let whose = inflight.settle(reply, true, &mut books)?;
        if inflight.is_in_doubt() {
            inflight.doubt_asked();
        }
        let is_last = matches!(reply, Reply::End | Reply::Error(..) | Reply::Mn);
        match whose {
            Whose::Background => told.push("run".to_owned()),
            Whose::AsksError(doubt) => {
                told.push(String::from_utf8_lossy(&doubt.line).into_owned());
                inflight.asks_answered();
            }
            _ => {
                told.push("read".to_owned());
                if is_last {
                    inflight.asks_answered();
                }
            }
        }
        Ok::<_, Broken>(())
    });
    if fed.is_err() {
        told.push("refused".to_owned());
    }
    if !inflight.is_empty() {
        told.push("more is due".to_owned());
    }
    (told, (books.confirmed, books.failed))
}

#[test]
fn a_read_closes_a_run_and_noop_tells_whose_an_error_was() {
    let value = "VALUE k 0 1\r\n1\r\n";
    for (replies, outcome, confirmed, failed) in [
        ("END\r\n", "read", 2, 0),
        ("HD\r\nHD\r\nEND\r\n", "run, run, read", 2, 0),
        (&*format!("NF\r\n{value}END\r\n"), "run, read, read", 2, 0),
        // The run's: the read has its own end, and then `mn` is answered.
        ("SERVER_ERROR a\r\nEND\r\nMN\r\n", "run, read, run", 1, 1),
        (
            &*format!("SERVER_ERROR a\r\nERROR b\r\n{value}END\r\nMN\r\n"),
            "run, run, read, read, run",
            0,
            2,
        ),
        (
            "SERVER_ERROR a\r\nHD\r\nEND\r\nMN\r\n",
            "run, run, read, run",
            1,
            1,
        ),
        // The read's.
        ("SERVER_ERROR a\r\nMN\r\n", "run, SERVER_ERROR a", 2, 0),
        (
            "SERVER_ERROR a\r\nSERVER_ERROR b\r\nMN\r\n",
            "run, run, SERVER_ERROR b",
            1,
            1,
        ),
        ("HD\r\nHD\r\nSERVER_ERROR a\r\n", "run, run, read", 2, 0),
        (
            "SERVER_ERROR a\r\nSERVER_ERROR b\r\nSERVER_ERROR c\r\nMN\r\n",
            "run, run, read, run",
            0,
            2,
        ),
        (&*format!("{value}SERVER_ERROR a\r\n"), "read, read", 2, 0),
        // Nothing that belongs here.
        ("MN\r\n", "refused, more is due", 0, 0),
        ("HD\r\nHD\r\nHD\r\n", "run, run, refused, more is due", 0, 0),
        ("STORED\r\n", "refused, more is due", 0, 0),
        (
            "SERVER_ERROR a\r\nHD\r\nHD\r\nEND\r\n",
            "run, run, refused, more is due",
            0,
            0,
        ),
        (
            "SERVER_ERROR a\r\nHD\r\nMN\r\n",
            "run, run, refused, more is due",
            0,
            0,
        ),
    ] {
        let (told, books) = told(replies);
        assert_eq!(
            (&*told.join(", "), books),
            (outcome, (confirmed, failed)),
            "{replies:?}"
        );
    }
}

#[test]
fn runs_are_closed_one_by_one() {
    let mut inflight = InFlight::default();
    inflight.quiet(1);
    inflight.close_run();
    inflight.quiet(2);
    assert_eq!(booked(&mut inflight, "MN\r\nHD\r\n"), Ok((1, 0, 0)));
    inflight.close_run();
    assert_eq!(booked(&mut inflight, "MN\r\n"), Ok((2, 0, 0)));
    assert!(inflight.is_empty());
}

#[test]
fn every_classic_command_and_every_reply() {
    let ttl = Ttl::FOREVER;
    let add_incr = Action::Incr {
        step: 1,
        ttl,
        init: 1,
    };
    let incr_add = Action::Incr {
        step: 5,
        ttl,
        init: 2,
    };
    let store = Action::Store {
        mode: StoreMode::Add,
        flags: 0,
        ttl,
        value: b"",
    };
    const E: &str = "SERVER_ERROR x\r\n";
    let (confirmed, failed, unverified) = ((1, 0, 0), (0, 1, 0), (0, 0, 1));
    for (action, replies, outcome) in [
        (add_incr, "STORED\r\n1\r\n", confirmed),
        (add_incr, "NOT_STORED\r\n2\r\n", confirmed),
        (add_incr, "SERVER_ERROR x\r\n2\r\n", confirmed),
        (add_incr, "NOT_STORED\r\nNOT_FOUND\r\n", unverified),
        (add_incr, "STORED\r\nNOT_FOUND\r\n", failed),
        (add_incr, "STORED\r\nSERVER_ERROR x\r\n", failed),
        (add_incr, "SERVER_ERROR x\r\nNOT_FOUND\r\n", failed),
        (add_incr, "NOT_STORED\r\nCLIENT_ERROR no number\r\n", failed),
        (incr_add, "6\r\nNOT_STORED\r\n", confirmed),
        (incr_add, "6\r\nSERVER_ERROR x\r\n", confirmed),
        (incr_add, "NOT_FOUND\r\nSTORED\r\n", confirmed),
        (incr_add, "NOT_FOUND\r\nNOT_STORED\r\n", unverified),
        (incr_add, "NOT_FOUND\r\nSERVER_ERROR x\r\n", failed),
        (incr_add, "CLIENT_ERROR x\r\nNOT_STORED\r\n", failed),
        (Action::Decr { step: 1 }, "0\r\n", confirmed),
        (Action::Decr { step: 1 }, "NOT_FOUND\r\n", confirmed),
        (Action::Decr { step: 1 }, E, failed),
        (store, "STORED\r\n", confirmed),
        (store, "NOT_STORED\r\n", confirmed),
        (store, E, failed),
        (Action::Delete, "DELETED\r\n", confirmed),
        (Action::Delete, "NOT_FOUND\r\n", confirmed),
        (Action::Touch { ttl }, "TOUCHED\r\n", confirmed),
        (Action::Touch { ttl }, "NOT_FOUND\r\n", confirmed),
    ] {
        let mut inflight = InFlight::default();
        inflight.answered(&action);
        assert_eq!(
            booked(&mut inflight, replies),
            Ok(outcome),
            "{action:?} {replies:?}"
        );
        assert!(inflight.is_empty());
    }
    for (action, replies) in [
        (add_incr, "1\r\n"),
        (add_incr, "STORED\r\nSTORED\r\n"),
        (incr_add, "STORED\r\n"),
        (store, "DELETED\r\n"),
        (store, "EXISTS\r\n"),
        (Action::Delete, "STORED\r\n"),
        (Action::Delete, "DELETED\r\nDELETED\r\n"),
    ] {
        let mut inflight = InFlight::default();
        inflight.answered(&action);
        assert!(
            booked(&mut inflight, replies).is_err(),
            "{action:?} {replies:?}"
        );
    }
}

#[test]
fn a_row_of_one_kind_takes_no_room() {
    let mut inflight = InFlight::default();
    for _ in 0..1000 {
        inflight.answered(&Action::Incr {
            step: 1,
            ttl: Ttl::FOREVER,
            init: 1,
        });
    }
    assert_eq!(inflight.due.len(), 1);
    assert_eq!(
        booked(&mut inflight, &"STORED\r\n1\r\n".repeat(1000)),
        Ok((1000, 0, 0))
    );
}

#[test]
fn a_read_that_closes_a_run_is_not_believed_before_its_time() {
    // Sent of the run's two commands, whether the questions have left, the replies, whether `mn` was asked for.
    for (sent, asks_left, replies, asked) in [
        (2, false, "END\r\n", false),
        (2, false, "VALUE k 0 1\r\n1\r\n", false),
        (1, true, "END\r\n", false),
        (1, false, "HD\r\nHD\r\n", false),
        (2, true, "SERVER_ERROR a\r\nMN\r\n", false),
        (2, false, "SERVER_ERROR a\r\nMN\r\n", true),
    ] {
        let mut inflight = InFlight::default();
        inflight.quiet(2);
        inflight.close_run_by_read();
        inflight.asks();
        if asked {
            inflight.doubt_asked();
        }
        let mut books = Books {
            sent,
            ..Books::default()
        };
        let fed = Inbox::default().feed(replies.as_bytes(), &mut |reply: Reply<'_>| {
            inflight.settle(reply, asks_left, &mut books).map(drop)
        });
        assert!(fed.is_err(), "{replies:?}");
        assert_eq!((books.confirmed, books.failed), (0, 0), "{replies:?}");
    }
}
