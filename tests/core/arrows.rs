//! The arrows of the house (src/lib.rs), the one room with system calls, the one with `unsafe`: kept by
//! reading the source.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room and those it may know.
const MAY_KNOW: [(&str, &[&str]); 6] = [
    ("protocol", &[]),
    ("connection", &["protocol"]),
    ("driver", &[]),
    ("client", &["protocol", "connection", "driver"]),
    ("stats", &["protocol", "connection", "driver", "client"]),
    (
        "php",
        &["protocol", "connection", "driver", "client", "stats"],
    ),
];

struct File {
    /// From `src/` on.
    path: String,
    room: String,
    /// How many modules above it, the crate itself not counted.
    depth: usize,
    /// Without comments.
    code: String,
}

fn sources() -> Vec<File> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut dirs = vec![src.clone()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(file(&src, &path));
            }
        }
    }
    assert!(files.len() > 40, "{} files", files.len());
    files
}

fn file(src: &Path, path: &Path) -> File {
    let name = path
        .strip_prefix(src)
        .unwrap()
        .to_str()
        .unwrap()
        .to_string();
    let mut parts: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    let text = fs::read_to_string(path).unwrap();
    let code = text
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code))
        .collect::<Vec<_>>()
        .join("\n");
    File {
        room: parts[0].to_string(),
        depth: parts.len() - 1,
        code,
        path: name,
    }
}

/// What `prefix` is followed by in `code`, up to something that is in no name; braces are opened.
fn followers(code: &str, prefix: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            // One level is enough: `crate::{client::x, driver::{a, b}}`.
            Some(group) => {
                let mut depth = 0;
                let mut start = true;
                for (i, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if start && c.is_alphabetic() => {
                            found.insert(word(&group[i..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
            None => {
                found.insert(word(rest));
            }
        }
    }
    found
}

#[test]
fn arrows_go_one_way() {
    let rooms: Vec<&str> = MAY_KNOW.iter().map(|(room, _)| *room).collect();
    let mut drawn = BTreeSet::new();
    for file in sources().iter().filter(|file| file.path != "lib.rs") {
        let (_, may_know) = MAY_KNOW
            .iter()
            .find(|(room, _)| *room == file.room)
            .unwrap_or_else(|| panic!("{} is in no room", file.path));
        for known in followers(&file.code, "crate::") {
            let known = known.as_str();
            assert!(
                known == file.room || !rooms.contains(&known) || may_know.contains(&known),
                "{} uses crate::{known}",
                file.path
            );
            if known != file.room && rooms.contains(&known) {
                drawn.insert((file.room.clone(), known.to_string()));
            }
        }
        // No way round by `super`; modules inside a file are one deeper.
        let inside = usize::from(file.code.contains("mod tests {"));
        let out = "super::".repeat(file.depth + inside + 1);
        let used = followers(&file.code, &out);
        assert!(
            used.is_empty(),
            "{} leaves its room: {out}{used:?}",
            file.path
        );
    }
    for arrow in [
        ("connection", "protocol"),
        ("client", "connection"),
        ("client", "driver"),
        ("stats", "client"),
    ] {
        let arrow = (arrow.0.to_string(), arrow.1.to_string());
        assert!(
            drawn.contains(&arrow),
            "{arrow:?} is not drawn: is the reading right?"
        );
    }
}

#[test]
fn system_calls_are_the_drivers() {
    for file in sources() {
        if file.room == "driver" {
            continue;
        }
        for module in ["net", "os", "fs", "process", "thread", "io"] {
            for used in paths(&file.code, &format!("std::{module}")) {
                // Addresses, bytes of paths, naps and error types are none.
                let harmless = match module {
                    "net" => {
                        ["Ipv4Addr", "Ipv6Addr", "IpAddr", "SocketAddr"].contains(&used.as_str())
                    }
                    "os" => used.starts_with("unix::ffi") || used.starts_with("raw"),
                    "thread" => used == "sleep" || used == "LocalKey",
                    "io" => true,
                    _ => false,
                };
                assert!(harmless, "{} uses std::{module}::{used}", file.path);
            }
        }
        assert!(!file.code.contains("rustix::"), "{} uses rustix", file.path);
        let is_zend = file.path.starts_with("php/zend/");
        assert!(
            is_zend || !file.code.contains("libc::"),
            "{} uses libc",
            file.path
        );
    }
}

/// The paths behind `prefix::`; a bare `use std::net;` counts as one.
fn paths(code: &str, prefix: &str) -> Vec<String> {
    code.match_indices(prefix)
        .map(|(at, _)| &code[at + prefix.len()..])
        .filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        .map(|rest| {
            rest.trim_start_matches("::")
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
                .collect()
        })
        .collect()
}

#[test]
fn no_thread_is_made() {
    for file in sources() {
        let code = file.code.split("mod tests {").next().unwrap_or_default();
        for word in ["thread::spawn", "thread::Builder", "thread::scope"] {
            assert!(!code.contains(word), "{} makes a thread", file.path);
        }
    }
}

#[test]
fn nothing_is_unserialized() {
    for file in sources() {
        let code = file.code.to_lowercase();
        let unserializes = ["var_unserialize", "igbinary", "msgpack"]
            .iter()
            .any(|name| code.contains(name));
        assert!(!unserializes, "{} reads PHP values from outside", file.path);
    }
}

/// Files outside php/zend with an unsafe call that no crate can make for us, and how many.
const UNSAFE: [(&str, usize); 2] = [("driver/clock.rs", 1), ("driver/memory.rs", 1)];

#[test]
fn unsafe_code_is_in_php_zend_only() {
    let mut seen = 0;
    for file in sources() {
        let count = file
            .code
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| *word == "unsafe")
            .count();
        let allowed = file.code.contains("allow(unsafe_code)");
        if file.path.starts_with("php/zend/") {
            seen += count;
        } else {
            let exception = UNSAFE.iter().find(|(path, _)| *path == file.path);
            let most = exception.map_or(0, |(_, count)| *count);
            assert!(
                count == most && allowed == (most > 0),
                "{} has unsafe code",
                file.path
            );
        }
    }
    assert!(seen > 0, "is the reading right?");
}

#[test]
fn the_reading_finds_what_it_looks_for() {
    let code =
        "use crate::client;\nuse crate::{driver::poll, stats::{a, b}};\nfn f() { crate::php::g() }";
    let found: Vec<String> = followers(code, "crate::").into_iter().collect();
    assert_eq!(found, ["client", "driver", "php", "stats"]);
    assert_eq!(
        paths("use std::net::TcpStream; std::network", "std::net"),
        ["TcpStream"]
    );
    assert_eq!(paths("use std::net;", "std::net"), [""]);
}
