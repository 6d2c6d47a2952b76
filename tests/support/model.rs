//! A model of memcached and of what is taken for it: the commands that wrstats writes, no sockets.
//!
//! It reads strictly: whatever is not spelled as protocol.txt has it is a panic, as is a meta command to a
//! server that does not know it.

#![allow(dead_code, reason = "shared by test binaries that use parts of it")]

use std::collections::HashMap;

/// What kind of server or proxy is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// memcached before 1.6.40: answers `HD` to a quiet increment that creates.
    V1_6_18,
    /// memcached 1.6.40: is silent then.
    V1_6_40,
    /// memcached 1.6.9: knows `mn`, but not today's flags.
    V1_6_9,
    /// memcached 1.5: answers `ERROR` to `mn`.
    V1_5,
    /// twemproxy: closes on an unknown command, without a byte.
    Twemproxy,
    /// mcrouter: says `CLIENT_ERROR` and closes.
    Mcrouter,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [
        Kind::V1_6_18,
        Kind::V1_6_40,
        Kind::V1_6_9,
        Kind::V1_5,
        Kind::Twemproxy,
        Kind::Mcrouter,
    ];

    /// Whether today's meta commands are known.
    pub fn speaks_meta(self) -> bool {
        matches!(self, Kind::V1_6_18 | Kind::V1_6_40)
    }

    fn version(self) -> &'static str {
        match self {
            Kind::V1_6_18 => "1.6.18",
            Kind::V1_6_40 => "1.6.40",
            Kind::V1_6_9 => "1.6.9",
            Kind::V1_5 => "1.5.22",
            Kind::Twemproxy => "1.6.18",
            Kind::Mcrouter => "37.0.0 mcrouter",
        }
    }
}

/// What one command asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `mn`
    Noop,
    /// `version`
    Version,
    /// `get` or `gets` of these keys.
    Get { keys: Vec<String>, with_cas: bool },
    /// `ma`, or classic `incr` and `decr`; `create`: the start value.
    Arithmetic {
        up: bool,
        step: u64,
        create: Option<u64>,
    },
    /// `ms` or a classic storage command.
    Store {
        mode: &'static str,
        flags: u32,
        cas: u64,
        data: Vec<u8>,
    },
    /// `md` or `delete`
    Delete,
    /// `touch`
    Touch,
}

/// How a command is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A meta command with `q`.
    Quiet,
    /// `ma` with `v`.
    MetaValue,
    /// The classic reply.
    Classic,
    /// Nothing at all.
    NoReply,
}

/// One command as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its key, empty for `mn`, `version` and reads.
    pub key: String,
    /// What it asks for.
    pub action: Action,
    /// How.
    pub answer: Answer,
}

