//! Counters on the client's servers (or in its memory): a [`Handle`] as a [`Store`].

use super::number::Number;
use super::store::{IncrOne, Increments, KeyParts, Keys, Store};
use crate::client::exchange::Answers;
use crate::client::failure::Failure;
use crate::client::handle::Handle;
use crate::connection::asks::Answer;
use crate::driver::clock;
use crate::protocol::key::{KeyError, KeyList};
use crate::protocol::number;
use crate::protocol::request::{Action, Command};
use crate::protocol::ttl::Ttl;

/// Why a store of the client's could not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemoteError {
    /// A key that is too long with the handle's route and prefix before it.
    Key(Box<[u8]>, KeyError),
    /// No answer, or an error for an answer.
    Failure(Failure),
}

impl From<Failure> for RemoteError {
    fn from(failure: Failure) -> Self {
        RemoteError::Failure(failure)
    }
}

/// A handle of the client's as a store of counters. Increments, take-backs and deletions are queued and never wait;
/// what was refused shows in the pool's books.
#[derive(Debug)]
pub struct Remote(pub Handle);

impl Remote {
    /// # Errors
    /// One of the keys is too long for the wire.
    pub fn check(&self, keys: &Keys) -> Result<(), RemoteError> {
        self.wire_keys(keys).map(drop)
    }

    /// Checked wire keys.
    fn wire_keys(&self, keys: &Keys) -> Result<KeyList, RemoteError> {
        let bytes = keys.bytes() + keys.len() * self.0.head().len();
        let mut list = KeyList::with_capacity(keys.len(), bytes);
        for key in keys.iter() {
            list.push(self.0.parts(key))
                .map_err(|error| bad_key(key, error))?;
        }
        Ok(list)
    }

    /// Hands the values among the answers from `skip` on to `found`.
    ///
    /// # Errors
    /// Some question was not answered.
    fn values(
        &self,
        answers: &Answers,
        skip: usize,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), RemoteError> {
        if let Some(failure) = self.0.failure() {
            return Err(failure.clone().into());
        }
        for (index, answer) in answers.iter().skip(skip).enumerate() {
            if let Answer::Value { data, .. } = answer
                && let Some(value) = number::parse_stored(answers.bytes(data))
            {
                found(
                    index,
                    i64::try_from(value).map_or(Number::Float(value as f64), Number::Int),
                );
            }
        }
        Ok(())
    }
}

#[cold]
fn bad_key(key: &[u8], error: KeyError) -> RemoteError {
    RemoteError::Key(key.into(), error)
}

impl Store for Remote {
    type Error = RemoteError;

    fn make_key(&mut self, _parts: &KeyParts<'_>, _out: &mut Vec<u8>) -> Result<(), RemoteError> {
        unreachable!("catalogs of the client's handles name their keys themselves")
    }

    fn incr(&mut self, increments: &Increments) -> Result<(), RemoteError> {
        let ttl = Ttl::capped(increments.ttl, clock::unix);
        for (key, amount) in increments.iter() {
            self.0
                .incr(key, amount, ttl, amount)
                .map_err(|error| bad_key(key, error))?;
        }
        Ok(())
    }

    fn incr_each<R>(&mut self, feed: impl FnOnce(&mut IncrOne<'_, RemoteError>) -> R) -> R {
        self.0.in_a_row(|row| {
            feed(&mut |(start, end), amount, ttl| match row.incr(
                start,
                end,
                amount,
                Ttl::capped(ttl, clock::unix),
            ) {
                Ok(_) => Ok(()),
                Err(error) => Err(bad_key(&[start.bytes(), end].concat(), error)),
            })
        })
    }

    fn take_back(&mut self, increments: &Increments) -> Result<(), RemoteError> {
        for (key, step) in increments.iter() {
            self.0
                .queue(key, Action::Decr { step })
                .map_err(|error| bad_key(key, error))?;
        }
        Ok(())
    }

    fn delete(&mut self, keys: &Keys) -> Result<(), RemoteError> {
        for key in keys.iter() {
            self.0
                .queue(key, Action::Delete)
                .map_err(|error| bad_key(key, error))?;
        }
        Ok(())
    }

    fn query(
        &mut self,
        keys: &Keys,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), RemoteError> {
        let list = self.wire_keys(keys)?;
        let answers = self.0.get_many(&list, false);
        self.values(&answers, 0, found)
    }

    fn incr_then_query(
        &mut self,
        first: &[Increments],
        keys: &Keys,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), RemoteError> {
        if first.iter().all(|increments| increments.keys.is_empty()) {
            return self.query(keys, found);
        }
        let list = self.wire_keys(keys)?;
        let written: Vec<KeyList> = first
            .iter()
            .map(|increments| self.wire_keys(&increments.keys))
            .collect::<Result<_, _>>()?;
        let writes: Vec<Command<'_>> = first
            .iter()
            .zip(&written)
            .flat_map(|(increments, keys)| {
                let ttl = Ttl::capped(increments.ttl, clock::unix);
                keys.iter()
                    .zip(&increments.amounts)
                    .map(move |(key, &step)| Command {
                        key,
                        action: Action::Incr {
                            step,
                            ttl,
                            init: step,
                        },
                    })
            })
            .collect();
        let answers = self.0.write_then_read(&writes, &list);
        self.values(&answers, writes.len(), found)
    }
}
