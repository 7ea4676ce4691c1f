//! The query of every frame, and what a thread keeps between frames.
use super::{ask::Ask, given::Given, listed::Listed, results::FrameResult, rows::Rows};
use crate::question::Rule;
use impinge::{Body, Query, Threads};
use std::time::{Duration, Instant};

/// The query of every frame.
pub(super) struct FrameQuery {
    pub(super) ask: Ask,
    pub(super) repeat: u32,
    /// Count the work, in a second query that is not timed.
    pub(super) count: bool,
    /// Divide queries: there are more threads than frames.
    pub(super) divide: bool,
    pub(super) fill_rule: Rule,
    pub(super) given: Given,
    pub(super) listed: Listed,
}

impl FrameQuery {
    pub(super) fn answer(&self, a: &Body<'_>, b: &Body<'_>, own: &mut Own) -> FrameResult {
        let mut time = Duration::MAX;
        own.counting.reset_counters();
        own.rows.clear();
        for _ in 0..if self.listed.is_over() { 0 } else { self.repeat } {
            own.rows.clear();
            let start = Instant::now();
            (self.ask.run)(&self.given, [a, b], &mut own.query, &mut own.rows);
            time = time.min(start.elapsed());
        }
        self.listed.add(own.rows.listed());
        if self.count && !self.listed.is_over() {
            own.rows.clear();
            (self.ask.run)(&self.given, [a, b], &mut own.counting, &mut own.rows);
        }
        (self.ask.complete)([a, b], &mut own.rows);
        let work = own.counting.counters().unwrap_or_default();
        FrameResult { cells: own.rows.take(), work, time }
    }
}

/// The state that a thread keeps from one frame to the next.
pub(super) struct Own {
    /// Timed.
    query: Query,
    /// Not timed.
    counting: Query,
    rows: Rows,
}

impl Own {
    pub(super) fn new(asked: &FrameQuery) -> Self {
        let inside = asked.fill_rule.fill_rule();
        // Large queries are divided if threads are left for it.
        let threads = if asked.divide { Threads::Pool } else { Threads::One };
        let query = Query::new().fill_rule(inside).threads(threads);
        let counting = Query::new().fill_rule(inside).counting(true);
        Self { query, counting, rows: Rows::up_to(asked.listed.most()) }
    }
}