/// Reads the command at the start of `bytes`: itself and its length, `None` if it is not whole.
///
/// # Panics
/// When it is none, or not spelled as wrstats has to.
pub fn parse(bytes: &[u8]) -> Option<(Request, usize)> {
    let newline = bytes.iter().position(|&b| b == b'\n');
    assert!(newline.unwrap_or(bytes.len()) < 200_000, "an endless line");
    let newline = newline?;
    assert!(newline > 0 && bytes[newline - 1] == b'\r', "CR before LF");
    let line = String::from_utf8_lossy(&bytes[..newline - 1]).into_owned();
    assert!(
        line.bytes().all(|b| b >= b' ' && b != 0x7f),
        "a control character in {line:?}"
    );
    let mut used = newline + 1;
    let mut words: Vec<&str> = line.split(' ').collect();
    assert!(
        words.iter().all(|word| !word.is_empty()),
        "spaces: {line:?}"
    );
    let verb = words.remove(0);
    let mut answer = Answer::Classic;
    let number = |word: &str| -> u64 {
        assert!(
            word == "0" || !word.starts_with('0'),
            "a number with zeros in front: {line:?}"
        );
        word.parse()
            .unwrap_or_else(|_| panic!("no number {word:?} in {line:?}"))
    };
    if matches!(verb, "get" | "gets") {
        assert!(!words.is_empty());
        let keys: Vec<String> = words.iter().map(|&word| checked(word)).collect();
        let with_cas = verb == "gets";
        let action = Action::Get { keys, with_cas };
        return Some((
            Request {
                key: String::new(),
                action,
                answer,
            },
            used,
        ));
    }
    if matches!(verb, "mn" | "version") {
        assert!(words.is_empty(), "{line:?}");
        let action = if verb == "mn" {
            Action::Noop
        } else {
            Action::Version
        };
        return Some((
            Request {
                key: String::new(),
                action,
                answer,
            },
            used,
        ));
    }
    let key = checked(words.remove(0));
    let action = match verb {
        "ma" | "ms" | "md" => {
            let last = words.pop();
            answer = match last {
                Some("q") => Answer::Quiet,
                Some("v") if verb == "ma" => Answer::MetaValue,
                other => panic!("{other:?} at the end of {line:?}"),
            };
            let len = (verb == "ms").then(|| number(words.remove(0)) as usize);
            let mut flags = HashMap::new();
            for word in words {
                let (flag, token) = word.split_at(1);
                assert!(flags.insert(flag, token).is_none(), "twice: {line:?}");
            }
            let mut take = |flag: &str| flags.remove(flag);
            let action = match (verb, len) {
                ("ms", Some(len)) => {
                    number(take("T").expect("a lifetime"));
                    let mode = match take("M") {
                        None => "set",
                        Some("E") => "add",
                        Some("R") => "replace",
                        mode => panic!("mode {mode:?}"),
                    };
                    let flags = take("F").map_or(0, number) as u32;
                    let data = data(bytes, &mut used, len)?;
                    Action::Store {
                        mode,
                        flags,
                        cas: 0,
                        data,
                    }
                }
                ("md", _) => Action::Delete,
                _ => {
                    let up = match take("M") {
                        None => true,
                        Some("D") => false,
                        mode => panic!("mode {mode:?}"),
                    };
                    let step = take("D").map_or(1, number);
                    let create = take("J").map(number);
                    assert_eq!(create.is_some(), take("N").map(number).is_some());
                    Action::Arithmetic { up, step, create }
                }
            };
            assert!(flags.is_empty(), "unknown flags in {line:?}");
            action
        }
        _ => {
            if words.last() == Some(&"noreply") {
                words.pop();
                answer = Answer::NoReply;
            }
            match verb {
                "set" | "add" | "replace" | "cas" => {
                    assert_eq!(words.len(), 3 + usize::from(verb == "cas"), "{line:?}");
                    let data = data(bytes, &mut used, number(words[2]) as usize)?;
                    number(words[1]);
                    Action::Store {
                        mode: match verb {
                            "set" => "set",
                            "add" => "add",
                            "replace" => "replace",
                            _ => "cas",
                        },
                        flags: number(words[0]) as u32,
                        cas: words.get(3).map_or(0, |word| number(word)),
                        data,
                    }
                }
                "incr" | "decr" => {
                    assert_eq!(words.len(), 1, "{line:?}");
                    Action::Arithmetic {
                        up: verb == "incr",
                        step: number(words[0]),
                        create: None,
                    }
                }
                "delete" => {
                    assert!(words.is_empty(), "{line:?}");
                    Action::Delete
                }
                "touch" => {
                    assert_eq!(words.len(), 1, "{line:?}");
                    number(words[0]);
                    Action::Touch
                }
                _ => panic!("no command: {line:?}"),
            }
        }
    };
    Some((
        Request {
            key,
            action,
            answer,
        },
        used,
    ))
}

fn checked(key: &str) -> String {
    assert!((1..=250).contains(&key.len()), "{key:?}");
    key.into()
}

