//! How many triangle pairs `impinge pair` lists.
use super::results::Ask;
use anyhow::bail;
use impinge::Model;
use impinge_check::{numbers::grouped, pair_limit};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the triangle pairs that are listed, of all frames together, up to a limit.
pub(super) struct Listed {
    most: u64,
    count: AtomicU64,
}

impl Listed {
    /// With this limit, or with one that keeps lists far below 2 GB: no more pairs than `check` lists of two
    /// parts. A pair takes 8 bytes in a list, and as many in the result; for curves some 400.
    pub(super) fn new(most: Option<u64>, ask: Ask, [a, b]: [&Model; 2]) -> Self {
        let usual = pair_limit([a, b].map(|model| model.mesh().len())) as u64;
        let usual = usual.min(if ask == Ask::Curves { 4_000_000 } else { 40_000_000 });
        Self { most: most.unwrap_or(usual), count: AtomicU64::new(0) }
    }
    /// The most pairs that the list of one frame may have.
    pub(super) fn most(&self) -> usize {
        // The core takes the largest number for no limit.
        usize::try_from(self.most).unwrap_or(usize::MAX).min(usize::MAX - 1)
    }
    /// Whether there are too many: then the result is an error, whatever is found later.
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
                "more than {} triangle pairs meet, in all frames together; a larger --max-pairs lists them",
                grouped(self.most)
            );
        }
        Ok(())
    }
}
