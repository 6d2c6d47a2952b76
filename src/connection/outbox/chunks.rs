//! Where the records of the queue lie: one behind the other in chunks, so that a backlog gives its memory back.

use std::collections::VecDeque;

/// Bytes of records in one chunk; a record longer than that has a chunk of its own.
pub(super) const CHUNK: usize = if cfg!(miri) { 4 << 10 } else { 32 << 10 };
/// Bytes of the first: most queues never need another.
const FIRST: usize = 8 << 10;
/// Chunk numbers have 16 bits, and some distance must stay between the newest and the oldest.
const MAX_CHUNKS: usize = 60_000;
/// More chunks than that are a backlog.
const USUAL_CHUNKS: usize = 32;
/// Chunks of a backlog whose memory is worth giving back to the system: 4 MiB.
const BURST: usize = 128;
/// Set in every position, so that 0 is none.
const TAKEN: u32 = 1 << 15;

/// A place in the queue: index of the chunk (from the front; the tail's is the number of full
/// ones) and offset in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub chunk: usize,
    pub offset: usize,
}

impl Place {
    /// The beginning of the next chunk.
    pub fn next_chunk(self) -> Place {
        Place {
            chunk: self.chunk + 1,
            offset: 0,
        }
    }
}

/// Records, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub bytes: Box<[u8]>,
    pub len: usize,
}

impl Chunk {
    fn of(size: usize) -> Self {
        Chunk {
            bytes: vec![0; size].into(),
            len: 0,
        }
    }

    /// Ready for other records, if it is of the usual size.
    fn emptied(self) -> Option<Self> {
        let bytes = self.bytes;
        (bytes.len() == CHUNK).then_some(Chunk { bytes, len: 0 })
    }

    /// The records from `offset` on.
    #[inline]
    pub fn from(&self, offset: usize) -> &[u8] {
        &self.bytes[offset..self.len]
    }
}

/// See the [module](self).
///
/// A position (16 bits of chunk number, one that is always set, 15 of offset) names a place as long as it is in the queue,
/// whatever goes at the front.
#[derive(Debug)]
pub(super) struct Chunks {
    /// Those before the tail.
    full: VecDeque<Chunk>,
    pub tail: Chunk,
    /// An empty chunk of the usual size, for the next that is needed.
    spare: Option<Chunk>,
    /// Number of the front chunk.
    first: u16,
    /// Whether there has been a backlog of [`BURST`] chunks lately.
    had_burst: bool,
}

impl Chunks {
    pub fn new() -> Self {
        Chunks {
            full: VecDeque::new(),
            tail: Chunk::default(),
            spare: None,
            first: 1,
            had_burst: false,
        }
    }

    /// Index of the tail.
    #[inline]
    pub fn last(&self) -> usize {
        self.full.len()
    }

    /// The chunk of that index.
    #[inline]
    pub fn get(&self, index: usize) -> &Chunk {
        self.full.get(index).unwrap_or(&self.tail)
    }

    #[inline]
    pub fn get_mut(&mut self, index: usize) -> &mut Chunk {
        self.full.get_mut(index).unwrap_or(&mut self.tail)
    }

    /// All of them, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Chunk> {
        self.full.iter().chain([&self.tail])
    }

    /// Whether records of so many bytes still have numbers left for their chunks.
    pub fn have_numbers_for(&self, bytes: usize) -> bool {
        self.full.len() + 2 + bytes / CHUNK <= MAX_CHUNKS
    }

    /// The number of a chunk, which stays the same as long as it is in the queue.
    #[inline]
    pub fn number(&self, index: usize) -> u16 {
        self.first.wrapping_add(index as u16)
    }

    /// The index of the chunk of that number, if it is in the queue.
    #[inline]
    pub fn index(&self, number: u16) -> Option<usize> {
        let index = usize::from(number.wrapping_sub(self.first));
        (index <= self.last()).then_some(index)
    }

    /// The position of the place of a record.
    #[inline]
    pub fn position(&self, place: Place) -> u32 {
        u32::from(self.number(place.chunk)) << 16 | TAKEN | place.offset as u32
    }

    /// The place of a position, if its chunk is in the queue.
    #[inline]
    pub fn place(&self, position: u32) -> Option<Place> {
        if position & TAKEN == 0 {
            return None;
        }
        Some(Place {
            chunk: self.index((position >> 16) as u16)?,
            offset: (position & (TAKEN - 1)) as usize,
        })
    }

    /// Begins a new tail with room for `size` bytes. Whether numbers come round with it: positions kept so far could name
    /// a new chunk.
    pub fn begin_tail(&mut self, size: usize) -> bool {
        let chunk = match self.spare.take() {
            Some(spare) if size <= CHUNK => spare,
            _ if self.tail.bytes.is_empty() => Chunk::of(size.max(FIRST)),
            _ => Chunk::of(size.max(CHUNK)),
        };
        let before = std::mem::replace(&mut self.tail, chunk);
        if before.len == 0 {
            return false;
        }
        self.full.push_back(before);
        self.had_burst |= self.full.len() >= BURST;
        self.first.wrapping_add(self.full.len() as u16) == 0
    }

    /// Gives up the chunks before that index.
    pub fn drop_before(&mut self, index: usize) {
        for _ in 0..index {
            self.spare = self.full.pop_front().and_then(Chunk::emptied);
            self.first = self.first.wrapping_add(1);
        }
    }

    /// Gives up all records; one chunk of the usual size stays for the next. Whether numbers come round with it.
    pub fn clear(&mut self) -> bool {
        // Old positions must not name places in the emptied chunk.
        let (first, came_round) = self.first.overflowing_add(self.full.len() as u16 + 1);
        self.first = first;
        self.full.clear();
        let is_after_backlog = self.full.capacity() > USUAL_CHUNKS;
        if is_after_backlog {
            self.full = VecDeque::new();
        }
        // The last chunk of a backlog lies behind all others: while it stays, the allocator can't give
        // those back to the system.
        if is_after_backlog || self.tail.bytes.len() > CHUNK {
            self.tail = Chunk::default();
            self.spare = None;
        }
        self.tail.len = 0;
        came_round
    }

    /// Gives back what only a burst needs.
    pub fn shrink(&mut self) {
        self.spare = None;
        if self.full.is_empty() && self.tail.len == 0 && self.tail.bytes.len() > FIRST {
            self.tail = Chunk::default();
        }
    }

    /// Whether a big backlog has gone since this was asked last: its chunks are freed, but lie
    /// between others where the allocator may keep them.
    pub fn are_past_a_burst(&mut self) -> bool {
        let past = self.had_burst && self.full.len() < BURST;
        self.had_burst &= !past;
        past
    }
}
