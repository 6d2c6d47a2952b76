//! Increments of a pool of several servers, before it is known which server each belongs to.
//!
//! Routing by ketama costs an MD5 per key: several at a time are three times cheaper, and an
//! increment that merges needs none. So increments are gathered here first, and dealt out when
//! enough have come or something else has to follow them.

use super::ring::Ring;
use crate::connection::books::Books;
use crate::connection::outbox::{Queued, Staged, Staging};
use crate::protocol::key::{KeyError, Parts};
use crate::protocol::ttl::Ttl;

/// Most bytes gathered.
pub const STAGE_BYTES: usize = 24 << 10;
/// Keys routed at a time.
const BATCH: usize = 64;

/// See the [module](self).
#[derive(Debug)]
pub struct Stage {
    outbox: Staging,
    /// Whether every server's queue has room for all that can be gathered here, so that what was
    /// taken is never refused later; `None`: to be found out.
    has_room: Option<bool>,
    /// `queued` and `merged`: commands here, calls merged here.
    books: Books,
}

impl Stage {
    /// An empty one.
    pub fn new() -> Self {
        Stage {
            outbox: Staging::new(STAGE_BYTES),
            has_room: None,
            books: Books::default(),
        }
    }

    /// Whether increments may be gathered; `find_out` tells when it is not known.
    #[inline]
    pub fn is_open(&mut self, find_out: impl FnOnce() -> bool) -> bool {
        *self.has_room.get_or_insert_with(find_out)
    }

    /// The servers' queues have changed.
    pub fn queues_changed(&mut self) {
        self.has_room = None;
    }

    /// Gathers an increment; [`Queued::Full`]: to be dealt out first.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is gathered.
    #[inline]
    pub fn incr(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        init: u64,
    ) -> Result<Queued, KeyError> {
        let queued = self.outbox.incr(key, step, ttl, init)?;
        match queued {
            Queued::New => self.books.queued += 1,
            Queued::Merged => self.books.merged += 1,
            Queued::Full => {}
        }
        Ok(queued)
    }

    /// Whether nothing is gathered.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.outbox.pending() == 0
    }

    /// Gives each increment with its server's index to `give`, in the order in which they came.
    pub fn deal_out(&mut self, ring: &Ring, mut give: impl FnMut(usize, &Staged<'_>)) {
        let mut staged = self.outbox.staged();
        let mut batch = Vec::with_capacity(BATCH);
        let mut keys: [&[u8]; BATCH] = [b""; BATCH];
        let mut owners = [0; BATCH];
        loop {
            batch.clear();
            // In this order: a full batch takes nothing more out of the queue.
            for (key, staged) in keys.iter_mut().zip(staged.by_ref()) {
                *key = staged.routed_key();
                batch.push(staged);
            }
            let count = batch.len();
            if count == 0 {
                break;
            }
            ring.servers(&keys[..count], &mut owners[..count]);
            for (staged, owner) in batch.iter().zip(owners) {
                give(owner.into(), staged);
            }
        }
        drop(staged);
        self.books.queued -= self.outbox.clear();
        self.has_room = None;
    }

    /// What is gathered, and what was merged here.
    pub fn books(&self) -> Books {
        Books {
            pending: self.outbox.pending(),
            pending_bytes: self.outbox.pending_bytes() as u64,
            ..self.books
        }
    }
}

impl Default for Stage {
    fn default() -> Self {
        Self::new()
    }
}
