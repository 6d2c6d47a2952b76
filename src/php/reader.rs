//! `WRStats\Reader`

use super::rate::{self, Rate};
use super::stats_entity::{self, Entity, Unchanging, shown_key};
use super::stats_errors::{invalid, remote};
use super::stats_store::{Backing, EntityObjects, PhpStore};
use super::time_range::{self, TimeRange};
use super::zend::{
    Array, ArrayOrObject, Call, Digits, Held, Native, New, NewArray, Number, Object, ObjectValue,
    Thrown, ToPhp, View, Visitor,
};
use crate::stats::bucket;
use crate::stats::catalog::{Catalog, MetricName};
use crate::stats::entity::EntityId;
use crate::stats::error::Invalid;
use crate::stats::reader;
use std::rc::Rc;

/// A reader. Never borrowed while PHP code may run.
pub struct Reader {
    reader: reader::Reader,
    backing: Backing,
    /// The entity that the reader remembers.
    last: Option<Unchanging>,
    /// For a PHP store: the objects of the entities read for.
    entities: EntityObjects,
}

impl Native for Reader {
    const HOLDS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        self.backing.held(visit);
        self.last.iter().for_each(|last| last.held(visit));
        self.entities.held(visit);
    }
}

impl Reader {
    /// A reader of a catalog's metrics.
    ///
    /// # Errors
    /// `now` is no time.
    pub fn new(
        catalog: Rc<Catalog>,
        backing: Backing,
        now: Option<Number>,
    ) -> Result<Reader, Invalid> {
        Ok(Reader {
            reader: reader::Reader::new(catalog, now)?,
            backing,
            last: None,
            entities: EntityObjects::default(),
        })
    }

    /// The stats room's reader.
    pub fn inner(&mut self) -> &mut reader::Reader {
        &mut self.reader
    }
}

#[cold]
fn unusable() -> Thrown {
    Thrown::error("WRStats\\Reader: the object is in use further up the call stack")
}

/// Fetches what the reader has gathered, if anything.
///
/// # Errors
/// `ConnectionException` and the like, or what a PHP store threw.
pub fn fetch_for(object: Object<'_>) -> Result<(), Thrown> {
    let (store, fetch, mut entities) = {
        let mut state = object.state_mut::<Reader>().ok_or_else(unusable)?;
        let state = &mut *state;
        match &state.backing {
            Backing::Client(store) => {
                let fetched = state.reader.fetch(&mut *store.borrow_mut());
                return fetched.map_err(|error| remote(&error));
            }
            Backing::Php(store) => {
                let Some(fetch) = state.reader.begin_fetch() else {
                    return Ok(());
                };
                (store.clone(), fetch, state.entities.clone())
            }
        }
    };
    let fetched = fetch.run(&mut PhpStore {
        object: &store,
        entities: &mut entities,
    })?;
    let mut state = object.state_mut::<Reader>().ok_or_else(unusable)?;
    state.reader.finish_fetch(&fetched);
    Ok(())
}

/// `latest(int|float $seconds): TimeRange`
pub fn latest(call: &mut Call) -> Result<New<TimeRange>, Thrown> {
    let seconds = call.number()?;
    let latest = call.this::<Reader>()?.reader.latest(seconds);
    let range = latest.map_err(|error| match error {
        Invalid::Range(..) => Thrown::argument_value(
            1,
            format!("must be greater than or equal to 0, {seconds} given"),
        ),
        _ => Thrown::argument_value(
            1,
            format!("must be a number of seconds that reaches back to a time, {seconds} given"),
        ),
    })?;
    Ok(New(TimeRange(range)))
}

/// `timeRange(int|float $start, int|float $end): TimeRange`
pub fn time_range(call: &mut Call) -> Result<New<TimeRange>, Thrown> {
    time_range::from_arguments(call).map(New)
}

/// `getRate(string $metric, array|object|null $entity, TimeRange $range): Rate`
pub fn get_rate(call: &mut Call) -> Result<New<Rate>, Thrown> {
    let metric = call.str()?;
    let entity = call.array_or_object_or_null()?;
    let range = TimeRange::of(call.object_of::<TimeRange>()?)?;
    let metric = MetricName {
        bytes: metric.bytes(),
        hint: metric.as_ptr() as usize,
        is_sure: metric.is_interned(),
    };
    with_entity(call, entity, |reader, id| {
        let rate = reader.get_rate(metric, id, range);
        rate.map_err(|error| invalid(&error, argument(&error)))
    })
    .map(|rate| New(Rate::new(call.this_object(), rate)))
}

/// `getRates(array $metrics, array|object|null $entity, TimeRange $range): array`
pub fn get_rates(call: &mut Call) -> Result<NewArray, Thrown> {
    let metrics = call.array()?;
    let entity = call.array_or_object_or_null()?;
    let range = TimeRange::of(call.object_of::<TimeRange>()?)?;
    let rates = with_entity(call, entity, |reader, id| {
        rates(call, reader, metrics, id, range)
    })?;
    let mut answer = NewArray::with_capacity(rates.len());
    for ((_, metric), rate) in metrics.iter(call).zip(rates) {
        let rate = New(Rate::new(call.this_object(), rate));
        let mut digits = Digits::default();
        answer.insert(metric.str_or_int(&mut digits).unwrap_or_default(), rate);
    }
    Ok(answer)
}

