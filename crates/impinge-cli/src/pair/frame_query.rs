//! The query of every frame, and what a thread keeps between frames.
use super::{
    ask::Ask,
    given::Given,
    grid::Rows,
    listed::Listed,
    results::{FrameResult, QueryResult},
};
use crate::question::Rule;
use impinge::{Body, Query, Threads, contact::contact_point, query::ContactPairs};
use std::{
    mem,
    time::{Duration, Instant},
};

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
        let (mut time, mut found) = (Duration::MAX, QueryResult::Pairs);
        own.counting.reset_counters();
        own.pairs.clear();
        let mut listed = 0;
        for _ in 0..if self.listed.is_over() { 0 } else { self.repeat } {
            let start = Instant::now();
            (found, listed) = self.run(a, b, &mut own.query, &mut own.pairs);
            time = time.min(start.elapsed());
        }
        self.listed.add(listed);
        if self.count && !self.listed.is_over() {
            let _ = self.run(a, b, &mut own.counting, &mut own.pairs);
        }
        let work = own.counting.counters().unwrap_or_default();
        let point = own.pairs.first().map(|&first| contact_point(a, b, first).point);
        FrameResult { pairs: own.pairs.clone(), found, point, work, time }
    }

    /// The result of the query, and the number of pairs to list.
    fn run(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        query: &mut Query,
        pairs: &mut Vec<[u32; 2]>,
    ) -> (QueryResult, u64) {
        let mut listed = 0;
        let found = match self.ask {
            Ask::Boolean => {
                pairs.clear();
                pairs.extend(query.first_contact(a, b));
                QueryResult::Pairs
            }
            Ask::Pairs => {
                listed = query.pairs_at_most(a, b, self.listed.most(), pairs).count;
                QueryResult::Pairs
            }
            Ask::Relation => {
                let relation = query.relation(a, b);
                pairs.clear();
                pairs.extend(relation.witness);
                QueryResult::Relation(relation)
            }
            Ask::Distance => QueryResult::Distance(query.distance(a, b, self.given.stop)),
            Ask::Curves => {
                let (found, all) = query.contact_pairs_at_most(a, b, self.listed.most(), mem::take(pairs));
                listed = found.count;
                // The result for too many pairs is an error.
                let curves = all.as_ref().map(|all| query.curves_of_pairs(all).clone()).unwrap_or_default();
                *pairs = all.map(ContactPairs::into_vec).unwrap_or_default();
                pairs.clear();
                QueryResult::Curves(Box::new(curves))
            }
            // `--query within` requires a margin.
            Ask::Within => QueryResult::Within(query.within(a, b, self.given.margin.unwrap_or_default())),
            Ask::Grid(grid) => {
                let mut rows = Rows::up_to(self.listed.most());
                (grid.run)(&self.given, [a, b], query, &mut rows);
                listed = rows.count;
                QueryResult::Rows(rows)
            }
        };
        (found, listed)
    }
}

/// The state that a thread keeps from one frame to the next.
pub(super) struct Own {
    /// Timed.
    query: Query,
    /// Not timed.
    counting: Query,
    pairs: Vec<[u32; 2]>,
}

impl Own {
    pub(super) fn new(asked: &FrameQuery) -> Self {
        let inside = asked.fill_rule.fill_rule();
        // Large queries are divided if threads are left for it.
        let threads = if asked.divide { Threads::Pool } else { Threads::One };
        let query = Query::new().fill_rule(inside).threads(threads);
        Self { query, counting: Query::new().fill_rule(inside).counting(true), pairs: Vec::new() }
    }
}
