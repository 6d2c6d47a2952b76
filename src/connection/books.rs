//! What became of every background write, and what the wire cost.

/// Declares [`Books`] and what has to be done for each of its fields.
macro_rules! books {
    ($($(#[$doc:meta])* $field:ident,)*) => {
        /// Totals of one connection, kept over reconnects. The sums of the stub's `metrics()`:
        ///
        /// ```text
        /// calls  = refused + merged + queued
        /// queued = pending + dropped + sent
        /// sent   = in_flight + confirmed + unverified + failed + lost
        /// ```
        ///
        /// `calls` and `in_flight` are not stored but derived, so their sums can't be wrong;
        /// `pending` is the queue's own count, and tests hold it against `queued`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Books {
            $($(#[$doc])* pub $field: u64,)*
        }

        impl Books {
            /// Adds another connection's totals.
            pub fn add(&mut self, other: &Books) {
                $(self.$field += other.$field;)*
            }

            /// Adds what has come since `last`. (`queued` and `pending` may have gone down.)
            pub fn advance(&mut self, last: &Books, now: &Books) {
                $(self.$field = self.$field.wrapping_add(now.$field.wrapping_sub(last.$field));)*
            }
        }
    };
}

books! {
    /// Calls answered false: the queue was at its bound, or its server down for value writes.
    refused,
    /// Calls that became part of a queued command.
    merged,
    /// New commands.
    queued,
    /// Commands in the queue of which no byte was sent.
    pending,
    /// Bytes they take.
    pending_bytes,
    /// Commands given up before any byte was sent.
    dropped,
    /// Commands of which some byte was handed to the kernel.
    sent,
    /// Sent, and known to have been carried out (or to have had nothing to do: no such key).
    confirmed,
    /// Sent without asking for a reply, or answered by a proxy that does not wait.
    unverified,
    /// Answered with an error.
    failed,
    /// The connection ended before the answer.
    lost,
    /// All commands written, those that wait for their reply included.
    commands_sent,
    /// All bytes written.
    bytes_sent,
    /// System calls that write.
    writes,
    /// System calls that read.
    reads,
    /// Connections made.
    connects,
    /// Connections that ended.
    disconnects,
    /// Waits for an answer, a greeting or a connection that were in vain.
    timeouts,
}

impl Books {
    /// Background calls that were not bad input.
    pub const fn calls(&self) -> u64 {
        self.refused + self.merged + self.queued
    }

    /// Sent and neither answered nor given up yet.
    pub const fn in_flight(&self) -> u64 {
        self.sent - (self.confirmed + self.unverified + self.failed + self.lost)
    }

    /// Whether every command is in exactly one place.
    pub const fn balanced(&self) -> bool {
        self.queued == self.pending + self.dropped + self.sent
            && self.sent >= self.confirmed + self.unverified + self.failed + self.lost
    }

    /// Background commands whose outcome is known not to be good.
    pub const fn bad(&self) -> u64 {
        self.dropped + self.failed + self.lost
    }

    /// Names and values in the order of `WRStats::metrics()`.
    pub const fn rows(&self) -> [(&'static str, u64); 20] {
        [
            ("calls", self.calls()),
            ("refused", self.refused),
            ("merged", self.merged),
            ("queued", self.queued),
            ("pending", self.pending),
            ("dropped", self.dropped),
            ("sent", self.sent),
            ("in_flight", self.in_flight()),
            ("confirmed", self.confirmed),
            ("unverified", self.unverified),
            ("failed", self.failed),
            ("lost", self.lost),
            ("pending_bytes", self.pending_bytes),
            ("commands_sent", self.commands_sent),
            ("bytes_sent", self.bytes_sent),
            ("writes", self.writes),
            ("reads", self.reads),
            ("connects", self.connects),
            ("disconnects", self.disconnects),
            ("timeouts", self.timeouts),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        let mut books = Books {
            queued: 10,
            pending: 3,
            dropped: 1,
            sent: 6,
            ..Default::default()
        };
        (books.confirmed, books.failed, books.lost) = (2, 1, 1);
        assert!(books.balanced());
        assert_eq!((books.in_flight(), books.bad()), (2, 3));
        books.pending = 2;
        assert!(!books.balanced());
    }

    #[test]
    fn totals_follow_what_goes_up_and_down() {
        let mut total = Books {
            queued: 100,
            ..Default::default()
        };
        let first = Books {
            queued: 10,
            pending: 10,
            ..Default::default()
        };
        let later = Books {
            queued: 9,
            sent: 9,
            ..Default::default()
        };
        total.advance(&Books::default(), &first);
        total.advance(&first, &later);
        assert_eq!((total.queued, total.pending, total.sent), (109, 0, 9));
    }
}
