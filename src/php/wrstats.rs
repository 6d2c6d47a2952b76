//! `WRStats`: the handle, its state and how it is made. Its methods are in the files of this folder.

mod background;
mod compression;
mod counters;
mod factories;
mod insight;
mod multi;
mod values;

pub use background::{decr, flush, incr, incr_multi, sync};
pub use compression::{compress, decompress};
pub use counters::{decr_and_get, get_counters, incr_and_get};
pub use factories::{
    create_rate_limiter, create_reader, create_writer, on_store, set_current_time,
};
pub use insight::{last_error, last_error_code, metrics, server_for, servers};
pub use multi::{delete_multi, get_multi, set_items, set_multi, touch_multi};
pub use values::{add, cas, delete, get, replace, set, touch};

use factories::Stats;

use super::lifecycle::Opened;
use super::zend::{
    Call, Class, Native, StrOrArray, This, Thrown, View, Visitor, copy, is_copy, is_path_allowed,
    with_globals,
};
use crate::client::config::{Config, Servers};
use crate::client::endpoint::{Address, Server};
use crate::client::failure::{Failure, Kind};
use crate::client::handle::{CallError, Handle};
use crate::client::input::Input;
use crate::driver::clock;
use crate::protocol::key::KeyError;
use crate::protocol::ttl::Ttl;

/// The state of a handle.
pub struct WRStats {
    backend: Backend,
    stats: Stats,
}

enum Backend {
    Client(Handle),
    /// Made by `onStore()`: writers, readers and limiters only.
    Store,
}

impl Native for WRStats {
    const HOLDS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        self.stats.held(visit);
    }
}

/// `__construct(array|string|null $config = null)`
pub fn construct(call: &mut Call) -> Result<(), Thrown> {
    let given = match call.str_or_array_or_null()? {
        None => View::Null,
        Some(StrOrArray::Str(dsn)) => View::Str(dsn),
        Some(StrOrArray::Array(array)) => View::Array(array),
    };
    let known = with_globals(|globals| {
        let opened = globals.opened.borrow();
        let mut found = opened
            .iter()
            .filter(|opened| is_copy(given, &opened.config, call));
        found.find_map(|opened| Some((opened.template.make()?, opened.sockets.clone())))
    });
    let handle = match known {
        Some((handle, sockets)) => {
            check_open_basedir(&sockets)?;
            handle
        }
        None => open(copy(given, call))?,
    };
    call.construct(WRStats {
        backend: Backend::Client(handle),
        stats: Stats::default(),
    })
}

/// Most configs remembered; the one remembered longest is forgotten first.
const REMEMBERED: usize = 8;

/// A handle for a config that was not given before, remembered for the next time.
#[cold]
fn open(given: Input) -> Result<Handle, Thrown> {
    let base = with_globals(|globals| globals.settings.borrow().clone());
    let config = match &given {
        Input::Bytes(dsn) => Config::from_dsn(&base, dsn),
        Input::Array(list) => Config::from_array(&base, list),
        _ => Ok(base),
    };
    let config = config.map_err(|error| Thrown::argument_value(1, error.to_string()))?;
    let sockets: Vec<Box<[u8]>> = match &config.servers {
        Servers::Memory => Vec::new(),
        Servers::Remote(servers) => servers
            .iter()
            .map(Server::endpoint)
            .filter(|endpoint| matches!(endpoint.address(), Address::Unix(_)))
            .map(|endpoint| endpoint.name().into())
            .collect(),
    };
    check_open_basedir(&sockets)?;
    Ok(with_globals(|globals| {
        let handle = Handle::open(&config, &mut globals.pools.borrow_mut());
        let mut opened = globals.opened.borrow_mut();
        opened.retain(|old| old.config != given);
        opened.truncate(REMEMBERED - 1);
        opened.insert(
            0,
            Opened {
                config: given,
                sockets,
                template: handle.template(),
            },
        );
        handle
    }))
}

