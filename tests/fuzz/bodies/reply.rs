//! The reply decoder, both dialects: the same replies however the bytes are cut, and nothing beyond its bounds.

use wrstats::connection::inbox::Inbox;
use wrstats::protocol::reply::{MAX_LINE, MAX_VALUE, Malformed, Reply, Step, decode};

pub fn run(data: &[u8]) {
    let Some((&size, stream)) = data.split_first() else {
        return;
    };
    let whole = replies([stream].into_iter());
    let pieces = replies(stream.chunks(usize::from(size).max(1)));
    assert_eq!(whole, pieces, "the same however the bytes are cut");

    match decode(stream) {
        Step::Reply(reply, used) => {
            assert!((1..=stream.len()).contains(&used));
            assert_eq!(
                decode(&stream[..used]),
                Step::Reply(reply, used),
                "what follows does not matter"
            );
            if let Reply::Value(value) = reply {
                assert!(
                    value.data.len() <= MAX_VALUE
                        && !value.key.is_empty()
                        && value.key.len() <= 250
                );
            }
            for cut in [1, used / 2, used - 1] {
                let part = decode(&stream[..cut.min(used - 1)]);
                assert!(
                    matches!(part, Step::More(need) if need > cut.min(used - 1)),
                    "{part:?} of {reply:?}"
                );
            }
        }
        Step::Blank(used) => assert_eq!(&stream[..used], b"\r\n"),
        Step::More(need) => {
            assert!(need > stream.len(), "it waits for more");
            assert!(
                need <= MAX_LINE + MAX_VALUE + 2,
                "a bound on what is buffered"
            );
        }
        Step::Broken(_) => {}
    }
}

/// All replies, and what ended them.
fn replies<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> (Vec<String>, Option<Malformed>) {
    let (mut inbox, mut seen) = (Inbox::default(), Vec::new());
    for piece in pieces {
        let outcome = inbox.feed(piece, &mut |reply: Reply<'_>| {
            seen.push(format!("{reply:?}"));
            Ok::<_, Malformed>(())
        });
        if let Err(malformed) = outcome {
            return (seen, Some(malformed));
        }
    }
    (seen, None)
}
