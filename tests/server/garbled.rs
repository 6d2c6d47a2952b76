//! Replies that are cut, garbled, endless, or nobody's. None may reach a caller as another's answer.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use wrstats::client::failure::Code;
use wrstats::connection::asks::Answer;
use wrstats::protocol::request::Action;
use wrstats::protocol::ttl::Ttl;

use crate::support::alone::{alone, resident_kib};
use crate::support::client::{Client, ms, within};
use crate::support::fake::{Fake, greet, read_until, serve, until_closed};
use crate::support::model::{Kind, Session, Store};

/// What a read of two keys gets.
const WHOLE: &str = "VALUE a 0 3\r\nAAA\r\nVALUE b 0 3\r\nBBB\r\nEND\r\n";

/// A fake whose first connection answers the first read with `answer` and what `then` does, and whose later
/// ones are good; they hold `a` = "AAA" and `b` = "BBB".
fn fake(
    answer: impl Fn() -> Vec<u8> + Send + Sync + 'static,
    then: impl Fn(&mut TcpStream) + Send + Sync + 'static,
) -> Fake {
    Fake::scripted(move |number, mut stream| {
        if number > 0 {
            let mut store = Store::default();
            store.put("a", b"AAA", 0);
            store.put("b", b"BBB", 0);
            return serve(Session::new(Kind::V1_6_18), stream, &Mutex::new(store));
        }
        if let Some(rest) = greet(&mut stream)
            && (rest.ends_with(b"get a b\r\n") || read_until(&mut stream, "get a b\r\n"))
        {
            let _ = stream.write_all(&answer());
            then(&mut stream);
        }
    })
}

/// Reads `a` and `b`; each answer is right or there is none.
fn read_both(client: &mut Client) -> Result<(), String> {
    let keys = client.keys(["a", "b"]);
    let answers = client.get_many(&keys, false);
    let mut whole = true;
    for (answer, value) in answers.iter().zip(["AAA", "BBB"]) {
        match answer {
            Answer::Value { data, .. } => {
                assert_eq!(answers.bytes(data), value.as_bytes());
            }
            _ => whole = false,
        }
    }
    assert_eq!(whole, answers.failure.is_none(), "{:?}", answers.failure);
    answers
        .failure
        .map_or(Ok(()), |failure| Err(failure.message.into()))
}

#[test]
fn cut_at_every_byte() {
    for at in 0..WHOLE.len() {
        // Closed there: asked again on a new connection, since reading twice does no harm.
        let closing = fake(move || WHOLE[..at].into(), |_| {});
        let mut client = Client::of(closing.address());
        within(ms(500), || {
            assert_eq!(read_both(&mut client), Ok(()), "cut at {at}")
        });
        assert_eq!((client.books().connects, client.books().timeouts), (2, 0));
    }
    for at in (0..WHOLE.len()).step_by(9) {
        // Silent from there on: a time-out, and never half an answer.
        let silent = fake(move || WHOLE[..at].into(), until_closed);
        let mut client = Client::with(
            silent.address(),
            &[("timeout", "0.1"), ("retry_interval", "0.01")],
        );
        let failure = within(ms(500), || read_both(&mut client)).unwrap_err();
        assert!(failure.contains("no answer within"), "{failure}");
        std::thread::sleep(ms(15));
        assert_eq!(read_both(&mut client), Ok(()), "silent at {at}");
    }
}

/// A fake that closes each connection after the first `at` bytes of `answer` to what ends in `asked`, and how often it
/// was asked.
fn cutting(asked: &'static str, answer: &'static str, at: usize) -> (Fake, Arc<AtomicUsize>) {
    let times = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&times);
    let fake = Fake::scripted(move |_, mut stream| {
        if let Some(rest) = greet(&mut stream)
            && (rest.ends_with(asked.as_bytes()) || read_until(&mut stream, asked))
        {
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = stream.write_all(&answer.as_bytes()[..at]);
        }
    });
    (fake, times)
}

/// A number that is cut short is another number, and what may have been carried out is not sent again.
#[test]
fn answers_to_increments_cut_at_every_byte() {
    let incr = Action::Incr {
        step: 1,
        ttl: Ttl::FOREVER,
        init: 1,
    };
    for (protocol, asked, answer) in [
        ("meta", "ma n N0 J1 v\r\n", "VA 2\r\n41\r\n"),
        ("classic", "incr n 1\r\n", "NOT_STORED\r\n41\r\n"),
    ] {
        for at in 0..=answer.len() {
            let (fake, times) = cutting(asked, answer, at);
            let mut client = Client::with(fake.address(), &[("protocol", protocol)]);
            let outcome = within(ms(500), || client.write(b"n", incr));
            if at == answer.len() {
                assert_eq!(outcome, Ok(Answer::Number(41)), "{protocol}");
            } else {
                assert!(outcome.is_err(), "{protocol}, cut at {at}: {outcome:?}");
            }
            // It may connect again, but asks no more.
            drop(client);
            assert_eq!(times.load(Ordering::SeqCst), 1, "{protocol}, cut at {at}");
        }
    }
}

