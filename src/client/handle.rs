//! A handle: one object's view of a pool that others may share.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::time::Duration;

use super::config::{Config, LongKeys};
use super::endpoint::Address;
use super::exchange::Answers;
use super::failure::{Code, Failure, error_text};
use super::link::Link;
use super::pool::Pool;
use super::pools::{Pools, Shared};
use crate::connection::Dialect;
use crate::connection::asks::Answer;
use crate::connection::books::Books;
use crate::driver::clock;
use crate::protocol::key::{Head, KeptHead, KeyError, KeyList, MAX_LEN, Parts};
use crate::protocol::reply::ErrorKind;
use crate::protocol::request::{Action, Command};
use crate::protocol::ttl::Ttl;

/// See the [module](self).
#[derive(Debug)]
pub struct Handle {
    pool: Shared,
    /// Route and prefix: before every key on the wire, gone from every returned key, not hashed.
    head: KeptHead<Rc<[u8]>>,
    keyspace: Rc<[u8]>,
    long_keys: LongKeys,
    failure: Option<Failure>,
}

/// Why a call on one key has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The key can't be one.
    Key(KeyError),
    /// No answer, or an error for an answer.
    Failure(Failure),
}

impl From<KeyError> for CallError {
    fn from(error: KeyError) -> Self {
        CallError::Key(error)
    }
}

impl From<Failure> for CallError {
    fn from(failure: Failure) -> Self {
        CallError::Failure(failure)
    }
}

/// Queues increments, one behind the other: what is the same for all of them was found out before.
#[derive(Debug)]
pub struct Row<'a> {
    pool: &'a mut Pool,
    /// The handle's.
    head: Head<'a>,
}

impl Row<'_> {
    /// Queues an increment that creates its counter at the step; the key comes in two pieces. False: refused.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline]
    pub fn incr(
        &mut self,
        start: Head<'_>,
        end: &[u8],
        step: u64,
        ttl: Ttl,
    ) -> Result<bool, KeyError> {
        let parts = Parts {
            head: start,
            key: end,
        };
        if self.head.is_empty() && !end.is_empty() && self.pool.has_one_place() {
            return self.pool.incr_in_row(parts, step, ttl);
        }
        let mut whole = [0; MAX_LEN];
        match whole.get_mut(..parts.len()) {
            Some(whole) => {
                parts.copy_to(whole);
                let parts = Parts {
                    head: self.head,
                    key: whole,
                };
                self.pool.incr_in_row(parts, step, ttl)
            }
            None => Err(KeyError::TooLong {
                len: parts.len(),
                head: self.head.len(),
            }),
        }
    }
}

/// An item read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The bytes as stored.
    pub value: Vec<u8>,
    /// The client flags.
    pub flags: u32,
    /// The CAS unique; 0 if not asked for.
    pub cas: u64,
}

impl Handle {
    /// A handle on the pool of these settings, made if there is none. Connects to nothing.
    pub fn open(config: &Config, pools: &mut Pools) -> Handle {
        Handle {
            pool: pools.open(config),
            head: KeptHead::new([&config.route[..], &config.prefix].concat().into()),
            keyspace: (&*config.keyspace).into(),
            long_keys: config.long_keys,
            failure: None,
        }
    }

    /// A handle on the same pool with the same head, for writers and the like that outlive this one.
    pub fn another(&self) -> Handle {
        Handle {
            pool: self.pool.clone(),
            head: self.head.clone(),
            keyspace: self.keyspace.clone(),
            long_keys: self.long_keys,
            failure: None,
        }
    }

    /// To make handles like this one later.
    pub fn template(&self) -> Template {
        Template {
            pool: Rc::downgrade(&self.pool),
            head: self.head.clone(),
            keyspace: self.keyspace.clone(),
            long_keys: self.long_keys,
        }
    }

    /// The pool.
    pub fn pool(&self) -> &Shared {
        &self.pool
    }

    /// First component of local stats keys.
    pub fn keyspace(&self) -> &[u8] {
        &self.keyspace
    }

    /// How long stats keys are shortened.
    pub fn long_keys(&self) -> LongKeys {
        self.long_keys
    }

    /// Bytes before every key on the wire.
    pub fn head(&self) -> &[u8] {
        self.head.get().bytes()
    }

    /// The key's two pieces.
    #[inline(always)]
    pub fn parts<'a>(&'a self, key: &'a [u8]) -> Parts<'a> {
        Parts {
            head: self.head.get(),
            key,
        }
    }

    // ---- background ----

    /// Queues an increment. False: refused.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline(always)]
    pub fn incr(&self, key: &[u8], step: u64, ttl: Ttl, init: u64) -> Result<bool, KeyError> {
        self.pool
            .borrow_mut()
            .incr(self.parts(key), step, ttl, init)
    }

