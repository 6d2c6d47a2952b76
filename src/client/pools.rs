//! Which handles share a pool, and what all pools of the process have done together.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::time::Duration;

use once_cell::sync::Lazy;
use parking_lot::Mutex;

use super::config::{Config, Persistent};
use super::fork;
use super::pool::Pool;
use crate::connection::books::Books;

/// A pool and whoever holds it. Never borrowed over a call into PHP's engine.
pub type Shared = Rc<RefCell<Pool>>;

/// The pools of one thread, by the identity of their settings.
#[derive(Debug, Default)]
pub struct Pools {
    by_identity: HashMap<Vec<u8>, Entry>,
}

#[derive(Debug)]
struct Entry {
    pool: Weak<RefCell<Pool>>,
    /// Keeps a persistent pool over the requests.
    kept: Option<Shared>,
}

impl Pools {
    /// The pool for these settings: the one that other handles use, or a new one.
    pub fn open(&mut self, config: &Config) -> Shared {
        let identity = config.pool_identity();
        if let Some(pool) = self
            .by_identity
            .get(&identity)
            .and_then(|entry| entry.pool.upgrade())
        {
            return pool;
        }
        let pool = Rc::new(RefCell::new(Pool::new(config)));
        let kept = (config.persistent != Persistent::No).then(|| Rc::clone(&pool));
        self.by_identity.insert(
            identity,
            Entry {
                pool: Rc::downgrade(&pool),
                kept,
            },
        );
        pool
    }

    /// All living pools.
    pub fn iter(&self) -> impl Iterator<Item = Shared> {
        self.by_identity
            .values()
            .filter_map(|entry| entry.pool.upgrade())
    }

    /// A request ends: see [`Pool::end_request`]. Forgets pools that have ended.
    pub fn end_request(&mut self) {
        for pool in self.iter() {
            pool.borrow_mut().end_request();
        }
        self.by_identity
            .retain(|_, entry| entry.kept.is_some() || entry.pool.strong_count() > 0);
    }

    /// The thread or process ends: see [`Pool::shut_down`]. `limit` is for all pools together.
    pub fn shut_down(&mut self, limit: Duration) {
        let deadline = crate::driver::clock::now() + limit;
        for (_, entry) in self.by_identity.drain() {
            if let Some(pool) = entry.pool.upgrade() {
                let left = deadline.saturating_duration_since(crate::driver::clock::now());
                pool.borrow_mut().shut_down(left);
            }
        }
    }
}

/// Totals of all pools of the process, living or ended, on all threads.
struct Process {
    generation: u32,
    totals: Books,
}

static PROCESS: Lazy<Mutex<Process>> = Lazy::new(|| {
    Mutex::new(Process {
        generation: fork::generation(),
        totals: Books::default(),
    })
});

/// What a pool has told the process total so far.
#[derive(Debug, Default)]
pub struct Published {
    last: Books,
}

impl Published {
    /// Brings the process total up to `books`.
    pub fn publish(&mut self, books: &Books) {
        // A lock that another thread held while this process was forked off is held for ever.
        let Some(mut process) = PROCESS.try_lock_for(Duration::from_millis(10)) else {
            return;
        };
        if process.generation != fork::generation() {
            *process = Process {
                generation: fork::generation(),
                totals: Books::default(),
            };
            self.last = Books::default();
        }
        process.totals.advance(&self.last, books);
        self.last = *books;
    }
}

/// The totals of all pools of this process as last published (at request ends).
pub fn process_totals() -> Books {
    match PROCESS.try_lock_for(Duration::from_millis(10)) {
        Some(process) if process.generation == fork::generation() => process.totals,
        _ => Books::default(),
    }
}
