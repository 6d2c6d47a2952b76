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
use std::rc::Rc;

/// Most gatherings kept that a PHP store has failed to take; the oldest goes then, with the exception for it.
const MAX_UNSENT: usize = 16;

/// The PHP object. What it has gathered can be got at without it.
pub struct Writer(Slot);

/// Where a writer is, one after the other: making one asks for no memory where another has gone. Never borrowed while
/// PHP code may run.
type Slot = Rc<RefCell<Option<Live>>>;

/// A writer.
struct Live {
    writer: writer::Writer,
    backing: Backing,
    /// The process that gathers: see [`fork::generation`].
    generation: u32,
    /// The entity that the writer remembers.
    last: Option<Unchanging>,
    /// For a PHP store.
    php: Option<Box<PhpSide>>,
}

/// What a writer on a PHP store has besides.
#[derive(Default)]
struct PhpSide {
    /// The objects of the entities gathered for.
    entities: EntityObjects,
    /// What the store threw at, apart from what it did take.
    unsent: VecDeque<(Gathered, EntityObjects)>,
    /// Objects that nothing needs any more, to be released while nothing is borrowed.
    spent: Vec<EntityObjects>,
}

/// The writers of this thread, so that a request's end finds what they have gathered.
#[derive(Default)]
pub struct Writers {
    all: Vec<Slot>,
    free: Vec<Slot>,
}

/// Most slots kept over the requests.
const MAX_SLOTS: usize = 64;

impl Writers {
    #[inline]
    fn slot(&mut self) -> Slot {
        self.free.pop().unwrap_or_else(|| {
            let slot = Slot::default();
            self.all.push(Rc::clone(&slot));
            slot
        })
    }

    /// All objects are gone: gives back the memory that many writers took.
    pub fn shrink(&mut self) {
        if self.all.len() > MAX_SLOTS {
            *self = Writers::default();
        }
    }
}

/// Has all living writers hand over what they gathered, as far as no PHP code is needed for that. At a request's end.
pub fn flush_all(globals: &Globals) {
    for slot in &globals.writers.borrow().all {
        if let Ok(mut live) = slot.try_borrow_mut()
            && let Some(live) = &mut *live
        {
            live.flush_to_client();
        }
    }
}

#[cold]
fn gone() -> Thrown {
    Thrown::error("WRStats\\Writer: the object is gone")
}

impl Writer {
    /// A writer of a catalog's metrics.
    ///
    /// # Errors
    /// `now` is no time.
    #[inline]
    pub fn new(
        catalog: Rc<Catalog>,
        backing: Backing,
        now: Option<Number>,
    ) -> Result<Writer, Invalid> {
        let live = Live {
            writer: writer::Writer::new(catalog, now)?,
            php: match &backing {
                Backing::Client(_) => None,
                Backing::Php(_) => Some(Box::default()),
            },
            backing,
            generation: fork::generation(),
            last: None,
        };
        let slot = with_globals(|globals| globals.writers.borrow_mut().slot());
        *slot.borrow_mut() = Some(live);
        Ok(Writer(slot))
    }

    /// Hands the writer to `then`, which runs no PHP code.
    #[inline(always)]
    fn with<R>(&self, then: impl FnOnce(&mut Live) -> Result<R, Thrown>) -> Result<R, Thrown> {
        match &mut *self.0.borrow_mut() {
            Some(live) => {
                live.check_fork();
                then(live)
            }
            None => Err(gone()),
        }
    }
}

impl Native for Writer {
    const HOLDS: bool = true;
    const DESTRUCTS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        let Ok(live) = self.0.try_borrow() else {
            return;
        };
        let Some(live) = &*live else {
            return;
        };
        live.backing.held(visit);
        live.last.iter().for_each(|last| last.held(visit));
        if let Some(php) = &live.php {
            let unsent = php.unsent.iter().map(|(_, entities)| entities);
            let all = unsent.chain(&php.spent).chain([&php.entities]);
            all.for_each(|entities| entities.held(visit));
        }
    }

    fn destruct(&mut self) -> Result<(), Thrown> {
        // On the client, dropping does it.
        let on_client = self.with(|live| Ok(live.php.is_none()))?;
        if on_client {
            Ok(())
        } else {
            flush_slot(&self.0)
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let live = match self.0.try_borrow_mut() {
            Ok(mut live) => live.take(),
            Err(_) => None,
        };
        if let Some(mut live) = live {
            live.flush_to_client();
            // PHP code may run here.
            drop(live);
            with_globals(|globals| globals.writers.borrow_mut().free.push(Rc::clone(&self.0)));
        }
    }
}

impl Live {
    /// In a forked child it starts empty: what was gathered is the parent's.
    #[inline(always)]
    fn check_fork(&mut self) {
        if self.generation != fork::generation() {
            self.forget();
        }
    }

