//! ini settings whose values are checked before they are taken.

use super::class::Fixed;
use super::ffi::{
    E_WARNING, INI_STAGE_SHUTDOWN, INI_STAGE_STARTUP, PHP_INI_PERDIR, PHP_INI_SYSTEM,
    php_error_docref, php_ini_get_configuration_hash, zend_ini_entry, zend_ini_entry_def,
    zend_register_ini_entries, zend_string, zend_unregister_ini_entries,
};
use super::ini_file::place_of;
use super::thrown::c_string;
use super::view::Str;
use std::ffi::{CStr, c_int, c_void};
use std::panic::catch_unwind;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

/// An ini setting: of php.ini, the command line, .htaccess, .user.ini and FPM's per-directory values, not of `ini_set()`.
pub struct Setting {
    /// Such as `wrstats.timeout`.
    pub name: &'static CStr,
    /// The value when php.ini has none; `apply` must accept it.
    pub default: &'static CStr,
    /// Takes a new value for this thread, or refuses it with a message such as "wrstats.timeout must
    /// be ..., \"abc\" given", which is shown as a warning; the old value or the default stays.
    pub apply: fn(&[u8]) -> Result<(), String>,
}

/// The engine may keep the table, so it is made once and stays.
static DEFINITIONS: OnceLock<Fixed<Vec<zend_ini_entry_def>>> = OnceLock::new();

/// Registers the settings; each `apply` is called with the value in force. Then warns of everything else in the ini
/// files and on the command line whose name begins with `prefix`, which PHP would ignore: `unknown` says what is wrong.
pub(super) fn startup(
    settings: &'static [Setting],
    prefix: &str,
    unknown: fn(&str) -> String,
    module: c_int,
) {
    let table = DEFINITIONS.get_or_init(|| {
        Fixed(
            settings
                .iter()
                .map(definition)
                .chain(std::iter::once(end()))
                .collect(),
        )
    });
    // SAFETY: the table ends with an empty entry and lives as long as the process.
    unsafe { zend_register_ini_entries(table.0.as_ptr(), module) };
    for name in configured(prefix) {
        if !settings
            .iter()
            .any(|setting| setting.name.to_bytes() == name.as_bytes())
        {
            let place = place_of(&name, b"").map_or_else(String::new, |place| format!(" {place}"));
            warn(format!("{}{place}", unknown(&name)));
        }
    }
}

/// The names that begin with `prefix` of all that the ini files and the command line set.
fn configured(prefix: &str) -> Vec<String> {
    // SAFETY: the engine's own table, which is there from before modules start and does not change meanwhile.
    let table = unsafe { &*php_ini_get_configuration_hash() };
    table
        .iter()
        .map(|(name, _)| name.to_string())
        .filter(|name| name.starts_with(prefix))
        .collect()
}

pub(super) fn shutdown(module: c_int) {
    // SAFETY: the module number the engine gave.
    unsafe { zend_unregister_ini_entries(module) };
}

fn definition(setting: &'static Setting) -> zend_ini_entry_def {
    let access = PHP_INI_SYSTEM | PHP_INI_PERDIR;
    zend_ini_entry_def {
        name: setting.name.as_ptr(),
        name_length: setting.name.count_bytes() as u16,
        value: setting.default.as_ptr(),
        value_length: setting.default.count_bytes() as u32,
        modifiable: access as u8,
        on_modify: Some(on_modify),
        mh_arg1: (&raw const *setting).cast_mut().cast::<c_void>(),
        ..end()
    }
}

const fn end() -> zend_ini_entry_def {
    zend_ini_entry_def {
        name: null(),
        on_modify: None,
        mh_arg1: null_mut(),
        mh_arg2: null_mut(),
        mh_arg3: null_mut(),
        value: null(),
        displayer: None,
        value_length: 0,
        name_length: 0,
        modifiable: 0,
    }
}

unsafe extern "C" fn on_modify(
    _entry: *mut zend_ini_entry,
    new_value: *mut zend_string,
    setting: *mut c_void,
    _arg2: *mut c_void,
    _arg3: *mut c_void,
    stage: c_int,
) -> c_int {
    const SUCCESS: c_int = 0;
    const FAILURE: c_int = -1;
    if stage == INI_STAGE_SHUTDOWN {
        return SUCCESS;
    }
    // SAFETY: `mh_arg1` is what `definition` put there; the string is null or alive during this call.
    let (setting, value) = unsafe {
        let setting = &*setting.cast_const().cast::<Setting>();
        let value: &[u8] = if new_value.is_null() {
            b""
        } else {
            Str::new(new_value).bytes()
        };
        (setting, value)
    };
    match catch_unwind(|| (setting.apply)(value)) {
        Ok(Ok(())) => return SUCCESS,
        Ok(Err(message)) => {
            // At startup the engine itself says "in Unknown on line 0".
            let place = match stage {
                INI_STAGE_STARTUP => place_of(&setting.name.to_string_lossy(), value),
                _ => None,
            };
            warn(place.map_or_else(|| message.clone(), |place| format!("{message} {place}")));
        }
        Err(_) => warn(format!(
            "{}: internal error",
            setting.name.to_string_lossy()
        )),
    }
    FAILURE
}

/// Shows a PHP warning.
pub(super) fn warn(message: String) {
    let message = c_string(message);
    // SAFETY: the format takes one string.
    unsafe {
        php_error_docref(null(), E_WARNING as c_int, c"%s".as_ptr(), message.as_ptr());
    }
}
