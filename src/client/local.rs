//! The backend of `memory:`: [`Memory`] behind the pool's calls, with its own books.

use super::exchange::Answers;
use super::failure::Failure;
use super::memory::{Memory, MemoryError, Outcome};
use crate::connection::asks::Answer;
use crate::connection::books::Books;
use crate::driver::clock;
use crate::protocol::key::{KeyList, Parts};
use crate::protocol::reply::ErrorKind;
use crate::protocol::request::{Action, Command};

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Local {
    memory: Memory,
    books: Books,
    /// The first error since the last sync.
    complaint: Option<MemoryError>,
    key: Vec<u8>,
}

impl Local {
    /// A background write of a checked key: done at once.
    pub fn write(&mut self, key: Parts<'_>, action: Action<'_>) {
        self.key.clear();
        self.key.extend_from_slice(key.head.bytes());
        self.key.extend_from_slice(key.key);
        let outcome = self.memory.apply(
            &Command {
                key: &self.key,
                action,
            },
            clock::now(),
        );
        self.books.queued += 1;
        self.books.sent += 1;
        match outcome {
            Ok(_) => self.books.confirmed += 1,
            Err(error) => {
                self.books.failed += 1;
                self.complaint.get_or_insert(error);
            }
        }
    }

    /// A sync: the first error since the last one.
    pub fn synced(&mut self) -> Result<(), Failure> {
        match self.complaint.take() {
            Some(error) => Err(Failure::server("memory:", error.to_string())),
            None => Ok(()),
        }
    }

    /// Answers reads of wire keys.
    pub fn read(&mut self, keys: &KeyList) -> Answers {
        let now = clock::now();
        let mut answers = Answers::default();
        for key in keys.iter() {
            match self.memory.get(key, now) {
                Some(found) => answers.push_value(&found.value, found.flags, found.cas),
                None => answers.push(Answer::Missing),
            }
        }
        answers
    }

    /// Answers writes.
    pub fn commands(&mut self, commands: &[Command<'_>]) -> Answers {
        let now = clock::now();
        let mut answers = Answers::default();
        for command in commands {
            answers.push(match self.memory.apply(command, now) {
                Ok(Outcome::Done) => Answer::Done,
                Ok(Outcome::Number(n)) => Answer::Number(n),
                Ok(Outcome::NotFound) => Answer::Missing,
                Ok(Outcome::NotStored) => Answer::NotStored,
                Ok(Outcome::Exists) => Answer::Exists,
                Err(error) => Answer::Error(kind(&error), error.to_string().into()),
            });
        }
        answers
    }

    /// What became of the background writes.
    pub fn books(&self) -> Books {
        self.books
    }
}

fn kind(error: &MemoryError) -> ErrorKind {
    match error {
        MemoryError::NotNumber => ErrorKind::Client,
        _ => ErrorKind::Server,
    }
}
