//! [`PairLimit`]: the limit of tested pairs of parts.
use crate::values::numbers::shortest;
use anyhow::bail;
use impinge::{
    broad_phase::{Aabb, BroadPhase, Grid},
    distance::Margin,
};

/// Number of boxes that are compared with all others to estimate the number of pairs.
const SAMPLES: usize = 64;

#[derive(Clone, Copy)]
pub(crate) struct PairLimit {
    pub(crate) most: u64,
    /// The distance up to which pairs are tested; `None` if only boxes that meet are.
    pub(crate) reach: Option<Margin>,
}

impl PairLimit {
    /// The pairs of parts whose boxes meet. Returns an error if an estimate is far above the limit.
    pub(crate) fn boxes_that_meet(self, extents: &[Aabb]) -> anyhow::Result<Vec<[u32; 2]>> {
        // A file of some kilobytes may have half a million parts in one place, and no memory holds all their
        // pairs.
        let expected = expected_pairs(extents);
        if expected > 2.0 * self.most as f64 {
            let (lie, most) = (self.lie(), self.most);
            bail!("some {expected:.0e} part pairs have boxes {lie}; at most {most} are tested (max_pairs)");
        }
        let all: Vec<u32> =
            (0..).zip(extents).filter(|(_, extent)| !extent.is_empty()).map(|(part, _)| part).collect();
        let mut found = Vec::new();
        Grid::new().update(extents, &all, &mut found);
        Ok(found)
    }
    pub(crate) fn allows(self, tested: usize) -> anyhow::Result<()> {
        if tested as u64 > self.most {
            let (lie, most) = (self.lie(), self.most);
            bail!("{tested} part pairs have boxes {lie}; at most {most} are tested (max_pairs)");
        }
        Ok(())
    }
    /// Text for the place of the boxes of tested pairs.
    fn lie(self) -> String {
        match self.reach {
            Some(reach) => format!("within {} of each other", shortest([reach.get(); 2])),
            None => "that overlap".to_owned(),
        }
    }
}

/// Estimated number of pairs of boxes that meet: some boxes, evenly spread over the list, are compared with
/// all.
fn expected_pairs(extents: &[Aabb]) -> f64 {
    let step = extents.len().div_ceil(SAMPLES).max(1);
    let samples = extents.iter().step_by(step);
    let meet = |sample: &Aabb| extents.iter().filter(|other| sample.meets(other)).count().saturating_sub(1);
    let found: usize = samples.clone().map(meet).sum();
    found as f64 / samples.len().max(1) as f64 * extents.len() as f64 / 2.0
}
