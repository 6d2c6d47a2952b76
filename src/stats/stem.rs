//! The beginnings of a sequence's keys, finished as far as they can be.

use super::bucket::bucket_of;
use super::key::write_component;
use super::number::Number;
use super::spec::{Metric, Sequence};
use crate::protocol::key::{Head, KeptHead};
use std::cell::RefCell;

/// What all keys of a sequence begin with.
#[derive(Debug)]
pub(super) struct Stem {
    /// `keyspace:prefix…:metric:sequence:`, local and global.
    bytes: [Box<[u8]>; 2],
    time_step: Number,
    /// The sequence's time to live.
    pub ttl: u32,
    current: RefCell<Current>,
}

/// The finished beginning of the keys of one bucket.
#[derive(Debug)]
struct Current {
    /// It is certain that a time in `from..until` lies in the bucket; other times may too.
    from: f64,
    until: f64,
    bucket: i64,
    /// `keyspace:prefix…:metric:sequence:bucket`, local and global.
    heads: [KeptHead<Box<[u8]>>; 2],
}

impl Stem {
    /// `prefix`: `keyspace:prefix…`, local and global.
    pub fn new(prefix: &[Vec<u8>; 2], metric: &Metric, sequence: &Sequence) -> Stem {
        let bytes = prefix.each_ref().map(|prefix| {
            // Room for the components as they are, if nothing in them has to be encoded.
            let more = metric.name.len() + sequence.name.len() + 3;
            let mut bytes = Vec::with_capacity(prefix.len() + more);
            bytes.extend_from_slice(prefix);
            write_component(&metric.name, &mut bytes);
            write_component(&sequence.name, &mut bytes);
            bytes.push(b':');
            bytes.into_boxed_slice()
        });
        let current = Current {
            from: f64::NAN,
            until: f64::NAN,
            bucket: 0,
            heads: [const { Vec::new() }; 2].map(|none| KeptHead::new(none.into())),
        };
        Stem {
            bytes,
            time_step: sequence.time_step,
            ttl: sequence.ttl,
            current: RefCell::new(current),
        }
    }

    /// Appends the beginning of a bucket's keys, up to and with the bucket's number.
    #[inline]
    pub fn write(&self, global: bool, bucket: i64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes[usize::from(global)]);
        out.extend_from_slice(itoa::Buffer::new().format(bucket).as_bytes());
    }

    /// Hands the same for the bucket that `now` is in to `then`, which must not come back here. Cheapest while the
    /// bucket stays the same.
    #[inline]
    pub fn with_current<R>(
        &self,
        global: bool,
        now: Number,
        then: impl FnOnce(Head<'_>) -> R,
    ) -> R {
        let mut current = self.current.borrow_mut();
        let time = now.as_f64();
        if !(current.from <= time && time < current.until) {
            current.move_to(&self.bytes, now, self.time_step);
        }
        then(current.heads[usize::from(global)].get())
    }
}

impl Current {
    #[cold]
    fn move_to(&mut self, stems: &[Box<[u8]>; 2], now: Number, time_step: Number) {
        let bucket = bucket_of(now, time_step);
        if bucket != self.bucket || self.heads[0].get().is_empty() {
            let mut digits = itoa::Buffer::new();
            let digits = digits.format(bucket).as_bytes();
            self.heads = stems
                .each_ref()
                .map(|stem| KeptHead::new([stem, digits].concat().into()));
            self.bucket = bucket;
        }
        // Times that close to an edge are divided again each time, so that rounding decides as it does in PHP.
        let (start, end) = (
            bucket as f64 * time_step.as_f64(),
            (bucket as f64 + 1.0) * time_step.as_f64(),
        );
        let margin = 8.0 * f64::EPSILON * start.abs().max(end.abs());
        // Buckets from 1 on only: that of number 0 also has the times before 0.
        (self.from, self.until) = if bucket > 0 {
            (start + margin, end - margin)
        } else {
            (f64::NAN, f64::NAN)
        };
    }
}
