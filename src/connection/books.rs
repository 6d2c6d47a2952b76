//! What became of every background write, and what the wire cost.

/// Totals of one connection, kept over reconnects. The sums of the stub's `metrics()`:
///
/// ```text
/// calls  = refused + merged + queued
/// queued = pending + dropped + sent
/// sent   = in_flight + confirmed + unverified + failed + lost
/// ```
///
/// `calls` and `in_flight` are not stored but derived, so their sums can't be wrong; `pending`
/// is the queue's own count, and tests hold it against `queued`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Calls answered false: the queue was at its bound, or its server down for value writes.
    pub refused: u64,
    /// Calls that became part of a queued command.
    pub merged: u64,
    /// New commands.
    pub queued: u64,
    /// Commands in the queue of which no byte was sent.
    pub pending: u64,
    /// Bytes they take.
    pub pending_bytes: u64,
    /// Commands given up before any byte was sent.
    pub dropped: u64,
    /// Commands of which some byte was handed to the kernel.
    pub sent: u64,
    /// Sent, and known to have been carried out (or to have had nothing to do: no such key).
    pub confirmed: u64,
    /// Sent without asking for a reply, or answered by a proxy that does not wait.
    pub unverified: u64,
    /// Answered with an error.
    pub failed: u64,
    /// The connection ended before the answer.
    pub lost: u64,
    /// All commands written, those that wait for their reply included.
    pub commands_sent: u64,
    /// All bytes written.
    pub bytes_sent: u64,
    /// System calls that write.
    pub writes: u64,
    /// System calls that read.
    pub reads: u64,
    /// Connections made.
    pub connects: u64,
    /// Connections that ended.
    pub disconnects: u64,
    /// Calls that waited in vain.
    pub timeouts: u64,
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

    /// Background commands whose outcome is not known to be good.
    pub const fn bad(&self) -> u64 {
        self.dropped + self.failed + self.lost
    }

    /// Adds another connection's totals.
    pub fn add(&mut self, other: &Books) {
        self.refused += other.refused;
        self.merged += other.merged;
        self.queued += other.queued;
        self.pending += other.pending;
        self.pending_bytes += other.pending_bytes;
        self.dropped += other.dropped;
        self.sent += other.sent;
        self.confirmed += other.confirmed;
        self.unverified += other.unverified;
        self.failed += other.failed;
        self.lost += other.lost;
        self.commands_sent += other.commands_sent;
        self.bytes_sent += other.bytes_sent;
        self.writes += other.writes;
        self.reads += other.reads;
        self.connects += other.connects;
        self.disconnects += other.disconnects;
        self.timeouts += other.timeouts;
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
