//! [`StoredClash`]: a clash in the result of a task, or in a cache.
use crate::{
    parts::chord::Sure,
    records::{
        clash::{Clash, Clashes},
        contact::Contact,
        depth::Depth,
    },
    values::named,
};
use anyhow::bail;
use impinge::relation::RelationKind;
use serde::{Deserialize, Serialize};

/// Meshes have at most 2^27 triangles.
const MOST_TRIANGLE_PAIRS: u64 = 1 << 54;

/// A clash, its depth and its contact, if they were measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredClash {
    /// The numbers of the parts in the file.
    pub(crate) parts: [u32; 2],
    pub(crate) triangle_pairs: u64,
    #[serde(with = "named::option")]
    kind: Option<RelationKind>,
    certainty: Option<Sure>,
    point: [f64; 3],
    depth: Option<Depth>,
    contact: Option<Contact>,
}

/// True if pairs of parts ascend, each once, and all fulfil `is_pair`.
pub(crate) fn ascend(pairs: impl IntoIterator<Item = [u32; 2]>, is_pair: impl Fn([u32; 2]) -> bool) -> bool {
    let mut last = None;
    pairs.into_iter().all(|pair| is_pair(pair) && last.replace(pair).is_none_or(|last| last < pair))
}

impl StoredClash {
    /// A clash with the numbers of its parts in the file.
    pub(crate) fn new(clash: &Clash, clashes: &Clashes, parts: [u32; 2]) -> Self {
        Self {
            parts,
            triangle_pairs: clash.triangle_pairs,
            kind: clash.relation,
            certainty: clash.certainty,
            point: clash.point,
            depth: clashes.depth(clash).copied(),
            contact: clashes.contact(clash).copied(),
        }
    }
    /// Checks the invariants of every clash.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        // Sums over all tasks are then numbers, too.
        if self.triangle_pairs > MOST_TRIANGLE_PAIRS {
            bail!("a clash has more triangle pairs than meshes have");
        }
        Ok(())
    }
    /// The clash of these parts. It must have passed [`StoredClash::check`].
    pub(crate) fn restored(&self, parts: [u32; 2]) -> (Clash, Option<Depth>, Option<Contact>) {
        let clash = Clash::new(parts, self.triangle_pairs, self.kind, self.certainty, self.point);
        (clash, self.depth, self.contact)
    }
}