    #[cold]
    fn forget(&mut self) {
        self.generation = fork::generation();
        self.writer.discard();
        if let Some(php) = &mut self.php {
            php.unsent
                .iter_mut()
                .for_each(|(gathered, _)| gathered.discard());
            // Its numbers start anew.
            php.spent.push(take(&mut php.entities));
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

    #[inline]
    fn flush_to_client(&mut self) {
        self.check_fork();
        if let Backing::Client(store) = &self.backing
            && self.writer.gathered() > 0
        {
            // Keys were checked when they were counted, and what is refused shows in the pool's books.
            let _ = self.writer.flush(&mut *store.borrow_mut());
        }
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
        is_sure: metric.is_interned(),
    };
    let counted = call.this::<Writer>()?.with(|live| {
        let Some(id) = live.remembered(entity) else {
            return Ok(Counted::NotYet);
        };
        count(live, metric, id, value)
    })?;
    match counted {
        Counted::Done => Ok(()),
        Counted::Full => flush(call),
        Counted::NotYet => incr_slow(call, metric, entity, value),
    }
}

/// What came of an increment.
enum Counted {
    Done,
    /// Done, and the writer should be flushed.
    Full,
    /// The entity has to be read first.
    NotYet,
}

#[inline(always)]
fn count(
    live: &mut Live,
    metric: MetricName<'_>,
    id: EntityId,
    value: Number,
) -> Result<Counted, Thrown> {
    match live.writer.incr(metric, id, value) {
        Ok(()) if live.writer.wants_flush() => Ok(Counted::Full),
        Ok(()) => Ok(Counted::Done),
        Err(error) => Err(invalid(&error, incr_argument(&error))),
    }
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
    let mut before = None;
    let counted = call.this::<Writer>()?.with(|live| {
        let hint = entity.unchanging.as_ref().map_or(0, Unchanging::hint);
        let id = entity.with(|global, list| live.writer.entity(global, list, hint));
        before = std::mem::replace(&mut live.last, entity.unchanging.take());
        if let (Some(php), Some(object)) = (&mut live.php, entity.object.take()) {
            php.entities.keep(id, object);
        }
        count(live, metric, id, value)
    })?;
    match counted {
        Counted::Full => flush(call),
        _ => Ok(()),
    }
}

/// `flush(): void`
pub fn flush(call: &mut Call) -> Result<(), Thrown> {
    // Released last: PHP code may run then.
    let mut last = None;
    let slot = {
        let this = call.this::<Writer>()?;
        let flushed = this.with(|live| {
            last = live.last.take();
            match &live.backing {
                Backing::Client(store) => {
                    let flushed = live.writer.flush(&mut *store.borrow_mut());
                    flushed.map(|()| true).map_err(|error| remote(&error))
                }
                Backing::Php(_) => Ok(false),
            }
        })?;
        if flushed {
            return Ok(());
        }
        Rc::clone(&this.0)
    };
    flush_slot(&slot)
}

/// Hands over what a writer on a PHP store has gathered.
fn flush_slot(slot: &Slot) -> Result<(), Thrown> {
    // Released last: PHP code may run then.
    let (_last, _spent);
    let object = {
        let mut live = slot.borrow_mut();
        let live = live.as_mut().ok_or_else(gone)?;
        live.check_fork();
        _last = live.last.take();
        let (Backing::Php(object), Some(php)) = (&live.backing, &mut live.php) else {
            return Ok(());
        };
        _spent = take(&mut php.spent);
        if let Some(gathered) = live.writer.take() {
            php.unsent.push_back((gathered, take(&mut php.entities)));
        }
        object.clone()
    };
    let with_php = |then: &mut dyn FnMut(&mut PhpSide)| {
        if let Some(Live { php: Some(php), .. }) = &mut *slot.borrow_mut() {
            then(php);
        }
    };
    loop {
        let mut next = None;
        with_php(&mut |php| next = php.unsent.pop_front());
        let Some((mut gathered, mut entities)) = next else {
            return Ok(());
        };
        let mut store = PhpStore {
            object: &object,
            entities: &mut entities,
        };
        if let Err(thrown) = gathered.hand_over(&mut store) {
            let mut rest = (!gathered.is_empty()).then_some((gathered, entities));
            with_php(&mut |php| {
                if php.unsent.len() < MAX_UNSENT
                    && let Some(rest) = rest.take()
                {
                    php.unsent.push_front(rest);
                }
            });
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
    let mut last = None;
    let mut php = None;
    let (mut reset, backing) = call.this::<Writer>()?.with(|live| {
        last = live.last.take();
        php = live.php.as_mut().map(|php| take(&mut **php));
        Ok((live.writer.begin_reset(), live.backing.clone()))
    })?;
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
    call.this::<Writer>()?.with(|live| {
        let set = live.writer.set_current_time(now);
        set.map_err(|error| invalid(&error, 1))
    })
}

/// `resetCurrentTime(): void`
pub fn reset_current_time(call: &mut Call) -> Result<(), Thrown> {
    call.this::<Writer>()?.with(|live| {
        live.writer.reset_current_time();
        Ok(())
    })
}