    /// Hands `then` a place to queue increments in a row.
    #[inline]
    pub fn in_a_row<R>(&self, then: impl FnOnce(&mut Row<'_>) -> R) -> R {
        let mut pool = self.pool.borrow_mut();
        pool.check_fork();
        let done = then(&mut Row {
            head: self.head.get(),
            pool: &mut pool,
        });
        pool.end_row();
        done
    }

    /// Queues any command but CAS. False: refused.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    pub fn queue(&self, key: &[u8], action: Action<'_>) -> Result<bool, KeyError> {
        self.pool.borrow_mut().queue(self.parts(key), action)
    }

    /// Hands everything queued to the kernel. False: something had to stay.
    pub fn flush(&self) -> bool {
        self.pool.borrow_mut().flush()
    }

    /// Flushes and waits for confirmation, `timeout` at most.
    pub fn sync(&mut self, timeout: Option<Duration>) -> bool {
        self.failure = self.pool.borrow_mut().sync(timeout).err();
        self.failure.is_none()
    }

    // ---- calls that wait ----

    /// Reads one key; `None`: no such key.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn get(&mut self, key: &[u8], with_cas: bool) -> Result<Option<Item>, CallError> {
        let mut keys = KeyList::new();
        keys.push(self.parts(key))?;
        let answers = self
            .pool
            .borrow_mut()
            .read(&keys, self.head().len(), with_cas);
        match self.only(key, &answers)? {
            Answer::Value { flags, cas, data } => Ok(Some(Item {
                value: answers.bytes(&data).to_vec(),
                flags,
                cas,
            })),
            _ => Ok(None),
        }
    }

    /// Reads keys that were pushed with [`parts`](Self::parts); what could not be read has no
    /// answer, and the first reason is kept for [`failure`](Self::failure).
    pub fn get_many(&mut self, keys: &KeyList, with_cas: bool) -> Answers {
        self.failure = None;
        let answers = self
            .pool
            .borrow_mut()
            .read(keys, self.head().len(), with_cas);
        self.note(&answers, |index| keys.get(index));
        answers
    }

    /// Carries out one command and gives its answer.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn write(&mut self, key: &[u8], action: Action<'_>) -> Result<Answer, CallError> {
        let mut keys = KeyList::new();
        keys.push(self.parts(key))?;
        let command = Command {
            key: keys.get(0),
            action,
        };
        let answers = self.pool.borrow_mut().write(&[command], self.head().len());
        self.only(key, &answers)
    }

    /// Carries out commands on whole wire keys (see [`parts`](Self::parts)); failures as in
    /// [`get_many`](Self::get_many).
    pub fn write_many(&mut self, commands: &[Command<'_>]) -> Answers {
        self.failure = None;
        let answers = self.pool.borrow_mut().write(commands, self.head().len());
        self.note(&answers, |index| commands[index].key);
        answers
    }

    /// Carries out commands and reads keys after them; see [`Pool::write_then_read`].
    pub fn write_then_read(&mut self, writes: &[Command<'_>], keys: &KeyList) -> Answers {
        self.failure = None;
        let answers = self
            .pool
            .borrow_mut()
            .write_then_read(writes, keys, self.head().len());
        self.note(&answers, |index| match writes.get(index) {
            Some(command) => command.key,
            None => keys.get(index - writes.len()),
        });
        answers
    }

    /// The answer to the only question, errors made failures.
    fn only(&mut self, key: &[u8], answers: &Answers) -> Result<Answer, CallError> {
        self.failure = None;
        let failure = match (answers.get(0), &answers.failure) {
            (Answer::Error(kind, text), _) => self.error_answer(key, *kind, text),
            (Answer::None, Some(failure)) => failure.clone(),
            (Answer::None, None) => self.no_answer(key),
            (answer, _) => return Ok(answer.clone()),
        };
        self.failure = Some(failure.clone());
        Err(failure.into())
    }

    /// Keeps the first reason why a question has no good answer.
    fn note<'k>(&mut self, answers: &Answers, wire_key: impl Fn(usize) -> &'k [u8]) {
        self.failure = answers.failure.clone();
        if self.failure.is_some() {
            return;
        }
        let bad = answers
            .iter()
            .enumerate()
            .find_map(|(index, answer)| match answer {
                Answer::Error(kind, text) => Some((index, Some((*kind, text.clone())))),
                Answer::None => Some((index, None)),
                _ => None,
            });
        if let Some((index, error)) = bad {
            let key = &wire_key(index)[self.head().len()..];
            self.failure = Some(match error {
                Some((kind, text)) => self.error_answer(key, kind, &text),
                None => self.no_answer(key),
            });
        }
    }

    fn error_answer(&self, key: &[u8], kind: ErrorKind, text: &str) -> Failure {
        let text = error_text(text);
        let text: String = match kind {
            ErrorKind::Unknown => "the server does not know the command".into(),
            _ => text
                .chars()
                .take(200)
                .flat_map(char::escape_debug)
                .collect(),
        };
        Failure::server(
            &self.server_for(key),
            format!("{text} (key \"{}\")", key.escape_ascii()),
        )
    }

    fn no_answer(&self, key: &[u8]) -> Failure {
        Failure::connection(Code::NoResponse, &self.server_for(key), "no answer")
    }

    // ---- what happened ----

    /// The server that a key is kept on.
    pub fn server_for(&self, key: &[u8]) -> String {
        let pool = self.pool.borrow();
        let link = pool.links().get(pool.route(key));
        link.map_or_else(|| "memory:".into(), |link| link.name().into())
    }

    /// The servers and their states.
    pub fn servers(&self) -> Vec<ServerInfo> {
        ServerInfo::of_pool(&self.pool.borrow())
    }

    /// A background write of `key` was refused: keeps why for [`failure`](Self::failure).
    #[cold]
    pub fn note_refusal(&mut self, key: &[u8]) {
        let pool = self.pool.borrow();
        let Some(link) = pool.links().get(pool.route(key)) else {
            return;
        };
        let failure = if link.is_down(clock::now()) {
            link.failure_now(clock::now())
        } else {
            let bytes = pool.config().buffer_bytes;
            let message = format!(
                "{bytes} bytes of unsent writes are queued for it, as many as buffer_bytes allows"
            );
            Failure::connection(Code::NoResponse, link.name(), message)
        };
        drop(pool);
        self.failure = Some(failure);
    }

    /// Why the last call that waited could not be answered in full.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// A call begins that has nothing to complain of yet.
    #[inline]
    pub fn clear_failure(&mut self) {
        if self.failure.is_some() {
            self.failure = None;
        }
    }

    /// An answer that came is not one that the call can give: keeps why.
    pub fn unusable(&mut self, key: &[u8], message: String) -> Failure {
        let failure = Failure::server(&self.server_for(key), message);
        self.failure = Some(failure.clone());
        failure
    }

    /// The totals of the pool.
    pub fn metrics(&self) -> Books {
        self.pool.borrow_mut().metrics()
    }
}