/// Only what was confirmed in full is believed; the rest is lost, and said to be.
#[test]
fn confirmations_cut_at_every_byte() {
    for (protocol, asked, answer) in [
        ("meta", "mn\r\n", "HD\r\nHD\r\nMN\r\n"),
        ("classic", "incr b 1\r\n", "STORED\r\n1\r\nSTORED\r\n1\r\n"),
    ] {
        for at in 0..=answer.len() {
            let (fake, times) = cutting(asked, answer, at);
            let mut client = Client::with(fake.address(), &[("protocol", protocol)]);
            client.count("a");
            client.count("b");
            within(ms(500), || client.sync(Some(ms(400))));
            let whole_lines = answer[..at].matches("\r\n").count() as u64;
            let confirmed = match protocol {
                // The run's end confirms all of it.
                "meta" => whole_lines / 3 * 2,
                _ => whole_lines / 2,
            };
            let books = client.books();
            assert_eq!(
                (books.confirmed, books.lost, books.failed, books.pending),
                (confirmed, 2 - confirmed, 0, 0),
                "{protocol}, cut at {at}: {books:?}"
            );
            // It may connect again, but asks no more.
            drop(client);
            assert_eq!(times.load(Ordering::SeqCst), 1, "{protocol}, cut at {at}");
        }
    }
}

