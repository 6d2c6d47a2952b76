//! When a server that failed may be tried again.

use std::time::{Duration, Instant};

/// One attempt per interval, spread by a quarter of it each way so that a farm of workers does
/// not come back at the same moment.
#[derive(Clone, Debug)]
pub struct Backoff {
    interval: Duration,
    until: Option<Instant>,
    random: fastrand::Rng,
}

impl Backoff {
    /// Tries again `interval` after a failure, give or take a quarter; `seed` decides how much.
    pub fn new(interval: Duration, seed: u64) -> Self {
        Backoff {
            interval,
            until: None,
            random: fastrand::Rng::with_seed(seed),
        }
    }

    /// The server failed at `now`.
    pub fn failed(&mut self, now: Instant) {
        self.until = Some(now + self.interval.mul_f64(0.75 + self.random.f64() * 0.5));
    }

    /// The server answered.
    pub fn succeeded(&mut self) {
        self.until = None;
    }

    /// Whether the server is marked down at `now`.
    pub fn is_down(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| now < until)
    }

    /// Whether its last attempt failed, however long ago.
    pub fn has_failed(&self) -> bool {
        self.until.is_some()
    }

    /// How long it stays marked, from `now`.
    pub fn remaining(&self, now: Instant) -> Duration {
        self.until
            .map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn down_for_three_to_five_quarters_of_the_interval() {
        let now = Instant::now();
        let second = Duration::from_secs(1);
        let mut lengths = Vec::new();
        for seed in 0..100 {
            let mut backoff = Backoff::new(second, seed);
            assert!(!backoff.is_down(now) && !backoff.has_failed());
            backoff.failed(now);
            assert!(backoff.is_down(now + second.mul_f64(0.74)));
            assert!(!backoff.is_down(now + second.mul_f64(1.26)));
            assert!(backoff.has_failed());
            lengths.push(backoff.remaining(now));
            backoff.succeeded();
            assert!(!backoff.is_down(now) && !backoff.has_failed());
        }
        let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
        assert!(
            *most - *least > second / 4,
            "they differ: {least:?} {most:?}"
        );
    }
}