/// What it takes to make a handle like another one, without keeping their pool alive.
#[derive(Clone, Debug)]
pub struct Template {
    pool: Weak<RefCell<Pool>>,
    head: KeptHead<Rc<[u8]>>,
    keyspace: Rc<[u8]>,
    long_keys: LongKeys,
}

impl Template {
    /// Another handle, if the pool still lives.
    pub fn make(&self) -> Option<Handle> {
        Some(Handle {
            pool: self.pool.upgrade()?,
            head: self.head.clone(),
            keyspace: self.keyspace.clone(),
            long_keys: self.long_keys,
            failure: None,
        })
    }
}

/// What is known of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInfo {
    /// As [`Handle::server_for`] names it.
    pub name: String,
    /// Host name, IP address or socket path.
    pub host: String,
    /// 0 for a socket.
    pub port: u16,
    /// Its share of the keys.
    pub weight: u32,
    /// `idle` (not connected), `connecting`, `connected` or `down`.
    pub state: &'static str,
    /// `meta` or `classic`, while connected.
    pub dialect: Option<&'static str>,
    /// As it told when it was last connected to; empty before that.
    pub version: String,
    /// Why the last connection ended or could not be made.
    pub error: Option<String>,
    /// Until it is tried again; zero unless it is down.
    pub retry_in: Duration,
}

impl ServerInfo {
    /// The servers of a pool, in the order of its configuration.
    pub fn of_pool(pool: &Pool) -> Vec<ServerInfo> {
        let now = clock::now();
        let of_link = |link: &Link| {
            let (host, port) = match link.endpoint().address() {
                Address::Tcp { host, port } => (host.into(), port),
                Address::Unix(path) => (path.display().to_string(), 0),
            };
            ServerInfo {
                name: link.name().into(),
                host,
                port,
                weight: link.weight(),
                state: link.state(now),
                dialect: link.dialect().map(Dialect::name),
                version: String::from_utf8_lossy(link.connection().version()).into(),
                error: link.failure().map(|failure| failure.message.to_string()),
                retry_in: link.retry_in(now),
            }
        };
        pool.links().iter().map(of_link).collect()
    }
}