fn data(bytes: &[u8], used: &mut usize, len: usize) -> Option<Vec<u8>> {
    let block = bytes.get(*used..*used + len + 2)?;
    assert!(block.ends_with(b"\r\n"), "a data block of another length");
    *used += len + 2;
    Some(block[..len].to_vec())
}

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its bytes.
    pub value: Vec<u8>,
    /// Its client flags.
    pub flags: u32,
    cas: u64,
}

/// What a server holds; outlives its connections.
#[derive(Debug, Default)]
pub struct Store {
    /// The items.
    pub items: HashMap<String, Item>,
    /// Every write carried out or not, in order, as it came.
    pub log: Vec<Request>,
    /// How many commands that need not be waited for were answered with an error.
    pub errors: u64,
    last_cas: u64,
}

impl Store {
    /// Puts a value there.
    pub fn put(&mut self, key: &str, value: &[u8], flags: u32) {
        self.last_cas += 1;
        let item = Item {
            value: value.into(),
            flags,
            cas: self.last_cas,
        };
        self.items.insert(key.into(), item);
    }

    /// A counter's value, 0 if it isn't there.
    pub fn counter(&self, key: &str) -> u64 {
        self.items.get(key).map_or(0, |item| {
            number(&item.value).unwrap_or_else(|| panic!("{key} is no counter"))
        })
    }
}

fn number(value: &[u8]) -> Option<u64> {
    std::str::from_utf8(value).ok()?.trim_end().parse().ok()
}

/// A read of this key ends in an error: the values of the keys before it, and no `END`.
pub const SICK: &str = "sick";
/// Keys that begin so can't be made: there is no memory for them.
pub const NO_ROOM: &str = "noroom";

/// One connection of a modelled server.
#[derive(Debug)]
pub struct Session {
    kind: Kind,
    inbox: Vec<u8>,
    /// Whether the client may take it for one that speaks meta: until it knows better, it may send what an old
    /// server answers with `ERROR`. A value that such a server would read as commands it may not send.
    pub mistaken: bool,
    /// It closes: nothing that comes is read any more.
    pub closed: bool,
}

impl Session {
    /// A fresh connection.
    pub fn new(kind: Kind) -> Self {
        Session {
            kind,
            inbox: Vec::new(),
            mistaken: false,
            closed: false,
        }
    }

    /// Takes bytes, carries out every whole command, appends what it answers.
    pub fn hear(&mut self, store: &mut Store, bytes: &[u8], replies: &mut Vec<u8>) {
        self.inbox.extend_from_slice(bytes);
        let mut used = 0;
        while !self.closed
            && let Some((request, size)) = parse(&self.inbox[used..])
        {
            used += size;
            self.carry_out(store, request, replies);
        }
        self.inbox.drain(..used);
    }

    fn carry_out(&mut self, store: &mut Store, request: Request, replies: &mut Vec<u8>) {
        let reply = match (&request.action, self.kind) {
            (Action::Noop, Kind::V1_5) => "ERROR\r\n".into(),
            (Action::Noop, Kind::Twemproxy) => {
                self.closed = true;
                return;
            }
            (Action::Noop, Kind::Mcrouter) => {
                self.closed = true;
                "CLIENT_ERROR malformed request\r\n".into()
            }
            (Action::Noop, _) => "MN\r\n".into(),
            (Action::Version, kind) => format!("VERSION {}\r\n", kind.version()),
            (Action::Get { keys, with_cas }, _) => {
                for key in keys {
                    if key == SICK {
                        let error = b"SERVER_ERROR out of memory writing get response\r\n";
                        return replies.extend_from_slice(error);
                    }
                    let Some(item) = store.items.get(key) else {
                        continue;
                    };
                    let cas = if *with_cas {
                        format!(" {}", item.cas)
                    } else {
                        String::new()
                    };
                    let head = format!("VALUE {key} {} {}{cas}\r\n", item.flags, item.value.len());
                    replies.extend_from_slice(head.as_bytes());
                    replies.extend_from_slice(&item.value);
                    replies.extend_from_slice(b"\r\n");
                }
                "END\r\n".into()
            }
            _ => {
                let is_meta = matches!(request.answer, Answer::Quiet | Answer::MetaValue);
                let is_value = matches!(request.action, Action::Store { .. });
                if is_meta && self.mistaken && !is_value && !self.kind.speaks_meta() {
                    replies.extend_from_slice(b"ERROR\r\n");
                    return;
                }
                assert!(
                    !is_meta || self.kind.speaks_meta(),
                    "{:?} got {request:?}",
                    self.kind
                );
                store.log.push(request.clone());
                let (meta, classic) = write(store, &request, self.kind);
                let is_error = classic.contains("_ERROR ");
                match request.answer {
                    Answer::Quiet | Answer::Classic if is_error => store.errors += 1,
                    _ => {}
                }
                match request.answer {
                    Answer::NoReply => String::new(),
                    Answer::Classic => classic,
                    Answer::Quiet if meta == "HD\r\n" => String::new(),
                    // Told apart from the quiet HD by its blank, which replies may have.
                    Answer::Quiet | Answer::MetaValue => meta,
                }
            }
        };
        replies.extend_from_slice(reply.as_bytes());
    }
}

