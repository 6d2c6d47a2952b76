//! What a `WRStats` makes: writers, readers and rate limiters, on the client or on a store of PHP code.

use super::{Backend, WRStats};
use crate::client::handle::Handle;
use crate::client::input::{Input, InputKey};
use crate::driver::clock;
use crate::php::rate_limiter::RateLimiter;
use crate::php::reader::Reader;
use crate::php::stats_cache::{Cache, Lookup, Prefix};
use crate::php::stats_entity::shown_key;
use crate::php::stats_errors::invalid;
use crate::php::stats_store::Backing;
use crate::php::writer::Writer;
use crate::php::zend::{
    Array, Call, Key, New, Number, Object, StrOrArray, This, Thrown, View, Visitor, copy, round,
};
use crate::protocol::key::MAX_LEN;
use crate::stats::bucket::check_time;
use crate::stats::catalog::{Catalog, Host, Naming};
use crate::stats::condition::Conditions;
use crate::stats::error::Invalid;
use crate::stats::key::KeyStyle;
use crate::stats::number::Rounding;
use crate::stats::remote::Remote;
use crate::stats::spec::Specs;
use std::cell::RefCell;
use std::rc::Rc;

/// What a handle has for those that it makes.
#[derive(Default)]
pub struct Stats {
    /// Made when first needed.
    backing: Option<Backing>,
    catalogs: Cache<Catalog>,
    conditions: Cache<Conditions>,
    /// The time for those to come; `None`: the clock's.
    now: Option<Number>,
}

impl Stats {
    /// On a store of PHP code.
    pub fn on(backing: Backing) -> Stats {
        Stats {
            backing: Some(backing),
            ..Stats::default()
        }
    }

    /// Reports what it holds, but for the store of a handle made by `onStore()`.
    pub fn held(&self, visit: &mut Visitor) {
        self.backing.iter().for_each(|backing| backing.held(visit));
        self.catalogs.held(visit);
        self.conditions.held(visit);
    }
}

impl WRStats {
    fn backing(&mut self) -> Backing {
        let client = match &self.backend {
            Backend::Client(handle) => Some(handle),
            Backend::Store => None,
        };
        let make = || match client {
            Some(handle) => Backing::Client(Rc::new(RefCell::new(Remote(handle.another())))),
            None => unreachable!("a handle without client is made with its store"),
        };
        self.stats.backing.get_or_insert_with(make).clone()
    }

    fn naming(&self) -> Naming {
        match &self.backend {
            Backend::Client(handle) => Naming::Native(style(handle)),
            Backend::Store => Naming::ByStore,
        }
    }
}

fn style(handle: &Handle) -> KeyStyle {
    KeyStyle {
        keyspace: handle.keyspace().into(),
        long_keys: handle.long_keys(),
        room: MAX_LEN - handle.head().len(),
    }
}

fn host() -> Host {
    Host {
        clock: || Number::Float(clock::unix_seconds()),
        rounding: Rounding::by(round),
    }
}

/// `createWriter(array $specs, string|array $prefix = 'WRStats'): Writer`
pub fn create_writer(call: &mut Call) -> Result<New<Writer>, Thrown> {
    with_catalog(call, |mut this, catalog| {
        Writer::new(catalog, this.backing(), this.stats.now)
    })
    .map(New)
}

/// `createReader(array $specs, string|array $prefix = 'WRStats'): Reader`
pub fn create_reader(call: &mut Call) -> Result<New<Reader>, Thrown> {
    with_catalog(call, |mut this, catalog| {
        Reader::new(catalog, this.backing(), this.stats.now)
    })
    .map(New)
}

