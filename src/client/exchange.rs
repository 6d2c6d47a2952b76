//! Calls that wait: one exchange with all servers concerned, one deadline for all of it.

use std::time::Duration;

use super::failure::Failure;
use super::link::{Link, Now};
use super::pool::{Pool, with_scratch};
use crate::connection::Connection;
use crate::connection::asks::Answer;
use crate::driver::poll::{self, Interest};
use crate::protocol::key::KeyList;
use crate::protocol::request::Command;

/// The answers to a list of questions, in their order.
#[derive(Debug, Default)]
pub struct Answers {
    list: Vec<Answer>,
    data: Vec<u8>,
    /// Why some have no answer: the first such failure.
    pub failure: Option<Failure>,
}

impl Answers {
    /// How many questions there were.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The answer to the question at `index`, [`Answer::None`] if there is none.
    ///
    /// # Panics
    /// When there was no such question.
    pub fn get(&self, index: usize) -> &Answer {
        &self.list[index]
    }

    /// All answers, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Answer> {
        self.list.iter()
    }

    /// The bytes of an [`Answer::Value`].
    pub fn bytes(&self, range: &std::ops::Range<usize>) -> &[u8] {
        &self.data[range.clone()]
    }

    /// Puts the answers of one server to the places that its questions came from.
    fn scatter(&mut self, connection: &mut Connection, indices: Option<&[u32]>) {
        let (list, mut data) = connection.take_answers();
        let Some(indices) = indices else {
            (self.list, self.data) = (list, data);
            return;
        };
        let offset = self.data.len();
        self.data.append(&mut data);
        let end = indices.last().map_or(0, |&last| last as usize + 1);
        if self.list.len() < end {
            self.list.resize(end, Answer::None);
        }
        for (&index, answer) in indices.iter().zip(list) {
            self.list[index as usize] = moved(answer, offset);
        }
    }

    /// Appends the answers to later questions.
    fn append(&mut self, later: Answers) {
        let offset = self.data.len();
        self.data.extend_from_slice(&later.data);
        self.list
            .extend(later.list.into_iter().map(|answer| moved(answer, offset)));
        self.failure = self.failure.take().or(later.failure);
    }

    /// Appends an answer that was there at once.
    pub(super) fn push(&mut self, answer: Answer) {
        self.list.push(answer);
    }

    /// Appends an item that was there at once.
    pub(super) fn push_value(&mut self, value: &[u8], flags: u32, cas: u64) {
        let start = self.data.len();
        self.data.extend_from_slice(value);
        self.list.push(Answer::Value {
            flags,
            cas,
            data: start..self.data.len(),
        });
    }
}

/// An answer whose bytes have moved by `offset`.
fn moved(mut answer: Answer, offset: usize) -> Answer {
    if let Answer::Value { data, .. } = &mut answer {
        *data = data.start + offset..data.end + offset;
    }
    answer
}

/// The questions of one exchange.
#[derive(Clone, Copy)]
enum Questions<'a> {
    Reads {
        keys: &'a KeyList,
        with_cas: bool,
    },
    Writes(&'a [Command<'a>]),
    /// Of one server, the writes first.
    Both {
        writes: &'a [Command<'a>],
        keys: &'a KeyList,
    },
}

impl Questions<'_> {
    fn len(&self) -> usize {
        match self {
            Questions::Reads { keys, .. } => keys.len(),
            Questions::Writes(commands) => commands.len(),
            Questions::Both { writes, keys } => writes.len() + keys.len(),
        }
    }

    fn key(&self, index: usize) -> &[u8] {
        match self {
            Questions::Reads { keys, .. } => keys.get(index),
            Questions::Writes(commands) => commands[index].key,
            Questions::Both { writes, keys } => match writes.get(index) {
                Some(command) => command.key,
                None => keys.get(index - writes.len()),
            },
        }
    }

    fn are_reads(&self) -> bool {
        matches!(self, Questions::Reads { .. })
    }

    /// Asks those at `indices` (`None`: all).
    fn ask(&self, connection: &mut Connection, indices: Option<&[u32]>, unix_now: u32) {
        connection.begin_wait();
        match *self {
            Questions::Reads { keys, with_cas } => match indices {
                None => connection.ask_reads(keys.iter(), with_cas),
                Some(some) => {
                    connection.ask_reads(some.iter().map(|&i| keys.get(i as usize)), with_cas);
                }
            },
            Questions::Writes(commands) => match indices {
                None => ask_writes(connection, commands.iter(), unix_now),
                Some(some) => {
                    ask_writes(
                        connection,
                        some.iter().map(|&i| &commands[i as usize]),
                        unix_now,
                    );
                }
            },
            Questions::Both { writes, keys } => {
                ask_writes(connection, writes.iter(), unix_now);
                connection.ask_reads(keys.iter(), false);
            }
        }
    }
}