/// Carries out a write: the meta and the classic reply.
fn write(store: &mut Store, request: &Request, kind: Kind) -> (String, String) {
    let key = &request.key;
    let both = |meta: &str, classic: &str| (format!("{meta}\r\n"), format!("{classic}\r\n"));
    let found = store.items.get(key).cloned();
    let makes = match &request.action {
        Action::Arithmetic { create, .. } => create.is_some(),
        Action::Store { .. } => true,
        _ => false,
    };
    if makes && key.starts_with(NO_ROOM) {
        let text = "SERVER_ERROR out of memory";
        return both(text, text);
    }
    match &request.action {
        Action::Arithmetic { up, step, create } => {
            let Some(mut item) = found else {
                let Some(init) = create else {
                    return both("NF", "NOT_FOUND");
                };
                store.put(key, init.to_string().as_bytes(), 0);
                return match (request.answer, kind) {
                    (Answer::MetaValue, _) => {
                        let digits = init.to_string();
                        (
                            format!("VA {}\r\n{digits}\r\n", digits.len()),
                            String::new(),
                        )
                    }
                    (_, Kind::V1_6_18) => ("HD \r\n".into(), String::new()),
                    _ => ("HD\r\n".into(), String::new()),
                };
            };
            let Some(old) = number(&item.value) else {
                let text = "CLIENT_ERROR cannot increment or decrement non-numeric value";
                return both(text, text);
            };
            let new = if *up {
                old.wrapping_add(*step)
            } else {
                old.saturating_sub(*step)
            };
            let width = item.value.len();
            let mut digits = new.to_string();
            if digits.len() < width {
                digits = format!("{digits:<width$}");
            }
            item.value = digits.clone().into_bytes();
            store.put(key, &item.value, item.flags);
            match request.answer {
                Answer::MetaValue => (
                    format!("VA {}\r\n{digits}\r\n", digits.len()),
                    String::new(),
                ),
                _ => both("HD", &new.to_string()),
            }
        }
        Action::Store {
            mode,
            flags,
            cas,
            data,
        } => match (*mode, found) {
            ("add", Some(_)) | ("replace", None) => both("NS", "NOT_STORED"),
            ("cas", None) => both("NF", "NOT_FOUND"),
            ("cas", Some(item)) if item.cas != *cas => both("EX", "EXISTS"),
            _ => {
                store.put(key, data, *flags);
                both("HD", "STORED")
            }
        },
        Action::Delete => match store.items.remove(key) {
            Some(_) => both("HD", "DELETED"),
            None => both("NF", "NOT_FOUND"),
        },
        Action::Touch => match found {
            Some(_) => both("HD", "TOUCHED"),
            None => both("NF", "NOT_FOUND"),
        },
        other => panic!("{other:?} is no write"),
    }
}