/// Hands the catalog of arguments 1 and 2 to `then`.
#[inline(always)]
fn with_catalog<R>(
    call: &mut Call,
    then: impl Fn(This<'_, WRStats>, Rc<Catalog>) -> Result<R, Invalid>,
) -> Result<R, Thrown> {
    let lookup = Lookup {
        input: call.array()?,
        options: None,
        prefix: call.str_or_array()?,
    };
    let mut this = call.this::<WRStats>()?;
    let made = match this.stats.catalogs.find(lookup, None) {
        Some(catalog) => then(this, catalog),
        None => {
            drop(this);
            let catalog = new_catalog(call, lookup)?;
            then(call.this::<WRStats>()?, catalog)
        }
    };
    made.map_err(|error| Thrown::error(error.to_string()))
}

#[inline(never)]
fn new_catalog(call: &Call, lookup: Lookup<'_>) -> Result<Rc<Catalog>, Thrown> {
    let prefix = read_prefix(call, lookup.prefix)?;
    let mut this = call.this::<WRStats>()?;
    if let Some(catalog) = this.stats.catalogs.find(lookup, Some(&prefix)) {
        return Ok(catalog);
    }
    let specs = copy(View::Array(lookup.input), call);
    let specs = Specs::parse(&specs).map_err(|error| invalid(&error, 1))?;
    let prefix = Prefix::new(lookup.prefix, prefix);
    let catalog = Catalog::new(specs, &prefix.components(), this.naming(), host());
    let catalog = Rc::new(catalog.map_err(|error| invalid(&error, 2))?);
    let gone = this.stats.catalogs.keep(lookup, prefix, &catalog);
    drop(this);
    drop(gone);
    Ok(catalog)
}

/// `createRateLimiter(array $conditions, string|array $prefix = 'WRStats', array $options = []): RateLimiter`
pub fn create_rate_limiter(call: &mut Call) -> Result<New<RateLimiter>, Thrown> {
    let input = call.array()?;
    let prefix = call.str_or_array()?;
    let options = call.array_or_none(c"array")?;
    let lookup = Lookup {
        input,
        options: options.filter(|options| !options.is_empty()),
        prefix,
    };
    let found = call.this::<WRStats>()?.stats.conditions.find(lookup, None);
    let conditions = match found {
        Some(conditions) => conditions,
        None => new_conditions(call, lookup)?,
    };
    let mut this = call.this::<WRStats>()?;
    let limiter = RateLimiter::new(conditions, this.backing(), this.stats.now);
    limiter
        .map(New)
        .map_err(|error| Thrown::error(error.to_string()))
}

fn new_conditions(call: &Call, lookup: Lookup<'_>) -> Result<Rc<Conditions>, Thrown> {
    let prefix = read_prefix(call, lookup.prefix)?;
    let conditions = copy_conditions(call, lookup.input)?;
    let options = match lookup.options {
        Some(options) => copy(View::Array(options), call),
        None => Input::Array(Vec::new()),
    };
    let mut this = call.this::<WRStats>()?;
    if let Some(conditions) = this.stats.conditions.find(lookup, Some(&prefix)) {
        return Ok(conditions);
    }
    let prefix = Prefix::new(lookup.prefix, prefix);
    let parsed = Conditions::parse(
        &conditions,
        &options,
        &prefix.components(),
        this.naming(),
        host(),
    );
    let argument = |error: &Invalid| match error {
        Invalid::NoPrefix => 2,
        Invalid::Entry { path, .. } if path.starts_with("options") => 3,
        _ => 1,
    };
    let parsed = Rc::new(parsed.map_err(|error| invalid(&error, argument(&error)))?);
    let gone = this.stats.conditions.keep(lookup, prefix, &parsed);
    drop(this);
    drop(gone);
    Ok(parsed)
}

/// Conditions, of which each may be an object with public properties. May run PHP code.
fn copy_conditions(call: &Call, conditions: Array<'_>) -> Result<Input, Thrown> {
    let mut copied = Vec::with_capacity(conditions.len());
    for (key, condition) in conditions.iter(call) {
        let key = match key {
            Key::Int(index) => InputKey::Int(index),
            Key::Str(name) => InputKey::Bytes(name.bytes().to_vec()),
        };
        let condition = match condition {
            View::Object(object) => copy_condition(call, object)?,
            other => copy(other, call),
        };
        copied.push((key, condition));
    }
    Ok(Input::Array(copied))
}

fn copy_condition(call: &Call, condition: Object<'_>) -> Result<Input, Thrown> {
    let mut copied = Vec::with_capacity(2);
    for name in ["limit", "window"] {
        if let Some(value) = condition.property(name)? {
            copied.push((InputKey::Bytes(name.into()), copy(value.view(), call)));
        }
    }
    Ok(Input::Array(copied))
}

/// The components of the prefix, which is argument 2. May run PHP code.
fn read_prefix(call: &Call, given: Option<StrOrArray<'_>>) -> Result<Vec<Box<[u8]>>, Thrown> {
    if let Some(single) = Prefix::single(given) {
        return Ok(vec![single.into()]);
    }
    let Some(StrOrArray::Array(array)) = given else {
        return Ok(Vec::new());
    };
    let component = |(key, value): (Key<'_>, View<'_>)| match value {
        View::Str(text) => Ok(text.bytes().into()),
        View::Null | View::Array(_) | View::Resource => Err(bad_component(key, value)),
        View::Object(object) if !object.has_method("__tostring") => Err(bad_component(key, value)),
        other => Ok(other.text()?.bytes().into()),
    };
    array.iter(call).map(component).collect()
}

#[cold]
fn bad_component(key: Key<'_>, value: View<'_>) -> Thrown {
    let message = format!(
        "must have components that are strings, [{}] is {}",
        shown_key(key),
        value.type_name()
    );
    Thrown::argument_type(2, message)
}

/// `onStore(object $store): self`
pub fn on_store(call: &mut Call) -> Result<New<WRStats>, Thrown> {
    let store = call.object()?;
    for method in ["makeKey", "incr", "delete", "query"] {
        if !store.has_method(&method.to_lowercase()) {
            let message = format!(
                "must have the methods makeKey, incr, delete and query, {method} is missing"
            );
            return Err(Thrown::argument_value(1, message));
        }
    }
    Ok(New(WRStats {
        backend: Backend::Store,
        stats: Stats::on(Backing::Php(store.hold())),
    }))
}

/// `setCurrentTime(int|float|null $now): void`
pub fn set_current_time(call: &mut Call) -> Result<(), Thrown> {
    let now = call.number_or_null()?;
    let now = now.map(check_time).transpose();
    let now = now.map_err(|error| invalid(&error, 1))?;
    call.this::<WRStats>()?.stats.now = now;
    Ok(())
}
