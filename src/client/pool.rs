//! A set of servers (or the memory of this process) that handles share, across requests.
//!
//! Background writes are queued here and sent in few large writes; nothing of that waits. What
//! waits is in [`exchange`](super::exchange) and in the calls that say so.

use std::time::{Duration, Instant};

use super::age::Age;
use super::config::{Config, Servers};
use super::failure::Failure;
use super::fork;
use super::link::{Link, Now};
use super::local::Local;

use super::ring::Ring;
use super::stage::{STAGE_BYTES, Stage};
use crate::connection::books::Books;
use crate::connection::outbox::Queued;
use crate::driver::poll::{self, Interest};
use crate::driver::{clock, memory};
use crate::protocol::key::{KeyError, Parts};
use crate::protocol::request::Action;
use crate::protocol::ttl::Ttl;

/// Bytes taken per read. One buffer for all pools of a thread.
const SCRATCH: usize = 64 << 10;
/// Longest wait of [`Pool::shut_down`] at the end of the process.
pub const SHUTDOWN_LIMIT: Duration = Duration::from_secs(1);
/// Replies due from which on [`Pool::sync`] takes naps instead of waking up for each.
const MANY_REPLIES: u64 = 4096;

/// What only a pool of several servers has.
#[derive(Debug)]
struct Several {
    ring: Ring,
    stage: Stage,
}

/// See the [module](self).
#[derive(Debug)]
pub struct Pool {
    pub(super) config: Config,
    pub(super) links: Vec<Link>,
    /// None without servers, or with a single one.
    several: Option<Several>,
    pub(super) local: Option<Local>,
    generation: u32,
    age: Age,
    published: super::pools::Published,
}

impl Pool {
    /// A pool that has connected to nothing yet.
    pub fn new(config: &Config) -> Self {
        let (servers, local) = match &config.servers {
            Servers::Memory => (&[][..], Some(Local::default())),
            Servers::Remote(servers) => (&servers[..], None),
        };
        Pool {
            links: servers
                .iter()
                .map(|server| Link::new(server, config))
                .collect(),
            several: (servers.len() > 1).then(|| Several {
                ring: Ring::new(config.distribution, servers),
                stage: Stage::new(),
            }),
            local,
            generation: fork::generation(),
            age: Age::new(config.flush_interval),
            published: Default::default(),
            config: config.clone(),
        }
    }

    /// The settings of the handle that made it.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The servers, in the order of the configuration; none for `memory:`.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Which of [`links`](Self::links) a key (without route and prefix) is kept on.
    #[inline(always)]
    pub fn route(&self, key: &[u8]) -> usize {
        self.several
            .as_ref()
            .map_or(0, |several| several.ring.server(key))
    }

    /// [`route`](Self::route) for many keys.
    pub(super) fn routes(&self, keys: &[&[u8]]) -> Vec<u16> {
        let mut owners = vec![0; keys.len()];
        if let Some(several) = &self.several {
            several.ring.servers(keys, &mut owners);
        }
        owners
    }

    /// Whether all keys are kept in one place.
    #[inline]
    pub fn has_one_place(&self) -> bool {
        self.several.is_none()
    }

    /// In a forked child: starts anew, the parent's sockets and queues untouched.
    #[inline(always)]
    pub(super) fn check_fork(&mut self) {
        if self.generation != fork::generation() {
            self.forget();
        }
    }

    #[cold]
    fn forget(&mut self) {
        self.generation = fork::generation();
        for link in &mut self.links {
            link.forget(&self.config);
        }
        if let Some(several) = &mut self.several {
            several.stage = Stage::new();
        }
        if self.local.is_some() {
            self.local = Some(Local::default());
        }
        self.age.stop();
        self.published = Default::default();
    }

    // ---- background writes ----