/// Sockets are files: `open_basedir` holds for them whoever named them, a script or an ini file.
fn check_open_basedir(sockets: &[Box<[u8]>]) -> Result<(), Thrown> {
    match sockets.iter().find(|path| !is_path_allowed(path)) {
        None => Ok(()),
        Some(path) => Err(Thrown::argument_value(
            1,
            format!(
                "servers: open_basedir does not allow the socket \"{}\"",
                path.escape_ascii()
            ),
        )),
    }
}

impl WRStats {
    /// The client behind the handle.
    #[inline(always)]
    fn client(&mut self) -> Result<&mut Handle, Thrown> {
        match &mut self.backend {
            Backend::Client(handle) => Ok(handle),
            Backend::Store => Err(on_a_store()),
        }
    }
}

#[cold]
fn on_a_store() -> Thrown {
    Thrown::logic(
        "this handle was made by WRStats::onStore() and has writers, readers and rate limiters \
         only; make one with new WRStats() for counters and values",
    )
}

/// Borrows `$this` and hands its client to `f`.
#[inline(always)]
fn with_client<R>(
    call: &Call,
    f: impl FnOnce(&mut Handle) -> Result<R, Thrown>,
) -> Result<R, Thrown> {
    let mut this: This<'_, WRStats> = call.this::<WRStats>()?;
    f(this.client()?)
}

// ---- arguments ----

/// What a key must be; `number` is the argument's.
#[cold]
fn bad_key(number: u32, error: &KeyError) -> Thrown {
    Thrown::argument_value(number, key_rule(error))
}

fn key_rule(error: &KeyError) -> String {
    format!("must be 1 to 250 bytes without spaces or control characters, {error}")
}

/// A step, which is an int that is not negative.
#[inline(always)]
fn step(value: i64, number: u32) -> Result<u64, Thrown> {
    u64::try_from(value).map_err(|_| negative(number))
}

#[cold]
fn negative(number: u32) -> Thrown {
    Thrown::argument_value(number, "must be greater than or equal to 0")
}

#[inline(always)]
fn ttl(value: i64, number: u32) -> Result<Ttl, Thrown> {
    Ttl::new(value, clock::unix)
        .map_err(|error| Thrown::argument_value(number, format!("must be {error}")))
}

fn flags(value: i64, number: u32) -> Result<u32, Thrown> {
    u32::try_from(value)
        .map_err(|_| Thrown::argument_value(number, "must be between 0 and 4294967295 (32 bits)"))
}

/// What `get()` and `getMulti()` answer of an item, by their argument `$getFlags`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// 0: the bytes.
    Bytes,
    /// `WRStats::GET_EXTENDED`: value, flags and CAS.
    Extended,
    /// `WRStats::GET_FLAGS`: value and flags, so that no CAS is asked for.
    Flags,
}

impl Shape {
    fn with_cas(self) -> bool {
        self == Shape::Extended
    }
}

fn shape(get_flags: i64, number: u32) -> Result<Shape, Thrown> {
    match get_flags {
        0 => Ok(Shape::Bytes),
        1 => Ok(Shape::Extended),
        2 => Ok(Shape::Flags),
        _ => Err(Thrown::argument_value(
            number,
            "must be 0, WRStats::GET_EXTENDED or WRStats::GET_FLAGS",
        )),
    }
}

// ---- failures ----

/// The exception for a failure.
pub(super) fn exception(failure: &Failure) -> Thrown {
    let class = match failure.kind {
        Kind::Connection => Class::ConnectionException,
        Kind::Server => Class::ServerException,
    };
    Thrown::exception(
        class,
        failure.code as i64,
        failure.to_string(),
        &*failure.server,
    )
}

/// The exception for a call on one key, which is argument `number`.
fn call_error(error: CallError, number: u32) -> Thrown {
    match error {
        CallError::Key(error) => bad_key(number, &error),
        CallError::Failure(failure) => exception(&failure),
    }
}