#[test]
fn bytes_that_come_one_by_one() {
    let slow = Fake::scripted(|_, mut stream| {
        if greet(&mut stream).is_some() {
            for byte in WHOLE.as_bytes() {
                let _ = stream.write_all(&[*byte]);
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
            until_closed(&mut stream);
        }
    });
    let mut client = Client::with(slow.address(), &[("timeout", "5")]);
    assert_eq!(read_both(&mut client), Ok(()));
}

#[test]
fn what_is_no_answer_ends_the_connection() {
    let line = "x".repeat(5000);
    let endless = format!("VALUE a 0 3\r\nAAA\r\nVALUE {line}");
    let random: String = (0..3000)
        .map(|_| char::from(fastrand::u8(0x20..0x7f)))
        .collect();
    for (answer, why) in [
        ("garbage\r\n", "a reply that is none of memcached's"),
        (&random, "a reply"),
        (
            "VALUE a 0 3\r\nAAA\r\ngarbage\r\nEND\r\n",
            "a reply that is none of memcached's",
        ),
        (&endless, "a reply line without an end"),
        ("VALUE a 0 99999999999\r\n", "a value of impossible length"),
        (
            "VALUE a 0 18446744073709551616\r\n",
            "a reply with a bad field",
        ),
        ("VALUE a 0 -1\r\n", "a reply with a bad field"),
        (
            "VALUE a 0 2\r\nAAA\r\nEND\r\n",
            "a value that is not as long as announced",
        ),
        (
            "VALUE a 0 4\r\nAAA\r\nEND\r\n",
            "a value that is not as long as announced",
        ),
        (
            "VALUE c 0 3\r\nCCC\r\nEND\r\n",
            "a reply with a key that was not asked for",
        ),
        (
            "VALUE a 0 3\r\nAAA\r\nVALUE a 0 3\r\nBBB\r\nEND\r\n",
            "a reply with a key that was not asked for",
        ),
        ("STORED\r\n", "a reply in answer to a read"),
        ("5\r\n", "a reply in answer to a read"),
        ("MN\r\n", "a reply in answer to a read"),
        (
            "END\r\nVALUE a 0 3\r\nCCC\r\nEND\r\n",
            "a reply that nobody asked for",
        ),
    ] {
        let bytes: Vec<u8> = answer.into();
        let fake = fake(move || bytes.clone(), until_closed);
        let mut client = Client::of(fake.address());
        let failure = within(ms(500), || read_both(&mut client)).unwrap_err();
        assert!(failure.contains(why), "{answer:?}: {failure}");
        assert_eq!(client.failure().unwrap().code, Code::Unexpected);
        std::thread::sleep(ms(300));
        assert_eq!(read_both(&mut client), Ok(()), "after {answer:?}");
    }
}

#[test]
fn a_huge_length_takes_no_memory_before_its_bytes_come() {
    alone(
        "garbled::a_huge_length_takes_no_memory_before_its_bytes_come",
        || {
            let fake = fake(|| b"VALUE a 0 134217728\r\n12345".to_vec(), until_closed);
            let mut client = Client::of(fake.address());
            let before = resident_kib();
            within(ms(500), || read_both(&mut client)).unwrap_err();
            assert!(resident_kib() < before + 20_000);
        },
    );
}

#[test]
fn endless_blank_lines_and_stray_ones() {
    let stray = fake(
        || {
            WHOLE
                .replace("VALUE", "\r\nVALUE")
                .replace("END", "\r\n\r\nEND")
                .into_bytes()
        },
        until_closed,
    );
    let mut client = Client::of(stray.address());
    assert_eq!(read_both(&mut client), Ok(()));
    let endless = fake(Vec::new, |stream| {
        while stream.write_all(&b"\r\n".repeat(50_000)).is_ok() {}
    });
    let mut client = Client::with(endless.address(), &[("timeout", "5")]);
    let failure = within(ms(4000), || read_both(&mut client)).unwrap_err();
    assert!(failure.contains("nothing but blank lines"), "{failure}");
}

#[test]
fn an_answer_that_never_ends_is_given_up_at_the_time_out() {
    // Good values, one behind the other, as fast as they can be read: more than can come in time.
    let endless = Fake::scripted(|_, mut stream| {
        if greet(&mut stream).is_some() {
            let data = "x".repeat(1_000_000);
            for n in 0.. {
                // A line of a read has 500 keys.
                let end = if n % 500 == 499 { "END\r\n" } else { "" };
                let value = format!("VALUE k{n} 0 1000000\r\n{data}\r\n{end}");
                if stream.write_all(value.as_bytes()).is_err() {
                    return;
                }
            }
        }
    });
    let mut client = Client::of(endless.address());
    let keys = client.keys((0..20_000).map(|n| format!("k{n}")));
    let answers = within(ms(900), || client.get_many(&keys, false));
    assert!(
        answers
            .failure
            .unwrap()
            .message
            .contains("no answer within")
    );
}

#[test]
fn replies_that_nobody_asked_for_between_two_calls() {
    let fake = fake(
        || WHOLE.into(),
        |stream| {
            let _ = stream.write_all(b"VALUE a 0 3\r\nBBB\r\nEND\r\n");
            until_closed(stream);
        },
    );
    let mut client = Client::of(fake.address());
    // They may have come with the answer, or after it.
    let first = within(ms(500), || read_both(&mut client));
    std::thread::sleep(ms(300));
    let second = within(ms(500), || read_both(&mut client));
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    std::thread::sleep(ms(300));
    assert_eq!(read_both(&mut client), Ok(()));
}

#[test]
fn confirmations_that_nobody_asked_for_confirm_nothing() {
    let fake = Fake::scripted(|_, mut stream| {
        if read_until(&mut stream, "mn\r\nversion\r\n") {
            let replies = format!("MN\r\nVERSION 1.6.18\r\n{}", "MN\r\n".repeat(100));
            let _ = stream.write_all(replies.as_bytes());
            until_closed(&mut stream);
        }
    });
    let mut client = Client::with(fake.address(), &[("protocol", "meta")]);
    client.count("k");
    within(ms(300), || client.sync(Some(ms(100))));
    let books = client.books();
    assert_eq!(
        (books.confirmed, books.sent, books.pending),
        (0, 0, 1),
        "{books:?}"
    );
    assert_eq!(fake.connections(), 1);
}

#[test]
fn unknown_flags_in_replies_are_skipped() {
    let fake = Fake::scripted(|_, mut stream| {
        if greet(&mut stream).is_some() {
            read_until(&mut stream, "ma n N0 J1 v\r\n");
            let _ = stream.write_all(b"VA 2 zz9 Qx t-1\r\n41\r\n");
            until_closed(&mut stream);
        }
    });
    let mut client = Client::with(fake.address(), &[("protocol", "meta")]);
    let incr = Action::Incr {
        step: 1,
        ttl: Ttl::FOREVER,
        init: 1,
    };
    assert_eq!(client.write(b"n", incr), Ok(Answer::Number(41)));
}

/// A socket's reset instead of an end.
#[test]
fn a_reset_in_the_middle_of_an_answer() {
    let fake = fake(
        || WHOLE[..20].into(),
        |stream| {
            let _ = stream.shutdown(Shutdown::Read);
            let linger =
                rustix::net::sockopt::set_socket_linger(&*stream, Some(std::time::Duration::ZERO));
            linger.unwrap();
        },
    );
    let mut client = Client::of(fake.address());
    within(ms(500), || assert_eq!(read_both(&mut client), Ok(())));
}
