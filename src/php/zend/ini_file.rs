//! Where in the ini files a setting stands, for messages about it.
#![allow(unsafe_code)]

use super::ffi::{php_ini_opened_path, php_ini_scanned_files};
use crate::driver::file::read_at_most;
use std::ffi::{CStr, c_char};

/// Most bytes of an ini file that are looked at.
const MAX_FILE: u64 = 1 << 20;

/// "in FILE on line N": the last line that gives this setting this value. None when there is none, because the value came
/// from the command line or the web server's configuration. For startup, when the engine knows no line.
pub(super) fn place_of(setting: &str, value: &[u8]) -> Option<String> {
    let mut found = None;
    for file in files() {
        let Ok(text) = read_at_most(&file, MAX_FILE) else {
            continue;
        };
        if let Some(line) = line_of(&text, setting, value) {
            found = Some(format!("in {file} on line {line}"));
        }
    }
    found
}

/// The ini files that PHP has read, in its order: later ones win.
fn files() -> Vec<String> {
    // SAFETY: null or a text of the engine's that stays until it shuts down; nothing writes to it after startup.
    let (main, scanned) = unsafe { (text_of(php_ini_opened_path), text_of(php_ini_scanned_files)) };
    std::iter::once(main.as_str())
        .chain(scanned.split(",\n"))
        .map(|file| file.trim_matches(['\n', ',', ' ']).to_owned())
        .filter(|file| !file.is_empty())
        .collect()
}

/// # Safety
/// Null, or a text that ends with NUL.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// The number, from 1, of the last line `setting = … value …`.
fn line_of(text: &[u8], setting: &str, value: &[u8]) -> Option<usize> {
    let lines = text.split(|byte| *byte == b'\n').enumerate();
    let last = lines.filter(|(_, line)| {
        let line = line.trim_ascii();
        let Some(rest) = line.strip_prefix(setting.as_bytes()) else {
            return false;
        };
        let Some(given) = rest.trim_ascii_start().strip_prefix(b"=") else {
            return false;
        };
        value.is_empty() || given.windows(value.len()).any(|part| part == value)
    });
    last.last().map(|(index, _)| index + 1)
}
