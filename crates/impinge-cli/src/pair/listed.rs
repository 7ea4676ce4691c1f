//! Limit on the number of triangle pairs that `impinge pair` lists.
use super::{ask::Ask, pair_query::Shape};
use anyhow::bail;
use impinge::Model;
use impinge_check::{records::pair_limit, values::numbers::grouped};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the triangle pairs that are listed, of all frames together, up to a limit.
pub(super) struct Listed {
    most: u64,
    count: AtomicU64,
    /// The words of the error for what is listed, such as `triangle pairs meet`.
    what: String,
}

impl Listed {
    /// Creates the counter with this limit, or with one that keeps lists far below 2 GB: no more pairs than
    /// `check` lists of two parts. A pair takes 8 bytes in a list, and as many in the result; for curves some
    /// 400.
    pub(super) fn new(most: Option<u64>, ask: Ask, [a, b]: [&Model; 2]) -> Self {
        let usual = pair_limit([a, b].map(|model| model.mesh().len())) as u64;
        let (own, what) = match (ask.most_pairs, ask.shape) {
            (Some(most), _) => (usual.min(most), "triangle pairs meet".to_owned()),
            (None, Shape::One(_)) => (u64::MAX, String::new()),
            (None, Shape::Objects(_, one) | Shape::Numbers(_, one)) => {
                (4_000_000, format!("{one}s are found"))
            }
        };
        Self { most: most.unwrap_or(own), count: AtomicU64::new(0), what }
    }
    /// The most pairs that the list of one frame may have.
    pub(super) fn most(&self) -> usize {
        // The core takes the largest number for no limit.
        usize::try_from(self.most).unwrap_or(usize::MAX).min(usize::MAX - 1)
    }
    /// True if there are too many pairs. The result is then an error, whatever is found later.
    pub(super) fn is_over(&self) -> bool {
        self.count.load(Ordering::Relaxed) > self.most
    }
    /// Counts the pairs of a frame.
    pub(super) fn add(&self, pairs: u64) {
        let add = |count: u64| Some(count.saturating_add(pairs));
        let _ = self.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }
    /// Refuses too many. The text of the error depends on the limit alone: threads that find it passed leave
    /// the other frames.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.is_over() {
            bail!(
                "more than {} {}, in all frames together; a larger --max-pairs lists them",
                grouped(self.most),
                self.what
            );
        }
        Ok(())
    }
}