fn rates(
    call: &Call,
    reader: &mut reader::Reader,
    metrics: Array<'_>,
    id: EntityId,
    range: bucket::TimeRange,
) -> Result<Vec<crate::stats::rate::Rate>, Thrown> {
    let mut digits = Digits::default();
    metrics
        .iter(call)
        .map(|(_, metric)| {
            let Some(name) = metric.str_or_int(&mut digits) else {
                let message = format!("must hold strings, {} given", metric.type_name());
                return Err(Thrown::argument_type(1, message));
            };
            reader
                .get_rate(name.into(), id, range)
                .map_err(|error| invalid(&error, argument(&error)))
        })
        .collect()
}

/// The argument of `getRate()` and `getRates()` that is to blame.
fn argument(error: &Invalid) -> u32 {
    match error {
        Invalid::UnknownMetric(_) => 1,
        Invalid::LongKey(..) | Invalid::StaleEntity => 2,
        _ => 3,
    }
}

/// Makes the entity of argument 2 known and hands it to `then`.
fn with_entity<R>(
    call: &Call,
    entity: Option<ArrayOrObject<'_>>,
    then: impl FnOnce(&mut reader::Reader, EntityId) -> Result<R, Thrown>,
) -> Result<R, Thrown> {
    {
        let mut this = call.this::<Reader>()?;
        let known = match entity {
            None => Some(EntityId::NONE),
            Some(entity) => this.reader.remembered(stats_entity::hint(entity)),
        };
        if let Some(id) = known {
            return then(&mut this.reader, id);
        }
    }
    let mut entity = Entity::read(entity, call, &|rule| Thrown::argument_type(2, rule))?;
    // Released last: PHP code may run then.
    let _before;
    let mut this = call.this::<Reader>()?;
    let this = &mut *this;
    let hint = entity.unchanging.as_ref().map_or(0, Unchanging::hint);
    let id = entity.with(|global, list| this.reader.entity(global, list, hint));
    _before = std::mem::replace(&mut this.last, entity.unchanging.take());
    if let (Backing::Php(_), Some(object)) = (&this.backing, entity.object.take()) {
        this.entities.keep(id, object);
    }
    then(&mut this.reader, id)
}

/// `fetch(): void`
pub fn fetch(call: &mut Call) -> Result<(), Thrown> {
    call.this::<Reader>()?;
    let this = call.this_object();
    fetch_for(this.object())
}

/// `total(array $rates): array`
pub fn total(call: &mut Call) -> Result<NewArray, Thrown> {
    each(call, rate::total_of)
}

/// `perSecond(array $rates): array`
pub fn per_second(call: &mut Call) -> Result<NewArray, Thrown> {
    each(call, |rate| rate::per(rate, rate::SECOND))
}

/// `perMinute(array $rates): array`
pub fn per_minute(call: &mut Call) -> Result<NewArray, Thrown> {
    each(call, |rate| rate::per(rate, rate::MINUTE))
}

/// `perHour(array $rates): array`
pub fn per_hour(call: &mut Call) -> Result<NewArray, Thrown> {
    each(call, |rate| rate::per(rate, rate::HOUR))
}

/// `perDay(array $rates): array`
pub fn per_day(call: &mut Call) -> Result<NewArray, Thrown> {
    each(call, |rate| rate::per(rate, rate::DAY))
}

fn each<R: ToPhp>(
    call: &mut Call,
    answer: impl Fn(Object<'_>) -> Result<R, Thrown>,
) -> Result<NewArray, Thrown> {
    let rates = call.array()?;
    call.this::<Reader>()?;
    let mut answers = NewArray::with_capacity(rates.len());
    for (key, rate) in rates.iter(call) {
        let View::Object(object) = rate else {
            return Err(no_rate(shown_key(key), rate));
        };
        if !object.is::<Rate>() {
            return Err(no_rate(shown_key(key), rate));
        }
        answers.insert_key(key, answer(object)?);
    }
    Ok(answers)
}

#[cold]
fn no_rate(key: String, given: View<'_>) -> Thrown {
    let given = given.type_name();
    Thrown::argument_type(
        1,
        format!("must hold WRStats\\Rate objects, [{key}] is {given}"),
    )
}

/// `setCurrentTime(int|float $now): void`
pub fn set_current_time(call: &mut Call) -> Result<(), Thrown> {
    let now = call.number()?;
    let set = call.this::<Reader>()?.reader.set_current_time(now);
    set.map_err(|error| invalid(&error, 1))
}

/// `resetCurrentTime(): void`
pub fn reset_current_time(call: &mut Call) -> Result<(), Thrown> {
    call.this::<Reader>()?.reader.reset_current_time();
    Ok(())
}

/// What a [`Rate`] needs of its reader.
pub type HeldReader = Held<ObjectValue>;