    /// Queues an increment. False: refused.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline(always)]
    pub fn incr(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        init: u64,
    ) -> Result<bool, KeyError> {
        self.check_fork();
        if self.several.is_some() {
            return self.incr_on_one_of_several(key, step, ttl, init);
        }
        self.incr_on(0, key, step, ttl, init)
    }

    /// [`incr`](Self::incr) at the step, in a row that began with [`check_fork`](Self::check_fork); the time is looked
    /// at only when it [ends](Self::end_row).
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline]
    pub(super) fn incr_in_row(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
    ) -> Result<bool, KeyError> {
        let [link] = &mut self.links[..] else {
            return self.incr(key, step, ttl, step);
        };
        match link.connection_mut().incr_another(key, step, ttl)? {
            Queued::New if link.is_send_due() => self.send_on(0),
            Queued::New | Queued::Merged => {}
            Queued::Full => {
                let init = step;
                return self.when_full(0, key, &Action::Incr { step, ttl, init });
            }
        }
        Ok(true)
    }

    /// A row of increments ends.
    #[inline]
    pub(super) fn end_row(&mut self) {
        if self.age.is_due() {
            self.flush();
        }
    }

    /// [`incr`](Self::incr) where it has to be found out on which server.
    #[inline(never)]
    fn incr_on_one_of_several(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        init: u64,
    ) -> Result<bool, KeyError> {
        let Pool { several, links, .. } = self;
        if let Some(Several { stage, .. }) = several
            && stage.is_open(|| links.iter().all(|link| link.has_room(STAGE_BYTES)))
        {
            if stage.incr(key, step, ttl, init)? == Queued::Full {
                self.deal_out();
                return self.incr_on_one_of_several(key, step, ttl, init);
            }
            if self.age.is_due() {
                self.flush();
            }
            return Ok(true);
        }
        self.deal_out();
        let at = self.route(key.key);
        self.incr_on(at, key, step, ttl, init)
    }

    /// Gives the increments gathered for no server in particular to those that they belong to.
    fn deal_out(&mut self) {
        let Pool { several, links, .. } = self;
        let Some(Several { ring, stage }) = several else {
            return;
        };
        if stage.is_empty() {
            return;
        }
        stage.deal_out(ring, |at, staged| {
            // There is room: see Stage::is_open.
            let queued = links[at].connection_mut().unstage(staged);
            debug_assert_ne!(queued, Queued::Full);
        });
        for at in 0..self.links.len() {
            if self.links[at].is_send_due() && self.links[at].connection().unencoded_bytes() > 0 {
                self.send_on(at);
            }
        }
    }

    /// The servers' queues are about to be used otherwise than by dealing out.
    pub(super) fn leave_stage(&mut self) {
        self.deal_out();
        if let Some(several) = &mut self.several {
            several.stage.queues_changed();
        }
    }

    #[inline(always)]
    fn incr_on(
        &mut self,
        at: usize,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        init: u64,
    ) -> Result<bool, KeyError> {
        let Some(link) = self.links.get_mut(at) else {
            return self.local_write(key, Action::Incr { step, ttl, init });
        };
        let queued = link.connection_mut().incr(key, step, ttl, init)?;
        if queued == Queued::Full {
            return self.when_full(at, key, &Action::Incr { step, ttl, init });
        }
        Ok(self.queued(at, queued))
    }

    /// Queues any command but CAS. False: refused; value writes and touches are, while their
    /// server is down, since by the time it came back they would overwrite newer data.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    pub fn queue(&mut self, key: Parts<'_>, action: Action<'_>) -> Result<bool, KeyError> {
        self.check_fork();
        self.leave_stage();
        let at = self.route(key.key);
        let Some(link) = self.links.get_mut(at) else {
            return self.local_write(key, action);
        };
        let overwrites = matches!(action, Action::Store { .. } | Action::Touch { .. });
        let queued = if overwrites && link.may_be_down() && link.is_down(clock::now()) {
            link.connection_mut().refuse(key)?
        } else {
            match link.connection_mut().queue(key, &action)? {
                Queued::Full => return self.when_full(at, key, &action),
                queued => queued,
            }
        };
        Ok(self.queued(at, queued))
    }

    /// The queue of the link at `at` has refused a command: perhaps the kernel takes bytes again. Tried
    /// once per tick of a coarse clock, since it is a system call.
    #[cold]
    #[inline(never)]
    fn when_full(
        &mut self,
        at: usize,
        key: Parts<'_>,
        action: &Action<'_>,
    ) -> Result<bool, KeyError> {
        let mut queued = Queued::Full;
        if self.links[at].is_retry_due(clock::coarse_millis()) {
            self.send_on(at);
            queued = self.links[at].connection_mut().queue_refused(key, action)?;
        }
        Ok(self.queued(at, queued))
    }

    #[cold]
    #[inline(never)]
    fn local_write(&mut self, key: Parts<'_>, action: Action<'_>) -> Result<bool, KeyError> {
        key.check()?;
        if let Some(local) = &mut self.local {
            local.write(key, action);
        }
        Ok(true)
    }

    /// A command was given to the queue of the link at `at`: sends if that is due.
    #[inline(always)]
    fn queued(&mut self, at: usize, queued: Queued) -> bool {
        if self.age.is_due() {
            self.flush();
        } else if queued == Queued::New && self.links[at].is_send_due() {
            self.send_on(at);
        }
        queued != Queued::Full
    }

    #[cold]
    fn send_on(&mut self, at: usize) {
        self.discard_interrupted();
        let link = &mut self.links[at];
        with_scratch(|scratch| link.send_on(Now::read(), scratch));
    }

    /// Drops connections that a waiting call left in the middle of an exchange.
    pub(super) fn discard_interrupted(&mut self) {
        for link in &mut self.links {
            link.discard_interrupted();
        }
    }

    /// Hands everything queued to the kernel, as far as it takes it. False: something stayed.
    pub fn flush(&mut self) -> bool {
        self.check_fork();
        self.discard_interrupted();
        self.leave_stage();
        self.age.stop();
        let mut drained = true;
        let mut now = None;
        for link in &mut self.links {
            link.connection_mut().close_run();
            if link.connection().has_nothing_to_send() {
                continue;
            }
            let now = *now.get_or_insert_with(Now::read);
            with_scratch(|scratch| link.advance(now, scratch, true));
            drained &= link.connection().is_drained();
        }
        if !drained {
            // The next call after the interval tries again.
            self.age.start();
        }
        drained
    }

    // ---- waiting ----

    /// [`flush`](Self::flush), then waits for every answer, `timeout` at most.
    ///
    /// # Errors
    /// Why not all that was queued since the last sync is confirmed: what the first server says of
    /// which that is so.
    pub fn sync(&mut self, timeout: Option<Duration>) -> Result<(), Failure> {
        self.flush();
        // A century is as good as for ever, and no overflow.
        let limit = timeout
            .unwrap_or(self.config.timeout)
            .min(Duration::from_secs(100 << 25));
        self.wait(clock::now() + limit, |link| !link.connection().is_settled());
        let now = clock::now();
        let mut outcome = self.local.as_mut().map_or(Ok(()), Local::synced);
        for link in &mut self.links {
            outcome = outcome.and(link.synced(limit, now));
        }
        outcome
    }

    /// Drives the links for which `wanting` holds until it holds for none that can be reached, or
    /// `deadline` has passed. True: it holds for none at all.
    pub(super) fn wait(&mut self, deadline: Instant, wanting: impl Fn(&Link) -> bool) -> bool {
        let started = clock::now();
        loop {
            let now = Now::read();
            let mut until = deadline;
            let mut waiting = false;
            let mut replies = 0;
            for link in self.links.iter_mut().filter(|link| wanting(link)) {
                with_scratch(|scratch| link.advance(now, scratch, true));
                if wanting(link) && !link.is_down(now.instant) {
                    waiting = true;
                    until = until.min(link.next_timer().unwrap_or(until));
                    if !link.has_socket() {
                        // It broke while it was written to: connected again at once, but not in a spin.
                        until = until.min(now.instant + Duration::from_millis(1));
                    }
                    if link.connection().is_drained() {
                        replies += link.connection().books().in_flight();
                    } else {
                        replies = 0;
                    }
                }
            }
            if !waiting || now.instant >= deadline {
                return !self.links.iter().any(wanting);
            }
            if replies > MANY_REPLIES {
                // Old servers answer every creation: let the answers gather.
                let waited = now.instant - started;
                let nap = (waited / 16).clamp(Duration::from_micros(60), Duration::from_millis(2));
                std::thread::sleep(nap.min(deadline - now.instant));
                continue;
            }
            let interests: Vec<Interest<'_>> = self
                .links
                .iter_mut()
                .filter(|link| wanting(link))
                .filter_map(|link| link.interest(now.unix))
                .collect();
            if poll::wait(&interests, until).is_err() {
                return false;
            }
        }
    }

    // ---- ends ----

    /// A request ends: sends, and waits `shutdown_timeout` at most for bytes that the kernel won't
    /// take, once for each stalled server. Gives back memory that a burst took.
    pub fn end_request(&mut self) {
        self.check_fork();
        let limit = self.config.shutdown_timeout;
        let patience = if self.flush() {
            Duration::ZERO
        } else {
            let links = self.links.iter();
            links
                .map(|link| link.patience(limit))
                .max()
                .unwrap_or_default()
        };
        if !patience.is_zero() {
            let started = clock::now();
            self.wait(started + patience, |link| !link.patience(limit).is_zero());
            let waited = clock::now() - started;
            for link in &mut self.links {
                link.has_waited(waited);
            }
        }
        let mut past_a_burst = false;
        for link in &mut self.links {
            past_a_burst |= link.connection_mut().shrink();
        }
        if past_a_burst {
            memory::trim();
        }
        self.publish();
    }

    /// The pool ends: sends, waits for confirmations `limit` at most, closes. What could not be
    /// sent counts as dropped, what was not confirmed as lost.
    pub fn shut_down(&mut self, limit: Duration) {
        self.check_fork();
        self.leave_stage();
        if self
            .links
            .iter()
            .any(|link| !link.connection().is_settled())
        {
            self.flush();
            self.wait(clock::now() + limit, |link| !link.connection().is_settled());
        }
        for link in &mut self.links {
            link.shut();
        }
        self.age.stop();
        self.publish();
    }

    // ---- what happened ----

    /// The totals of this pool, replies that have come taken in.
    pub fn metrics(&mut self) -> Books {
        self.check_fork();
        self.discard_interrupted();
        for link in &mut self.links {
            if link.is_up() && link.connection().expects_bytes() {
                with_scratch(|scratch| link.prepare(Now::read(), scratch, false));
            }
        }
        self.books()
    }

    /// The totals as they stand.
    pub fn books(&self) -> Books {
        let mut total = self
            .local
            .as_ref()
            .map_or_else(Books::default, Local::books);
        if let Some(several) = &self.several {
            total.add(&several.stage.books());
        }
        for link in &self.links {
            total.add(&link.connection().books());
        }
        total
    }

    fn publish(&mut self) {
        let books = self.books();
        self.published.publish(&books);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shut_down(self.config.shutdown_timeout);
    }
}

/// Runs `f` with this thread's read buffer.
pub(super) fn with_scratch<T>(f: impl FnOnce(&mut [u8]) -> T) -> T {
    use std::cell::RefCell;
    thread_local! {
        static SCRATCH_BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    SCRATCH_BUFFER.with_borrow_mut(|buffer| {
        if buffer.is_empty() {
            buffer.resize(SCRATCH, 0);
        }
        f(buffer)
    })
}
