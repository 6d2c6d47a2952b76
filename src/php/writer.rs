//! `WRStats\Writer`

use super::lifecycle::Globals;
use super::stats_entity::{self, Entity, Unchanging};
use super::stats_errors::{invalid, of_client, of_php_store, remote};
use super::stats_store::{Backing, EntityObjects, PhpStore};
use super::zend::{ArrayOrObject, Call, Native, Number, Thrown, View, Visitor, with_globals};
use crate::client::fork;
use crate::stats::catalog::{Catalog, MetricName};
use crate::stats::entity::EntityId;
use crate::stats::error::Invalid;
use crate::stats::writer::{self, Gathered};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem::take;
use std::rc::{Rc, Weak};

/// Most gatherings kept that a PHP store has failed to take; the oldest goes then, with the exception for it.
const MAX_UNSENT: usize = 16;

/// The PHP object: what it has gathered can be got at without it.
pub struct Writer(Rc<RefCell<Live>>);

/// A writer. Never borrowed while PHP code may run.
pub struct Live {
    writer: writer::Writer,
    backing: Backing,
    /// The process that gathers: see [`fork::generation`].
    generation: u32,
    /// The entity that the writer remembers.
    last: Option<Unchanging>,
    /// For a PHP store: the objects of the entities gathered for.
    entities: EntityObjects,
    /// What a PHP store threw at, apart from what it did take.
    unsent: VecDeque<(Gathered, EntityObjects)>,
    /// Objects that nothing needs any more, to be released while nothing is borrowed.
    spent: Vec<EntityObjects>,
}

/// The writers of this thread, so that a request's end finds what they have gathered.
#[derive(Default)]
pub struct LiveWriters {
    list: Vec<Weak<RefCell<Live>>>,
    /// How long the list may get before those that are gone are taken out.
    sweep_at: usize,
}

impl LiveWriters {
    fn add(&mut self, live: &Rc<RefCell<Live>>) {
        if self.list.len() >= self.sweep_at {
            self.list.retain(|live| live.strong_count() > 0);
            self.sweep_at = (self.list.len() * 2).max(64);
        }
        self.list.push(Rc::downgrade(live));
    }
}

/// Has all living writers hand over what they gathered, as far as no PHP code is needed for that. At a request's end.
pub fn flush_all(globals: &Globals) {
    let list = take(&mut globals.writers.borrow_mut().list);
    for live in list.iter().filter_map(Weak::upgrade) {
        if let Ok(mut live) = live.try_borrow_mut() {
            live.flush_to_client();
        }
    }
}

impl Writer {
    /// A writer of a catalog's metrics.
    ///
    /// # Errors
    /// `now` is no time.
    pub fn new(
        catalog: Rc<Catalog>,
        backing: Backing,
        now: Option<Number>,
    ) -> Result<Writer, Invalid> {
        let live = Rc::new(RefCell::new(Live {
            writer: writer::Writer::new(catalog, now)?,
            backing,
            generation: fork::generation(),
            last: None,
            entities: EntityObjects::default(),
            unsent: VecDeque::new(),
            spent: Vec::new(),
        }));
        with_globals(|globals| globals.writers.borrow_mut().add(&live));
        Ok(Writer(live))
    }
}

impl Native for Writer {
    const HOLDS: bool = true;
    const DESTRUCTS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        if let Ok(live) = self.0.try_borrow() {
            live.backing.held(visit);
            live.last.iter().for_each(|last| last.held(visit));
            live.entities.held(visit);
            let unsent = live.unsent.iter().map(|(_, entities)| entities);
            unsent
                .chain(&live.spent)
                .for_each(|entities| entities.held(visit));
        }
    }

    fn destruct(&mut self) -> Result<(), Thrown> {
        flush_live(&self.0)
    }
}

impl Live {
    /// In a forked child it starts empty: what was gathered is the parent's.
    #[inline]
    fn check_fork(&mut self) {
        if self.generation != fork::generation() {
            self.generation = fork::generation();
            self.writer.discard();
            self.unsent
                .iter_mut()
                .for_each(|(gathered, _)| gathered.discard());
            // Its numbers start anew.
            self.spent.push(take(&mut self.entities));
        }
    }

    /// The entity of an argument that is the same as the last.
    #[inline(always)]
    fn remembered(&self, argument: Option<ArrayOrObject<'_>>) -> Option<EntityId> {
        match argument {
            None => Some(EntityId::NONE),
            Some(argument) => self.writer.remembered(stats_entity::hint(argument)),
        }
    }

