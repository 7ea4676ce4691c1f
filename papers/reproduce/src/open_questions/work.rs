//! Counts of queries that are not timed.
use crate::Error;
use impinge::{Body, Model, Pose, Query, query::Count};
use std::ops::AddAssign;

/// Counts of queries, and the number of pairs of triangles that meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) count: Count,
    pub(super) hits: u64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.hits += other.hits;
    }
}

impl Work {
    /// Tests of two volumes.
    pub(super) fn tests(&self) -> f64 {
        self.count.volume_tests as f64
    }
    /// Tests of two volumes, as a multiple of the other's.
    pub(super) fn over(&self, other: &Self) -> f64 {
        self.tests() / other.tests()
    }
    /// Returns an error with both numbers of pairs if they differ.
    pub(super) fn same_pairs(&self, other: &Self, what: impl FnOnce() -> String) -> Result<(), Error> {
        if self.hits == other.hits {
            return Ok(());
        }
        Err(Error::Disagreement(format!("{}: {} and {} pairs", what(), self.hits, other.hits)))
    }
}

/// Work of the queries for all pairs of triangles of two models, at each pair of poses.
pub(super) fn all_pairs<'a>(models: [&Model; 2], poses: impl IntoIterator<Item = &'a [Pose; 2]>) -> Work {
    let mut query = Query::new().counting(true);
    let mut hits = 0;
    for poses in poses {
        let [a, b] = [0, 1].map(|i| Body::new(models[i], poses[i]));
        hits += query.pairs(&a, &b).len() as u64;
    }
    let count = query.counters().map_or_else(Count::default, |counters| counters.count);
    Work { count, hits }
}