fn ask_writes<'a>(
    connection: &mut Connection,
    commands: impl Iterator<Item = &'a Command<'a>>,
    unix_now: u32,
) {
    for command in commands {
        connection.ask_write(command, unix_now);
    }
}

/// How far one server is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Progress {
    ToAsk,
    /// Asked on the socket of this serial.
    Asked(u64),
    Answered,
    Failed(Failure),
}

/// A server and its part of the questions.
struct Part {
    link: usize,
    /// `None`: all of them.
    indices: Option<Vec<u32>>,
    progress: Progress,
    /// How often it was asked: a read may be asked again once, on a new connection.
    times: u8,
}

impl Part {
    fn new(link: usize, indices: Option<Vec<u32>>) -> Self {
        Part {
            link,
            indices,
            progress: Progress::ToAsk,
            times: 0,
        }
    }

    fn is_open(&self) -> bool {
        matches!(self.progress, Progress::ToAsk | Progress::Asked(_))
    }

    /// Whether all its answers are there now.
    fn take_answered(&mut self, link: &mut Link) -> bool {
        let answered = !link.connection().has_open_asks();
        if answered {
            link.connection_mut().end_wait();
            self.progress = Progress::Answered;
        }
        answered
    }

    fn fail(&mut self, link: &Link, now: Now) {
        self.progress = Progress::Failed(link.failure_now(now.instant));
    }
}

impl Pool {
    /// Reads keys (whole wire keys, of which the first `head_len` bytes are not hashed).
    pub fn read(&mut self, keys: &KeyList, head_len: usize, with_cas: bool) -> Answers {
        self.check_fork();
        match &mut self.local {
            Some(local) => local.read(keys),
            None => self.exchange(Questions::Reads { keys, with_cas }, head_len),
        }
    }