    fn flush_to_client(&mut self) {
        self.check_fork();
        if let Backing::Client(store) = &self.backing {
            // Keys were checked when they were counted, and what is refused shows in the pool's books.
            let _ = self.writer.flush(&mut *store.borrow_mut());
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.flush_to_client();
    }
}

/// `incr(string $metric, array|object|null $entity = null, int|float $value = 1): void`
pub fn incr(call: &mut Call) -> Result<(), Thrown> {
    let metric = call.str()?;
    let entity = call.array_or_object_or_null()?;
    let value = call.number_or(Number::Int(1))?;
    let metric = MetricName {
        bytes: metric.bytes(),
        hint: metric.as_ptr() as usize,
    };
    let full = {
        let this = call.this::<Writer>()?;
        let mut live = this.0.borrow_mut();
        live.check_fork();
        match live.remembered(entity) {
            Some(id) => {
                let counted = live.writer.incr(metric, id, value);
                counted.map_err(|error| invalid(&error, incr_argument(&error)))?;
                live.writer.wants_flush()
            }
            None => {
                drop(live);
                drop(this);
                return incr_slow(call, metric, entity, value);
            }
        }
    };
    if full { flush(call) } else { Ok(()) }
}

/// The argument of `incr()` that is to blame.
fn incr_argument(error: &Invalid) -> u32 {
    match error {
        Invalid::UnknownMetric(_) => 1,
        Invalid::LongKey(..) | Invalid::StaleEntity => 2,
        _ => 3,
    }
}

#[inline(never)]
fn incr_slow(
    call: &mut Call,
    metric: MetricName<'_>,
    entity: Option<ArrayOrObject<'_>>,
    value: Number,
) -> Result<(), Thrown> {
    let mut entity = Entity::read(entity, call, &|rule| Thrown::argument_type(2, rule))?;
    // Released last: PHP code may run then.
    let _before;
    let full = {
        let this = call.this::<Writer>()?;
        let mut live = this.0.borrow_mut();
        let live = &mut *live;
        let hint = entity.unchanging.as_ref().map_or(0, Unchanging::hint);
        let id = entity.with(|global, list| live.writer.entity(global, list, hint));
        _before = std::mem::replace(&mut live.last, entity.unchanging.take());
        if let (Backing::Php(_), Some(object)) = (&live.backing, entity.object.take()) {
            live.entities.keep(id, object);
        }
        let counted = live.writer.incr(metric, id, value);
        counted.map_err(|error| invalid(&error, incr_argument(&error)))?;
        live.writer.wants_flush()
    };
    if full { flush(call) } else { Ok(()) }
}

/// `flush(): void`
pub fn flush(call: &mut Call) -> Result<(), Thrown> {
    let live = Rc::clone(&call.this::<Writer>()?.0);
    flush_live(&live)
}

fn flush_live(live: &RefCell<Live>) -> Result<(), Thrown> {
    // Released last: PHP code may run then.
    let (_last, _spent);
    let object = {
        let mut live = live.borrow_mut();
        let live = &mut *live;
        live.check_fork();
        _last = live.last.take();
        _spent = take(&mut live.spent);
        match &live.backing {
            Backing::Client(store) => {
                let flushed = live.writer.flush(&mut *store.borrow_mut());
                return flushed.map_err(|error| remote(&error));
            }
            Backing::Php(object) => {
                if let Some(gathered) = live.writer.take() {
                    live.unsent.push_back((gathered, take(&mut live.entities)));
                }
                object.clone()
            }
        }
    };
    loop {
        let Some((mut gathered, mut entities)) = live.borrow_mut().unsent.pop_front() else {
            return Ok(());
        };
        let mut store = PhpStore {
            object: &object,
            entities: &mut entities,
        };
        if let Err(thrown) = gathered.hand_over(&mut store) {
            let mut live = live.borrow_mut();
            if !gathered.is_empty() && live.unsent.len() < MAX_UNSENT {
                live.unsent.push_front((gathered, entities));
            }
            return Err(thrown);
        }
    }
}

/// `resetAll(?array $entities = null): void`
pub fn reset_all(call: &mut Call) -> Result<(), Thrown> {
    let given = call.array_or_none(c"?array")?;
    let mut entities = Vec::new();
    match given {
        None => entities.push(Entity::none()),
        Some(given) => {
            for (key, value) in given.iter(call) {
                let describe = |rule: String| {
                    let rule = rule.strip_prefix("must ").unwrap_or(&rule).to_owned();
                    let key = stats_entity::shown_key(key);
                    Thrown::argument_type(1, format!("must hold entities, [{key}] must {rule}"))
                };
                let value = match value {
                    View::Null => None,
                    View::Array(array) => Some(ArrayOrObject::Array(array)),
                    View::Object(object) => Some(ArrayOrObject::Object(object)),
                    other => return Err(describe(stats_entity::not_one(other))),
                };
                entities.push(Entity::read(value, call, &describe)?);
            }
        }
    }
    // Released last: PHP code may run then.
    let (_last, _entities, _unsent);
    let (mut reset, backing) = {
        let this = call.this::<Writer>()?;
        let mut live = this.0.borrow_mut();
        live.check_fork();
        _last = live.last.take();
        _entities = take(&mut live.entities);
        _unsent = take(&mut live.unsent);
        (live.writer.begin_reset(), live.backing.clone())
    };
    let mut objects = EntityObjects::default();
    for mut entity in entities {
        let id = entity.with(|global, list| reset.entity(global, list));
        if let Some(object) = entity.object.take() {
            objects.keep(id, object);
        }
    }
    match &backing {
        Backing::Client(store) => reset
            .run(&mut *store.borrow_mut())
            .map_err(|error| of_client(&error, 1)),
        Backing::Php(object) => reset
            .run(&mut PhpStore {
                object,
                entities: &mut objects,
            })
            .map_err(|error| of_php_store(error, 1)),
    }
}

/// `setCurrentTime(int|float $now): void`
pub fn set_current_time(call: &mut Call) -> Result<(), Thrown> {
    let now = call.number()?;
    let this = call.this::<Writer>()?;
    let set = this.0.borrow_mut().writer.set_current_time(now);
    set.map_err(|error| invalid(&error, 1))
}

/// `resetCurrentTime(): void`
pub fn reset_current_time(call: &mut Call) -> Result<(), Thrown> {
    let this = call.this::<Writer>()?;
    this.0.borrow_mut().writer.reset_current_time();
    Ok(())
}
