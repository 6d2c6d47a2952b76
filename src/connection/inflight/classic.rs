//! What classic commands are answered in the background. One increment is two commands, with a reply each.

use super::super::Broken;
use super::super::books::Books;
use crate::protocol::classic::IncrLines;
use crate::protocol::reply::Reply;
use crate::protocol::request::Action;

/// What a classic command may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    AddIncr,
    IncrAdd,
    Decr,
    Store,
    Delete,
    Touch,
}

/// The first of two replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    Good,
    /// `NOT_STORED` before `incr`, or `NOT_FOUND` before `add`.
    Open,
    Failed,
}

impl Kind {
    pub(super) fn of(action: &Action<'_>) -> Kind {
        match *action {
            Action::Incr { step, init, .. } => match IncrLines::of(step, init) {
                IncrLines::AddIncr => Kind::AddIncr,
                IncrLines::IncrAdd => Kind::IncrAdd,
            },
            Action::Decr { .. } => Kind::Decr,
            Action::Store { .. } => Kind::Store,
            Action::Delete => Kind::Delete,
            Action::Touch { .. } => Kind::Touch,
        }
    }
}

/// Whether the command is answered in full now.
pub(super) fn settle(
    kind: Kind,
    first: &mut Option<First>,
    reply: Reply<'_>,
    books: &mut Books,
) -> Result<bool, Broken> {
    let outcome = match (kind, *first, reply) {
        (Kind::AddIncr, None, Reply::Stored) => return later(first, First::Good),
        (Kind::AddIncr, None, Reply::NotStored) => return later(first, First::Open),
        (Kind::AddIncr, None, Reply::Error(..)) => return later(first, First::Failed),
        (Kind::IncrAdd, None, Reply::Number(_)) => return later(first, First::Good),
        (Kind::IncrAdd, None, Reply::NotFound) => return later(first, First::Open),
        (Kind::IncrAdd, None, Reply::Error(..)) => return later(first, First::Failed),

        (Kind::AddIncr, Some(_), Reply::Number(_)) => &mut books.confirmed,
        // There, and not there: either it went in between, or a proxy answers without asking
        // any server (mcrouter's AllAsyncRoute).
        (Kind::AddIncr, Some(First::Open), Reply::NotFound) => &mut books.unverified,
        (Kind::AddIncr, Some(_), Reply::NotFound | Reply::Error(..)) => &mut books.failed,

        (Kind::IncrAdd, Some(First::Good), Reply::Stored | Reply::NotStored | Reply::Error(..)) => {
            &mut books.confirmed
        }
        (Kind::IncrAdd, Some(First::Open), Reply::Stored) => &mut books.confirmed,
        (Kind::IncrAdd, Some(First::Open), Reply::NotStored) => &mut books.unverified,
        // `add` stored the start value, which was to hold this step.
        (Kind::IncrAdd, Some(First::Failed), Reply::Stored) => &mut books.confirmed,
        (Kind::IncrAdd, Some(_), Reply::NotStored | Reply::Error(..)) => &mut books.failed,

        (Kind::Decr, _, Reply::Number(_) | Reply::NotFound)
        | (Kind::Store, _, Reply::Stored | Reply::NotStored)
        | (Kind::Delete, _, Reply::Deleted | Reply::NotFound)
        | (Kind::Touch, _, Reply::Touched | Reply::NotFound) => &mut books.confirmed,
        (Kind::Decr | Kind::Store | Kind::Delete | Kind::Touch, _, Reply::Error(..)) => {
            &mut books.failed
        }
        _ => return Err(Broken::Unexpected("to a background command")),
    };
    *outcome += 1;
    *first = None;
    Ok(true)
}

fn later(slot: &mut Option<First>, first: First) -> Result<bool, Broken> {
    *slot = Some(first);
    Ok(false)
}