    /// Writes, answered. Whole, checked wire keys, of which the first `head_len` bytes are not
    /// hashed.
    pub fn write(&mut self, commands: &[Command<'_>], head_len: usize) -> Answers {
        self.check_fork();
        match &mut self.local {
            Some(local) => local.commands(commands),
            None => self.exchange(Questions::Writes(commands), head_len),
        }
    }

    /// Writes, answered, and then reads what `keys` hold after that for everyone: in one exchange if
    /// one server has all of them, in two if not. The answers to the writes come first. Where the
    /// writes could not all be answered, nothing is read.
    pub fn write_then_read(
        &mut self,
        writes: &[Command<'_>],
        keys: &KeyList,
        head_len: usize,
    ) -> Answers {
        self.check_fork();
        let mut all = writes.iter().map(|command| command.key).chain(keys.iter());
        let mut routes = all.by_ref().map(|key| self.route(&key[head_len..]));
        let first = routes.next();
        if self.local.is_none() && routes.all(|route| Some(route) == first) {
            return self.exchange(Questions::Both { writes, keys }, head_len);
        }
        let mut answers = self.write(writes, head_len);
        if answers.failure.is_none() {
            answers.append(self.read(keys, head_len, false));
        }
        answers
    }

    fn exchange(&mut self, questions: Questions<'_>, head_len: usize) -> Answers {
        let mut answers = Answers::default();
        if questions.len() == 0 {
            return answers;
        }
        self.discard_interrupted();
        self.leave_stage();
        let mut parts = self.parts(&questions, head_len);
        let started = Now::read();
        let limit = self.limit(&parts);
        let deadline = started.instant + limit;
        loop {
            let now = Now::read();
            let mut until = deadline;
            let mut open = false;
            for part in &mut parts {
                let link = &mut self.links[part.link];
                with_scratch(|scratch| step(link, part, &questions, now, scratch));
                if part.is_open() && now.instant >= deadline {
                    link.time_out(limit, now);
                    part.fail(link, now);
                } else if part.is_open() {
                    open = true;
                    until = until.min(link.next_timer().unwrap_or(until));
                }
            }
            if !open {
                break;
            }
            let links = &mut self.links;
            let interests = interests(links, &parts, now.unix);
            if poll::wait(&interests, until).is_err() {
                // No memory for polling: look again until the deadline has passed.
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        for part in parts {
            match part.progress {
                Progress::Failed(failure) => {
                    answers.failure.get_or_insert(failure);
                }
                _ => {
                    let connection = self.links[part.link].connection_mut();
                    answers.scatter(connection, part.indices.as_deref());
                }
            }
        }
        // What was asked of nobody that answered.
        answers.list.resize(questions.len(), Answer::None);
        answers
    }

    /// Which server gets which questions.
    fn parts(&self, questions: &Questions<'_>, head_len: usize) -> Vec<Part> {
        if self.links.len() == 1 {
            return vec![Part::new(0, None)];
        }
        if let Questions::Both { .. } = questions {
            return vec![Part::new(self.route(&questions.key(0)[head_len..]), None)];
        }
        let keys: Vec<&[u8]> = (0..questions.len())
            .map(|index| &questions.key(index)[head_len..])
            .collect();
        let mut of_link: Vec<Vec<u32>> = vec![Vec::new(); self.links.len()];
        for (index, link) in (0..).zip(self.routes(&keys)) {
            of_link[usize::from(link)].push(index);
        }
        of_link
            .into_iter()
            .enumerate()
            .filter(|(_, indices)| !indices.is_empty())
            .map(|(link, indices)| Part::new(link, Some(indices)))
            .collect()
    }

    /// The longest wait: for the answer, and for a connection where there is none yet.
    fn limit(&self, parts: &[Part]) -> Duration {
        let connect = parts.iter().any(|part| !self.links[part.link].is_up());
        self.config.timeout
            + if connect {
                self.config.connect_timeout
            } else {
                Duration::ZERO
            }
    }
}

/// Takes one server as far as it goes without waiting.
fn step(link: &mut Link, part: &mut Part, questions: &Questions<'_>, now: Now, scratch: &mut [u8]) {
    if !part.is_open() {
        return;
    }
    if part.progress == Progress::ToAsk && link.is_down(now.instant) {
        return part.fail(link, now);
    }
    link.prepare(now, scratch, true);
    if let Progress::Asked(serial) = part.progress {
        if link.serial() == serial && link.is_up() {
            if part.take_answered(link) {
                return;
            }
        } else if questions.are_reads() && part.times < 2 && link.has_socket() {
            // Closed under the question; a read does no harm the second time.
            part.progress = Progress::ToAsk;
        } else {
            return part.fail(link, now);
        }
    }
    if part.progress == Progress::ToAsk
        && link.is_up()
        && link.connection().can_ask(questions.are_reads())
    {
        part.progress = Progress::Asked(link.serial());
        part.times += 1;
        if questions.are_reads() && link.connection().is_drained() {
            // A good moment, since a read can be asked again.
            link.begin_probe(now);
        }
        questions.ask(link.connection_mut(), part.indices.as_deref(), now.unix);
    }
    if link.is_up() {
        link.send(now, scratch);
    }
    if !link.has_socket() {
        part.fail(link, now);
    } else if part.progress == Progress::Asked(link.serial()) {
        // Some questions are answered without being sent.
        part.take_answered(link);
    }
}

fn interests<'a>(links: &'a mut [Link], parts: &[Part], unix_now: u32) -> Vec<Interest<'a>> {
    let mut wanted = parts
        .iter()
        .filter(|part| part.is_open())
        .map(|part| part.link)
        .peekable();
    // Parts are in the order of the links.
    links
        .iter_mut()
        .enumerate()
        .filter(|(i, _)| wanted.next_if_eq(i).is_some())
        .filter_map(|(_, link)| link.interest(unix_now))
        .collect()
}
